#include <cstdio>

#include "core/architecture_presets.h"
#include "core/estimate.h"
int main() {
  gpudget::Scenario s;
  s.model.architecture = gpudget::llama_like(8'000'000'000);
  s.gpu.memory = gpudget::gib(80);
  const gpudget::Estimate e = gpudget::estimate(s);
  std::printf("%lld %lld %d\n", static_cast<long long>(e.model.parameters), static_cast<long long>(e.memory.device.in_bytes()), e.memory.fits);
}
