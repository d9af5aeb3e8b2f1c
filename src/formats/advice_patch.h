// An advice item as a scenario, with what core cannot know: which GPU of the catalog is the next larger one.
#pragma once
#include "core/advice.h"

namespace gpudget::formats {
// The scenario with the item done; the scenario itself where it does not apply.
Scenario advised(AdviceId id, const Scenario& scenario);
}  // namespace gpudget::formats
