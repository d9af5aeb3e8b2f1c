// The planner's rows in words, as every view says them: on what, how, why, and what came nearest where nothing is left.
#pragma once
#include <string>

#include "core/planner.h"
#include "i18n/numbers.h"
#include "i18n/text.h"

namespace gpudget::formats {

std::string gpus_text(i18n::Language language, const Scenario& s);      // "2 × A100 80GB"; one GPU without its count
std::string way_text(i18n::Language language, const Scenario& s);       // "LoRA · ZeRO-3 · Gradient checkpointing · AdamW"
std::string reasons_text(i18n::Language language, const PlanRow& row);  // "cheapest · with the largest batch that fits"
std::string nearest_text(i18n::Language language, const PlanMiss& miss, i18n::ByteUnit unit = i18n::ByteUnit::gb);  // a sentence

}  // namespace gpudget::formats
