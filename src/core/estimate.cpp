#include "core/estimate.h"

#include <memory>
#include <new>

#include "core/compute.h"
#include "core/cost.h"
#include "core/memory.h"

namespace gpudget {

void estimate(const Scenario& scenario, Estimate& out) {
  // As `out = {}`, but without clearing the ledger's room, which is most of it.
  std::destroy_at(&out);
  ::new (static_cast<void*>(&out)) Estimate;
  estimate_memory(scenario, out);
  estimate_compute(scenario, out);
  estimate_time(scenario, out);
  estimate_cost(scenario, out);
}

}  // namespace gpudget
