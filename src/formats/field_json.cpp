#include "formats/field_json.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "formats/json_text.h"
#include "formats/nearest.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

constexpr double kExactInteger = 9007199254740992.0;  // 2^53: doubles beyond it may not be the integer that was meant

Error wrong_type(const Field& field, std::string got) { return {std::string(field.path), ErrorId::wrong_type, std::move(got), accepted(field), {}}; }
Error out_of_range(const Field& field, std::string got) { return {std::string(field.path), ErrorId::out_of_range, std::move(got), accepted(field), {}}; }

std::string bound(double v) { return fmt::format("{}", v); }

std::string number_text(const Value& v) {
  if (const auto* i = std::get_if<std::int64_t>(&v)) return fmt::format("{}", *i);
  if (const auto* d = std::get_if<double>(&v)) return fmt::format("{}", *d);
  return {};
}

// Names that other tools use for the same thing.
string_view alias(const Field& field, string_view text) {
  if (field.path == "optim" && text == "adamw_bnb_8bit") return "adamw_8bit";
  return text;
}

Result<Value> check_integer(const Field& field, const Value& value) {
  std::int64_t n = 0;
  if (const auto* i = std::get_if<std::int64_t>(&value)) {
    n = *i;
  } else if (const auto* d = std::get_if<double>(&value)) {
    if (!(*d >= -kExactInteger && *d <= kExactInteger)) return tl::unexpected(out_of_range(field, number_text(value)));
    n = static_cast<std::int64_t>(*d);
    if (static_cast<double>(n) != *d) return tl::unexpected(wrong_type(field, number_text(value)));
  }
  if (static_cast<double>(n) < field.minimum || static_cast<double>(n) > field.maximum) return tl::unexpected(out_of_range(field, number_text(value)));
  return Value(n);
}

Result<Value> check_number(const Field& field, const Value& value) {
  double d = 0;
  if (const auto* i = std::get_if<std::int64_t>(&value)) d = static_cast<double>(*i);
  if (const auto* given = std::get_if<double>(&value)) d = *given;
  if (!(d >= field.minimum && d <= field.maximum)) return tl::unexpected(out_of_range(field, number_text(value)));
  return Value(d);
}

Result<Value> check_choice(const Field& field, string_view text) {
  const string_view known = alias(field, text);
  if (std::find(field.choices.begin(), field.choices.end(), known) != field.choices.end()) return Value(std::string(known));
  const string_view near = nearest(text, field.choices);
  return tl::unexpected(
      Error{std::string(field.path), ErrorId::unknown_name, shortened(text), accepted(field), plausible(text, near) ? std::string(near) : ""});
}

}  // namespace

std::string shortened(string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t end = std::min(text.size(), kMost);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  std::string out(text.substr(0, end));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return end < text.size() ? out + "…" : out;
}

std::string described(const json& v) {
  switch (v.type()) {
    case json::value_t::null: return "null";
    case json::value_t::object: return "an object";
    case json::value_t::array: return "a list";
    case json::value_t::string: return fmt::format("the text '{}'", shortened(v.get_ref<const std::string&>()));
    case json::value_t::boolean: return v.get<bool>() ? "true" : "false";
    case json::value_t::number_integer: return fmt::format("{}", v.get<std::int64_t>());
    case json::value_t::number_unsigned: return fmt::format("{}", v.get<std::uint64_t>());
    case json::value_t::number_float: return fmt::format("{}", v.get<double>());
    default: return "this";
  }
}

std::string accepted(const Field& field) {
  std::string out;
  switch (field.type) {
    case FieldType::boolean: out = "true or false"; break;
    case FieldType::integer:
      out = fmt::format("an integer from {} to {}", static_cast<std::int64_t>(field.minimum), static_cast<std::int64_t>(field.maximum));
      break;
    case FieldType::number: out = fmt::format("a number from {} to {}", bound(field.minimum), bound(field.maximum)); break;
    case FieldType::choice:
      out = fmt::format("one of {}", fmt::join(field.choices.begin(), field.choices.end(), ", "));
      if (field.path == "gradient_checkpointing") out += ", true, false";
      break;
    case FieldType::model: out = R"(a catalog id such as "meta-llama/Llama-3.1-8B", {"config": an HF config.json} or {"params": "7B"})"; break;
    case FieldType::gpu: out = R"(a catalog id such as "a100-80gb-sxm", or {"name", "memory_gib", "bf16_tflops", "memory_bandwidth_gb_s"})"; break;
    case FieldType::modules: out = R"("all-linear", "attention", or a list of names such as ["q_proj", "v_proj"])"; break;
    case FieldType::text: out = "a name from `gpudget list prices`"; break;
  }
  return field.nullable ? out + ", or null" : out;
}

