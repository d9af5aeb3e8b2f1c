#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>

#include "core/advice.h"
#include "core/architecture_presets.h"
#include "core/limit.h"

using namespace gpudget;

namespace {

// Well-formed scenarios of all kinds, some that fit and some that do not.
class Scenarios {
 public:
  Scenario next() {
    Scenario s;
    const std::int64_t sizes[]{125'000'000, 350'000'000, 1'000'000'000, 3'000'000'000, 8'000'000'000, 13'000'000'000, 70'000'000'000};
    const std::int64_t memories[]{8, 16, 24, 40, 48, 80, 141, 192};
    s.model.architecture = llama_like(sizes[below(7)]);
    s.gpu.memory = gib(memories[below(8)]);
    s.gpu.generation = below(2) == 0 ? GpuGeneration::ampere : GpuGeneration::hopper;
    s.gpu.bf16_tflops = s.gpu.fp16_tflops = 312, s.gpu.fp32_tflops = 19.5, s.gpu.memory_bandwidth_gb_s = 2000, s.gpu.interconnect_gb_s = 300;
    s.method = static_cast<Method>(below(4));
    s.gpus = std::int64_t{1} << below(4);
    s.per_device_train_batch_size = 1 + static_cast<std::int64_t>(below(8));
    s.max_length = std::int64_t{256} << below(6);
    s.gradient_accumulation_steps = std::int64_t{1} << below(4);
    s.gradient_checkpointing = below(2) == 0 ? Checkpointing::full : Checkpointing::none;
    s.attn_implementation = static_cast<Attention>(below(3));
    s.loss = static_cast<Loss>(below(3));
    s.lora.r = std::int64_t{4} << below(5);
    s.optim = below(2) == 0 ? Optimizer::adamw_torch : static_cast<Optimizer>(below(26));
    if (s.gpus > 1 && s.method != Method::inference) s.parallelism.data = static_cast<DataParallel>(below(6));
    if (s.method == Method::qlora && s.parallelism.data == DataParallel::zero3) s.parallelism.data = DataParallel::fsdp;
    if (s.gpus > 1 && below(4) == 0) s.parallelism.tensor = 2;
    s.quote.on_demand = UsdPerHour(2), s.quote.spot = UsdPerHour(1);
    return s;
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::mt19937 random_{20261202};
};

int errors_beside_size(const Estimate& e) {
  int n = 0;
  for (const Problem& p : e.problems.view()) n += p.severity == Severity::error && p.id != ProblemId::does_not_fit ? 1 : 0;
  return n;
}

}  // namespace

TEST_CASE("limit is exact: its value fits and the next one does not, over random scenarios") {
  Scenarios all;
  int found = 0, none = 0, at_top = 0;
  for (int i = 0; i < 400; ++i) {
    const Scenario s = all.next();
    for (const LimitOf of : {LimitOf::per_device_train_batch_size, LimitOf::max_length, LimitOf::lora_r}) {
      if (of == LimitOf::lora_r && s.method != Method::lora && s.method != Method::qlora) continue;
      CAPTURE(i);
      CAPTURE(std::string(name(of)));
      const auto set = [of](Scenario& x, std::int64_t v) {
        (of == LimitOf::lora_r ? x.lora.r : of == LimitOf::max_length ? x.max_length : x.per_device_train_batch_size) = v;
      };
      Scenario x = s;
      const auto most = limit(s, of);
      if (!most) {
        set(x, 1);
        CHECK_FALSE(estimate(x).memory.fits);
        ++none;
        continue;
      }
      set(x, most->value);
      CHECK(most->scenario == x);
      CHECK(estimate(x).memory.fits);
      const std::int64_t top = of == LimitOf::lora_r ? 65'536 : of == LimitOf::max_length ? 100'000'000 : 1'000'000;
      if (most->value == top) {
        ++at_top;
        continue;
      }
      set(x, most->value + 1);
      CHECK((!estimate(x).memory.fits || errors_beside_size(estimate(x)) > errors_beside_size(estimate(s))));
      ++found;
    }
  }
  CHECK(found > 200);
  CHECK(none > 50);
  CHECK(at_top < found);
}

TEST_CASE("the largest model that fits: a step larger does not") {
  Scenarios all;
  for (int i = 0; i < 40; ++i) {
    const Scenario s = all.next();
    const auto most = limit(s, LimitOf::params);
    if (!most) continue;
    CAPTURE(i);
    CHECK(estimate(most->scenario).memory.fits);
    Scenario more = s;
    more.model.architecture = llama_like(most->value + 1);
    CHECK_FALSE(estimate(more).memory.fits);
  }
}

TEST_CASE("advice never makes things worse, says what it saves, and its patch changes the scenario, over random scenarios") {
  Scenarios all;
  int applied = 0;
  for (int i = 0; i < 400; ++i) {
    const Scenario s = all.next();
    const Estimate now = estimate(s);
    const AdviceList list = advise(s, now);
    REQUIRE(list.size == kAdvice);
    bool ended = false, last_made_fit = true;
    for (const Advice& a : list.view()) {
      CAPTURE(i);
      CAPTURE(std::string(name(a.id)));
      if (!a.applicable) {
        if (a.id != AdviceId::larger_gpu) ended = true;
        continue;
      }
      if (a.id == AdviceId::larger_gpu) continue;
      CHECK_FALSE(ended);  // what applies stands first
      CHECK((last_made_fit || !a.makes_it_fit));
      last_made_fit = a.makes_it_fit;
      const Scenario changed = apply_advice(a.id, s);
      CHECK_FALSE(changed == s);
      const Estimate then = estimate(changed);
      CHECK(then.memory.device <= now.memory.device);
      CHECK((then.memory.fits || !now.memory.fits));
      CHECK(errors_beside_size(then) <= errors_beside_size(now));
      CHECK(a.saves == now.memory.device - then.memory.device);
      CHECK(a.saves_usd.value() == now.cost.usd.value() - then.cost.usd.value());
      CHECK(a.costs.value() == then.time.seconds.value() - now.time.seconds.value());
      CHECK(a.makes_it_fit == (!now.memory.fits && then.memory.fits));
      ++applied;
    }
  }
  CHECK(applied > 500);
}
