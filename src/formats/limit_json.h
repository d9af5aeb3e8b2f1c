// The largest value that still fits, as JSON: {"of": "max_length", "value": 14336, "scenario_patch": {…}, "memory": {"device", "capacity"}};
// {"of": …, "value": null} where even the smallest does not fit.
#pragma once
#include <optional>
#include <string>

#include "core/limit.h"

namespace gpudget::formats {
std::string write_limit(const Scenario& asked, LimitOf of, const std::optional<Limit>& limit);
}
