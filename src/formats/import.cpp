#include "formats/import.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/parameters.h"
#include "formats/field_json.h"
#include "formats/gguf.h"
#include "formats/hf_config.h"
#include "formats/import_fields.h"
#include "formats/json_reader.h"
#include "formats/json_text.h"
#include "formats/scenario_json.h"
#include "formats/yaml_reader.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

struct Parsed {
  ImportKind kind{};
  json object;
  const GgufHeader* header = nullptr;
  GgufHeader own_header;
};

bool has(const json& object, std::initializer_list<string_view> names) {
  return std::any_of(names.begin(), names.end(), [&](string_view n) { return object.contains(n); });
}

// By what only that tool's files have. A Scenario has no word in common with these lists but those of TrainingArguments, which has more.
ImportKind kind_of(const json& o) {
  if (has(o, {"weight_map"})) return ImportKind::safetensors_index;
  // Model files may carry anything their authors trained with (ChatGLM's quantization_bit, Qwen's bf16).
  if (has(o, {"model_type", "architectures"}) && !has(o, {"base_model", "model_name_or_path", "peft_type", "finetuning_type"})) return ImportKind::model_config;
  if (has(o, {"peft_type", "base_model_name_or_path", "lora_alpha"}) && !has(o, {"base_model", "model_name_or_path", "finetuning_type"}))
    return ImportKind::adapter;
  if (has(o, {"zero_optimization", "train_micro_batch_size_per_gpu", "train_batch_size", "zero_allow_untested_optimizer", "_gpudget"}))
    return ImportKind::deepspeed;
  if (has(o, {"compute_environment", "distributed_type", "num_processes", "deepspeed_config", "megatron_lm_config"})) return ImportKind::accelerate;
  if (has(o, {"base_model"}) || (has(o, {"micro_batch_size", "sequence_len"}) && has(o, {"adapter", "datasets", "num_epochs"}))) return ImportKind::axolotl;
  if (has(o, {"finetuning_type", "cutoff_len", "quantization_bit"}) || (has(o, {"model_name_or_path"}) && has(o, {"stage", "template"})))
    return ImportKind::llamafactory;
  if (o.contains("model") && o["model"].is_object() && o["model"].contains("_component_")) return ImportKind::torchtune;
  if (has(o, {"output_dir", "num_train_epochs", "learning_rate", "lr_scheduler_type", "warmup_ratio", "warmup_steps", "logging_steps", "save_steps",
              "adam_beta1", "weight_decay", "per_device_eval_batch_size", "max_seq_length", "use_liger_kernel", "torch_compile", "bf16", "fp16"}))
    return ImportKind::training_arguments;
  if (has(o, {"model_type", "architectures", "num_hidden_layers", "hidden_size", "text_config", "n_embd"})) return ImportKind::model_config;
  return ImportKind::scenario;
}

int rank(ImportKind kind) {
  // A trainer's own file says less of its sharding than the file that it names.
  switch (kind) {
    case ImportKind::deepspeed: return 20;
    case ImportKind::accelerate: return 21;
    default: return static_cast<int>(kind);
  }
}

std::string in_file(string_view name, const std::string& path) { return path.empty() ? std::string(name.empty() ? "file" : name) : path; }

Result<Parsed> parse(const ImportSource& source) {
  Parsed p;
  const auto refuse = [&](Error e) {
    e.path = in_file(source.name, e.path);
    return tl::unexpected(std::move(e));
  };
  if (source.header != nullptr || is_gguf(source.text)) {
    p.kind = ImportKind::gguf;
    p.header = source.header;
    if (p.header != nullptr) return p;
    auto header = read_gguf(source.text);
    if (!header) return refuse(std::move(header.error()));
    p.own_header = std::move(*header);
    return p;
  }
  if (source.text.size() > kMaxImportBytes)
    return refuse({{}, ErrorId::too_large, fmt::format("{} bytes", source.text.size()), fmt::format("at most {} bytes", kMaxImportBytes), {}});
  const std::size_t first = source.text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == string_view::npos) return refuse({{}, ErrorId::unreadable, "the file is empty", "a configuration", {}});
  const bool is_json = source.text[first] == '{' || source.text[first] == '[' || source.name.ends_with(".json");
  // Only the index of a model's files is ever large.
  const bool index = source.text.find("\"weight_map\"") != string_view::npos;
  auto value = is_json ? parse_json(source.text, index ? kMaxIndexBytes : kMaxScenarioBytes) : parse_yaml(source.text);
  if (!value) return refuse(std::move(value.error()));
  if (!value->is_object()) return refuse({{}, ErrorId::wrong_type, described(*value), "a configuration: an object of fields", {}});
  p.object = std::move(*value);
  p.kind = kind_of(p.object);
  return p;
}

