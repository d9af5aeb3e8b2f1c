// A configuration for a training tool as JSON: {"name", "mime", "text", "command"}.
#pragma once
#include <string>
#include <string_view>

#include "core/scenario.h"
#include "formats/error.h"

namespace gpudget::formats {
// Errors: `to` is no tool, or the scenario does not train. `link`: as export_config has it.
Result<std::string> answer_export(const Scenario& s, std::string_view to, std::string_view link);
}  // namespace gpudget::formats
