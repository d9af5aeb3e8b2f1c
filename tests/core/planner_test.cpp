#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "core/architecture_presets.h"
#include "core/cost.h"
#include "core/planner.h"

using namespace gpudget;

namespace {

Gpu gpu(const char* id, GpuGeneration g, std::int64_t memory_gib, double tflops, double bandwidth) {
  Gpu x;
  x.id = id, x.name = id;
  x.generation = g;
  x.memory = gib(memory_gib);
  x.bf16_tflops = x.fp16_tflops = tflops, x.fp32_tflops = tflops / 8;
  x.memory_bandwidth_gb_s = bandwidth, x.interconnect_gb_s = 64;
  return x;
}
PlanHardware rented(const Gpu& g, double price) {
  PlanHardware h;
  h.gpu = g;
  h.quote.on_demand = UsdPerHour(price), h.quote.spot = UsdPerHour(price * 0.4);
  return h;
}
PlanRequest small_request(std::int64_t parameters) {
  PlanRequest r;
  r.base.model.architecture = llama_like(parameters);
  r.base.max_length = 1024;
  r.base.gradient_accumulation_steps = 8;
  r.hardware = {rented(gpu("small", GpuGeneration::ada, 24, 165, 1000), 0.4), rented(gpu("middle", GpuGeneration::ampere, 40, 312, 1555), 1.2),
                rented(gpu("large", GpuGeneration::hopper, 80, 989, 3350), 2.9)};
  r.base.gpu = r.hardware[1].gpu;
  r.max_gpus = 4;
  return r;
}

struct Way {
  double seconds, usd;
};
// Every candidate, one by one, through estimate() alone: what the planner may do, spelled out again.
std::vector<Way> brute_force(const PlanRequest& r) {
  std::vector<Way> ways;
  const std::int64_t wanted = r.base.per_device_train_batch_size * r.base.gradient_accumulation_steps * data_parallel_degree(r.base);
  for (const PlanHardware& h : r.hardware)
    for (std::int64_t n = 1; n <= r.max_gpus; ++n) {
      if ((n & (n - 1)) != 0 && n != r.max_gpus && n != h.owned) continue;
      if (h.owned > 0 && n > h.owned) continue;
      for (const Method m : {Method::full, Method::lora, Method::qlora}) {
        if (m == Method::full ? !r.full : m == Method::lora ? !r.lora : !r.qlora || !r.quantization) continue;
        for (const DataParallel d : {DataParallel::ddp, DataParallel::zero1, DataParallel::zero2, DataParallel::zero3, DataParallel::fsdp})
          for (const Checkpointing c : {Checkpointing::none, Checkpointing::full})
            for (const Optimizer o : {r.base.optim, Optimizer::adamw_8bit, Optimizer::adafactor})
              for (const Offload off : {Offload::none, Offload::optimizer, Offload::all})
                for (std::int64_t b = 1; b <= kFreeBatch || b <= wanted; ++b) {
                  std::int64_t accumulation = 0;
                  if (r.keep_effective_batch) {
                    if (wanted % (b * n) != 0) continue;
                    accumulation = wanted / (b * n);
                  } else {
                    if ((b & (b - 1)) != 0 || (b > 1 && b * n > std::max(wanted, kFreeBatch))) continue;
                    accumulation = (wanted + b * n - 1) / (b * n);
                  }
                  const bool sharded = d != DataParallel::ddp;
                  if (m == Method::qlora && d == DataParallel::zero3) continue;
                  if (o == Optimizer::adamw_8bit && o != r.base.optim && !r.quantization) continue;
                  if (o != r.base.optim && !r.any_optimizer) continue;
                  if (off != Offload::none && (!r.any_offload || !sharded || m != Method::full)) continue;
                  if (off == Offload::all && d != DataParallel::zero3 && d != DataParallel::fsdp) continue;
                  if (n == 1 && sharded && off == Offload::none) continue;
                  Scenario s = r.base;
                  s.throughput.reset();
                  s.gpu = h.gpu, s.quote = h.quote, s.gpus = n;
                  s.price.market = r.market, s.price.usd_per_gpu_hour.reset();
                  if (h.owned > 0) s.price.usd_per_gpu_hour = UsdPerHour(0);
                  if (s.method != m) s.method = m, s.weights.reset(), s.gradients.reset(), s.master_weights = false;
                  s.parallelism = {};
                  s.parallelism.data = d, s.parallelism.offload = off;
                  s.gradient_checkpointing = c;
                  if (s.optim != o) s.optim = o, s.optimizer_states.reset();
                  s.per_device_train_batch_size = b, s.gradient_accumulation_steps = accumulation;
                  const Estimate e = estimate(s);
                  bool error = !e.memory.fits;
                  for (const Problem& p : e.problems.view()) error = error || p.severity == Severity::error;
                  if (error) continue;
                  if (r.deadline && e.time.seconds_all_runs > *r.deadline) continue;
                  if (r.budget && e.cost.usd_all_runs > *r.budget) continue;
                  ways.push_back({e.time.seconds_all_runs.value(), e.cost.usd_all_runs.value()});
                }
      }
    }
  return ways;
}

void check_front(const PlanRequest& r) {
  const PlanResult p = plan(r);
  const std::vector<Way> ways = brute_force(r);
  constexpr double kSame = 1 + 1e-9;
  // No row of the front is dominated by any way, and each way is dominated (or equalled) by a row of the front.
  for (const PlanRow& row : p.front)
    for (const Way& w : ways) {
      const bool better = w.seconds * kSame < row.seconds_all_runs.value() && w.usd * kSame < row.usd_all_runs.value();
      CHECK_FALSE(better);
    }
  for (const Way& w : ways) {
    bool covered = false;
    for (const PlanRow& row : p.front) covered = covered || (row.seconds_all_runs.value() <= w.seconds * kSame && row.usd_all_runs.value() <= w.usd * kSame);
    CHECK(covered);
  }
  for (std::size_t i = 1; i < p.front.size(); ++i) {
    CHECK(p.front[i].usd_all_runs > p.front[i - 1].usd_all_runs);
    CHECK(p.front[i].seconds_all_runs < p.front[i - 1].seconds_all_runs);
  }
  for (const PlanRow& row : p.front) {
    const Estimate e = estimate(row.scenario);
    CHECK(e.memory.fits);
    CHECK(e.time.seconds_all_runs == row.seconds_all_runs);
    CHECK(e.cost.usd_all_runs == row.usd_all_runs);
    CHECK(row.reason_count > 0);
  }
  CHECK(p.front.empty() == ways.empty());
}

}  // namespace

