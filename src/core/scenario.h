// A Scenario: the question, as a plain value. The model and the GPU are resolved values, not names: core never looks anything up.
// The JSON names and defaults are in the contract; formats/schema.h describes every field once for all readers and views.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/architecture.h"
#include "core/names.h"
#include "core/text.h"
#include "core/units.h"

namespace gpudget {

enum class Method : std::uint8_t { full, lora, qlora, inference };
template <>
struct Names<Method> {
  static constexpr std::array<std::string_view, 4> values{"full", "lora", "qlora", "inference"};
};

enum class DType : std::uint8_t { fp32, tf32, bf16, fp16, fp8, int8, int4, nf4 };
template <>
struct Names<DType> {
  static constexpr std::array<std::string_view, 8> values{"fp32", "tf32", "bf16", "fp16", "fp8", "int8", "int4", "nf4"};
};
// Bits that one value takes, scales of quantized blocks not counted. tf32 is stored as fp32.
constexpr std::int64_t bits(DType t) {
  constexpr std::array<std::int64_t, 8> kBits{32, 32, 16, 16, 8, 8, 4, 4};
  return kBits[static_cast<std::size_t>(t)];
}

// Hugging Face TrainingArguments.optim names; adamw_bnb_8bit is an alias of adamw_8bit, read as it. sgd_momentum is ours (optim_args there).
enum class Optimizer : std::uint8_t {
  adamw_torch,
  adamw_torch_fused,
  adamw_apex_fused,
  adamw_8bit,
  adamw_torch_8bit,
  adamw_torch_4bit,
  paged_adamw_32bit,
  paged_adamw_8bit,
  adafactor,
  sgd,
  sgd_momentum,
  adagrad,
  rmsprop,
  lion_32bit,
  lion_8bit,
  paged_lion_32bit,
  paged_lion_8bit,
  ademamix,
  ademamix_8bit,
  galore_adamw,
  galore_adamw_8bit,
  apollo_adamw,
  lomo,
  adalomo,
  schedule_free_adamw,
  muon
};
template <>
struct Names<Optimizer> {
  static constexpr std::array<std::string_view, 26> values{"adamw_torch",
                                                           "adamw_torch_fused",
                                                           "adamw_apex_fused",
                                                           "adamw_8bit",
                                                           "adamw_torch_8bit",
                                                           "adamw_torch_4bit",
                                                           "paged_adamw_32bit",
                                                           "paged_adamw_8bit",
                                                           "adafactor",
                                                           "sgd",
                                                           "sgd_momentum",
                                                           "adagrad",
                                                           "rmsprop",
                                                           "lion_32bit",
                                                           "lion_8bit",
                                                           "paged_lion_32bit",
                                                           "paged_lion_8bit",
                                                           "ademamix",
                                                           "ademamix_8bit",
                                                           "galore_adamw",
                                                           "galore_adamw_8bit",
                                                           "apollo_adamw",
                                                           "lomo",
                                                           "adalomo",
                                                           "schedule_free_adamw",
                                                           "muon"};
};

// selective: PyTorch's selective checkpointing with torchtitan's policy "op": every other matrix product and the attention kernel's result are kept.
enum class Checkpointing : std::uint8_t { none, full, selective };
template <>
struct Names<Checkpointing> {
  static constexpr std::array<std::string_view, 3> values{"none", "full", "selective"};
};
enum class Attention : std::uint8_t { eager, sdpa, flash_attention_2 };
template <>
struct Names<Attention> {
  static constexpr std::array<std::string_view, 3> values{"eager", "sdpa", "flash_attention_2"};
};
// in_place: all logits, and one kernel that writes their gradient over them (Liger's cross-entropy without the linear layer, Unsloth's).
enum class Loss : std::uint8_t { full, chunked, fused, in_place };
template <>
struct Names<Loss> {
  static constexpr std::array<std::string_view, 4> values{"full", "chunked", "fused", "in_place"};
};
// The version of transformers whose modelling code and defaults run, where they change memory; each stands for those up to the next.
//   v4.45: to 4.45. The logits are raised to fp32 in place of the 16-bit ones, then copied without each sequence's last.
//   v4.48: 4.46 to 4.49. The 16-bit logits stay beside their fp32 copy and its shifted copy (loss_utils.py, ForCausalLMLoss).
//   v4.57: 4.50 to 4.57. The labels are shifted instead of the logits.
//   v5: the experts of a layer are one tensor, which bitsandbytes leaves alone; checkpointing is not reentrant, FSDP is the second.
enum class Transformers : std::uint8_t { v5, v4_57, v4_48, v4_45 };
template <>
struct Names<Transformers> {
  static constexpr std::array<std::string_view, 4> values{"v5", "v4.57", "v4.48", "v4.45"};
};
enum class DataParallel : std::uint8_t { automatic, ddp, zero1, zero2, zero3, fsdp };
template <>
struct Names<DataParallel> {
  static constexpr std::array<std::string_view, 6> values{"auto", "ddp", "zero1", "zero2", "zero3", "fsdp"};
};
enum class Offload : std::uint8_t { none, optimizer, all };
template <>
struct Names<Offload> {
  static constexpr std::array<std::string_view, 3> values{"none", "optimizer", "all"};
};
enum class Market : std::uint8_t { on_demand, spot };
template <>
struct Names<Market> {
  static constexpr std::array<std::string_view, 2> values{"on_demand", "spot"};
};

// Linear layers by the names that Hugging Face's modelling code gives them; a LoRA target list is a set of these.
enum class Module : std::uint8_t {
  q_proj,
  k_proj,
  v_proj,
  o_proj,
  qkv_proj,
  gate_proj,
  up_proj,
  down_proj,
  gate_up_proj,
  c_attn,
  c_proj,
  c_fc,
  query_key_value,
  dense,
  dense_h_to_4h,
  dense_4h_to_h,
  fc1,
  fc2,
  out_proj,
  q_a_proj,
  q_b_proj,
  kv_a_proj_with_mqa,
  kv_b_proj,
  gate,
  router,
  shared_expert_gate,
  w1,
  w2,
  w3,
  Wqkv,
  up_proj_mpt,
  input_linear,
  output_linear,
  experts,
  lm_head,
  embed_out,
  embed_tokens,
  wte
};
template <>
struct Names<Module> {
  static constexpr std::array<std::string_view, 38> values{"q_proj",
                                                           "k_proj",
                                                           "v_proj",
                                                           "o_proj",
                                                           "qkv_proj",
                                                           "gate_proj",
                                                           "up_proj",
                                                           "down_proj",
                                                           "gate_up_proj",
                                                           "c_attn",
                                                           "c_proj",
                                                           "c_fc",
                                                           "query_key_value",
                                                           "dense",
                                                           "dense_h_to_4h",
                                                           "dense_4h_to_h",
                                                           "fc1",
                                                           "fc2",
                                                           "out_proj",
                                                           "q_a_proj",
                                                           "q_b_proj",
                                                           "kv_a_proj_with_mqa",
                                                           "kv_b_proj",
                                                           "gate",
                                                           "router",
                                                           "shared_expert_gate",
                                                           "w1",
                                                           "w2",
                                                           "w3",
                                                           "Wqkv",
                                                           "ffn.up_proj",
                                                           "input_linear",
                                                           "output_linear",
                                                           "experts",
                                                           "lm_head",
                                                           "embed_out",
                                                           "embed_tokens",
                                                           "wte"};
};
// "all-linear", "attention", or the set in `modules` (bit i: Module i).
struct TargetModules {
  enum class Kind : std::uint8_t { all_linear, attention, list };
  Kind kind = Kind::all_linear;
  std::uint64_t modules = 0;
  constexpr bool contains(Module m) const { return (modules >> static_cast<unsigned>(m) & 1U) != 0; }
  constexpr void insert(Module m) { modules |= std::uint64_t{1} << static_cast<unsigned>(m); }
  constexpr bool operator==(const TargetModules&) const = default;
};

struct ModelSpec {
  // catalog: `id` is a catalog id. config: a config.json's fields are in `architecture`, `id` its _name_or_path if any.
  // params: a Llama-like shape of the size in `id` ("7B").
  enum class Source : std::uint8_t { catalog, config, params };
  Source source = Source::catalog;
  Text<96> id;
  Text<96> name;                          // what people read
  std::int64_t published_parameters = 0;  // 0: unknown
  Architecture architecture;
  constexpr bool operator==(const ModelSpec&) const = default;
};

enum class GpuGeneration : std::uint8_t { pascal, volta, turing, ampere, ada, hopper, blackwell, cdna, other };
template <>
struct Names<GpuGeneration> {
  static constexpr std::array<std::string_view, 9> values{"pascal", "volta", "turing", "ampere", "ada", "hopper", "blackwell", "cdna", "other"};
};
// One GPU. Rates are dense (no sparsity), in units of 1e12 operations a second; 0: not supported or unknown.
struct Gpu {
  bool custom = false;  // true: given by its figures, not by a catalog id
  Text<48> id;
  Text<64> name;
  GpuGeneration generation = GpuGeneration::other;
  Bytes memory;  // what the driver reports as total
  double fp32_tflops = 0, tf32_tflops = 0, bf16_tflops = 0, fp16_tflops = 0, fp8_tflops = 0, int8_tflops = 0;
  double bf16_tflops_achievable = 0;  // measured on large matrices; 0: not measured
  double memory_bandwidth_gb_s = 0;   // 1e9 bytes a second
  double interconnect_gb_s = 0;       // between GPUs of a node, one direction, 1e9 bytes a second (NVLink, else PCIe)
  double network_gb_s = 0;            // between nodes, per GPU, one direction; 0: assume the usual for its class
  bool supports_bf16 = true;
  bool supports_flash_attention = true;
  constexpr bool operator==(const Gpu&) const = default;
};

// What a GPU hour costs, resolved from the catalog for the scenario's GPU and provider; 0: no price known.
struct Quote {
  UsdPerHour on_demand, spot;
  Text<32> provider;
  Text<12> date;  // YYYY-MM-DD
  Text<160> source;
  constexpr bool operator==(const Quote&) const = default;
};

struct Lora {
  std::int64_t r = 16;
  TargetModules target_modules;
  double dropout = 0.0;
  bool dora = false;
  DType adapter_dtype = DType::fp32;
  constexpr bool operator==(const Lora&) const = default;
};
struct Quantization {
  bool double_quant = true;
  bool prepare_kbit = true;
  constexpr bool operator==(const Quantization&) const = default;
};
struct Parallelism {
  DataParallel data = DataParallel::automatic;
  std::int64_t tensor = 1, pipeline = 1, context = 1, expert = 1;
  bool sequence_parallel = false;
  Offload offload = Offload::none;
  constexpr bool operator==(const Parallelism&) const = default;
};
struct Dataset {
  bool by_tokens = false;  // true: `tokens` counts, else examples * tokens_per_example
  std::int64_t examples = 10'000;
  std::int64_t tokens_per_example = 512;
  std::int64_t tokens = 0;
  constexpr bool operator==(const Dataset&) const = default;
};
struct Price {
  Market market = Market::on_demand;
  std::optional<UsdPerHour> usd_per_gpu_hour;  // the user's own; else from `quote`
  Text<32> provider;                           // empty: the catalog's choice
  constexpr bool operator==(const Price&) const = default;
};

struct Scenario {
  ModelSpec model;
  Method method = Method::full;
  Lora lora;
  Quantization quantization;
  std::optional<DType> weights;  // empty: bf16, nf4 for qlora; read through weights_dtype()
  DType compute = DType::bf16;
  std::optional<DType> gradients;  // empty: the trainable weights' type
  bool master_weights = false;
  Optimizer optim = Optimizer::adamw_torch_fused;
  std::optional<DType> optimizer_states;  // empty: as the optimizer keeps them
  std::optional<DType> kv_cache_dtype;    // inference; empty: the compute type
  std::int64_t per_device_train_batch_size = 1;
  std::int64_t max_length = 2048;
  std::int64_t gradient_accumulation_steps = 1;
  Checkpointing gradient_checkpointing = Checkpointing::none;
  Attention attn_implementation = Attention::flash_attention_2;
  Loss loss = Loss::full;
  double max_grad_norm = 1.0;
  bool optimizer_in_backward = false;
  bool compile = false;
  Transformers transformers = Transformers::v5;
  Parallelism parallelism;
  Gpu gpu;
  std::int64_t gpus = 1;
  std::int64_t gpus_per_node = 8;
  Dataset dataset;
  std::int64_t epochs = 3;
  std::optional<TokensPerSecond> throughput;  // measured by the user, whole job
  Price price;
  std::int64_t runs = 1;
  Quote quote;  // resolved, not part of the JSON

