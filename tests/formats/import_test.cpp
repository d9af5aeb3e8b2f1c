// Each reader on files as its tool writes them, on files that are wrong, and together.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/parameters.h"
#include "formats/gguf.h"
#include "formats/import.h"
#include "formats/schema.h"
#include "formats/yaml_reader.h"

using namespace gpudget;
using formats::ImportKind;

namespace {

Scenario defaults() { return formats::default_scenario(); }
formats::Imported read(std::string_view name, std::string_view text) {
  auto back = formats::import_file(name, text, defaults());
  REQUIRE_MESSAGE(back, back.error().path << ": " << back.error().message());
  return *back;
}
formats::Error wrong(std::string_view name, std::string_view text) {
  const auto back = formats::import_file(name, text, defaults());
  REQUIRE_MESSAGE(!back, text);
  CHECK(!back.error().message().empty());
  return back.error();
}
bool lists(const std::vector<std::string>& list, std::string_view part) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

constexpr std::string_view kAdapter = R"({"peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": "meta-llama/Llama-3.2-1B", "r": 64,
  "lora_alpha": 16, "lora_dropout": 0.05, "target_modules": ["v_proj", "q_proj"], "use_dora": true, "modules_to_save": null, "inference_mode": true})";
constexpr std::string_view kArguments = R"({"output_dir": "out", "num_train_epochs": 2, "per_device_train_batch_size": 4, "gradient_accumulation_steps": 8,
  "optim": "adamw_bnb_8bit", "max_grad_norm": 0.3, "bf16": true, "fp16": false, "tf32": null, "gradient_checkpointing": true,
  "gradient_checkpointing_kwargs": {"use_reentrant": false}, "use_liger_kernel": true, "torch_compile": false, "max_length": 4096, "learning_rate": 2e-5,
  "model_init_kwargs": {"dtype": "bfloat16", "attn_implementation": "sdpa"}, "fsdp": ["full_shard", "auto_wrap"], "fsdp_config": {"fsdp_version": 2}})";
constexpr std::string_view kDeepspeed =
    R"({"train_batch_size": 128, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4, "gradient_clipping": 1.0,
  "bf16": {"enabled": true}, "fp16": {"enabled": "auto"}, "zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}, "offload_param": {"device": "cpu"},
  "stage3_prefetch_bucket_size": 1e7}, "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}}})";
constexpr std::string_view kAccelerate = R"(compute_environment: LOCAL_MACHINE
distributed_type: FSDP
downcast_bf16: 'no'
fsdp_config:
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_offload_params: true
  fsdp_activation_checkpointing: true
machine_rank: 0
mixed_precision: bf16
num_machines: 2
num_processes: 16
)";
constexpr std::string_view kAxolotl = R"(base_model: meta-llama/Llama-3.2-1B  # from the examples
load_in_8bit: false
load_in_4bit: true
datasets:
  - path: teknium/GPT4-LLM-Cleaned
    type: alpaca
adapter: qlora
lora_r: 32
lora_dropout: 0.05
lora_target_linear: true
sequence_len: 2048
sample_packing: true
gradient_accumulation_steps: 4
micro_batch_size: 2
num_epochs: 1
optimizer: paged_adamw_32bit
lr_scheduler: cosine
learning_rate: 0.0002
bf16: auto
tf32: false
gradient_checkpointing: true
flash_attention: true
deepspeed: deepspeed_configs/zero2.json
)";
constexpr std::string_view kLlamaFactory = R"(model_name_or_path: meta-llama/Llama-3.1-8B
stage: sft
do_train: true
finetuning_type: lora
lora_rank: 8
lora_target: q_proj,v_proj
quantization_bit: 4
dataset: identity,alpaca_en_demo
template: llama3
cutoff_len: 2048
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
learning_rate: 1.0e-4
num_train_epochs: 3.0
bf16: true
flash_attn: fa2
)";

// A GGUF header by hand: strings, numbers, a long list, tensors.
class Gguf {
 public:
  explicit Gguf(std::uint64_t tensors, std::uint64_t fields, std::uint32_t version = 3) {
    out_ = "GGUF";
    number(version), number(tensors), number(fields);
  }
  template <class T>
  Gguf& number(T v) {
    for (std::size_t i = 0; i < sizeof(T); ++i) out_ += static_cast<char>(static_cast<unsigned char>(static_cast<std::uint64_t>(v) >> (8 * i)));
    return *this;
  }
  Gguf& text(std::string_view s) {
    number(std::uint64_t{s.size()});
    out_ += s;
    return *this;
  }
  Gguf& field(std::string_view key, std::uint32_t v) { return text(key).number(std::uint32_t{4}).number(v); }
  Gguf& field(std::string_view key, std::string_view v) { return text(key).number(std::uint32_t{8}).text(v); }
  Gguf& tensor(std::string_view name, std::uint64_t columns, std::uint64_t rows, std::uint32_t type) {
    return text(name).number(std::uint32_t{2}).number(columns).number(rows).number(type).number(std::uint64_t{0});
  }
  const std::string& data() const { return out_; }

