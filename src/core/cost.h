// Training time and cost from tokens, throughput and price: fills `out.time` and `out.cost`. Needs `out.compute`.
#pragma once
#include "core/estimate.h"

namespace gpudget {
void estimate_time(const Scenario& scenario, Estimate& out);
void estimate_cost(const Scenario& scenario, Estimate& out);
// What `seconds` on `gpus` GPUs cost, `runs` times. The division comes last, so that a sum over runs is the exact product.
Usd cost_of(Seconds seconds, std::int64_t gpus, UsdPerHour price, std::int64_t runs = 1);
std::int64_t training_tokens(const Scenario& scenario);  // dataset * epochs
}  // namespace gpudget
