// FLOPs, the time of a step, tokens per second: fills `out.compute`. Needs `out.model` and `out.memory`.
#pragma once
#include "core/estimate.h"

namespace gpudget {
void estimate_compute(const Scenario& scenario, Estimate& out);
}
