#include "catalog/local_gpu.h"

#include <doctest/doctest.h>

#include <string>

using namespace gpudget;

TEST_CASE("a driver's name finds the catalog's GPU of that memory, however the driver writes it") {
  struct Case {
    const char* name;
    double gib;
    const char* id;
  };
  for (const Case& c : {Case{"NVIDIA GeForce RTX 4090", 23.99, "rtx-4090"}, Case{"NVIDIA A100-SXM4-80GB", 79.25, "a100-80gb-sxm"},
                        Case{"NVIDIA A100-SXM4-40GB", 39.4, "a100-40gb-sxm"}, Case{"NVIDIA H100 80GB HBM3", 79.6, "h100"}, Case{"Tesla T4", 14.75, "t4"}}) {
    CAPTURE(c.name);
    const Gpu* gpu = catalog::known_gpu(c.name, bytes(static_cast<std::int64_t>(c.gib * 1073741824.0)));
    REQUIRE(gpu != nullptr);
    CHECK(std::string(gpu->id.view()).rfind(c.id, 0) == 0);
  }
  CHECK(catalog::known_gpu("NVIDIA GeForce RTX 4090", gib(80)) == nullptr);
  CHECK(catalog::known_gpu("NVIDIA Imaginary 9000", gib(24)) == nullptr);
  CHECK(catalog::known_gpu("", gib(24)) == nullptr);
}

TEST_CASE("a local GPU has the driver's memory and name; one that no catalog knows has no speed, and is none the less a GPU") {
  const Gpu known = catalog::local_gpu("NVIDIA GeForce RTX 4090", gib(24));
  CHECK(known.custom);
  CHECK(known.id.empty());
  CHECK(known.memory == gib(24));
  CHECK(known.bf16_tflops > 0);
  const Gpu slice = catalog::local_gpu("NVIDIA A100-SXM4-80GB MIG 3g.40gb", gib(40));
  CHECK(slice.memory == gib(40));
  const Gpu other = catalog::local_gpu("AMD " + std::string(200, 'x'), gib(16));
  CHECK(other.bf16_tflops == 0);
  CHECK(other.name.view().size() == 64);
}
