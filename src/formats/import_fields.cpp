#include "formats/import_fields.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "catalog/catalog.h"
#include "formats/field_json.h"
#include "formats/nearest.h"
#include "formats/resolve.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

std::string joined(string_view path, string_view name) { return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name); }

// A name from a file, for a list that people read.
std::string shown(string_view name) { return shortened(name); }

// Optimizers by the names that transformers, Axolotl, LLaMA-Factory and torchtune have and the Scenario does not.
struct OptimizerName {
  string_view theirs, ours;
};
constexpr OptimizerName kOptimizers[] = {{"adamw_hf", "adamw_torch"},
                                         {"adamw", "adamw_torch"},
                                         {"adam", "adamw_torch"},
                                         {"adamw_torch_xla", "adamw_torch"},
                                         {"adamw_torch_npu_fused", "adamw_torch_fused"},
                                         {"adamw_anyprecision", "adamw_torch"},
                                         {"adamw_bnb_8bit", "adamw_8bit"},
                                         {"adamw_bnb_4bit", "adamw_torch_4bit"},
                                         {"ao_adamw_8bit", "adamw_torch_8bit"},
                                         {"ao_adamw_4bit", "adamw_torch_4bit"},
                                         {"paged_adamw", "paged_adamw_32bit"},
                                         {"lion", "lion_32bit"},
                                         {"paged_lion", "paged_lion_32bit"},
                                         {"galore_adamw_layerwise", "galore_adamw"},
                                         {"galore_adamw_8bit_layerwise", "galore_adamw_8bit"},
                                         {"apollo_adamw_layerwise", "apollo_adamw"},
                                         {"schedule_free_radamw", "schedule_free_adamw"},
                                         {"rmsprop_bnb", "rmsprop"}};

}  // namespace

std::string value_text(string_view field, const Scenario& s) {
  const Field* f = find_field(field);
  if (f == nullptr) return std::string(field);
  std::string out;
  append_value(out, *f, f->get(s));
  return fmt::format("{} = {}", field, out.size() > 100 ? shortened(out) : out);
}

void ImportFields::note_read(string_view field) { file_->read.push_back(fmt::format("{}: {}", shown(name_), value_text(field, state_->s))); }

const json* ImportFields::find(std::initializer_list<string_view> names) {
  const json* found = nullptr;
  for (const string_view n : names) {
    known_.emplace(n);
    const auto it = object_->find(n);
    if (found != nullptr || it == object_->end() || it->is_null()) continue;
    found = &*it;
    name_ = joined(path_, n);
  }
  return found;
}

template <class T, class Read>
std::optional<T> ImportFields::read_as(std::initializer_list<string_view> names, const char* what, Read&& read) {
  const json* v = find(names);
  if (v == nullptr || failed() || *v == "auto") return std::nullopt;
  const std::optional<T> value = read(*v);
  if (!value) fail({name_, ErrorId::wrong_type, described(*v), what, {}});
  return value;
}

std::optional<bool> ImportFields::flag(std::initializer_list<string_view> names) {
  return read_as<bool>(names, "true or false", [](const json& v) -> std::optional<bool> {
    if (v.is_boolean()) return v.get<bool>();
    if (v == "true" || v == "True") return true;
    if (v == "false" || v == "False") return false;
    return std::nullopt;
  });
}

std::optional<double> ImportFields::number(std::initializer_list<string_view> names) {
  return read_as<double>(names, "a number", [](const json& v) -> std::optional<double> {
    // Numbers that YAML 1.1 leaves as text: 2e-5.
    const json n = v.is_string() ? json::parse(v.get_ref<const std::string&>(), nullptr, false) : v;
    return n.is_number() ? std::optional(n.get<double>()) : std::nullopt;
  });
}

std::optional<std::int64_t> ImportFields::integer(std::initializer_list<string_view> names) {
  const auto d = number(names);
  if (!d) return std::nullopt;
  constexpr double kMost = 9007199254740992.0;
  if (!(*d >= -kMost && *d <= kMost) || std::floor(*d) != *d) {
    fail({name_, ErrorId::wrong_type, fmt::format("{}", *d), "a whole number", {}});
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*d);
}

std::optional<std::string> ImportFields::text(std::initializer_list<string_view> names) {
  const json* v = find(names);
  if (v == nullptr || failed()) return std::nullopt;
  if (v->is_string()) return v->get<std::string>();
  fail({name_, ErrorId::wrong_type, described(*v), "a text", {}});
  return std::nullopt;
}

const json* ImportFields::object(string_view name) {
  const json* v = find({name});
  if (v == nullptr || failed()) return nullptr;
  if (v->is_object()) return v;
  fail({name_, ErrorId::wrong_type, described(*v), "an object", {}});
  return nullptr;
}

void ImportFields::set(string_view field, const Value& value) {
  if (failed()) return;
  if (auto done = set_field(state_->s, field, value); !done) {
    Error e = std::move(done.error());
    e.path = name_;  // in the file's words
    return fail(std::move(e));
  }
  note_read(field);
}

