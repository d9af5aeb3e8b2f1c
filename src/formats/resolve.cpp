#include "formats/resolve.h"

#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "catalog/catalog.h"
#include "core/architecture_presets.h"
#include "core/edit_distance.h"
#include "formats/architecture_json.h"
#include "formats/field_json.h"
#include "formats/hf_config.h"
#include "formats/json_reader.h"
#include "formats/json_text.h"
#include "formats/nearest.h"
#include "formats/scenario_json.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

bool is_object_text(string_view text) { return !text.empty() && text.front() == '{'; }

// Model ----------------------------------------------------------------------------------------------------------------------------------------------------

constexpr std::int64_t kMostParameters = kMaxLlamaLike, kLeastParameters = kMinLlamaLike;
constexpr string_view kSizes = R"(a size from "1M" to "100T" such as "7B", or the number of parameters)";

Result<ModelSpec> model_of_size(const json& size) {
  std::optional<std::int64_t> n;
  std::string id;
  if (size.is_string()) {
    id = size.get<std::string>();
    n = id.size() <= 32 ? parse_size(id) : std::nullopt;
    if (!n) return tl::unexpected(Error{"model.params", ErrorId::wrong_type, described(size), std::string(kSizes), {}});
  } else if (size.is_number()) {
    const double d = size.get<double>();
    if (!(d >= static_cast<double>(kLeastParameters) && d <= static_cast<double>(kMostParameters)))
      return tl::unexpected(Error{"model.params", ErrorId::out_of_range, described(size), std::string(kSizes), {}});
    n = static_cast<std::int64_t>(d);
    if (static_cast<double>(*n) != d) return tl::unexpected(Error{"model.params", ErrorId::wrong_type, described(size), std::string(kSizes), {}});
    id = fmt::format("{}", *n);
  } else {
    return tl::unexpected(Error{"model.params", ErrorId::wrong_type, described(size), std::string(kSizes), {}});
  }
  if (*n < kLeastParameters || *n > kMostParameters)
    return tl::unexpected(Error{"model.params", ErrorId::out_of_range, described(size), std::string(kSizes), {}});
  ModelSpec m;
  m.source = ModelSpec::Source::params;
  m.id = std::string_view(id);
  m.name = std::string_view(id);
  m.architecture = llama_like(*n);
  return m;
}

Result<ModelSpec> model_of_config(const json& config) {
  if (!config.is_object()) return tl::unexpected(Error{"model.config", ErrorId::wrong_type, described(config), "an HF config.json object", {}});
  const auto own = config.find("gpudget");
  if (own == config.end()) {
    auto read = inspect_hf_object(config, "model.config");
    if (!read) return tl::unexpected(std::move(read.error()));
    return read->model;
  }
  // What model_to_text writes: name, _name_or_path and our own fields, exact.
  ModelSpec m;
  m.source = ModelSpec::Source::config;
  for (auto member = config.begin(); member != config.end(); ++member) {
    const std::string path = fmt::format("model.config.{}", shortened(member.key()));
    if (member.key() == "gpudget") {
      auto a = read_architecture(*member, path);
      if (!a) return tl::unexpected(std::move(a.error()));
      m.architecture = *a;
    } else if (member.key() == "_name_or_path" || member.key() == "name") {
      if (!member->is_string()) return tl::unexpected(Error{path, ErrorId::wrong_type, described(*member), "a text", {}});
      const auto& text = member->get_ref<const std::string&>();
      if (!Text<96>::fits(text)) return tl::unexpected(Error{path, ErrorId::out_of_range, shortened(text), "at most 96 bytes", {}});
      (member.key() == "name" ? m.name : m.id) = std::string_view(text);
    } else if (member.key() == "published_parameters") {
      if (!member->is_number_unsigned() || member->get<std::uint64_t>() > static_cast<std::uint64_t>(kMaxBytes))
        return tl::unexpected(Error{path, ErrorId::wrong_type, described(*member), "a number of parameters", {}});
      m.published_parameters = member->get<std::int64_t>();
    } else {
      return tl::unexpected(Error{path, ErrorId::unknown_field, {}, "one of gpudget, name, _name_or_path, published_parameters", {}});
    }
  }
  return m;
}

// GPU ------------------------------------------------------------------------------------------------------------------------------------------------------

