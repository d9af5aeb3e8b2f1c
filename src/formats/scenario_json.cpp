#include "formats/scenario_json.h"

#include <fmt/format.h>

#include "formats/field_json.h"
#include "formats/json_reader.h"
#include "formats/json_text.h"
#include "formats/schema.h"

namespace gpudget::formats {
namespace {

using std::string_view;

// Writes the fields that `wanted` picks, groups as nested objects, in the schema's order (in which a group's fields stand together).
template <class Wanted>
std::string write_fields(const Scenario& s, Wanted&& wanted) {
  std::string out = "{";
  string_view group;
  bool first = true;
  for (const Field& f : fields()) {
    if (!wanted(f)) continue;
    const Value value = f.get(s);
    const std::size_t dot = f.path.find('.');
    const string_view its_group = dot == string_view::npos ? string_view() : f.path.substr(0, dot);
    if (its_group != group) {
      if (!group.empty()) out += '}';
      if (!its_group.empty()) {
        if (!first) out += ',';
        append_json(out, its_group);
        out += ":{";
        first = true;
      } else {
        first = false;
      }
      group = its_group;
    }
    if (!first) out += ',';
    first = false;
    append_json(out, dot == string_view::npos ? f.path : f.path.substr(dot + 1));
    out += ':';
    append_value(out, f, value);
  }
  if (!group.empty()) out += '}';
  return out + '}';
}

// Of the two ways to count the dataset only the one in use is written.
bool counts(const Scenario& s, const Field& f) {
  if (f.path == "dataset.tokens") return s.dataset.by_tokens;
  if (f.path == "dataset.examples" || f.path == "dataset.tokens_per_example") return !s.dataset.by_tokens;
  return true;
}

}  // namespace

Result<Scenario> read_scenario(string_view text, const Scenario& base) {
  auto json = parse_json(text, kMaxScenarioBytes);
  if (!json) return tl::unexpected(std::move(json.error()));
  return read_scenario_object(*json, base);
}

Result<Scenario> read_scenario_object(const nlohmann::json& object, const Scenario& base) {
  if (!object.is_object()) return tl::unexpected(Error{{}, ErrorId::wrong_type, described(object), "a JSON object", {}});
  Scenario s = base;
  if (auto done = apply_object(s, object, {}); !done) return tl::unexpected(std::move(done.error()));
  return s;
}

std::string write_scenario(const Scenario& s) {
  return write_fields(s, [&](const Field& f) { return counts(s, f); });
}

std::string write_difference(const Scenario& from, const Scenario& to) {
  const bool recount = from.dataset.by_tokens != to.dataset.by_tokens;
  return write_fields(to, [&](const Field& f) {
    if (f.same(from, to) && !(recount && f.path.starts_with("dataset."))) return false;  // nearly all are
    return counts(to, f);
  });
}

std::string write_scenario_compact(const Scenario& s) { return write_difference(default_scenario(), s); }

}  // namespace gpudget::formats
