// Types of gpudget.js. Sizes are bytes, times seconds, money US dollars, rates per second. The fields are described in gpudget's contract.

export type Method = "full" | "lora" | "qlora" | "inference";
export type WeightType = "fp32" | "bf16" | "fp16" | "int8" | "int4" | "nf4";
export type ComputeType = "fp32" | "tf32" | "bf16" | "fp16" | "fp8";
export type FloatType = "fp32" | "bf16" | "fp16";
export type Optimizer =
  | "adamw_torch" | "adamw_torch_fused" | "adamw_apex_fused" | "adamw_8bit" | "adamw_bnb_8bit" | "adamw_torch_8bit" | "adamw_torch_4bit"
  | "paged_adamw_32bit" | "paged_adamw_8bit" | "adafactor" | "sgd" | "sgd_momentum" | "adagrad" | "rmsprop" | "lion_32bit" | "lion_8bit"
  | "paged_lion_32bit" | "paged_lion_8bit" | "ademamix" | "ademamix_8bit" | "galore_adamw" | "galore_adamw_8bit" | "apollo_adamw" | "lomo"
  | "adalomo" | "schedule_free_adamw" | "muon";

/** A catalog id, a Hugging Face config.json, or a Llama-like shape of a size. */
export type Model = string | { config: Record<string, unknown> } | { params: string | number };

/** A GPU that the catalog does not have. */
export interface CustomGpu {
  name?: string;
  memory_gib: number;
  bf16_tflops?: number;
  memory_bandwidth_gb_s?: number;
  fp32_tflops?: number;
  tf32_tflops?: number;
  fp16_tflops?: number;
  fp8_tflops?: number;
  int8_tflops?: number;
  bf16_tflops_achievable?: number;
  interconnect_gb_s?: number;
  network_gb_s?: number;
  generation?: "pascal" | "volta" | "turing" | "ampere" | "ada" | "hopper" | "blackwell" | "cdna" | "other";
  supports_bf16?: boolean;
  supports_flash_attention?: boolean;
}

/** The question. Whatever is left out takes its default. */
export interface Scenario {
  model?: Model;
  method?: Method;
  lora?: { r?: number; target_modules?: "all-linear" | "attention" | string[]; dropout?: number; dora?: boolean; adapter_dtype?: FloatType };
  quantization?: { double_quant?: boolean; prepare_kbit?: boolean };
  weights?: WeightType | null;
  compute?: ComputeType;
  gradients?: FloatType | null;
  master_weights?: boolean;
  optim?: Optimizer;
  optimizer_states?: "fp32" | "bf16" | "int8" | null;
  kv_cache_dtype?: "fp32" | "bf16" | "fp16" | "fp8" | "int8" | null;
  per_device_train_batch_size?: number;
  max_length?: number;
  gradient_accumulation_steps?: number;
  gradient_checkpointing?: "none" | "full" | "selective" | boolean;
  attn_implementation?: "eager" | "sdpa" | "flash_attention_2";
  loss?: "full" | "chunked" | "fused" | "in_place";
  max_grad_norm?: number;
  optimizer_in_backward?: boolean;
  compile?: boolean;
  transformers?: "v5" | "v4.57" | "v4.48" | "v4.45";
  parallelism?: {
    data?: "auto" | "ddp" | "zero1" | "zero2" | "zero3" | "fsdp";
    tensor?: number;
    pipeline?: number;
    context?: number;
    expert?: number;
    sequence_parallel?: boolean;
    offload?: "none" | "optimizer" | "all";
  };
  gpu?: string | CustomGpu;
  gpus?: number;
  gpus_per_node?: number;
  dataset?: { examples?: number; tokens_per_example?: number; tokens?: null } | { tokens: number };
  epochs?: number;
  throughput?: number | null;
  price?: { market?: "on_demand" | "spot"; usd_per_gpu_hour?: number | null; provider?: string | null };
  runs?: number;
}

export type Phase = "load" | "forward" | "loss" | "backward" | "step" | "decode";
export type Category = "weights" | "gradients" | "optimizer_states" | "activations" | "logits" | "kv_cache" | "buffers" | "framework";

export interface LedgerEntry {
  id: string;
  category: Category;
  bytes: number;
  from: Phase;
  to: Phase;
  formula: string;
}
export interface Advice {
  id: string;
  enabled: boolean;
  applicable: boolean;
  makes_it_fit: boolean;
  saves_bytes: number;
  saves_usd: number;
  costs_seconds: number;
  scenario_patch: Scenario;
}
export interface Problem {
  severity: "error" | "warning" | "note";
  path: string;
  id: string;
  message: string;
}
/** The answer. */
export interface Estimate {
  model: { name: string; parameters: number; active_parameters: number; trainable_parameters: number };
  memory: {
    per_gpu: { allocated: number; reserved: number; device: number };
    range: { low: number; high: number };
    capacity: number;
    headroom: number;
    fits: boolean;
    confidence: "measured" | "modelled" | "extrapolated";
    peak_phase: Phase;
    phases: { phase: Phase; bytes: number }[];
    categories: Record<Category, number>;
    ledger: LedgerEntry[];
    host_bytes: number;
  };
  compute: {
    flops_per_token: number;
    tokens_per_step: number;
    step_seconds: number;
    tokens_per_second: number;
    tokens_per_second_range: { low: number; high: number };
    mfu: number;
    bound: "compute" | "memory" | "communication";
  };
  time: { training_tokens: number; steps: number; seconds: number; seconds_all_runs: number };
  cost: { usd: number; usd_all_runs: number; usd_on_demand: number; usd_spot: number; priced_on: string; source: string };
  advice: Advice[];
  problems: Problem[];
}

