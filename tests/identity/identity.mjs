// 200 scenarios made at random from the schema (a fixed seed), good ones and bad ones: estimate, plan, limit, export, course and list must give the same bytes from
// build/native/gpudget and build/web/site/gpudget-core.wasm. tests/identity/run [PROGRAM [WASM]]
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rawCore } from "./core.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.argv[2] ?? `${root}build/native/gpudget`, wasm = process.argv[3] ?? `${root}build/web/site/gpudget-core.wasm`;
for (const file of [program, wasm])
  if (!existsSync(file)) {
    console.log(`no ${file}: cmake --workflow --preset native, and web`);
    process.exit(1);
  }
const call = await rawCore(wasm);
const native = (words, input = "") => {
  const { stdout, stderr, status } = spawnSync(program, words, { input, maxBuffer: 1 << 28, env: { ...process.env, LC_ALL: "C" } });
  return { text: stdout.toString(), error: stderr.toString(), status };
};

let state = 20261202n;
const random = () => {  // splitmix64
  state = (state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
  let z = state;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
  return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
};
const below = (n) => Math.floor(random() * n);
const one = (list) => list[below(list.length)];

const ids = (kind) => JSON.parse(call("gpudget_list", kind).text).map((row) => row.id);
const models = ids("models"), gpus = ids("gpus"), providers = [...new Set(JSON.parse(call("gpudget_list", "prices").text).map((row) => row.provider))];
const schema = JSON.parse(call("gpudget_schema").text);
function value(field) {
  if (field.nullable && random() < 0.3) return null;
  switch (field.type) {
    case "boolean": return random() < 0.5;
    case "integer": return Math.floor(field.minimum + random() * Math.min(field.maximum - field.minimum, one([3, 64, 4096, 1e12])));
    case "number": return field.minimum + random() * Math.min(field.maximum - field.minimum, one([1, 1000, 1e9]));
    case "choice": return one(field.choices);
    case "model": return random() < 0.3 ? { params: `${(random() * 100 + 0.1).toFixed(2)}B` } : one(models);
    case "gpu": return random() < 0.3 ? { name: "Karte é", memory_gib: random() * 200 + 1, bf16_tflops: random() * 1000, memory_bandwidth_gb_s: random() * 5000 } : one(gpus);
    case "modules": return one(["all-linear", "attention", ["q_proj", "v_proj"], ["down_proj"]]);
    default: return one(providers);
  }
}
function scenario(share) {
  const out = {};
  for (const field of schema) {
    if (random() > share || (field.path.startsWith("dataset.") && out.dataset)) continue;
    const [group, name] = field.path.split(".");
    if (name) (out[group] ??= {})[name] = value(field);
    else out[group] = value(field);
  }
  return out;
}

let passed = 0, failed = 0;
const same = (what, a, b) => {
  if (a === b) return passed++;
  failed++;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  console.log(`FAILED: ${what}: they part at byte ${i}\n  native …${a.slice(Math.max(0, i - 60), i + 60)}\n  wasm   …${b.slice(Math.max(0, i - 60), i + 60)}`);
};

const scenarios = Array.from({ length: 200 }, (_, i) => scenario(i < 100 ? 0.15 : 0.5));
for (const lang of ["en", "pt", "fr"]) {
  const lines = native(["estimate", "--ndjson", "--lang", lang], scenarios.map((s) => JSON.stringify(s)).join("\n")).text.split("\n");
  scenarios.forEach((s, i) => {
    const { failed: refused, text } = call("gpudget_estimate", JSON.stringify(s), lang);
    same(`estimate ${lang} of ${JSON.stringify(s)}`, lines[i] ?? "", refused ? `refused: ${text}` : text);
  });
}
scenarios.slice(0, 12).forEach((s) => {
  const json = JSON.stringify({ ...s, method: s.method === "inference" ? "lora" : s.method });
  for (const of of ["params", "per_device_train_batch_size", "max_length"]) same(`limit ${of} of ${json}`, native(["limit", "-", "--of", of, "--json"], json).text, call("gpudget_limit", json, of).text + "\n");
  for (const to of ["trainer", "deepspeed", "axolotl"]) same(`export ${to} of ${json}`, native(["export", "-", "--to", to], json).text, JSON.parse(call("gpudget_export", json, to, "").text).text);
  same(`plan of ${json}`, native(["plan", "-", "--json", "--gpus", "a100-80gb-sxm,rtx-4090", "--max-gpus", "4"], json).text,
    call("gpudget_plan", json, '{"gpus":"a100-80gb-sxm,rtx-4090","max_gpus":4}').text + "\n");
});
for (const kind of ["models", "gpus", "prices", "optimizers"]) same(`list ${kind}`, native(["list", kind, "--json"]).text, call("gpudget_list", kind).text + "\n");
same("course", native(["course", "--json"]).text, call("gpudget_course", "", "en").text + "\n");
for (const bad of ['{"max_len":1}', "{", '{"gpus":1e300}', '{"gpus":1.5}', '{"model":{"params":1e300}}', '{"gpu":{"memory_gib":1e7}}', '{"lora":{"dropout":1.0000001}}']) {
  const { path, message } = JSON.parse(call("gpudget_estimate", bad, "en").text);
  same(`error of ${bad}`, native(["estimate", "-", "--json"], bad).error, `gpudget: error: ${path || "standard input"}: ${message}\n`);
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
