#include "formats/advice_patch.h"

#include <doctest/doctest.h>

#include <memory>

#include "catalog/catalog.h"
#include "core/estimate.h"
#include "formats/estimate_json.h"
#include "formats/resolve.h"
#include "random_scenario.h"

using namespace gpudget;

TEST_CASE("the larger GPU is the smallest of its maker that holds the scenario, and none of that size that is priced is cheaper") {
  int held = 0;
  for (int i = 0; i < 300; ++i) {
    const Scenario s = tests::random_scenario(static_cast<std::uint64_t>(i), 0.1);
    const Scenario chosen = formats::advised(AdviceId::larger_gpu, s);
    const auto on = [&](const Gpu& gpu) {
      Scenario other = s;
      other.gpu = gpu;
      formats::resolve_quote(other);
      return other;
    };
    const auto candidate = [&](const Gpu& gpu) {
      const auto amd = [](const Gpu& g) { return g.generation == GpuGeneration::cdna; };
      return gpu.memory > s.gpu.memory && amd(gpu) == amd(s.gpu) && (gpu.supports_bf16 || !s.gpu.supports_bf16);
    };
    const bool fits = estimate(chosen).memory.fits;
    bool any = false;
    for (const Gpu& gpu : catalog::gpus()) {
      if (!candidate(gpu)) continue;
      any = true;
      const Scenario other = on(gpu);
      if (!estimate(other).memory.fits) continue;
      CHECK_MESSAGE(fits, gpu.id.view());
      CHECK_MESSAGE(chosen.gpu.memory <= gpu.memory, gpu.id.view());
      const double price = other.quote.on_demand.value(), its = chosen.quote.on_demand.value();
      if (chosen.gpu.memory == gpu.memory && price > 0) CHECK_MESSAGE((its > 0 && its <= price), gpu.id.view());
    }
    CHECK(any == !(chosen.gpu == s.gpu));
    CHECK(chosen == on(chosen.gpu));
    held += any && fits ? 1 : 0;
  }
  CHECK(held > 50);  // both kinds are met
}

TEST_CASE("an Estimate says the same whether the advised scenarios are handed on or made again") {
  const auto done = std::make_unique<AdvisedScenarios>();
  for (int i = 0; i < 300; ++i) {
    const Scenario s = tests::random_scenario(static_cast<std::uint64_t>(i), 0.1);
    const Estimate e = estimate(s);
    const AdviceList advice = advise(s, e, done.get());
    CHECK(formats::write_estimate(s, e, advice, i18n::Language::en, done.get()) == formats::write_estimate(s, e, advise(s, e)));
  }
}
