#include "formats/hf_fields.h"

#include <cmath>

#include <fmt/format.h>

#include "formats/field_json.h"
#include "formats/json_text.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

constexpr double kExactInteger = 9007199254740992.0;  // 2^53

// Hugging Face's names of activation functions (transformers/activations.py), those that decoders use.
struct ActivationName {
  string_view name;
  Activation value;
};
constexpr ActivationName kActivations[] = {
    {"silu", Activation::silu},           {"swish", Activation::silu},         {"gelu", Activation::gelu},
    {"gelu_python", Activation::gelu},    {"gelu_new", Activation::gelu_tanh}, {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"gelu_fast", Activation::gelu_tanh}, {"gelu_10", Activation::gelu},       {"quick_gelu", Activation::gelu_tanh},
    {"relu", Activation::relu},           {"relu2", Activation::relu2},
};
constexpr string_view kActivationNames = "silu, gelu, gelu_new, gelu_pytorch_tanh, relu, relu2";

constexpr string_view name_of(Activation a) {
  switch (a) {
    case Activation::silu: return "silu";
    case Activation::gelu: return "gelu";
    case Activation::gelu_tanh: return "gelu_pytorch_tanh";
    case Activation::relu: return "relu";
    case Activation::relu2: return "relu2";
  }
  return "silu";
}

}  // namespace

void HfFields::fail(string_view name, ErrorId id, std::string got, std::string accepted) {
  if (!error_) error_ = Error{field_path(name), id, std::move(got), std::move(accepted), {}};
}

std::string HfFields::field_path(string_view name) const {
  if (path_.empty()) return std::string(name);
  return name.empty() ? path_ : fmt::format("{}.{}", path_, name);
}

const json* HfFields::find(string_view name) const {
  if (config_ == nullptr) return nullptr;
  const auto it = config_->find(name);
  return it == config_->end() || it->is_null() ? nullptr : &*it;
}
bool HfFields::is_null(string_view name) const {
  if (config_ == nullptr) return false;
  const auto it = config_->find(name);
  return it != config_->end() && it->is_null();
}
const json* HfFields::find(string_view object, string_view name) const {
  const json* inner = find(object);
  if (inner == nullptr || !inner->is_object()) return nullptr;
  const auto it = inner->find(name);
  return it == inner->end() || it->is_null() ? nullptr : &*it;
}
const json* HfFields::find_any(string_view name, std::initializer_list<string_view> others, string_view* found) const {
  const json* v = find(name);
  if (found != nullptr) *found = name;
  for (const string_view other : others) {
    if (v != nullptr) break;
    v = find(other);
    if (v != nullptr && found != nullptr) *found = other;
  }
  return v;
}

void HfFields::read_integer(const json& value, string_view name, std::int64_t& v, Range range) {
  const std::string accepted = fmt::format("an integer from {} to {}", range.low, range.high);
  if (!value.is_number()) return fail(name, ErrorId::wrong_type, described(value), accepted);
  std::int64_t n = 0;
  if (value.is_number_unsigned()) {
    const auto u = value.get<std::uint64_t>();
    n = u > static_cast<std::uint64_t>(kExactInteger) ? static_cast<std::int64_t>(kExactInteger) : static_cast<std::int64_t>(u);
  } else if (value.is_number_integer()) {
    n = value.get<std::int64_t>();
  } else {
    const double d = value.get<double>();
    if (!(d >= -kExactInteger && d <= kExactInteger)) return fail(name, ErrorId::out_of_range, described(value), accepted);
    n = static_cast<std::int64_t>(d);
    if (static_cast<double>(n) != d) return fail(name, ErrorId::wrong_type, described(value), accepted);
  }
  if (n < range.low || n > range.high) return fail(name, ErrorId::out_of_range, described(value), accepted);
  v = n;
}

void HfFields::integer(string_view name, std::int64_t& v, std::int64_t fallback, Range range, std::initializer_list<string_view> others) {
  if (!reading()) {
    begin(name);
    append_json(out_, v);
    return;
  }
  string_view found = name;
  if (const json* value = find_any(name, others, &found)) return read_integer(*value, found, v, range);
  v = fallback;
  note(fmt::format("{} = {}", name, fallback));
}

void HfFields::required(string_view name, std::int64_t& v, std::int64_t fallback, Range range, std::initializer_list<string_view> others) {
  if (reading() && complete_ && find_any(name, others) == nullptr)
    return fail(name, ErrorId::missing_field, {}, fmt::format("an integer from {} to {}", range.low, range.high));
  integer(name, v, fallback, range, others);
}

void HfFields::integer_or_none(string_view name, std::int64_t& v, std::int64_t fallback, Range range) {
  if (!reading()) {
    begin(name);
    if (v > 0)
      append_json(out_, v);
    else
      out_ += "null";
    return;
  }
  v = 0;
  if (is_null(name)) return;
  if (const json* value = find(name)) return read_integer(*value, name, v, range);
  v = fallback;
}

void HfFields::flag(string_view name, bool& v, bool fallback, std::initializer_list<string_view> others) {
  if (!reading()) {
    begin(name);
    append_json(out_, v);
    return;
  }
  v = fallback;
  string_view found = name;
  const json* value = find_any(name, others, &found);
  if (value == nullptr) return;
  if (!value->is_boolean()) return fail(found, ErrorId::wrong_type, described(*value), "true or false");
  v = value->get<bool>();
}

void HfFields::share(string_view name, double& v, double fallback, std::initializer_list<string_view> others) {
  if (!reading()) {
    begin(name);
    append_json(out_, v);
    return;
  }
  v = fallback;
  string_view found = name;
  const json* value = find_any(name, others, &found);
  if (value == nullptr) return;
  if (!value->is_number()) return fail(found, ErrorId::wrong_type, described(*value), "a number from 0 to 1");
  const double d = value->get<double>();
  if (!(d >= 0 && d <= 1)) return fail(found, ErrorId::out_of_range, described(*value), "a number from 0 to 1");
  v = d;
}

void HfFields::number(string_view name, double& v, double fallback) {
  if (!reading()) {
    begin(name);
    append_json(out_, v);
    return;
  }
  v = fallback;
  const json* value = find(name);
  if (value == nullptr) return;
  if (!value->is_number() || !std::isfinite(value->get<double>())) return fail(name, ErrorId::wrong_type, described(*value), "a number");
  v = value->get<double>();
}

void HfFields::activation(string_view name, Activation& v, Activation fallback, std::initializer_list<string_view> others) {
  if (!reading()) {
    begin(name);
    append_json(out_, name_of(v));
    return;
  }
  v = fallback;
  string_view found = name;
  const json* value = find_any(name, others, &found);
  if (value == nullptr) return;
  if (!value->is_string()) return fail(found, ErrorId::wrong_type, described(*value), std::string(kActivationNames));
  const auto& typed = value->get_ref<const std::string&>();
  for (const ActivationName& known : kActivations) {
    if (known.name == typed) {
      v = known.value;
      return;
    }
  }
  fail(found, ErrorId::unknown_name, shortened(typed), std::string(kActivationNames));
}

void HfFields::text(string_view name, string_view v) {
  if (reading()) return;
  begin(name);
  append_json(out_, v);
}

void HfFields::begin(string_view name) {
  if (!out_.empty()) out_ += ',';
  append_json(out_, name);
  out_ += ':';
}

std::string HfFields::written() const { return fmt::format("{{{}}}", out_); }

}  // namespace gpudget::formats