 private:
  std::string out_;
};

std::string small_gguf() {
  Gguf g(3, 9);
  g.field("general.architecture", "llama").field("general.name", "Small");
  g.field("llama.embedding_length", 64).field("llama.block_count", 2).field("llama.feed_forward_length", 128).field("llama.attention.head_count", 4);
  g.field("llama.attention.head_count_kv", 2).field("llama.context_length", 512);
  g.text("tokenizer.ggml.tokens").number(std::uint32_t{9}).number(std::uint32_t{8}).number(std::uint64_t{1000});
  for (int i = 0; i < 1000; ++i) g.text("token");
  g.tensor("token_embd.weight", 64, 1000, 12).tensor("output.weight", 64, 1000, 14).tensor("blk.0.ffn_up.weight", 64, 128, 12);
  return g.data();
}

}  // namespace

TEST_CASE("every real config.json is told for what it is") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(GPUDGET_SOURCE_DIR) + "/tests/data/configs")) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto kind = formats::import_kind("config.json", text);
    REQUIRE(kind);
    CHECK_MESSAGE(*kind == ImportKind::model_config, entry.path().string());
    ++count;
  }
  CHECK(count > 150);
}

TEST_CASE("an adapter's config: rank, targets, method; adapters raised to fp32 are assumed") {
  const auto r = read("adapter_config.json", kAdapter);
  CHECK(r.files[0].kind == ImportKind::adapter);
  CHECK(r.scenario.method == Method::lora);
  CHECK(r.scenario.lora.r == 64);
  CHECK(r.scenario.lora.dropout == 0.05);
  CHECK(r.scenario.lora.dora);
  CHECK(r.scenario.lora.target_modules.contains(Module::q_proj));
  CHECK(!r.scenario.lora.target_modules.contains(Module::k_proj));
  CHECK(r.scenario.model.id == "meta-llama/Llama-3.2-1B");
  CHECK(lists(r.files[0].assumed, "lora.adapter_dtype"));
  CHECK(lists(r.files[0].ignored, "lora_alpha"));
  CHECK(lists(r.files[0].read, "r: lora.r = 64"));
}

TEST_CASE("TrainingArguments: what has a part in the estimate is read, the rest is listed") {
  const Scenario s = read("training_args.json", kArguments).scenario;
  CHECK(s.per_device_train_batch_size == 4);
  CHECK(s.gradient_accumulation_steps == 8);
  CHECK(s.optim == Optimizer::adamw_8bit);
  CHECK(s.max_grad_norm == 0.3);
  CHECK(s.compute == DType::bf16);
  CHECK(s.weights == DType::bf16);
  CHECK(s.gradient_checkpointing == Checkpointing::full);
  CHECK(s.loss == Loss::fused);
  CHECK(s.max_length == 4096);
  CHECK(s.attn_implementation == Attention::sdpa);
  CHECK(s.parallelism.data == DataParallel::fsdp);
  CHECK(s.epochs == 2);
  CHECK(lists(read("a.json", kArguments).files[0].ignored, "learning_rate"));
}

TEST_CASE("DeepSpeed: stage, offload, clipping, and the GPUs that its batch stands for") {
  const auto r = read("ds_config.json", kDeepspeed);
  const Scenario& s = r.scenario;
  CHECK(r.files[0].kind == ImportKind::deepspeed);
  CHECK(s.parallelism.data == DataParallel::zero3);
  CHECK(s.parallelism.offload == Offload::all);
  CHECK(s.master_weights);
  CHECK(s.per_device_train_batch_size == 2);
  CHECK(s.gpus == 16);
  CHECK(lists(r.files[0].assumed, "gpus = 16"));
  CHECK(lists(r.files[0].ignored, "zero_optimization.stage3_prefetch_bucket_size"));
  CHECK(wrong("d.json", R"({"zero_optimization": {"stage": 4}})").path == "zero_optimization.stage");
  CHECK(wrong("d.json", R"({"zero_optimization": {"stage": 1}, "train_batch_size": 7, "train_micro_batch_size_per_gpu": 2})").path == "train_batch_size");
}

