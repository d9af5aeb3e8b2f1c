// What is wrong with a scenario, as a sentence in the reader's language.
#pragma once
#include <string>

#include "core/estimate.h"
#include "i18n/text.h"

namespace gpudget::formats {
std::string problem_text(const Problem& problem, i18n::Language language);
}