// The figures of a custom GPU. Every one but the memory may be left out: the core says what it cannot tell without it.
struct Figure {
  string_view name;
  double Gpu::*member;
  double most;
};
constexpr std::array<Figure, 10> kFigures{{{"bf16_tflops", &Gpu::bf16_tflops, 1e6},
                                           {"memory_bandwidth_gb_s", &Gpu::memory_bandwidth_gb_s, 1e6},
                                           {"fp32_tflops", &Gpu::fp32_tflops, 1e6},
                                           {"tf32_tflops", &Gpu::tf32_tflops, 1e6},
                                           {"fp16_tflops", &Gpu::fp16_tflops, 1e6},
                                           {"fp8_tflops", &Gpu::fp8_tflops, 1e6},
                                           {"int8_tflops", &Gpu::int8_tflops, 1e6},
                                           {"bf16_tflops_achievable", &Gpu::bf16_tflops_achievable, 1e6},
                                           {"interconnect_gb_s", &Gpu::interconnect_gb_s, 1e6},
                                           {"network_gb_s", &Gpu::network_gb_s, 1e6}}};
struct Ability {
  string_view name;
  bool Gpu::*member;
};
constexpr std::array<Ability, 2> kAbilities{{{"supports_bf16", &Gpu::supports_bf16}, {"supports_flash_attention", &Gpu::supports_flash_attention}}};
constexpr std::array<string_view, 15> kGpuFields{"name",         "memory_gib",  "bf16_tflops",       "memory_bandwidth_gb_s", "fp32_tflops",
                                                 "tf32_tflops",  "fp16_tflops", "fp8_tflops",        "int8_tflops",           "bf16_tflops_achievable",
                                                 "network_gb_s", "generation",  "interconnect_gb_s", "supports_bf16",         "supports_flash_attention"};
constexpr double kLeastFigure = 1e-3;  // below, and not 0 (not known), a step would take longer than numbers reach
constexpr double kMostGib = 1e6;
constexpr double kGib = 1073741824.0;

Result<Gpu> custom_gpu(const json& object) {
  Gpu gpu;
  gpu.custom = true;
  gpu.name = "GPU";
  bool has_memory = false, has_fp16 = false;
  for (auto member = object.begin(); member != object.end(); ++member) {
    const std::string& key = member.key();
    const std::string path = fmt::format("gpu.{}", shortened(key));
    const auto number = [&](double least, double most) -> Result<double> {
      const std::string what = fmt::format("a number from {} to {}", least, most);
      if (!member->is_number()) return tl::unexpected(Error{path, ErrorId::wrong_type, described(*member), what, {}});
      const double v = member->get<double>();
      if (!(v >= least && v <= most)) return tl::unexpected(Error{path, ErrorId::out_of_range, described(*member), what, {}});
      return v;
    };
    if (key == "name") {
      if (!member->is_string()) return tl::unexpected(Error{path, ErrorId::wrong_type, described(*member), "a text", {}});
      const auto& text = member->get_ref<const std::string&>();
      if (text.empty() || !Text<64>::fits(text)) return tl::unexpected(Error{path, ErrorId::out_of_range, shortened(text), "1 to 64 bytes of text", {}});
      gpu.name = std::string_view(text);
      continue;
    }
    if (key == "memory_gib") {
      const auto v = number(1, kMostGib);
      if (!v) return tl::unexpected(v.error());
      gpu.memory = bytes(static_cast<std::int64_t>(*v * kGib));
      has_memory = true;
      continue;
    }
    if (key == "generation") {
      const auto generation = member->is_string() ? from_name<GpuGeneration>(member->get_ref<const std::string&>()) : std::nullopt;
      const auto all = names<GpuGeneration>();
      if (!generation)
        return tl::unexpected(Error{path,
                                    ErrorId::unknown_name,
                                    member->is_string() ? shortened(member->get_ref<const std::string&>()) : described(*member),
                                    fmt::format("one of {}", fmt::join(all.begin(), all.end(), ", ")),
                                    {}});
      gpu.generation = *generation;
      continue;
    }
    bool known = false;
    for (const Figure& f : kFigures) {
      if (key != f.name) continue;
      const auto v = number(0, f.most);
      if (!v) return tl::unexpected(v.error());
      if (*v > 0 && *v < kLeastFigure)
        return tl::unexpected(Error{path, ErrorId::out_of_range, described(*member), fmt::format("0 (not known), or {} to {}", kLeastFigure, f.most), {}});
      gpu.*f.member = *v;
      known = true;
      has_fp16 = has_fp16 || f.member == &Gpu::fp16_tflops;
    }
    for (const Ability& a : kAbilities) {
      if (key != a.name) continue;
      if (!member->is_boolean()) return tl::unexpected(Error{path, ErrorId::wrong_type, described(*member), "true or false", {}});
      gpu.*a.member = member->get<bool>();
      known = true;
    }
    if (!known) {
      const string_view near = nearest(key, kGpuFields);
      return tl::unexpected(Error{path,
                                  ErrorId::unknown_field,
                                  {},
                                  fmt::format("one of {}", fmt::join(kGpuFields.begin(), kGpuFields.end(), ", ")),
                                  plausible(key, near) ? std::string(near) : ""});
    }
  }
  if (!has_memory) return tl::unexpected(Error{"gpu.memory_gib", ErrorId::missing_field, {}, "the memory in GiB, for example 24", {}});
  if (!has_fp16) gpu.fp16_tflops = gpu.bf16_tflops;  // every GPU with bf16 tensor cores runs fp16 at the same rate
  return gpu;
}

}  // namespace

