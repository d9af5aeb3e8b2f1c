#include "core/estimate.h"

#include "core/compute.h"
#include "core/cost.h"
#include "core/memory.h"

namespace gpudget {

void estimate(const Scenario& scenario, Estimate& out) {
  out = {};
  estimate_memory(scenario, out);
  estimate_compute(scenario, out);
  estimate_time(scenario, out);
  estimate_cost(scenario, out);
}

}  // namespace gpudget
