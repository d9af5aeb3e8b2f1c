#include <doctest/doctest.h>

#include <cmath>

#include "core/architecture_presets.h"
#include "core/estimate.h"
#include "core/step_time.h"

using namespace gpudget;

namespace {
Scenario a100(std::int64_t parameters) {
  Scenario s;
  s.model.architecture = llama_like(parameters);
  s.gpu.generation = GpuGeneration::ampere;
  s.gpu.memory = gib(80);
  s.gpu.bf16_tflops = s.gpu.fp16_tflops = 312, s.gpu.bf16_tflops_achievable = 271;
  s.gpu.fp32_tflops = 19.5, s.gpu.tf32_tflops = 156;
  s.gpu.memory_bandwidth_gb_s = 2039, s.gpu.interconnect_gb_s = 300, s.gpu.network_gb_s = 25;
  return s;
}
StepTime time_of(const Scenario& s) {
  const Estimate e = estimate(s);
  return step_time(s, model_work(s, e.model));
}
double speed(const Scenario& s) { return static_cast<double>(tokens_per_step(s)) / time_of(s).total; }
}  // namespace

TEST_CASE("a step is the sum of its parts") {
  Scenario s = a100(7'000'000'000);
  s.gpus = 8, s.parallelism.data = DataParallel::fsdp, s.gradient_accumulation_steps = 4;
  const StepTime t = time_of(s);
  CHECK(t.total ==
        doctest::Approx(t.matmul + t.attention + t.elementwise + t.loss + t.dequantize + t.launch + t.bubble + t.exposed + t.optimizer + t.offload + t.fixed));
  CHECK(t.exposed > 0);
  CHECK(t.exposed <= t.communication);
}

TEST_CASE("what costs time costs time: recomputation, 4-bit weights, offload, eager attention, the network, pipeline bubbles") {
  const Scenario s = a100(7'000'000'000);
  Scenario o = s;
  o.gradient_checkpointing = Checkpointing::full;
  CHECK(speed(o) < speed(s));
  Scenario lora = s, qlora = s;
  lora.method = Method::lora, qlora.method = Method::qlora;
  CHECK(time_of(lora).dequantize == 0);
  CHECK(time_of(qlora).dequantize > 0);
  CHECK(speed(qlora) < speed(lora));
  CHECK(speed(lora) > speed(s));  // no gradients of frozen weights
  o = s;
  o.gpus = 2, o.parallelism.data = DataParallel::zero2;
  Scenario offloaded = o;
  offloaded.parallelism.offload = Offload::optimizer;
  CHECK(time_of(offloaded).offload > 0);
  CHECK(speed(offloaded) < speed(o));
  o = s;
  o.attn_implementation = Attention::eager, o.max_length = 8192;
  Scenario flash = o;
  flash.attn_implementation = Attention::flash_attention_2;
  CHECK(speed(o) < speed(flash));
  Scenario node = s, nodes = s;
  node.gpus = 8, node.parallelism.data = DataParallel::fsdp;
  nodes = node, nodes.gpus_per_node = 1;
  CHECK(speed(nodes) < speed(node));
  Scenario pipeline = node;
  pipeline.parallelism.pipeline = 4, pipeline.parallelism.data = DataParallel::ddp;
  CHECK(time_of(pipeline).bubble > 0);
}

TEST_CASE("larger micro-batches are never slower for a token, and accumulation spreads the optimizer's time") {
  Scenario s = a100(1'000'000'000);
  double before = 0;
  for (std::int64_t b = 1; b <= 64; b *= 2) {
    s.per_device_train_batch_size = b;
    CHECK(speed(s) >= before);
    before = speed(s);
  }
  s = a100(7'000'000'000);
  const double once = speed(s);
  s.gradient_accumulation_steps = 16;
  CHECK(speed(s) > once);
  CHECK(time_of(s).optimizer == doctest::Approx([&] {
          s.gradient_accumulation_steps = 1;
          return time_of(s).optimizer;
        }()));
}

TEST_CASE("the optimizer's time is its traffic: 8-bit states take less, sharded states less again") {
  Scenario s = a100(7'000'000'000);
  const double adamw = time_of(s).optimizer;
  s.weights = DType::fp32;
  CHECK(time_of(s).optimizer > adamw);
  s.optim = Optimizer::adamw_8bit;
  Scenario full = s;
  full.optim = Optimizer::adamw_torch;
  CHECK(time_of(s).optimizer < time_of(full).optimizer);
  full.gpus = 8, full.parallelism.data = DataParallel::zero1;
  Scenario ddp = full;
  ddp.parallelism.data = DataParallel::ddp;
  CHECK(time_of(full).optimizer == doctest::Approx(time_of(ddp).optimizer / 8));
}

TEST_CASE("no scenario is faster than the GPU's arithmetic, and none takes no time or an infinite one") {
  for (const std::int64_t n : {125'000'000LL, 1'000'000'000LL, 7'000'000'000LL, 70'000'000'000LL})
    for (const Method m : {Method::full, Method::lora, Method::qlora, Method::inference})
      for (const std::int64_t gpus : {1, 8, 64}) {
        Scenario s = a100(n);
        s.method = m, s.gpus = gpus;
        const Estimate e = estimate(s);
        CAPTURE(n);
        CAPTURE(gpus);
        CHECK(std::isfinite(e.compute.step_seconds.value()));
        CHECK(e.compute.step_seconds.value() > 0);
        CHECK(e.compute.mfu > 0);
        CHECK(e.compute.mfu < 1);
      }
}

TEST_CASE("offload as measured: Qwen2.5-3B on two A100-40GB, 2.38 s a step with cores bound and 3.08 s without (DeepSpeed pull request 7474)") {
  Scenario s = a100(3'090'000'000);
  s.gpu.memory = gib(40), s.gpu.memory_bandwidth_gb_s = 1555;
  s.gpus = 2, s.max_length = 1024, s.gradient_checkpointing = Checkpointing::full;
  s.parallelism.data = DataParallel::zero3, s.parallelism.offload = Offload::optimizer;
  CHECK(time_of(s).total > 2.38 * 0.85);
  CHECK(time_of(s).total < 3.08 * 1.15);
}

TEST_CASE("a GPU of unknown speed has no time and no cost, and the estimate says why; a measured throughput gives both") {
  Scenario s = a100(1'000'000'000);
  s.gpu = Gpu{};
  s.gpu.memory = gib(80), s.gpu.custom = true;
  s.price.usd_per_gpu_hour = UsdPerHour(2);
  const auto says_why = [](const Estimate& e) {
    bool found = false;
    for (const Problem& p : e.problems.view()) found = found || p.id == ProblemId::gpu_speed_unknown;
    return found;
  };
  const auto no_time = [&](const Estimate& e) {
    CHECK(e.compute.step_seconds.value() == 0);
    CHECK(e.compute.tokens_per_second.value() == 0);
    CHECK(e.compute.tokens_per_second_low.value() == 0);
    CHECK(e.compute.tokens_per_second_high.value() == 0);
    CHECK(e.compute.mfu == 0);
    CHECK(e.time.seconds.value() == 0);
    CHECK(e.cost.usd.value() == 0);
    CHECK(says_why(e));
  };
  for (const Method m : {Method::full, Method::lora, Method::qlora, Method::inference}) {
    s.method = m;
    no_time(estimate(s));
  }
  s.method = Method::lora;
  s.gpu.bf16_tflops = 300;  // a bandwidth is not known from it
  no_time(estimate(s));
  s.gpu.bf16_tflops = 0, s.gpu.memory_bandwidth_gb_s = 2000;
  no_time(estimate(s));
  s.throughput = TokensPerSecond(1000);
  const Estimate measured = estimate(s);
  CHECK(measured.time.seconds.value() > 0);
  CHECK(measured.cost.usd.value() > 0);
  CHECK(measured.compute.mfu == 0);
  CHECK_FALSE(says_why(measured));
  s.throughput.reset(), s.gpu.bf16_tflops = 300;
  CHECK(estimate(s).time.seconds.value() > 0);
}
