// An estimate as one self-contained HTML file: no script, no request, prints well, follows the reader's light or dark theme.
#pragma once
#include <string>

#include "core/advice.h"
#include "core/estimate.h"
#include "i18n/text.h"

namespace gpudget::formats {
std::string write_html_report(const Scenario& s, const Estimate& e, const AdviceList& advice, i18n::Language language = i18n::Language::en);
}
