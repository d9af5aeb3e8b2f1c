// Between JSON values and schema fields: the one place where types, ranges and names of a Scenario's text are checked.
// Shared by read_scenario, --set and the URL; not for other rooms.
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "formats/schema.h"

namespace gpudget::formats {

// The field's value from JSON, checked. Integral doubles (1e3) count as integers.
Result<Value> value_from_json(const Field& field, const nlohmann::json& json);
// Brings a value into the field's canonical form (aliases, true for "full") or says what would do.
Result<Value> check_value(const Field& field, const Value& value);
void append_value(std::string& out, const Field& field, const Value& value);
// Sets every member of a JSON object whose path starts with `prefix` ("" or "lora"). May leave `s` half changed on error.
Result<void> apply_object(Scenario& s, const nlohmann::json& object, std::string_view prefix);
// What would do, in words: "an integer from 1 to 1000000", "one of full, lora, qlora, inference".
std::string accepted(const Field& field);
std::string described(const nlohmann::json& json);  // "a list", "the text 'x'", "1.5"
std::string shortened(std::string_view text);       // at most 60 bytes, whole UTF-8 characters, control characters shown as '?'

}  // namespace gpudget::formats
