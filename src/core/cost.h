// Training time and cost from tokens, throughput and price: fills `out.time` and `out.cost`. Needs `out.compute`.
#pragma once
#include "core/estimate.h"

namespace gpudget {
void estimate_time(const Scenario& scenario, Estimate& out);
void estimate_cost(const Scenario& scenario, Estimate& out);
}
