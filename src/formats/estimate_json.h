// Estimate as JSON (contract), one way; byte-identical on native and wasm. `advice` is computed by the caller (core/advice.h).
#pragma once
#include <string>

#include "core/advice.h"
#include "core/estimate.h"
#include "i18n/text.h"

namespace gpudget::formats {
// `done`: the scenarios that advise() made, where it was asked for them.
std::string write_estimate(const Scenario& s, const Estimate& e, const AdviceList& advice, i18n::Language language = i18n::Language::en,
                           const AdvisedScenarios* done = nullptr);
// The same at the end of `text`: one buffer for many answers.
void append_estimate(std::string& text, const Scenario& s, const Estimate& e, const AdviceList& advice, i18n::Language language = i18n::Language::en,
                     const AdvisedScenarios* done = nullptr);
}  // namespace gpudget::formats