export interface PlanOptions {
  /** Catalog ids to rent; by default all that somebody rents. */
  gpus?: string[] | string;
  /** What you have: {"rtx-4090": 2}. */
  owned?: Record<string, number>;
  max_gpus?: number;
  /** "24h", "3d", "90m", or seconds. */
  deadline?: string | number;
  budget?: number;
  market?: "on_demand" | "spot";
  methods?: "any" | "kept" | ("full" | "lora" | "qlora")[];
  keep_effective_batch?: boolean;
  no_quantization?: boolean;
  no_lora?: boolean;
  keep_optimizer?: boolean;
  no_offload?: boolean;
  top?: number;
}
export interface PlanRow {
  gpu: string;
  gpus: number;
  method: Method;
  seconds: number;
  seconds_all_runs: number;
  usd: number;
  usd_all_runs: number;
  tokens_per_second: number;
  device_bytes: number;
  headroom_bytes: number;
  reasons: string[];
  scenario: Scenario;
}
export interface Plan {
  /** The Pareto front of cost and time, cheapest first. */
  front: PlanRow[];
  /** Where nothing answers: what comes nearest, and what it misses. */
  nearest: { misses: "memory" | "deadline" | "budget"; lacks_bytes: number; late_seconds: number; over_usd: number; row: PlanRow } | null;
  front_size: number;
  candidates: number;
  fitting: number;
  evaluated: number;
  without_price: number;
  without_speed: number;
  dots: { gpu: string; gpus: number; seconds: number; usd: number; on_front: boolean; within: boolean }[];
}

export type LimitOf = "params" | "per_device_train_batch_size" | "max_length" | "lora.r";
export type Limit =
  | { of: LimitOf; value: null }
  | { of: LimitOf; value: number; scenario_patch: Scenario; memory: { device: number; capacity: number; headroom: number } };

export type ExportTool = "trainer" | "trl" | "deepspeed" | "accelerate" | "torchtune" | "axolotl" | "llamafactory";
export interface ExportedFile {
  name: string;
  mime: string;
  text: string;
  /** How to start it on the scenario's GPUs, one line a command. */
  command: string;
}

/** What became of another tool's file: what of it was read, what it left open and was assumed, what has no part in the estimate. */
export interface ImportedConfig {
  scenario: Scenario;
  name: string;
  kind: "scenario" | "config.json" | "safetensors_index" | "gguf" | "adapter_config" | "training_arguments" | "deepspeed" | "accelerate" | "axolotl" | "llamafactory" | "torchtune";
  read: string[];
  assumed: string[];
  ignored: string[];
}

export type CourseTable = "full_finetune" | "single_gpu" | "multi_gpu" | "throughput" | "time" | "prices" | "cost" | "estimate_memory";
export type Language = "en" | "pt" | "fr";

export interface ListedModel {
  id: string;
  name: string;
  family: string;
  parameters: number;
  active_parameters: number;
  published_parameters: number;
  source: string;
  [field: string]: string | number | boolean;
}
export interface ListedGpu {
  id: string;
  name: string;
  memory_bytes: number;
  memory_gib: number;
  source: string;
  [field: string]: string | number | boolean;
}
export interface ListedPrice {
  gpu: string;
  provider: string;
  usd_per_gpu_hour: number | null;
  usd_per_gpu_hour_spot: number | null;
  date: string;
  source: string;
  note: string;
}
export interface Field {
  path: string;
  type: "boolean" | "integer" | "number" | "choice" | "model" | "gpu" | "modules" | "text";
  group: "model" | "method" | "batch" | "savers" | "hardware" | "data" | "advanced";
  nullable: boolean;
  minimum?: number;
  maximum?: number;
  choices?: string[];
  unit?: string;
  default: unknown;
}

/** What was wrong: the field's path ("parallelism.tensor", "" where it is the whole), and what would do. */
export class GpudgetError extends Error {
  constructor(path: string, message: string);
  path: string;
}

export interface Gpudget {
  readonly version: string;
  estimate(scenario?: Scenario, options?: { lang?: Language }): Estimate;
  plan(scenario?: Scenario, options?: PlanOptions): Plan;
  /** The largest value that still fits, everything else as given. */
  limit(scenario: Scenario | undefined, options: { of: LimitOf }): Limit;
  /** A configuration that a training tool runs; `link`: the page's address, for the comment that leads back. */
  export(scenario: Scenario | undefined, options: { to: ExportTool; link?: string }): ExportedFile;
  /** The chapter's table, computed by its formulas; none named: all of them. */
  course(table?: CourseTable, options?: { lang?: Language }): Record<string, unknown>;
  list(kind: "models"): ListedModel[];
  list(kind: "gpus"): ListedGpu[];
  list(kind: "prices"): ListedPrice[];
  list(kind: "optimizers"): { id: Optimizer }[];
  /** The whole Scenario that a partial one stands for. */
  scenario(partial?: Scenario): Scenario;
  /** The text after "#s=" of a link to the page, and back. */
  link(scenario?: Scenario): string;
  readLink(text: string): Scenario;
  /** Every field of a Scenario: type, range, choices, default. */
  schema(): Field[];
  /** Another tool's configuration, JSON or YAML, told by its content: config.json, adapter_config.json, TrainingArguments, DeepSpeed, accelerate, Axolotl,
   *  LLaMA-Factory, torchtune. `name`: the file's, for errors; `base`: the Scenario that it changes, by default the default one. */
  importConfig(text: string, options?: { name?: string; base?: Scenario }): Promise<ImportedConfig>;
}

/** `source`: gpudget-core.wasm as a URL, bytes, a Response or a compiled module; by default the file beside gpudget.js. */
export function load(source?: string | URL | BufferSource | WebAssembly.Module | Response | Promise<Response>): Promise<Gpudget>;
