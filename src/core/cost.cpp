#include "core/cost.h"

namespace gpudget {
namespace {

// The division by 3600 comes last, so that whole hours cost whole cents and the sum over runs is the product of the exact figure.
Usd price_of(double seconds, double runs, const Scenario& s, UsdPerHour price) {
  return Usd(seconds * static_cast<double>(s.gpus) * price.value() * runs / 3600.0);
}

}  // namespace

void estimate_cost(const Scenario& s, Estimate& out) {
  CostEstimate& c = out.cost;
  const double seconds = out.time.seconds.value(), runs = static_cast<double>(s.runs);
  c.usd_on_demand = price_of(seconds, 1.0, s, s.quote.on_demand);
  c.usd_spot = price_of(seconds, 1.0, s, s.quote.spot);
  const UsdPerHour own = s.price.usd_per_gpu_hour.value_or(s.price.market == Market::spot ? s.quote.spot : s.quote.on_demand);
  c.usd = price_of(seconds, 1.0, s, own);
  c.usd_all_runs = price_of(seconds, runs, s, own);
  if (s.price.usd_per_gpu_hour) return;
  c.priced_on = s.quote.date;
  c.source = s.quote.source;
  if (own.value() <= 0) out.problems.add(Severity::note, ProblemId::no_price, "price");
}

}  // namespace gpudget
