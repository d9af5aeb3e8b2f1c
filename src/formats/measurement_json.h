// The published memory measurements as JSON, for `gpudget validate --json`: statistics, every row with its scenario and source, what was left out and why.
#pragma once
#include <string>

#include "formats/measurement_validation.h"
#include "i18n/text.h"

namespace gpudget::formats {
std::string measurements_json(const MeasurementValidation& v, i18n::Language language);
}
