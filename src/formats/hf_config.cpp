#include "formats/hf_config.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/edit_distance.h"
#include "formats/field_json.h"
#include "formats/hf_fields.h"
#include "formats/json_reader.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

// Where models of text and images keep their language model.
constexpr string_view kNested[] = {"text_config", "llm_config", "language_config", "language_model"};
// Models of text and images whose text_config may leave its type out, and those of older files that have its fields beside the vision part.
struct OuterType {
  string_view model_type, text_type;
};
constexpr OuterType kOuter[] = {
    {"gemma3", "gemma3_text"},     {"llama4", "llama4_text"},
    {"mistral3", "mistral"},       {"llava", "llama"},
    {"llava_next", "llama"},       {"paligemma", "gemma"},
    {"qwen2_vl", "qwen2_vl_text"}, {"qwen2_5_vl", "qwen2_5_vl_text"},
    {"qwen3_vl", "qwen3_vl_text"}, {"qwen3_vl_moe", "qwen3_vl_moe_text"},
    {"idefics3", "llama"},         {"smolvlm", "llama"},
    {"aya_vision", "cohere2"},     {"internvl", "qwen2"},
};
string_view text_type_of(string_view outer) {
  for (const OuterType& t : kOuter)
    if (t.model_type == outer) return t.text_type;
  return {};
}

