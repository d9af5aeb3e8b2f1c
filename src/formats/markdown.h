// An estimate as Markdown: a verdict and three tables, for an issue, a wiki or a thesis.
#pragma once
#include <string>

#include "core/advice.h"
#include "core/estimate.h"
#include "i18n/text.h"

namespace gpudget::formats {
std::string write_markdown(const Scenario& s, const Estimate& e, const AdviceList& advice, i18n::Language language = i18n::Language::en);
}