// Quantized weights are not trained in full, and adapters over 4 bits are QLoRA.
void method_of_weights(ImportState& state, ImportedFile& file) {
  Scenario& s = state.s;
  const DType held = weights_dtype(s);
  const bool four = held == DType::nf4 || held == DType::int4;
  if (s.method == Method::full && (four || held == DType::int8))
    s.method = four ? Method::qlora : Method::lora;
  else if (s.method == Method::lora && four)
    s.method = Method::qlora;
  else
    return;
  file.assumed.push_back(fmt::format("method = {}: weights in {} are not trained in full", name(s.method), name(held)));
}

void use_weights(ImportState& state, ImportedFile& file, DType type, string_view of) {
  const DType ours = type == DType::fp8 ? DType::int8 : type;
  state.s.weights = ours;
  state.weights_given = true;
  file.read.push_back(fmt::format("{}: weights = {}", of, name(ours)));
  if (type == DType::fp8) file.assumed.emplace_back("weights = int8: fp8 takes a byte too");
}

std::optional<Error> import_config(ImportState& state, ImportedFile& file, const json& object) {
  auto config = inspect_hf_object(object);
  if (!config) return std::move(config.error());
  state.s.model = config->model;
  state.model_given = true;
  file.read.push_back(fmt::format("model_type and shape: {} parameters", count_parameters(config->model.architecture).total));
  file.assumed = std::move(config->assumed);
  if (config->quantized_weights) use_weights(state, file, *config->quantized_weights, "quantization_config");
  const auto quantization = object.find("quantization_config");
  if (config->quantized_weights && quantization != object.end() && quantization->is_object()) {
    const auto twice = quantization->find("bnb_4bit_use_double_quant");
    if (twice != quantization->end() && twice->is_boolean()) {
      state.s.quantization.double_quant = twice->get<bool>();
      file.read.push_back("quantization_config.bnb_4bit_use_double_quant: " + value_text("quantization.double_quant", state.s));
    }
  }
  if (!config->quantized_weights && has(object, {"torch_dtype", "dtype"}))
    file.ignored.emplace_back("torch_dtype: how the file holds the weights, not how they are loaded");
  return std::nullopt;
}

std::optional<Error> import_gguf(ImportState& state, ImportedFile& file, const GgufHeader& header) {
  auto config = inspect_hf_object(header.config);
  if (!config) return std::move(config.error());
  state.s.model = config->model;
  state.model_given = true;
  const std::int64_t counted = count_parameters(config->model.architecture).total;
  file.read.push_back(fmt::format("general.architecture and shape: {} parameters", counted));
  file.assumed = std::move(config->assumed);
  if (header.parameters > 0) {
    const double error = static_cast<double>(header.parameters - counted) / static_cast<double>(header.parameters);
    if (error > 0.001 || error < -0.001)
      file.assumed.push_back(fmt::format("{} parameters: the file's tensors have {}", counted, header.parameters));
    else
      file.read.push_back(fmt::format("tensors: {} elements, {} bytes", header.parameters, header.bytes));
    if (!header.stored.empty()) {
      use_weights(state, file, header.weights, fmt::format("tensors, most of them {}", header.stored));
      if (bits(header.weights) < 16 && state.s.method != Method::inference) {
        state.s.method = Method::inference;
        file.assumed.emplace_back("method = inference: quantized GGUF files run, they are not trained");
      }
    }
  }
  return std::nullopt;
}

std::optional<Error> import_index(ImportState& state, ImportedFile& file, string_view text) {
  const auto index = read_safetensors_index(text);
  if (!index) return index.error();
  state.index_bytes = index->total_size;
  file.read.push_back(fmt::format("metadata.total_size: {} bytes in {} tensors", index->total_size, index->tensors));
  return std::nullopt;
}

// Once everything is read: does the index agree with the model that was counted?
void check_index(const ImportState& state, ImportedFile& file) {
  const std::int64_t counted = count_parameters(state.s.model.architecture).total;
  for (const std::int64_t width : {2, 4, 1}) {
    const double error = static_cast<double>(*state.index_bytes) / (static_cast<double>(counted) * static_cast<double>(width)) - 1;
    if (error < -0.001 || error > 0.001) continue;
    file.read.push_back(fmt::format("metadata.total_size: {} parameters of {} bytes, as counted", counted, width));
    return;
  }
  file.assumed.push_back(
      fmt::format("{} parameters: metadata.total_size is {} bytes, which is not 1, 2 or 4 for each (parts that are not counted, or another model)", counted,
                  *state.index_bytes));
}