// "LlamaForCausalLM" is llama, "GPTNeoXForCausalLM" gpt_neox: letters compared, signs left out.
const HfFamily* family_of_class(string_view name) {
  const auto bare = [](string_view s) {
    std::string out;
    for (const char c : s)
      if (c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
  };
  for (const string_view end : {"ForCausalLM", "LMHeadModel"})
    if (name.ends_with(end)) name.remove_suffix(end.size());
  for (std::size_t i = 0; const HfFamily* row = hf_family_at(i); ++i)
    if (bare(row->model_type) == bare(name)) return row;
  return nullptr;
}

string_view text_of(const json& object, string_view key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? string_view(it->get_ref<const std::string&>()) : string_view();
}

// Models that are known and not modelled: why.
struct NotModelled {
  string_view model_type, why;
};
constexpr string_view kLinear = "its layers of linear attention or state spaces are not modelled", kCross = "models with an encoder are not modelled",
                      kSparse = "its sparse attention is not modelled";
constexpr NotModelled kNotModelled[] = {
    {"qwen3_next", kLinear},
    {"qwen3_5_text", kLinear},
    {"qwen3_5_moe_text", kLinear},
    {"qwen3_5", kLinear},
    {"qwen3_5_moe", kLinear},
    {"mamba", kLinear},
    {"mamba2", kLinear},
    {"falcon_mamba", kLinear},
    {"falcon_h1", kLinear},
    {"jamba", kLinear},
    {"bamba", kLinear},
    {"zamba", kLinear},
    {"zamba2", kLinear},
    {"nemotron_h", kLinear},
    {"granitemoehybrid", kLinear},
    {"lfm2", kLinear},
    {"kimi_linear", kLinear},
    {"rwkv", kLinear},
    {"recurrent_gemma", kLinear},
    {"minimax", kLinear},
    {"olmo_hybrid", kLinear},
    {"lfm2_moe", kLinear},
    {"xlstm", kLinear},
    {"t5", kCross},
    {"mt5", kCross},
    {"bart", kCross},
    {"whisper", kCross},
    {"mllama_text_model", kCross},
    {"mllama", kCross},
    {"bert", kCross},
    {"roberta", kCross},
    {"t5gemma", kCross},
    {"bert-generation", kCross},
    {"big_bird", kCross},
    {"bigbird_pegasus", kCross},
    {"blenderbot", kCross},
    {"blenderbot-small", kCross},
    {"camembert", kCross},
    {"data2vec-text", kCross},
    {"electra", kCross},
    {"ernie", kCross},
    {"marian", kCross},
    {"mbart", kCross},
    {"megatron-bert", kCross},
    {"mvp", kCross},
    {"pegasus", kCross},
    {"plbart", kCross},
    {"prophetnet", kCross},
    {"rembert", kCross},
    {"roberta-prelayernorm", kCross},
    {"roc_bert", kCross},
    {"roformer", kCross},
    {"trocr", kCross},
    {"xlm", kCross},
    {"xlm-roberta", kCross},
    {"xlm-roberta-xl", kCross},
    {"xmod", kCross},
    {"deepseek_v32", kSparse},
    {"deepseek_v4", kSparse},
    {"glm_moe_dsa", kSparse},
};

Error unknown_family(std::string path, string_view model_type) {
  for (const NotModelled& known : kNotModelled)
    if (known.model_type == model_type)
      return {std::move(path), ErrorId::unknown_family, std::string(model_type), fmt::format("{}; a decoder-only transformer", known.why), {}};
  Error e{std::move(path), ErrorId::unknown_family, shortened(model_type), "a decoder-only family: llama, mistral, qwen3, gemma3, phi3, gpt2 ...", {}};
  std::size_t best = 0;
  for (std::size_t i = 0; const HfFamily* row = hf_family_at(i); ++i) {
    const std::size_t d = edit_distance(model_type, row->model_type);
    if (e.suggestion.empty() || d < best) best = d, e.suggestion = std::string(row->model_type);
  }
  if (!plausible(model_type, e.suggestion)) e.suggestion.clear();
  return e;
}

std::string joined(string_view path, string_view name) { return std::string(path).append(path.empty() || name.empty() ? "" : ".").append(name); }

Result<const HfFamily*> family(const json& config, string_view path, string_view otherwise) {
  const auto type = config.find("model_type");
  if (type != config.end() && !type->is_null()) {
    if (!type->is_string()) return tl::unexpected(Error{joined(path, "model_type"), ErrorId::wrong_type, described(*type), "a name in quotes", {}});
    const auto& name = type->get_ref<const std::string&>();
    const HfFamily* row = find_hf_family(name);
    if (row == nullptr && !otherwise.empty()) row = find_hf_family(text_type_of(name));
    if (row == nullptr) row = find_hf_family(text_type_of(name));
    if (row == nullptr) return tl::unexpected(unknown_family(joined(path, "model_type"), name));
    return row;
  }
  const auto classes = config.find("architectures");
  if (classes != config.end() && classes->is_array() && !classes->empty() && classes->front().is_string())
    if (const HfFamily* row = family_of_class(classes->front().get_ref<const std::string&>())) return row;
  if (const HfFamily* row = find_hf_family(otherwise)) return row;
  return tl::unexpected(Error{joined(path, "model_type"), ErrorId::missing_field, {}, "the model's family: llama, mistral, qwen3 ...", {}});
}

// What no single field can be blamed for.
std::optional<Error> impossible(const Architecture& a, const HfFields& f) {
  for (const string_view name : {"num_experts", "num_local_experts", "n_routed_experts"}) {
    const json* experts = f.find(name);
    if (a.num_experts == 0 && experts != nullptr && experts->is_number() && experts->get<double>() > 1)
      return Error{f.field_path(name), ErrorId::contradiction, "the model_type, which has no experts", "the model_type of a mixture of experts", {}};
  }
  if (a.num_experts > 0 && a.num_experts_per_tok > a.num_experts)
    return Error{f.field_path("num_experts_per_tok"), ErrorId::contradiction, fmt::format("{} experts", a.num_experts), "at most the number of experts", {}};
  if (a.num_experts > 0 && a.num_experts_per_tok == 0)
    return Error{f.field_path("num_experts_per_tok"), ErrorId::missing_field, {}, fmt::format("an integer from 1 to {}", a.num_experts), {}};
  if (a.first_k_dense_replace > a.num_hidden_layers)
    return Error{
        f.field_path("first_k_dense_replace"), ErrorId::contradiction, fmt::format("{} layers", a.num_hidden_layers), "at most the number of layers", {}};
  if (a.rotary_dim > a.head_dim)
    return Error{f.field_path("rotary_dim"), ErrorId::contradiction, fmt::format("head_dim {}", a.head_dim), "at most head_dim", {}};
  return std::nullopt;
}

bool is_repository(string_view name) {
  const std::size_t slash = name.find('/');
  return slash != string_view::npos && slash > 0 && slash + 1 < name.size() && name.find('/', slash + 1) == string_view::npos && name.front() != '.' &&
         Text<96>::fits(name);
}

Architecture empty_of(Family family) {
  Architecture a;
  a.family = family;
  return a;
}

}  // namespace

