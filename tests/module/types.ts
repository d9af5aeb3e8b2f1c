// Compiled by tsc, never run: what people write must be accepted, and what is wrong refused.
import { load, GpudgetError, type Estimate, type Scenario } from "gpudget";

const g = await load();
const scenario: Scenario = {
  model: "meta-llama/Llama-3.1-8B", method: "qlora", lora: { r: 8, target_modules: ["q_proj"] }, weights: null, gpu: { name: "x", memory_gib: 24 },
  parallelism: { data: "zero3", offload: "optimizer" }, dataset: { tokens: 5_000_000 }, gradient_checkpointing: true, price: { market: "spot", provider: null },
};
const e: Estimate = g.estimate(scenario, { lang: "pt" });
const device: number = e.memory.per_gpu.device;
const share: number = e.memory.categories.weights / device;
g.estimate();
g.estimate(e.advice[0]!.scenario_patch);
const row = g.plan({ model: { params: "70B" } }, { gpus: ["h100-80gb-sxm"], deadline: "24h", owned: { "rtx-4090": 2 } }).front[0];
g.estimate(row?.scenario);
const limit = g.limit({}, { of: "max_length" });
if (limit.value !== null) g.estimate({ ...scenario, ...limit.scenario_patch });
const file: string = g.export(scenario, { to: "trl" }).text;
const gib: number = g.list("gpus")[0]!.memory_gib;
g.course("cost");
try {
  g.readLink("1x");
} catch (error) {
  if (error instanceof GpudgetError) console.log(error.path, error.message, share, file, gib);
}

// @ts-expect-error an unknown field
g.estimate({ max_len: 3 });
// @ts-expect-error a wrong name
g.estimate({ method: "lra" });
// @ts-expect-error tokens and examples exclude each other
g.estimate({ dataset: { tokens: 3, examples: 4 } });
// @ts-expect-error a GPU of one's own needs its memory
g.estimate({ gpu: { name: "x" } });
// @ts-expect-error no such quantity
g.limit({}, { of: "width" });
// @ts-expect-error no such list
g.list("cars");
// @ts-expect-error not to be written
g.version = "2";