  constexpr bool operator==(const Scenario&) const = default;
};

// The types in force once the empty ones are decided.
constexpr DType weights_dtype(const Scenario& s) { return s.weights.value_or(s.method == Method::qlora ? DType::nf4 : DType::bf16); }
// The type in which trainable parameters are held: the adapters' under LoRA, else the weights'.
constexpr DType trainable_dtype(const Scenario& s) { return s.method == Method::lora || s.method == Method::qlora ? s.lora.adapter_dtype : weights_dtype(s); }
constexpr DType gradients_dtype(const Scenario& s) { return s.gradients.value_or(trainable_dtype(s)); }
constexpr DataParallel data_parallel(const Scenario& s) {
  if (s.parallelism.data != DataParallel::automatic) return s.parallelism.data;
  return DataParallel::ddp;  // on one GPU there is nothing to replicate, and ddp costs nothing
}
// GPUs that hold a copy or a shard of the same piece of the model: gpus / (tensor * pipeline * context); at least 1.
constexpr std::int64_t data_parallel_degree(const Scenario& s) {
  const std::int64_t model_parallel = product(s.parallelism.tensor, s.parallelism.pipeline, s.parallelism.context);
  return s.gpus >= model_parallel && model_parallel > 0 ? s.gpus / model_parallel : 1;
}

}  // namespace gpudget