std::optional<DType> quantized_weights(const json& config, std::vector<std::string>& notes) {
  const auto it = config.find("quantization_config");
  if (it == config.end() || !it->is_object()) return std::nullopt;
  const json& q = *it;
  const auto flag = [&](const char* key) { return q.contains(key) && q[key].is_boolean() && q[key].get<bool>(); };
  const auto integer = [](const json& object, const char* key) -> std::int64_t {
    return object.is_object() && object.contains(key) && object[key].is_number_integer() ? object[key].get<std::int64_t>() : 0;
  };
  const auto of_bits = [](std::int64_t bits) -> std::optional<DType> {
    if (bits == 4) return DType::int4;
    if (bits == 8) return DType::int8;
    return std::nullopt;
  };
  const string_view method = text_of(q, "quant_method");
  std::optional<DType> type;
  if (flag("load_in_4bit"))
    type = text_of(q, "bnb_4bit_quant_type") == "nf4" ? DType::nf4 : DType::int4;
  else if (flag("load_in_8bit"))
    type = DType::int8;
  else if (method == "gptq" || method == "awq" || method == "hqq")
    type = of_bits(integer(q, "bits"));
  else if (method == "fp8" || method == "fbgemm_fp8")
    type = DType::fp8;
  else if (method == "mxfp4")
    type = DType::int4;
  else if (method == "compressed-tensors" && q.contains("config_groups") && q["config_groups"].is_object() && !q["config_groups"].empty()) {
    const json& group = *q["config_groups"].begin();
    if (group.is_object() && group.contains("weights")) {
      const json& w = group["weights"];
      type = of_bits(integer(w, "num_bits"));
      if (type == DType::int8 && w.is_object() && text_of(w, "type") == "float") type = DType::fp8;
    }
  }
  if (!type) notes.push_back(fmt::format("quantization_config: method '{}' is not known; weights read as not quantized", shortened(method)));
  return type;
}

Result<ModelSpec> read_hf_config(string_view text, string_view path) {
  auto config = inspect_hf_config(text, path);
  if (!config) return tl::unexpected(std::move(config.error()));
  return config->model;
}

Result<HfConfig> inspect_hf_config(string_view text, string_view path) {
  auto config = parse_json(text, kMaxConfigBytes);
  if (!config) {
    config.error().path = joined(path, config.error().path);
    return tl::unexpected(std::move(config.error()));
  }
  return inspect_hf_object(*config, path);
}