Result<Value> check_value(const Field& field, const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return field.nullable ? Result<Value>(value) : tl::unexpected(wrong_type(field, "null"));
  const auto* text = std::get_if<std::string>(&value);
  const auto* truth = std::get_if<bool>(&value);
  const bool numeric = std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
  const auto refuse = [&]() -> Result<Value> {
    return tl::unexpected(wrong_type(field, text != nullptr    ? fmt::format("the text '{}'", shortened(*text))
                                            : truth != nullptr ? (*truth ? "true" : "false")
                                                               : number_text(value)));
  };
  switch (field.type) {
    case FieldType::boolean: return truth != nullptr ? Result<Value>(value) : refuse();
    case FieldType::integer: return numeric ? check_integer(field, value) : refuse();
    case FieldType::number: return numeric ? check_number(field, value) : refuse();
    case FieldType::choice:
      if (truth != nullptr && field.path == "gradient_checkpointing") return Value(std::string(*truth ? "full" : "none"));
      return text != nullptr ? check_choice(field, *text) : refuse();
    case FieldType::model:
    case FieldType::gpu:
    case FieldType::modules:
    case FieldType::text: return text != nullptr ? Result<Value>(value) : refuse();
  }
  return refuse();
}

Result<Value> value_from_json(const Field& field, const json& v) {
  switch (v.type()) {
    case json::value_t::null: return check_value(field, Value());
    case json::value_t::boolean: return check_value(field, Value(v.get<bool>()));
    case json::value_t::number_integer: return check_value(field, Value(v.get<std::int64_t>()));
    case json::value_t::number_unsigned: {
      const auto n = v.get<std::uint64_t>();
      return check_value(field, n <= INT64_MAX ? Value(static_cast<std::int64_t>(n)) : Value(static_cast<double>(n)));
    }
    case json::value_t::number_float: return check_value(field, Value(v.get<double>()));
    case json::value_t::string: return check_value(field, Value(v.get_ref<const std::string&>()));
    case json::value_t::object:
      if (field.type == FieldType::model || field.type == FieldType::gpu) return Value(v.dump());
      break;
    case json::value_t::array:
      if (field.type == FieldType::modules) return Value(v.dump());
      break;
    default: break;
  }
  return tl::unexpected(wrong_type(field, described(v)));
}

void append_value(std::string& out, const Field& field, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    const bool structured = field.type == FieldType::model || field.type == FieldType::gpu || field.type == FieldType::modules;
    if (structured && !text->empty() && (text->front() == '{' || text->front() == '['))
      out += *text;
    else
      append_json(out, std::string_view(*text));
  } else if (const auto* i = std::get_if<std::int64_t>(&value)) {
    append_json(out, *i);
  } else if (const auto* d = std::get_if<double>(&value)) {
    append_json(out, *d);
  } else if (const auto* b = std::get_if<bool>(&value)) {
    append_json(out, *b);
  } else {
    out += "null";
  }
}

Result<void> apply_object(Scenario& s, const json& object, string_view prefix) {
  if (prefix == "dataset") {
    const auto tokens = object.find("tokens");
    for (const char* other : {"examples", "tokens_per_example"})
      if (tokens != object.end() && !tokens->is_null() && object.contains(other))
        return tl::unexpected(
            Error{"dataset.tokens", ErrorId::contradiction, fmt::format("dataset.{}", other), "either tokens, or examples and tokens_per_example", {}});
  }
  for (auto member = object.begin(); member != object.end(); ++member) {
    const std::string path = prefix.empty() ? member.key() : fmt::format("{}.{}", prefix, member.key());
    if (const Field* field = find_field(path)) {
      if (path == "dataset.tokens" && member->is_null() && object.size() > 1) continue;  // {"examples": …, "tokens": null}
      auto value = value_from_json(*field, *member);
      if (!value) return tl::unexpected(std::move(value.error()));
      if (auto done = field->set(s, *value); !done) return done;
      continue;
    }
    const std::string group = path + '.';
    const auto all = fields();
    const bool is_group = prefix.empty() && std::any_of(all.begin(), all.end(), [&](const Field& f) { return f.path.starts_with(group); });
    if (!is_group) return tl::unexpected(unknown_field(path));
    if (!member->is_object()) return tl::unexpected(Error{path, ErrorId::wrong_type, described(*member), "an object of its fields", {}});
    if (auto done = apply_object(s, *member, path); !done) return done;
  }
  return {};
}

}  // namespace gpudget::formats