TEST_CASE("the front is the front: against every candidate, one by one") {
  for (const std::int64_t n : {1'000'000'000LL, 3'000'000'000LL, 8'000'000'000LL}) {
    CAPTURE(n);
    check_front(small_request(n));
  }
}

TEST_CASE("the front under each constraint is the front of what is left") {
  PlanRequest r = small_request(3'000'000'000);
  r.keep_effective_batch = true;
  check_front(r);
  r = small_request(8'000'000'000), r.quantization = false;
  check_front(r);
  r = small_request(3'000'000'000), forbid_adapters(r);
  check_front(r);
  r = small_request(3'000'000'000), r.any_offload = false, r.any_optimizer = false;
  check_front(r);
  r = small_request(1'000'000'000), r.market = Market::spot, r.base.runs = 5;
  check_front(r);
  r = small_request(3'000'000'000), r.hardware[0].owned = 3;
  check_front(r);
  r = small_request(3'000'000'000);
  const PlanResult all = plan(r);
  REQUIRE(all.front.size() > 1);
  r.deadline = all.front[all.front.size() / 2].seconds_all_runs;
  check_front(r);
  r.deadline.reset();
  r.budget = all.front[all.front.size() / 2].usd_all_runs;
  check_front(r);
}

TEST_CASE("in slices or at once: the same plan; what is cancelled is finished") {
  Planner p;
  p.start(small_request(3'000'000'000));
  int slices = 0;
  while (!p.step(3).finished()) ++slices;
  CHECK(slices > 3);
  const PlanResult a = p.result(), b = plan(small_request(3'000'000'000));
  REQUIRE(a.front.size() == b.front.size());
  for (std::size_t i = 0; i < a.front.size(); ++i) CHECK(a.front[i].scenario == b.front[i].scenario);
  CHECK(a.candidates == b.candidates);
  p.start(small_request(3'000'000'000));
  p.step(5);
  p.cancel();
  CHECK(p.progress().finished());
}

TEST_CASE("nothing fits: the nearest miss lacks what it says it lacks") {
  PlanRequest r = small_request(400'000'000'000);
  forbid_adapters(r);
  r.any_offload = false;
  const PlanResult p = plan(r);
  CHECK(p.front.empty());
  REQUIRE(p.nearest.has_value());
  CHECK(p.nearest->kind == PlanMiss::Kind::memory);
  const Estimate e = estimate(p.nearest->row.scenario);
  CHECK(p.nearest->lacks == e.memory.device - e.memory.capacity);
  CHECK(p.nearest->lacks > Bytes{});
}

TEST_CASE("nothing in time or for the money: the nearest miss says by how much") {
  PlanRequest r = small_request(3'000'000'000);
  const PlanResult all = plan(r);
  r.deadline = Seconds(all.front.back().seconds_all_runs.value() / 2);
  PlanResult p = plan(r);
  CHECK(p.front.empty());
  REQUIRE(p.nearest.has_value());
  CHECK(p.nearest->kind == PlanMiss::Kind::deadline);
  CHECK(p.nearest->row.seconds_all_runs == all.front.back().seconds_all_runs);
  CHECK(p.nearest->late.value() == doctest::Approx(r.deadline->value()));
  r.deadline.reset();
  r.budget = Usd(all.front.front().usd_all_runs.value() / 2);
  p = plan(r);
  REQUIRE(p.nearest.has_value());
  CHECK(p.nearest->kind == PlanMiss::Kind::budget);
  CHECK(p.nearest->over.value() == doctest::Approx(r.budget->value()));
}

TEST_CASE("a GPU of unknown speed is left out of the plan and counted; alone, it leaves nothing to choose from") {
  PlanRequest r = small_request(1'000'000'000);
  const PlanResult without = plan(r);
  Gpu dark = gpu("dark", GpuGeneration::other, 80, 0, 0);
  dark.fp32_tflops = 0;
  PlanHardware own;
  own.gpu = dark, own.owned = 4;
  r.hardware.push_back(own);
  const PlanResult with = plan(r);
  CHECK(with.without_speed == 1);
  CHECK(without.without_speed == 0);
  REQUIRE(with.front.size() == without.front.size());
  for (std::size_t i = 0; i < with.front.size(); ++i) CHECK(with.front[i].usd == without.front[i].usd);
  r.hardware = {own};
  const PlanResult alone = plan(r);
  CHECK(alone.front.empty());
  CHECK(alone.dots.empty());
  CHECK_FALSE(alone.nearest);
}