TEST_CASE("YAML of accelerate, Axolotl and LLaMA-Factory") {
  if (!formats::reads_yaml()) {
    const auto e = wrong("axolotl.yaml", kAxolotl);
    CHECK(e.id == formats::ErrorId::unreadable);
    return;
  }
  const auto a = read("accelerate.yaml", kAccelerate);
  CHECK(a.files[0].kind == ImportKind::accelerate);
  CHECK(a.scenario.gpus == 16);
  CHECK(a.scenario.gpus_per_node == 8);
  CHECK(a.scenario.parallelism.data == DataParallel::fsdp);
  CHECK(a.scenario.parallelism.offload == Offload::all);
  CHECK(a.scenario.gradient_checkpointing == Checkpointing::full);

  const auto x = read("axolotl.yaml", kAxolotl);
  CHECK(x.files[0].kind == ImportKind::axolotl);
  CHECK(x.scenario.method == Method::qlora);
  CHECK(x.scenario.weights == DType::nf4);
  CHECK(x.scenario.lora.r == 32);
  CHECK(x.scenario.optim == Optimizer::paged_adamw_32bit);
  CHECK(x.scenario.attn_implementation == Attention::flash_attention_2);
  CHECK(x.scenario.parallelism.data == DataParallel::zero2);  // by the name of its DeepSpeed file
  CHECK(lists(x.files[0].assumed, "by the name of the file"));
  CHECK(lists(x.files[0].ignored, "lr_scheduler"));

  const auto l = read("llamafactory.yaml", kLlamaFactory);
  CHECK(l.files[0].kind == ImportKind::llamafactory);
  CHECK(l.scenario.method == Method::qlora);
  CHECK(l.scenario.lora.r == 8);
  CHECK(l.scenario.gradient_checkpointing == Checkpointing::full);  // its default
  CHECK(l.scenario.lora.target_modules.contains(Module::v_proj));
}

