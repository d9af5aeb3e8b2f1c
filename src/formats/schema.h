// One table that describes every Scenario field. It drives reading and writing JSON, "did you mean", --set, --help, the URL, the form rows
// of the interface, the accessible HTML form, the generated reference page and the fuzz dictionary. A new field is one row in schema.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/scenario.h"
#include "formats/error.h"

namespace gpudget::formats {

enum class FieldType : unsigned char {
  boolean,
  integer,
  number,
  choice,   // choice: one of `choices`
  model,    // catalog id | {"config": …} | {"params": "7B"}
  gpu,      // catalog id | {"name": …, "memory_gib": …, …}
  modules,  // "all-linear" | "attention" | list of HF names
  text      // price.provider
};
enum class Group : unsigned char { model, method, batch, savers, hardware, data, advanced };

// A field's value on its way in or out. monostate: null (only where `nullable`). choice: its name. model, gpu and modules: text is the id,
// or compact JSON where it is an object or list.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct Field {
  std::string_view path;  // "parallelism.tensor"
  FieldType type;
  Group group;
  bool nullable;
  double minimum, maximum;                    // of integer and number
  std::span<const std::string_view> choices;  // of choice, in the order of the enum
  std::string_view unit;                      // "tokens", "usd/h", "" …
  // Message ids are "field.<path>" (label) and "field.<path>.help" (one sentence); choices are "choice.<path>.<name>".
  Value (*get)(const Scenario&);
  // Sets a value that is already of the right type and in range; for model, gpu and text it looks the name up in the catalog.
  Result<void> (*set)(Scenario&, const Value&);
  // Whether two scenarios have the same value here: get(a) == get(b), without making the values.
  bool (*same)(const Scenario&, const Scenario&);
};

std::span<const Field> fields();
const Field* find_field(std::string_view path);
std::string_view nearest_field(std::string_view path);  // for hints; never empty
Error unknown_field(std::string_view path);             // with the nearest field where one is likely meant, else with what there is
Scenario default_scenario();                            // the contract's defaults, resolved
// Checks type, range and name against the field's row, then sets it. Also re-resolves what depends on it (the quote after gpu or provider).
// The scenario is unchanged on error.
Result<void> set_field(Scenario& s, std::string_view path, const Value& value);
// --set: the text is a JSON value or a bare word ("qlora", "2", "true", "null").
Result<void> set_field_text(Scenario& s, std::string_view path, std::string_view text);
Value get_field(const Scenario& s, std::string_view path);
std::string schema_json();  // the table as JSON, for the HTML form and the generated reference

}  // namespace gpudget::formats
