// "This computer" in the hardware list: the GPUs that the probe found, with what is free now, and whether the scenario fits there.
#include <doctest/doctest.h>

#include "headless.h"

using namespace gpudget;
using tests::Headless;

namespace {

probe::Report one_gpu(Bytes used) {
  probe::Gpu gpu;
  gpu.name = "NVIDIA GeForce RTX 4090";
  gpu.uuid = "GPU-1";
  gpu.total = gib(24);
  gpu.used = used;
  gpu.free = gpu.total - used;
  probe::Report report;
  report.gpus.push_back(gpu);
  report.source = "nvml";
  return report;
}

// Letters and lines drawn: more with more to say.
int drawn(Headless& h) {
  for (int i = 0; i < 60; ++i) h.frame();  // until nothing glides
  return ImGui::GetDrawData()->TotalVtxCount;
}

ui::Options desktop() {
  ui::Options options;
  options.desktop = true;
  return options;
}

}  // namespace

TEST_CASE("what is free now stands beneath the GPU, with whether the scenario fits in it, and follows the memory as it changes") {
  Headless h(desktop(), {1440, 2600});
  REQUIRE(h.interface->set(R"({"method": "qlora", "gradient_checkpointing": "full"})", true));
  const int before = drawn(h);
  h.interface->set_local_gpus({});
  CHECK(drawn(h) == before);
  h.interface->set_local_gpus(one_gpu(gib(2)));
  const int fits = drawn(h);
  CHECK(fits > before + 4 * 60);  // two sentences
  h.interface->set_local_gpus(one_gpu(gib(22)));
  CHECK(drawn(h) > fits);  // "fits on this GPU, but not in what is free now" is longer
  h.interface->set_local_gpus(one_gpu(gib(2)));
  CHECK(drawn(h) == fits);
}

TEST_CASE("this computer's GPU is first in the list and is taken with the memory that its driver reports") {
  Headless h(desktop(), {1440, 2600});
  h.interface->set_local_gpus(one_gpu(gib(2)));
  h.frame();
  REQUIRE(h.click("GPU"));
  REQUIRE(h.find("This computer"));
  REQUIRE(h.click("This computer"));
  const Gpu& gpu = h.interface->scenario().gpu;
  CHECK(gpu.custom);
  CHECK(gpu.memory == gib(24));
  CHECK(gpu.bf16_tflops > 0);
  CHECK(h.interface->estimate().memory.capacity == gib(24));
  CHECK(h.interface->undo());
  CHECK_FALSE(h.interface->scenario().gpu.custom);
}

TEST_CASE("equal GPUs are told once, different ones each") {
  Headless h(desktop(), {1440, 2600});
  probe::Report report = one_gpu(gib(2));
  h.interface->set_local_gpus(report);
  const int one = drawn(h);
  report.gpus.push_back(report.gpus[0]);
  h.interface->set_local_gpus(report);
  CHECK(drawn(h) == one);
  report.gpus[1].free = gib(1);
  h.interface->set_local_gpus(report);
  CHECK(drawn(h) > one + 4 * 60);
}