Result<HfConfig> inspect_hf_object(const json& config, string_view path) {
  if (!config.is_object()) return tl::unexpected(Error{std::string(path), ErrorId::wrong_type, described(config), "a config.json: an object of fields", {}});

  // A model of text and images: its language model counts.
  const json* inner = &config;
  std::string inner_path(path);
  bool nested = false;
  json completed;  // text_config with the outer file's tie_word_embeddings
  const string_view outer_type = text_of(config, "model_type");
  for (const string_view name : kNested) {
    const auto it = config.find(name);
    if (it == config.end() || !it->is_object()) continue;
    completed = *it;
    if (!completed.contains("tie_word_embeddings") && config.contains("tie_word_embeddings")) completed["tie_word_embeddings"] = config["tie_word_embeddings"];
    inner = &completed;
    inner_path = joined(path, name);
    nested = true;
    break;
  }
  const auto row = family(*inner, inner_path, nested ? text_type_of(outer_type) : string_view());
  if (!row) return tl::unexpected(row.error());

  // A family's name alone is that family's default model, as in transformers; a file that gives some sizes and lacks others is damaged.
  const bool sizes = inner->contains("hidden_size") || inner->contains("num_hidden_layers") || inner->contains("n_embd") || inner->contains("d_model") ||
                     inner->contains("n_layer") || inner->contains("n_layers") || inner->contains("num_layers") || inner->contains("vocab_size");
  HfFields fields(*inner, inner_path, !nested && sizes);
  HfConfig out;
  out.model.source = ModelSpec::Source::config;
  Architecture& a = out.model.architecture;
  a = empty_of((*row)->family);
  (*row)->shape(fields, a, **row);
  if (fields.failed()) return tl::unexpected(fields.take_error());
  if (auto error = impossible(a, fields)) return tl::unexpected(std::move(*error));

  out.assumed = fields.take_notes();
  if (config.contains("vision_config") || config.contains("audio_config")) out.assumed.emplace_back("the vision and audio parts are not counted");
  out.quantized_weights = quantized_weights(config, out.assumed);
  const string_view name = text_of(config, "_name_or_path");
  if (is_repository(name)) out.model.id = name;
  if (out.model.id.empty())
    out.model.name = string_view(fmt::format("{} (config.json)", (*row)->model_type));
  else
    out.model.name = out.model.id;
  return out;
}

std::string write_hf_config(const ModelSpec& model) {
  // Several model types share a family; the first that says the same is taken.
  for (std::size_t i = 0; const HfFamily* row = hf_family_at(i); ++i) {
    if (row->family != model.architecture.family) continue;
    HfFields fields;
    fields.text("model_type", row->model_type);
    if (!model.id.empty() && model.source != ModelSpec::Source::params) fields.text("_name_or_path", model.id.view());
    Architecture a = model.architecture;
    row->shape(fields, a, *row);
    std::string text = fields.written();
    const auto back = read_hf_config(text);
    if (back && back->architecture == model.architecture) return text;
  }
  return {};
}

Result<SafetensorsIndex> read_safetensors_index(string_view text) {
  auto file = parse_json(text, kMaxIndexBytes);
  if (!file) return tl::unexpected(std::move(file.error()));
  if (!file->is_object()) return tl::unexpected(Error{{}, ErrorId::wrong_type, described(*file), "an object with metadata and weight_map", {}});
  const auto map = file->find("weight_map");
  if (map == file->end()) return tl::unexpected(Error{"weight_map", ErrorId::missing_field, {}, "the tensors and the files they are in", {}});
  if (!map->is_object()) return tl::unexpected(Error{"weight_map", ErrorId::wrong_type, described(*map), "the tensors and the files they are in", {}});
  const auto metadata = file->find("metadata");
  if (metadata == file->end() || !metadata->is_object()) return tl::unexpected(Error{"metadata", ErrorId::missing_field, {}, "an object with total_size", {}});
  SafetensorsIndex index;
  index.tensors = map->size();
  HfFields fields(*metadata, "metadata", true);
  fields.required("total_size", index.total_size, 0, {1, kMaxBytes});
  fields.integer("total_parameters", index.total_parameters, 0, {1, kMaxBytes});
  if (fields.failed()) return tl::unexpected(fields.take_error());
  return index;
}

std::vector<string_view> hf_model_types() {
  std::vector<string_view> types;
  for (std::size_t i = 0; const HfFamily* row = hf_family_at(i); ++i) types.push_back(row->model_type);
  for (const OuterType& t : kOuter) types.push_back(t.model_type);
  std::sort(types.begin(), types.end());
  return types;
}

}  // namespace gpudget::formats
