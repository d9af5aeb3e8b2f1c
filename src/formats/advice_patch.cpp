#include "formats/advice_patch.h"

#include <array>

#include "catalog/catalog.h"
#include "core/memory.h"
#include "formats/resolve.h"

namespace gpudget::formats {
namespace {

// The smallest GPU of the catalog with more memory that holds the scenario as it is; of equals the cheapest, unpriced ones last.
// None holds it: the largest there is. GPUs of another maker are not offered: the software differs.
Scenario on_larger_gpu(const Scenario& s) {
  const auto maker = [](const Gpu& gpu) { return gpu.generation == GpuGeneration::cdna; };
  const Gpu* best = nullptr;
  bool best_fits = false;
  Scenario next = s;
  Estimate e;
  e.memory.ledger.keep_only_totals();
  // What the scenario needs is the same on all GPUs of a kind, as the planner has it; and those of one kind need hardly more than those of another.
  const Bytes leeway = gib(4);
  struct Kind {
    const Gpu* example;
    Bytes needed;
  };
  std::array<Kind, 16> kinds{};
  std::size_t known = 0;
  const auto needed = [&](const Gpu& gpu) {
    for (std::size_t k = 0; k < known; ++k)
      if (kinds[k].example->generation == gpu.generation && kinds[k].example->supports_bf16 == gpu.supports_bf16 &&
          kinds[k].example->supports_flash_attention == gpu.supports_flash_attention)
        return kinds[k].needed;
    next.gpu = gpu;
    e.problems = {};
    estimate_memory(next, e);
    if (known < kinds.size()) kinds[known++] = {&gpu, e.memory.least};
    return e.memory.least;
  };
  const auto price = [&](const Gpu& gpu) {
    const auto quote = catalog::quote(gpu.id.view(), s.price.provider.view(), s.price.market);
    return quote ? quote->on_demand : UsdPerHour(0);
  };
  for (const Gpu& gpu : catalog::gpus()) {
    if (best_fits && gpu.memory > best->memory) continue;  // cannot be better: not worth an estimate
    if (gpu.memory <= s.gpu.memory || maker(gpu) != maker(s.gpu) || (s.gpu.supports_bf16 && !gpu.supports_bf16)) continue;
    const bool fits = known > 0 && gpu.memory + leeway < kinds[0].needed ? false : needed(gpu) <= gpu.memory;
    bool better = best == nullptr || fits != best_fits ? best == nullptr || fits : fits ? gpu.memory < best->memory : gpu.memory > best->memory;
    if (best != nullptr && fits == best_fits && gpu.memory == best->memory) {  // prices decide
      const UsdPerHour its = price(gpu), other = price(*best);
      better = its.value() > 0 && (other.value() <= 0 || its < other);
    }
    if (better) best = &gpu, best_fits = fits;
  }
  next.gpu = best == nullptr ? s.gpu : *best;
  resolve_quote(next);
  return next;
}

}  // namespace

Scenario advised(AdviceId id, const Scenario& s) { return id == AdviceId::larger_gpu ? on_larger_gpu(s) : apply_advice(id, s); }

}  // namespace gpudget::formats
