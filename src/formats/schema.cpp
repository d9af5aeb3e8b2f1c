#include "formats/schema.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "formats/field_json.h"
#include "formats/json_reader.h"
#include "formats/json_text.h"
#include "formats/nearest.h"
#include "formats/resolve.h"
#include "formats/scenario_json.h"

namespace gpudget::formats {
namespace {

using std::string_view;

// The member at the end of a path of member pointers: at<&Scenario::lora, &Lora::r>(s) is s.lora.r.
template <auto... Path, class S>
constexpr auto& at(S& s) {
  return (s.*....*Path);
}
template <auto... Path>
using Member = std::remove_cvref_t<decltype(at<Path...>(std::declval<Scenario&>()))>;

template <class T>
struct OptionalOf {
  static constexpr bool nullable = false;
  using type = T;
};
template <class T>
struct OptionalOf<std::optional<T>> {
  static constexpr bool nullable = true;
  using type = T;
};

// A member's value as a schema Value and back, by its type: bool, int64, double, a unit, an enum; std::optional of these is null or that.
template <class T>
Value to_value(const T& v) {
  if constexpr (OptionalOf<T>::nullable)
    return v ? to_value(*v) : Value{};
  else if constexpr (std::is_enum_v<T>)
    return std::string(name(v));
  else if constexpr (std::is_arithmetic_v<T>)
    return v;
  else
    return v.value();  // a Real
}
template <class T>
void from_value(T& out, const Value& v) {
  if constexpr (OptionalOf<T>::nullable) {
    if (std::holds_alternative<std::monostate>(v)) {
      out.reset();
    } else {
      typename OptionalOf<T>::type inner{};
      from_value(inner, v);
      out = inner;
    }
  } else if constexpr (std::is_enum_v<T>) {
    if (const auto* text = std::get_if<std::string>(&v)) out = from_name<T>(*text).value_or(out);
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (const auto* number = std::get_if<T>(&v)) out = *number;
  } else {
    if (const auto* number = std::get_if<double>(&v)) out = T(*number);
  }
}
template <auto... Path>
Value get_member(const Scenario& s) {
  return to_value(at<Path...>(s));
}
template <auto... Path>
Result<void> set_member(Scenario& s, const Value& v) {
  from_value(at<Path...>(s), v);
  return {};
}

template <auto... Path>
bool same_member(const Scenario& a, const Scenario& b) {
  return at<Path...>(a) == at<Path...>(b);
}

template <auto... Path>
constexpr bool kNullable = OptionalOf<Member<Path...>>::nullable;

// The rows' makers, one a type of field.
template <auto... Path>
constexpr Field flag(string_view path, Group group) {
  return {path, FieldType::boolean, group, kNullable<Path...>, 0, 1, {}, "", get_member<Path...>, set_member<Path...>, same_member<Path...>};
}
template <auto... Path>
constexpr Field integer(string_view path, Group group, double minimum, double maximum, string_view unit = "") {
  return {path, FieldType::integer, group, kNullable<Path...>, minimum, maximum, {}, unit, get_member<Path...>, set_member<Path...>, same_member<Path...>};
}
template <auto... Path>
constexpr Field number(string_view path, Group group, double minimum, double maximum, string_view unit = "") {
  return {path, FieldType::number, group, kNullable<Path...>, minimum, maximum, {}, unit, get_member<Path...>, set_member<Path...>, same_member<Path...>};
}
template <auto... Path>
constexpr Field choice(string_view path, Group group, std::span<const string_view> choices) {
  return {path, FieldType::choice, group, kNullable<Path...>, 0, 0, choices, "", get_member<Path...>, set_member<Path...>, same_member<Path...>};
}
template <auto... Path>
constexpr Field choice(string_view path, Group group) {
  return choice<Path...>(path, group, names<typename OptionalOf<Member<Path...>>::type>());
}

// The types that make sense in each place, out of DType's.
constexpr std::array<string_view, 6> kWeightTypes{"fp32", "bf16", "fp16", "int8", "int4", "nf4"};
constexpr std::array<string_view, 5> kComputeTypes{"fp32", "tf32", "bf16", "fp16", "fp8"};
constexpr std::array<string_view, 3> kFloatTypes{"fp32", "bf16", "fp16"};
constexpr std::array<string_view, 3> kStateTypes{"fp32", "bf16", "int8"};
constexpr std::array<string_view, 5> kCacheTypes{"fp32", "bf16", "fp16", "fp8", "int8"};

// Counting by tokens and counting by examples exclude each other; what does not count stands at its default, so that equal questions are equal values.
Value get_tokens(const Scenario& s) { return s.dataset.by_tokens ? Value(s.dataset.tokens) : Value(); }
bool same_tokens(const Scenario& a, const Scenario& b) {
  return a.dataset.by_tokens == b.dataset.by_tokens && (!a.dataset.by_tokens || a.dataset.tokens == b.dataset.tokens);
}
Result<void> set_tokens(Scenario& s, const Value& v) {
  if (const auto* n = std::get_if<std::int64_t>(&v)) {
    s.dataset = {};
    s.dataset.by_tokens = true;
    s.dataset.tokens = *n;
  } else if (s.dataset.by_tokens) {
    s.dataset = {};
  }
  return {};
}
template <std::int64_t Dataset::*Count>
Result<void> set_examples(Scenario& s, const Value& v) {
  s.dataset.by_tokens = false;
  s.dataset.tokens = 0;
  return set_member<&Scenario::dataset, Count>(s, v);
}

Result<void> set_model(Scenario& s, const Value& v) {
  auto model = model_from_text(std::get<std::string>(v));
  if (!model) return tl::unexpected(std::move(model.error()));
  s.model = *model;
  if (const auto weights = quantized_weights_of(std::get<std::string>(v))) s.weights = weights;
  return {};
}
Value get_model(const Scenario& s) { return model_to_text(s.model); }

Result<void> set_gpu(Scenario& s, const Value& v) {
  auto gpu = gpu_from_text(std::get<std::string>(v));
  if (!gpu) return tl::unexpected(std::move(gpu.error()));
  s.gpu = *gpu;
  resolve_quote(s);
  return {};
}
Value get_gpu(const Scenario& s) { return gpu_to_text(s.gpu); }

Result<void> set_modules(Scenario& s, const Value& v) {
  auto modules = modules_from_text(std::get<std::string>(v));
  if (!modules) return tl::unexpected(std::move(modules.error()));
  s.lora.target_modules = *modules;
  return {};
}
Value get_modules(const Scenario& s) { return modules_to_text(s.lora.target_modules); }

Result<void> set_provider(Scenario& s, const Value& v) {
  const auto* text = std::get_if<std::string>(&v);
  if (text != nullptr) {
    if (auto known = check_provider(*text); !known) return known;
  }
  s.price.provider = text == nullptr ? Text<32>() : Text<32>(*text);
  resolve_quote(s);
  return {};
}
// The catalog's choice of provider depends on the market.
Result<void> set_market(Scenario& s, const Value& v) {
  from_value(s.price.market, v);
  resolve_quote(s);
  return {};
}

Value get_provider(const Scenario& s) { return s.price.provider.empty() ? Value() : Value(std::string(s.price.provider.view())); }

using S = Scenario;
using P = Parallelism;

// In the order of the contract; this is also the order in which JSON is written.
constexpr std::array<Field, 45> kFields{
    Field{"model", FieldType::model, Group::model, false, 0, 0, {}, "", get_model, set_model, same_member<&Scenario::model>},
    choice<&S::method>("method", Group::method),
    integer<&S::lora, &Lora::r>("lora.r", Group::method, 1, 65'536),
    Field{"lora.target_modules",
          FieldType::modules,
          Group::method,
          false,
          0,
          0,
          {},
          "",
          get_modules,
          set_modules,
          same_member<&Scenario::lora, &Lora::target_modules>},
    number<&S::lora, &Lora::dropout>("lora.dropout", Group::method, 0, 1),
    flag<&S::lora, &Lora::dora>("lora.dora", Group::method),
    choice<&S::lora, &Lora::adapter_dtype>("lora.adapter_dtype", Group::method, kFloatTypes),
    flag<&S::quantization, &Quantization::double_quant>("quantization.double_quant", Group::method),
    flag<&S::quantization, &Quantization::prepare_kbit>("quantization.prepare_kbit", Group::method),
    choice<&S::weights>("weights", Group::savers, kWeightTypes),
    choice<&S::compute>("compute", Group::savers, kComputeTypes),
    choice<&S::gradients>("gradients", Group::advanced, kFloatTypes),
    flag<&S::master_weights>("master_weights", Group::advanced),
    choice<&S::optim>("optim", Group::savers),
    choice<&S::optimizer_states>("optimizer_states", Group::advanced, kStateTypes),
    choice<&S::kv_cache_dtype>("kv_cache_dtype", Group::advanced, kCacheTypes),
    integer<&S::per_device_train_batch_size>("per_device_train_batch_size", Group::batch, 1, 1'000'000, "sequences"),
    integer<&S::max_length>("max_length", Group::batch, 1, 100'000'000, "tokens"),
    integer<&S::gradient_accumulation_steps>("gradient_accumulation_steps", Group::batch, 1, 1'000'000),
    choice<&S::gradient_checkpointing>("gradient_checkpointing", Group::savers),
    choice<&S::attn_implementation>("attn_implementation", Group::savers),
    choice<&S::loss>("loss", Group::savers),
    number<&S::max_grad_norm>("max_grad_norm", Group::advanced, 0, 1'000'000),
    flag<&S::optimizer_in_backward>("optimizer_in_backward", Group::advanced),
    flag<&S::compile>("compile", Group::advanced),
    choice<&S::transformers>("transformers", Group::advanced),
    choice<&S::parallelism, &P::data>("parallelism.data", Group::savers),
    integer<&S::parallelism, &P::tensor>("parallelism.tensor", Group::advanced, 1, 65'536, "gpus"),
    integer<&S::parallelism, &P::pipeline>("parallelism.pipeline", Group::advanced, 1, 65'536, "gpus"),
    integer<&S::parallelism, &P::context>("parallelism.context", Group::advanced, 1, 65'536, "gpus"),
    integer<&S::parallelism, &P::expert>("parallelism.expert", Group::advanced, 1, 65'536, "gpus"),
    flag<&S::parallelism, &P::sequence_parallel>("parallelism.sequence_parallel", Group::advanced),
    choice<&S::parallelism, &P::offload>("parallelism.offload", Group::savers),
    Field{"gpu", FieldType::gpu, Group::hardware, false, 0, 0, {}, "", get_gpu, set_gpu, same_member<&Scenario::gpu>},
    integer<&S::gpus>("gpus", Group::hardware, 1, 1'000'000),
    integer<&S::gpus_per_node>("gpus_per_node", Group::hardware, 1, 100'000),
    Field{"dataset.examples",
          FieldType::integer,
          Group::data,
          false,
          1,
          1e12,
          {},
          "",
          get_member<&S::dataset, &Dataset::examples>,
          set_examples<&Dataset::examples>,
          same_member<&S::dataset, &Dataset::examples>},
    Field{"dataset.tokens_per_example",
          FieldType::integer,
          Group::data,
          false,
          1,
          1e9,
          {},
          "tokens",
          get_member<&S::dataset, &Dataset::tokens_per_example>,
          set_examples<&Dataset::tokens_per_example>,
          same_member<&S::dataset, &Dataset::tokens_per_example>},
    Field{"dataset.tokens", FieldType::integer, Group::data, true, 1, 1e15, {}, "tokens", get_tokens, set_tokens, same_tokens},
    integer<&S::epochs>("epochs", Group::data, 1, 1'000'000),
    number<&S::throughput>("throughput", Group::data, 1e-3, 1e12, "tokens/s"),
    Field{"price.market", FieldType::choice, Group::data, false, 0, 0, names<Market>(), "", get_member<&S::price, &Price::market>, set_market,
          same_member<&S::price, &Price::market>},
    number<&S::price, &Price::usd_per_gpu_hour>("price.usd_per_gpu_hour", Group::data, 0, 1e6, "usd/h"),
    Field{"price.provider", FieldType::text, Group::data, true, 0, 0, {}, "", get_provider, set_provider, same_member<&S::price, &Price::provider>},
    integer<&S::runs>("runs", Group::data, 1, 1'000'000),
};

constexpr auto kPaths = [] {
  std::array<string_view, kFields.size()> paths{};
  for (std::size_t i = 0; i < paths.size(); ++i) paths[i] = kFields[i].path;
  return paths;
}();

// What people write who come from other tools, and our name for it.
constexpr std::array<std::pair<string_view, string_view>, 31> kOtherNames{{
    {"batch_size", "per_device_train_batch_size"},
    {"micro_batch_size", "per_device_train_batch_size"},
    {"train_batch_size", "per_device_train_batch_size"},
    {"seq_len", "max_length"},
    {"seq_length", "max_length"},
    {"sequence_len", "max_length"},
    {"sequence_length", "max_length"},
    {"max_seq_length", "max_length"},
    {"cutoff_len", "max_length"},
    {"context", "max_length"},
    {"accumulation", "gradient_accumulation_steps"},
    {"grad_accum", "gradient_accumulation_steps"},
    {"optimizer", "optim"},
    {"num_train_epochs", "epochs"},
    {"rank", "lora.r"},
    {"lora_r", "lora.r"},
    {"lora_dropout", "lora.dropout"},
    {"target_modules", "lora.target_modules"},
    {"num_gpus", "gpus"},
    {"world_size", "gpus"},
    {"dtype", "weights"},
    {"torch_dtype", "weights"},
    {"precision", "compute"},
    {"checkpointing", "gradient_checkpointing"},
    {"attention", "attn_implementation"},
    {"zero_stage", "parallelism.data"},
    {"tp", "parallelism.tensor"},
    {"torch_compile", "compile"},
    {"transformers_version", "transformers"},
    {"libraries", "transformers"},
    {"use_double_quant", "quantization.double_quant"},
}};

constexpr string_view leaf(string_view path) { return path.substr(path.rfind('.') + 1); }  // npos + 1 is 0

constexpr std::array<string_view, 8> kTypeNames{"boolean", "integer", "number", "choice", "model", "gpu", "modules", "text"};
constexpr std::array<string_view, 7> kGroupNames{"model", "method", "batch", "savers", "hardware", "data", "advanced"};

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field* find_field(string_view path) {
  for (const Field& f : kFields)
    if (f.path == path) return &f;
  return nullptr;
}

string_view nearest_field(string_view path) {
  if (find_field(path) != nullptr) return path;
  const string_view typed = leaf(path);
  for (const auto& [other, ours] : kOtherNames)
    if (typed == other) return ours;
  string_view best;
  std::size_t best_distance = 0;
  for (const string_view p : kPaths) {
    // A name without its group, or in a wrong one, is nearer than any other name.
    const std::size_t d =
        2 * std::min(edit_distance(path, p), edit_distance(typed, leaf(p)) + (path.find('.') == string_view::npos ? 0U : 1U)) + (path == p ? 0U : 1U);
    if (best.empty() || d < best_distance) {
      best = p;
      best_distance = d;
    }
  }
  return best;
}

Error unknown_field(string_view path) {
  const string_view near = nearest_field(path);
  const std::size_t dot = path.find('.');
  string_view group = dot == string_view::npos ? string_view() : path.substr(0, dot + 1);
  if (std::none_of(kPaths.begin(), kPaths.end(), [&](string_view p) { return p.starts_with(group); })) group = {};
  // Another tool's name for it says more than letters in common do.
  bool translated = false;
  for (const auto& [other, ours] : kOtherNames) translated = translated || leaf(path) == other;
  const bool meant = translated || plausible(path, near) || plausible(leaf(path), leaf(near));
  std::string known, last;
  for (const string_view p : kPaths) {
    const bool inside = !group.empty() && p.starts_with(group);
    const std::string step(inside ? p.substr(group.size()) : p.substr(0, p.find('.')));
    if ((group.empty() ? meant : !inside) || step == last) continue;
    known += fmt::format("{}{}", known.empty() ? "one of " : ", ", step);
    last = step;
  }
  return {shortened(path), ErrorId::unknown_field, {}, std::move(known), meant ? std::string(near) : std::string()};
}

Scenario default_scenario() {
  static const Scenario kDefault = [] {
    Scenario s;
    if (auto model = model_from_text("meta-llama/Llama-3.1-8B")) s.model = *model;
    if (auto gpu = gpu_from_text("a100-80gb-sxm")) s.gpu = *gpu;
    resolve_quote(s);
    return s;
  }();
  return kDefault;
}

Result<void> set_field(Scenario& s, string_view path, const Value& value) {
  const Field* field = find_field(path);
  if (field == nullptr) return tl::unexpected(unknown_field(path));
  auto checked = check_value(*field, value);
  if (!checked) return tl::unexpected(std::move(checked.error()));
  return field->set(s, *checked);
}

Result<void> set_field_text(Scenario& s, string_view path, string_view text) {
  const Field* field = find_field(path);
  auto json = parse_json(text, kMaxScenarioBytes);
  if (field == nullptr) {
    // A whole group: --set lora='{"r": 8}'.
    const bool group = std::any_of(std::begin(kPaths), std::end(kPaths),
                                   [&](string_view p) { return p.size() > path.size() && p.starts_with(path) && p[path.size()] == '.'; });
    if (!group || path.empty()) return tl::unexpected(unknown_field(path));
    if (!json || !json->is_object())
      return tl::unexpected(Error{std::string(path), ErrorId::wrong_type, fmt::format("'{}'", shortened(text)), "an object of its fields", {}});
    Scenario changed = s;
    if (auto done = apply_object(changed, *json, path); !done) return done;
    s = changed;
    return {};
  }
  // A bare word is the text itself; so is whatever a text field is given that is not a JSON string, list or object.
  const bool bare = !json;
  if (bare && !text.empty() && (text.front() == '{' || text.front() == '[' || text.front() == '"')) {
    json.error().path = std::string(path);
    json.error().accepted = accepted(*field);
    return tl::unexpected(std::move(json.error()));
  }
  auto value = bare ? check_value(*field, Value(std::string(text))) : value_from_json(*field, *json);
  if (!value) return tl::unexpected(std::move(value.error()));
  return field->set(s, *value);
}

Value get_field(const Scenario& s, string_view path) {
  const Field* field = find_field(path);
  return field == nullptr ? Value() : field->get(s);
}

std::string schema_json() {
  const Scenario defaults = default_scenario();
  JsonWriter out;
  out.open('[');
  for (const Field& f : kFields) {
    out.open('{').field("path", f.path).field("type", kTypeNames[static_cast<std::size_t>(f.type)]);
    out.field("group", kGroupNames[static_cast<std::size_t>(f.group)]).field("nullable", f.nullable);
    if (f.type == FieldType::integer || f.type == FieldType::number) {
      out.key("minimum").value(f.minimum).key("maximum").value(f.maximum);
    }
    if (!f.choices.empty()) {
      out.key("choices").open('[');
      for (const string_view c : f.choices) out.value(c);
      out.close(']');
    }
    if (!f.unit.empty()) out.field("unit", f.unit);
    std::string value;
    append_value(value, f, f.get(defaults));
    out.key("default").raw(value).close('}');
  }
  return out.close(']').take();
}

}  // namespace gpudget::formats
