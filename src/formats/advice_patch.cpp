#include "formats/advice_patch.h"

#include "catalog/catalog.h"
#include "core/memory.h"
#include "formats/resolve.h"

namespace gpudget::formats {
namespace {

// The smallest GPU of the catalog with more memory that holds the scenario as it is; of equals the cheapest, unpriced ones last.
// None holds it: the largest there is. GPUs of another maker are not offered: the software differs.
Scenario on_larger_gpu(const Scenario& s) {
  const auto maker = [](const Gpu& gpu) { return gpu.generation == GpuGeneration::cdna; };
  Scenario best = s, next = s;
  bool best_fits = false;
  Estimate e;
  for (const Gpu& gpu : catalog::gpus()) {
    if (best_fits && gpu.memory > best.gpu.memory) continue;  // cannot be better: not worth an estimate
    if (gpu.memory <= s.gpu.memory || maker(gpu) != maker(s.gpu) || (s.gpu.supports_bf16 && !gpu.supports_bf16)) continue;
    next.gpu = gpu;
    estimate_memory(next, e);
    const bool fits = e.memory.fits;
    if (fits == best_fits && gpu.memory == best.gpu.memory) {  // prices decide
      resolve_quote(next);
      resolve_quote(best);
    }
    const double price = next.quote.on_demand.value(), best_price = best.quote.on_demand.value();
    const bool cheaper = price > 0 && (best_price <= 0 || price < best_price);
    const bool better = fits != best_fits               ? fits
                        : best.gpu == s.gpu             ? true
                        : gpu.memory != best.gpu.memory ? (fits ? gpu.memory < best.gpu.memory : gpu.memory > best.gpu.memory)
                                                        : cheaper;
    if (better) {
      best = next;
      best_fits = fits;
    }
  }
  resolve_quote(best);
  return best;
}

}  // namespace

Scenario advised(AdviceId id, const Scenario& s) { return id == AdviceId::larger_gpu ? on_larger_gpu(s) : apply_advice(id, s); }

}  // namespace gpudget::formats
