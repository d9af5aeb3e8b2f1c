// The largest value that still fits, as JSON: {"of": "max_length", "value": 14336, "scenario_patch": {…}, "memory": {"device", "capacity"}};
// {"of": …, "value": null} where even the smallest does not fit.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/limit.h"
#include "formats/error.h"

namespace gpudget::formats {
std::string write_limit(const Scenario& asked, LimitOf of, const std::optional<Limit>& limit);
// Looked for and written. Errors: `of` is no quantity, or one that the method has not.
Result<std::string> answer_limit(const Scenario& asked, std::string_view of);
}  // namespace gpudget::formats
