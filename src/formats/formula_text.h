// A ledger formula as one line: "8 030 261 248 × 2 B", "32 layers × 4 096 tokens × 2 B ÷ 8 GPUs". Digits are grouped by spaces in every
// language, so that the line can be copied; the words are the language's.
#pragma once
#include <string>

#include "core/ledger.h"
#include "i18n/text.h"

namespace gpudget::formats {
void append_formula(std::string& out, const Formula& formula, i18n::Language language);
std::string formula_text(const Formula& formula, i18n::Language language);
}  // namespace gpudget::formats
