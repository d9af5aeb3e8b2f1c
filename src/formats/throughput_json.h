// The validation as JSON: what `gpudget validate --json` gives. Rates are tokens/s of one GPU, errors relative (0.12 = 12 %).
#pragma once
#include <string>

#include "formats/throughput_validation.h"
#include "i18n/text.h"

namespace gpudget::formats {
// {"memory": `memory`, JSON already, "throughput": {"all": {…}, "by_gpu": […], "by_method": […], "by_source": […], "rows": [{…, "measured", "predicted",
// "left_out"}]}}
std::string write_validation(const std::string& memory, const ThroughputValidation& throughput, i18n::Language language = i18n::Language::en);
}  // namespace gpudget::formats
