#include "core/cost.h"

namespace gpudget {
Usd cost_of(Seconds seconds, std::int64_t gpus, UsdPerHour price, std::int64_t runs) {
  return Usd(seconds.value() * static_cast<double>(gpus) * price.value() * static_cast<double>(runs) / 3600.0);
}

void estimate_cost(const Scenario& s, Estimate& out) {
  CostEstimate& c = out.cost;
  const Seconds seconds = out.time.seconds;
  c.usd_on_demand = cost_of(seconds, s.gpus, s.quote.on_demand);
  c.usd_spot = cost_of(seconds, s.gpus, s.quote.spot);
  const UsdPerHour own = s.price.usd_per_gpu_hour.value_or(s.price.market == Market::spot ? s.quote.spot : s.quote.on_demand);
  c.usd = cost_of(seconds, s.gpus, own);
  c.usd_all_runs = cost_of(seconds, s.gpus, own, s.runs);
  if (s.price.usd_per_gpu_hour) return;
  c.priced_on = s.quote.date;
  c.source = s.quote.source;
  if (own.value() <= 0) out.problems.add(Severity::note, ProblemId::no_price, "price");
}

}  // namespace gpudget