void ImportFields::set_integer(string_view field, std::initializer_list<string_view> names) {
  if (const auto v = integer(names)) set(field, *v);
}
void ImportFields::set_number(string_view field, std::initializer_list<string_view> names) {
  if (const auto v = number(names)) set(field, *v);
}

void ImportFields::assume(string_view field, const Value& value, string_view why) {
  if (failed()) return;
  if (!set_field(state_->s, field, value)) return;
  note_assumed(fmt::format("{}: {}", value_text(field, state_->s), why));
}

void ImportFields::ignore_rest() {
  for (auto member = object_->begin(); member != object_->end(); ++member)
    if (!known_.contains(member.key()) && !member->is_null() && file_->ignored.size() < 1000) note_ignored(shown(joined(path_, member.key())));
}

void ImportFields::model(std::initializer_list<string_view> names) {
  const auto id = text(names);
  if (!id) return;
  if (state_->model_given) {
    note_ignored(fmt::format("{}: the model is the one whose config was given", shown(name_)));
  } else if (catalog::find_model(*id) != nullptr) {
    set("model", *id);
  } else {
    note_assumed(fmt::format("{}: {} is not in the catalog; give its config.json too", value_text("model", state_->s), shown(*id)));
  }
}

void ImportFields::optimizer(std::initializer_list<string_view> names) {
  auto theirs = text(names);
  if (!theirs) return;
  const std::string name = name_;
  for (const OptimizerName& o : kOptimizers)
    if (*theirs == o.theirs) theirs = std::string(o.ours);
  const auto arguments = text({"optim_args"});
  if (failed()) return;
  const bool momentum = arguments && arguments->find("momentum=") != std::string::npos && arguments->find("momentum=0.0") == std::string::npos;
  if (*theirs == "sgd" && momentum) theirs = "sgd_momentum";
  name_ = name;
  set("optim", *theirs);
}

void ImportFields::epochs(std::initializer_list<string_view> names) {
  const auto n = number(names);
  if (!n) return;
  if (*n > 0 && *n < 1e6 && std::floor(*n) != *n)
    assume("epochs", static_cast<std::int64_t>(std::ceil(*n)), fmt::format("{} says {}", shown(name_), *n));
  else
    set("epochs", *n);
}

void ImportFields::target_modules(const json& value) {
  std::string list;
  const auto add = [&](string_view name) {
    // "model.layers.0.self_attn.q_proj" is a q_proj.
    if (const std::size_t dot = name.rfind('.'); dot != string_view::npos && name.substr(dot + 1) != "up_proj") name.remove_prefix(dot + 1);
    const auto module = from_name<Module>(name);
    if (!module) {
      const string_view near = nearest(name, names<Module>());
      return fail({name_, ErrorId::unknown_name, shortened(name), "names of linear layers as in transformers' code",
                   plausible(name, near) ? std::string(near) : std::string()});
    }
    const std::string quoted = fmt::format("\"{}\"", name);
    if (list.find(quoted) == std::string::npos) list += (list.empty() ? "" : ",") + quoted;
  };
  if (value.is_string()) {
    string_view text = value.get_ref<const std::string&>();
    if (text == "all-linear" || text == "all" || text == "attention") return set("lora.target_modules", std::string(text == "attention" ? text : "all-linear"));
    if (text.find_first_of("()|*^$\\") != string_view::npos)
      return note_assumed(fmt::format("{}: {} is a pattern", value_text("lora.target_modules", state_->s), shown(name_)));
    while (!text.empty() && !failed()) {
      const std::size_t comma = text.find(',');
      string_view name = text.substr(0, comma);
      while (name.starts_with(' ')) name.remove_prefix(1);
      while (name.ends_with(' ')) name.remove_suffix(1);
      if (!name.empty()) add(name);
      text.remove_prefix(comma == string_view::npos ? text.size() : comma + 1);
    }
  } else if (value.is_array()) {
    for (const json& item : value) {
      if (!item.is_string()) return fail({name_, ErrorId::wrong_type, described(item), "names of modules", {}});
      add(item.get_ref<const std::string&>());
      if (failed()) return;
    }
  } else {
    return fail({name_, ErrorId::wrong_type, described(value), "names of modules", {}});
  }
  if (failed()) return;
  if (list.empty()) return note_assumed(fmt::format("{}: {} names none", value_text("lora.target_modules", state_->s), shown(name_)));
  set("lora.target_modules", fmt::format("[{}]", list));
}

void ImportFields::adapters(bool four_bit, bool eight_bit) {
  const DType held = weights_dtype(state_->s);
  const bool held_four = state_->weights_given && (held == DType::nf4 || held == DType::int4);
  set("method", std::string(four_bit || (held_four && !eight_bit) ? "qlora" : "lora"));
}

}  // namespace gpudget::formats
