#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "core/architecture_presets.h"
#include "core/cost.h"
#include "core/estimate.h"

using namespace gpudget;

namespace {
// The chapter's run: 10 000 examples of 512 tokens, 3 epochs.
Scenario chapter(double tokens_per_second, double usd_per_hour, std::int64_t gpus) {
  Scenario s;
  s.model.architecture = llama_like(7'000'000'000);
  s.gpu.memory = gib(80);
  s.gpu.bf16_tflops = 312;
  s.gpu.memory_bandwidth_gb_s = 2000;
  s.gpus = gpus;
  s.throughput = TokensPerSecond(tokens_per_second);
  s.price.usd_per_gpu_hour = UsdPerHour(usd_per_hour);
  return s;
}
}  // namespace

TEST_CASE("the chapter's training time to the digit: 15 360 000 tokens at 1 000 a second are 15 360 s, 4.3 h") {
  const Estimate e = estimate(chapter(1000, 0, 1));
  CHECK(e.time.training_tokens == 15'360'000);
  CHECK(e.time.seconds.value() == 15360.0);
  CHECK(std::round(e.time.seconds.value() / 360.0) / 10.0 == 4.3);
}

TEST_CASE("the chapter's costs to the cent: $16, $4.80, $80, $24") {
  // 7B on one A100-40GB for 4 hours, $4.00 on demand, $1.20 spot; five experiments.
  const Seconds four_hours(4 * 3600.0);
  CHECK(cost_of(four_hours, 1, UsdPerHour(4.0)).value() == 16.0);
  CHECK(cost_of(four_hours, 1, UsdPerHour(4.0), 5).value() == 80.0);
  CHECK(cost_of(four_hours, 1, UsdPerHour(1.2)).value() == doctest::Approx(4.8).epsilon(1e-15));
  CHECK(cost_of(four_hours, 1, UsdPerHour(1.2), 5).value() == doctest::Approx(24.0).epsilon(1e-15));
}

TEST_CASE("runs add up: all runs are exactly the product, no second and no cent lost") {
  for (const std::int64_t runs : {1, 3, 7, 10, 1000}) {
    for (const double speed : {1000.0, 3.0, 7321.5}) {
      Scenario s = chapter(speed, 1.29, 8);
      s.runs = runs;
      const Estimate e = estimate(s);
      const double n = static_cast<double>(runs);
      CHECK(e.time.seconds_all_runs.value() == doctest::Approx(e.time.seconds.value() * n).epsilon(1e-14));
      CHECK(e.cost.usd_all_runs.value() == doctest::Approx(e.cost.usd.value() * n).epsilon(1e-14));
      CHECK(std::llround(e.cost.usd_all_runs.value() * 100) == std::llround(e.time.seconds.value() * 8 * 1.29 * n / 36.0));
    }
  }
}

TEST_CASE("steps: each epoch ends with a partial batch, which counts as a step") {
  Scenario s = chapter(1000, 0, 1);
  s.per_device_train_batch_size = 3, s.max_length = 512, s.gradient_accumulation_steps = 2;
  // 10 000 sequences, 6 a step: 1666 full ones and a last one of 4; three epochs.
  CHECK(estimate(s).time.steps == 1667 * 3);
  s.per_device_train_batch_size = 5;
  CHECK(estimate(s).time.steps == 1000 * 3);
  s.dataset.by_tokens = true, s.dataset.tokens = 1;
  CHECK(estimate(s).time.steps == 3);
}

TEST_CASE("the user's measured speed replaces the prediction everywhere, and has no range") {
  Scenario s = chapter(1234.5, 0, 4);
  const Estimate e = estimate(s);
  CHECK(e.compute.tokens_per_second.value() == 1234.5);
  CHECK(e.compute.tokens_per_second_low == e.compute.tokens_per_second_high);
  CHECK(e.time.seconds.value() == 15'360'000 / 1234.5);
  CHECK(e.compute.step_seconds.value() == doctest::Approx(static_cast<double>(e.compute.tokens_per_step) / 1234.5));
  s.throughput.reset();
  const Estimate p = estimate(s);
  CHECK(p.compute.tokens_per_second_low < p.compute.tokens_per_second);
  CHECK(p.compute.tokens_per_second < p.compute.tokens_per_second_high);
}

TEST_CASE("spot costs what the quote says, and the own price goes before both") {
  Scenario s = chapter(1000, 0, 2);
  s.price.usd_per_gpu_hour.reset();
  s.quote.on_demand = UsdPerHour(2), s.quote.spot = UsdPerHour(0.5);
  Estimate e = estimate(s);
  CHECK(e.cost.usd == e.cost.usd_on_demand);
  CHECK(e.cost.usd_spot.value() == doctest::Approx(e.cost.usd_on_demand.value() / 4));
  s.price.market = Market::spot;
  e = estimate(s);
  CHECK(e.cost.usd == e.cost.usd_spot);
  s.price.usd_per_gpu_hour = UsdPerHour(3);
  e = estimate(s);
  CHECK(e.cost.usd.value() == doctest::Approx(15360.0 * 2 * 3 / 3600));
}