std::optional<std::int64_t> parse_size(string_view text) {
  std::int64_t scale = 1;
  if (text.empty()) return std::nullopt;
  switch (text.back()) {
    case 'k':
    case 'K': scale = 1'000; break;
    case 'm':
    case 'M': scale = 1'000'000; break;
    case 'b':
    case 'B': scale = 1'000'000'000; break;
    case 't':
    case 'T': scale = 1'000'000'000'000; break;
    default: break;
  }
  if (scale > 1) text.remove_suffix(1);
  if (!text.empty() && text.back() == ' ' && scale > 1) text.remove_suffix(1);
  std::int64_t n = 0;
  bool digits = false, fraction = false;
  for (const char c : text) {
    if (c == '.' && !fraction && digits) {
      fraction = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    digits = true;
    if (!fraction) {
      n = saturating_add(saturating_multiply(n, 10), saturating_multiply(c - '0', scale));
    } else {
      if (scale % 10 != 0) return std::nullopt;  // finer than one parameter
      scale /= 10;
      n = saturating_add(n, saturating_multiply(c - '0', scale));
    }
  }
  return digits ? std::optional(n) : std::nullopt;
}

Result<ModelSpec> model_from_text(string_view text) {
  if (!is_object_text(text)) {
    if (const ModelSpec* m = catalog::find_model(text)) return *m;
    if (parse_size(text))
      return tl::unexpected(
          Error{"model", ErrorId::unknown_model, shortened(text), fmt::format(R"({{"params": "{}"}} for a model of that size)", shortened(text)), {}});
    return tl::unexpected(Error{"model", ErrorId::unknown_model, shortened(text), R"(see `gpudget list models`; or {"config": …} or {"params": "7B"})",
                                std::string(catalog::nearest_model(text))});
  }
  auto object = parse_json(text, kMaxScenarioBytes);
  if (!object) {
    object.error().path = object.error().path.empty() ? "model" : "model." + object.error().path;
    return tl::unexpected(std::move(object.error()));
  }
  for (auto member = object->begin(); member != object->end(); ++member)
    if (member.key() != "config" && member.key() != "params")
      return tl::unexpected(Error{fmt::format("model.{}", shortened(member.key())),
                                  ErrorId::unknown_field,
                                  {},
                                  "one of config, params",
                                  plausible(member.key(), "params")   ? "params"
                                  : plausible(member.key(), "config") ? "config"
                                                                      : ""});
  if (object->size() == 2) return tl::unexpected(Error{"model.params", ErrorId::contradiction, "model.config", "one of the two", {}});
  if (object->empty()) return tl::unexpected(Error{"model", ErrorId::missing_field, {}, "config or params", {}});
  const auto only = object->begin();
  return only.key() == "params" ? model_of_size(*only) : model_of_config(*only);
}

std::string model_to_text(const ModelSpec& m) {
  if (m.source == ModelSpec::Source::catalog) return std::string(m.id.view());
  JsonWriter out;
  out.open('{');
  if (m.source == ModelSpec::Source::params) {
    out.field("params", m.id.view());
  } else if (const std::string config = write_hf_config(m); !config.empty() && read_hf_config(config) == m) {
    out.key("config").raw(config);
  } else {  // a shape that no config.json can say
    out.key("config").open('{');
    if (!m.id.empty()) out.field("_name_or_path", m.id.view());
    if (!m.name.empty()) out.field("name", m.name.view());
    if (m.published_parameters > 0) out.field("published_parameters", m.published_parameters);
    out.key("gpudget").raw(write_architecture(m.architecture)).close('}');
  }
  return out.close('}').take();
}

std::optional<DType> quantized_weights_of(string_view text) {
  if (text.find("quantization_config") == string_view::npos) return std::nullopt;
  const auto object = parse_json(text, kMaxScenarioBytes);
  if (!object || !object->is_object() || !object->contains("config")) return std::nullopt;
  const auto config = inspect_hf_object((*object)["config"]);
  if (!config || !config->quantized_weights) return std::nullopt;
  return *config->quantized_weights == DType::fp8 ? DType::int8 : *config->quantized_weights;
}

Result<Gpu> gpu_from_text(string_view text) {
  if (!is_object_text(text)) {
    if (const Gpu* gpu = catalog::find_gpu(text)) return *gpu;
    return tl::unexpected(Error{"gpu", ErrorId::unknown_gpu, shortened(text), R"(see `gpudget list gpus`; or {"name": …, "memory_gib": …})",
                                std::string(catalog::nearest_gpu(text))});
  }
  auto object = parse_json(text, kMaxScenarioBytes);
  if (!object) {
    object.error().path = object.error().path.empty() ? "gpu" : "gpu." + object.error().path;
    return tl::unexpected(std::move(object.error()));
  }
  return custom_gpu(*object);
}

std::string gpu_to_text(const Gpu& gpu) {
  if (!gpu.custom) return std::string(gpu.id.view());
  JsonWriter out;
  out.open('{').field("name", gpu.name.view()).field("memory_gib", static_cast<double>(gpu.memory.in_bytes()) / kGib);
  if (gpu.generation != GpuGeneration::other) out.field("generation", name(gpu.generation));
  for (const Figure& f : kFigures)
    if (gpu.*f.member != 0 || (f.member == &Gpu::fp16_tflops && gpu.bf16_tflops != 0)) out.field(f.name, gpu.*f.member);
  for (const Ability& a : kAbilities)
    if (!(gpu.*a.member)) out.field(a.name, false);
  return out.close('}').take();
}

Result<TargetModules> modules_from_text(string_view text) {
  TargetModules out;
  if (text == "all-linear") return out;
  if (text == "attention") {
    out.kind = TargetModules::Kind::attention;
    return out;
  }
  const std::string path = "lora.target_modules";
  const std::string what = R"("all-linear", "attention", or a list of names such as ["q_proj", "v_proj"])";
  if (text.empty() || text.front() != '[') {
    const bool module = from_name<Module>(text).has_value();
    return tl::unexpected(Error{path, ErrorId::unknown_name, shortened(text), what,
                                module                          ? fmt::format(R"(["{}"])", text)
                                : plausible(text, "all-linear") ? "all-linear"
                                                                : ""});
  }
  auto list = parse_json(text, kMaxScenarioBytes);
  if (!list) {
    list.error().path = path;
    return tl::unexpected(std::move(list.error()));
  }
  out.kind = TargetModules::Kind::list;
  if (list->empty()) return tl::unexpected(Error{path, ErrorId::out_of_range, "an empty list", what, {}});
  for (const json& item : *list) {
    if (!item.is_string()) return tl::unexpected(Error{path, ErrorId::wrong_type, described(item), what, {}});
    const auto& module = item.get_ref<const std::string&>();
    const auto known = from_name<Module>(module);
    if (!known) {
      const string_view near = nearest(module, names<Module>());
      return tl::unexpected(Error{path, ErrorId::unknown_name, shortened(module), "names of linear layers as in transformers' code", std::string(near)});
    }
    if (out.contains(*known)) return tl::unexpected(Error{path, ErrorId::duplicate_key, module, "each name once", {}});
    out.insert(*known);
  }
  return out;
}

std::string modules_to_text(const TargetModules& m) {
  if (m.kind == TargetModules::Kind::all_linear) return "all-linear";
  if (m.kind == TargetModules::Kind::attention) return "attention";
  JsonWriter out;
  out.open('[');
  for (std::size_t i = 0; i < names<Module>().size(); ++i)
    if (m.contains(static_cast<Module>(i))) out.value(names<Module>()[i]);
  return out.close(']').take();
}

Result<void> check_provider(string_view provider) {
  if (catalog::has_provider(provider) && Text<32>::fits(provider)) return {};
  const auto all = catalog::providers();
  return tl::unexpected(Error{"price.provider", ErrorId::unknown_provider, shortened(provider),
                              fmt::format("one of {}", fmt::join(all.begin(), all.end(), ", ")), std::string(catalog::nearest_provider(provider))});
}

void resolve_quote(Scenario& s) {
  s.quote = s.gpu.custom ? Quote{} : catalog::quote(s.gpu.id.view(), s.price.provider.view(), s.price.market).value_or(Quote{});
}

}  // namespace gpudget::formats