// DeepSpeed's train_batch_size says on how many GPUs.
std::optional<Error> gpus_of_batch(ImportState& state, ImportedFile& file) {
  Scenario& s = state.s;
  const std::int64_t one = product(s.per_device_train_batch_size, s.gradient_accumulation_steps);
  if (*state.train_batch == product(one, data_parallel_degree(s))) return std::nullopt;
  if (*state.train_batch % one != 0)
    return Error{"train_batch_size",
                 ErrorId::contradiction,
                 fmt::format("{} x {} sequences a GPU", s.per_device_train_batch_size, s.gradient_accumulation_steps),
                 "a multiple of it",
                 {}};
  s.gpus = product(*state.train_batch / one, s.parallelism.tensor, s.parallelism.pipeline, s.parallelism.context);
  if (s.gpus > 1'000'000) return Error{"train_batch_size", ErrorId::out_of_range, fmt::format("{}", *state.train_batch), "at most 1000000 GPUs", {}};
  file.assumed.push_back(fmt::format("gpus = {}: train_batch_size / (micro batch x accumulation)", s.gpus));
  return std::nullopt;
}

std::optional<Error> read_one(ImportState& state, ImportedFile& file, const ImportSource& source, const Parsed& p) {
  switch (p.kind) {
    case ImportKind::scenario: {
      auto s = read_scenario_object(p.object, state.s);
      if (!s) return std::move(s.error());
      state.s = *s;
      for (auto member = p.object.begin(); member != p.object.end(); ++member) file.read.push_back(shortened(member.key()));
      return std::nullopt;
    }
    case ImportKind::model_config: return import_config(state, file, p.object);
    case ImportKind::safetensors_index: return import_index(state, file, source.text);
    case ImportKind::gguf: return import_gguf(state, file, p.header != nullptr ? *p.header : p.own_header);
    case ImportKind::adapter: return import_adapter(state, file, p.object);
    case ImportKind::training_arguments: return import_training_arguments(state, file, p.object);
    case ImportKind::deepspeed: return import_deepspeed(state, file, p.object);
    case ImportKind::accelerate: return import_accelerate(state, file, p.object);
    case ImportKind::axolotl: return import_axolotl(state, file, p.object);
    case ImportKind::llamafactory: return import_llamafactory(state, file, p.object);
    case ImportKind::torchtune: return import_torchtune(state, file, p.object);
  }
  return std::nullopt;
}

void write_list(JsonWriter& out, string_view key, const std::vector<std::string>& list) {
  out.key(key).open('[');
  for (const std::string& text : list) out.value(string_view(text));
  out.close(']');
}

}  // namespace

Result<Imported> import_files(std::span<const ImportSource> sources, const Scenario& base) {
  ImportState state;
  state.s = base;
  std::vector<Parsed> parsed;
  std::vector<std::size_t> order;
  Imported out{base, {}};
  for (const ImportSource& source : sources) {
    auto p = parse(source);
    if (!p) return tl::unexpected(std::move(p.error()));
    state.deepspeed_given = state.deepspeed_given || p->kind == ImportKind::deepspeed;
    order.push_back(parsed.size());
    out.files.push_back({std::string(source.name), p->kind, {}, {}, {}});
    parsed.push_back(std::move(*p));
  }
  // The model before what is put on it, the trainer before what it hands over to.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(parsed[a].kind) < rank(parsed[b].kind); });
  for (const std::size_t i : order) {
    if (auto error = read_one(state, out.files[i], sources[i], parsed[i])) {
      error->path = in_file(sources[i].name, error->path);
      return tl::unexpected(std::move(*error));
    }
  }
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    ImportedFile& file = out.files[i];
    if (parsed[i].kind == ImportKind::safetensors_index) check_index(state, file);
    const bool weighs = parsed[i].kind == ImportKind::model_config || parsed[i].kind == ImportKind::training_arguments;
    if (weighs && state.weights_given) method_of_weights(state, file);
    if (state.train_batch && (parsed[i].kind == ImportKind::deepspeed || parsed[i].kind == ImportKind::training_arguments)) {
      if (auto error = gpus_of_batch(state, file)) return tl::unexpected(std::move(*error));
      state.train_batch.reset();
    }
  }
  out.scenario = state.s;
  return out;
}

Result<Imported> import_file(string_view name, string_view text, const Scenario& base) {
  const ImportSource source{name, text};
  return import_files({&source, 1}, base);
}

Result<ImportKind> import_kind(string_view name, string_view text) {
  auto p = parse({name, text, nullptr});
  if (!p) return tl::unexpected(std::move(p.error()));
  return p->kind;
}

std::string write_import(const Imported& imported) {
  JsonWriter out;
  out.open('{').key("scenario").raw(write_scenario(imported.scenario)).key("files").open('[');
  for (const ImportedFile& file : imported.files) out.raw(write_imported_file(file));
  return out.close(']').close('}').take();
}

std::string write_imported_file(const ImportedFile& file) {
  JsonWriter out;
  out.open('{').field("name", string_view(file.name)).field("kind", name(file.kind));
  write_list(out, "read", file.read);
  write_list(out, "assumed", file.assumed);
  write_list(out, "ignored", file.ignored);
  return out.close('}').take();
}

string_view without_reason(string_view assumed) { return assumed.substr(0, assumed.find(": ")); }

}  // namespace gpudget::formats
