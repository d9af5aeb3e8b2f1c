// node tests/fuzz/dictionary.mjs [WASM]: writes the fuzzers' dictionaries anew from the schema and the catalog.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rawCore } from "../identity/core.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const call = await rawCore(process.argv[2] ?? `${here}../../build/web/site/gpudget-core.wasm`);
const fields = JSON.parse(call("gpudget_schema").text);
const words = new Set(["null", "true", "false", "{", "}", "[", "]", ":", ",", "=", "\n", "1e300", "-1", "9223372036854775807", "\\ud800", "config", "params", "7B", "name",
  "memory_gib", "bf16_tflops", "memory_bandwidth_gb_s", "generation", "supports_bf16", "q_proj", "all-linear", "attention", "rtx-4090", "meta-llama/Llama-3.1-8B"]);
for (const field of fields) {
  words.add(field.path);
  field.path.split(".").forEach((step) => words.add(step));
  (field.choices ?? []).forEach((choice) => words.add(choice));
}
const quoted = (word) => `"${[...word].map((c) => (c === '"' || c === "\\" ? `\\${c}` : c < " " ? `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}` : c)).join("")}"\n`;
const text = "# Made by dictionary.mjs from the schema.\n" + [...words].sort().map(quoted).join("");
for (const name of ["scenario", "set"]) writeFileSync(`${here}${name}.dict`, text);
const config = ["model_type", "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "intermediate_size", "vocab_size", "head_dim", "tie_word_embeddings",
  "text_config", "llama", "mistral", "mixtral", "qwen2", "qwen3", "qwen3_moe", "gemma3", "phi3", "gpt2", "gpt_neox", "opt", "bloom", "falcon", "starcoder2", "olmo2", "cohere",
  "granite", "deepseek_v3", "gpt_oss", "glm4", "n_embd", "n_layer", "n_head", "d_model", "n_layers", "num_local_experts", "num_experts_per_tok", "n_routed_experts",
  "moe_intermediate_size", "first_k_dense_replace", "kv_lora_rank", "q_lora_rank", "quantization_config", "quant_method", "bits", "gptq", "awq", "fp8", "load_in_4bit",
  "bnb_4bit_quant_type", "nf4", "metadata", "total_size", "weight_map", "layer_types", "max_position_embeddings", "attention_bias", "_name_or_path"];
writeFileSync(`${here}hf_config.dict`, "# Made by dictionary.mjs: names in config.json files.\n" + config.map(quoted).join(""));