TEST_CASE("several files combine, whatever their order") {
  const std::string_view config =
      R"({"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 4, "num_attention_heads": 8, "intermediate_size": 2048, "vocab_size": 32000,
          "quantization_config": {"load_in_4bit": true, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": false, "quant_method": "bitsandbytes"}})";
  const formats::ImportSource files[] = {
      {"ds_config.json", kDeepspeed}, {"adapter_config.json", kAdapter}, {"config.json", config}, {"training_args.json", kArguments}};
  const auto one = formats::import_files(files, defaults());
  REQUIRE(one);
  const formats::ImportSource turned[] = {files[3], files[2], files[1], files[0]};
  const auto other = formats::import_files(turned, defaults());
  REQUIRE(other);
  CHECK(one->scenario == other->scenario);
  const Scenario& s = one->scenario;
  CHECK(s.model.architecture.hidden_size == 1024);  // the config, not the name in the adapter
  CHECK(s.method == Method::qlora);
  CHECK(!s.quantization.double_quant);
  CHECK(s.parallelism.data == DataParallel::zero3);
  CHECK(lists(one->files[1].ignored, "base_model_name_or_path"));
}

TEST_CASE("a safetensors index checks the count") {
  const auto total = [](std::string_view bytes) { return fmt::format(R"({{"metadata": {{"total_size": {}}}, "weight_map": {{"a": "b"}}}})", bytes); };
  CHECK(lists(read("model.safetensors.index.json", total("16060522496")).files[0].read, "as counted"));
  CHECK(lists(read("model.safetensors.index.json", total("20000000000")).files[0].assumed, "another model"));
}

TEST_CASE("a GGUF header: shape, count and the type of the weights, without the tensors") {
  const std::string file = small_gguf();
  const auto header = formats::read_gguf(file);
  REQUIRE_MESSAGE(header, header.error().path << header.error().message());
  CHECK(header->stored == "Q6_K");
  CHECK(header->parameters == 2 * 64 * 1000 + 64 * 128);
  const auto r = read("small.gguf", file);
  CHECK(r.files[0].kind == ImportKind::gguf);
  CHECK(r.scenario.model.architecture.hidden_size == 64);
  CHECK(r.scenario.model.architecture.vocab_size == 1000);
  CHECK(!r.scenario.model.architecture.tie_word_embeddings);
  CHECK(r.scenario.weights == DType::int8);
  CHECK(r.scenario.method == Method::inference);
  for (std::size_t size = 4; size < file.size(); size += 7) CHECK(!formats::read_gguf(std::string_view(file).substr(0, size)));
  CHECK(formats::read_gguf(Gguf(std::uint64_t{1} << 60, 0).data()).error().path == "tensor_count");
  CHECK(formats::read_gguf(Gguf(0, std::uint64_t{1} << 60).data()).error().path == "metadata_kv_count");
  CHECK(formats::read_gguf(Gguf(0, 0, 1).data()).error().path == "version");
  CHECK(formats::read_gguf(Gguf(0, 1).text("x").number(std::uint32_t{9}).number(std::uint32_t{4}).number(~std::uint64_t{0}).data()).error().path == "x");
  CHECK(formats::read_gguf(Gguf(0, 1).number(~std::uint64_t{0}).data()).error().id == formats::ErrorId::unreadable);
  CHECK(formats::read_gguf(Gguf(0, 1).field("general.architecture", "mamba").data()).error().path == "general.architecture");
  // A list without end is passed over in bounded memory, and refused.
  std::int64_t given = 0;
  Gguf endless(0, 1);
  endless.text("tokenizer.ggml.tokens").number(std::uint32_t{9}).number(std::uint32_t{8}).number(std::uint64_t{200'000'000});
  std::string start = endless.data();
  const auto refused = formats::read_gguf([&](char* to, std::size_t size) {
    if (given == 0) {
      std::copy(start.begin(), start.end(), to);
      given += static_cast<std::int64_t>(start.size());
      return start.size();
    }
    std::fill(to, to + size, '\0');
    given += static_cast<std::int64_t>(size);
    return size;
  });
  CHECK(refused.error().id == formats::ErrorId::too_large);
  CHECK(given <= formats::kMaxGgufHeader + (1 << 20));
}

TEST_CASE("a file that is wrong names the field, in the file's words") {
  CHECK(wrong("a.json", R"({"peft_type": "IA3", "r": 8})").path == "peft_type");
  CHECK(wrong("a.json", R"({"peft_type": "LORA"})").path == "r");
  CHECK(wrong("a.json", R"({"peft_type": "LORA", "r": "many"})").path == "r");
  CHECK(wrong("a.json", R"({"peft_type": "LORA", "r": 0})").path == "r");
  CHECK(wrong("a.json", R"({"peft_type": "LORA", "r": 8, "target_modules": ["q_prj"]})").suggestion == "q_proj");
  CHECK(wrong("t.json", R"({"output_dir": "x", "optim": "adamw_torch_best"})").path == "optim");
  CHECK(wrong("t.json", R"({"output_dir": "x", "bf16": 1})").path == "bf16");
  CHECK(wrong("t.json", R"({"output_dir": "x", "per_device_train_batch_size": 1.5})").path == "per_device_train_batch_size");
  CHECK(wrong("t.json", R"({"output_dir": "x", "fsdp": 3})").path == "fsdp");
  CHECK(wrong("d.json", R"({"zero_optimization": [3]})").path == "zero_optimization");
  CHECK(wrong("d.json", R"({"zero_optimization": {"stage": 1}, "bf16": {"enabled": true}, "fp16": {"enabled": true}})").path == "fp16.enabled");
  CHECK(wrong("s.json", R"({"max_lenght": 3})").suggestion == "max_length");
  CHECK(wrong("list.json", "[1]").path == "list.json");
  CHECK(wrong("cut.json", R"({"r": )").id == formats::ErrorId::not_json);
  CHECK(wrong("empty.json", " \n").path == "empty.json");
  if (!formats::reads_yaml()) return;
  CHECK(wrong("x.yaml", "base_model: a\nmicro_batch_size: many\n").path == "micro_batch_size");
  CHECK(wrong("x.yaml", "base_model: a\nbase_model: b\n").id == formats::ErrorId::duplicate_key);
  CHECK(wrong("x.yaml", "base_model: a\nadapter: ia3\n").path == "adapter");
  CHECK(wrong("x.yaml", "model_name_or_path: a\nfinetuning_type: freeze\n").path == "finetuning_type");
  CHECK(wrong("x.yaml", "num_processes: 4\nmixed_precision: no\n").path == "mixed_precision");
  CHECK(wrong("x.yaml", "a: [1, 2\n").id == formats::ErrorId::unreadable);
  CHECK(wrong("x.yaml", "a: *b\n").id == formats::ErrorId::unreadable);
  CHECK(wrong("x.yaml", "? [a]\n: b\n").id == formats::ErrorId::unreadable);
  CHECK(wrong("x.yaml", "a: 1\n---\nb: 2\n").id == formats::ErrorId::unreadable);
}

TEST_CASE("hostile files are refused quickly, and memory does not explode") {
  const auto started = std::chrono::steady_clock::now();
  const std::string large(100'000'000, ' ');
  for (const char* name : {"config.json", "axolotl.yaml", "adapter_config.json"}) {
    CHECK(wrong(name, large + "x").id == formats::ErrorId::too_large);
    CHECK(wrong(name, std::string("{\"a\": \"") + std::string(20'000'000, 'a') + "\"}").id == formats::ErrorId::too_large);
  }
  if (formats::reads_yaml()) {
    CHECK(wrong("deep.yaml", "a: " + std::string(100'000, '[')).id == formats::ErrorId::too_deep);
    std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
      laughs += fmt::format("a{0}: &a{0} [", i);
      for (int k = 0; k < 10; ++k) laughs += fmt::format("{}*a{}", k == 0 ? "" : ", ", i - 1);
      laughs += "]\n";
    }
    CHECK(wrong("laughs.yaml", laughs).id == formats::ErrorId::too_large);
  }
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() < 60);
}
