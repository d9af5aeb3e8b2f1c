#include <doctest/doctest.h>

#include <string>

#include "core/advice.h"
#include "core/architecture_presets.h"
#include "core/limit.h"

using namespace gpudget;

namespace {
Scenario scenario(std::int64_t parameters) {
  Scenario s;
  s.model.architecture = llama_like(parameters);
  s.gpu.memory = gib(80);
  s.gpu.bf16_tflops = s.gpu.fp16_tflops = 312;
  s.gpu.fp32_tflops = 19.5;
  s.gpu.memory_bandwidth_gb_s = 2000;
  s.gpu.interconnect_gb_s = 300;
  s.gradient_checkpointing = Checkpointing::full;
  return s;
}
}  // namespace

TEST_CASE("the largest batch fits and one more does not") {
  const auto most = limit(scenario(1'000'000'000), LimitOf::per_device_train_batch_size);
  REQUIRE(most.has_value());
  CHECK(most->scenario.per_device_train_batch_size == most->value);
  CHECK(estimate(most->scenario).memory.fits);
  Scenario more = most->scenario;
  ++more.per_device_train_batch_size;
  CHECK_FALSE(estimate(more).memory.fits);
}

TEST_CASE("there is no largest batch where even one does not fit") {
  CHECK_FALSE(limit(scenario(70'000'000'000), LimitOf::per_device_train_batch_size).has_value());
}

TEST_CASE("advice that applies saves what it says, and is never offered twice") {
  for (const std::int64_t n : {1'000'000'000LL, 8'000'000'000LL, 70'000'000'000LL}) {
    Scenario s = scenario(n);
    s.gradient_checkpointing = Checkpointing::none;
    s.per_device_train_batch_size = 4;
    const Estimate e = estimate(s);
    const AdviceList list = advise(s, e);
    CHECK(list.size == kAdvice);
    bool last_fits = true;
    for (const Advice& a : list.view()) {
      if (a.id == AdviceId::larger_gpu || !a.applicable) continue;
      CHECK_FALSE(a.enabled);
      const Scenario then = apply_advice(a.id, s);
      CHECK(a.saves == e.memory.device - estimate(then).memory.device);
      CHECK(a.saves >= Bytes{});
      CHECK(a.makes_it_fit == (!e.memory.fits && estimate(then).memory.fits));
      CHECK((last_fits || !a.makes_it_fit));  // what makes it fit stands first
      last_fits = a.makes_it_fit;
      // Those that have more than one degree may be offered again, everything else is done once it is done.
      const bool has_degrees = a.id == AdviceId::shorter_sequences || a.id == AdviceId::more_gpus || a.id == AdviceId::cpu_offload ||
                               a.id == AdviceId::sharding || a.id == AdviceId::gradient_accumulation;
      const AdviceList next = advise(then, estimate(then));
      CAPTURE(std::string(name(a.id)));
      for (const Advice& again : next.view())
        if (again.id == a.id && !has_degrees) CHECK_FALSE(again.applicable);
    }
  }
}
