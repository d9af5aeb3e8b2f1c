#include "formats/measured_text.h"

#include <doctest/doctest.h>

using namespace gpudget;
using formats::read_measured;

TEST_CASE("what the chapter's snippet prints is read: peak and held") {
  const auto m = read_measured("now : 16060522496\npeak: 78012345678\nheld: 80000000000\n");
  CHECK(m.allocated == bytes(78'012'345'678));
  CHECK(m.reserved == bytes(80'000'000'000));
  CHECK_FALSE(m.device.has_value());
}

TEST_CASE("nvidia-smi's used of total, units of both kinds, decimal commas") {
  CHECK(read_measured("|  40536MiB / 81559MiB |").device == bytes(40'536LL * 1'048'576));
  CHECK(read_measured("peak 77,1 GB").allocated == bytes(77'100'000'000));
  CHECK(read_measured("max_memory_reserved: 2 GiB").reserved == bytes(2'147'483'648));
}

TEST_CASE("three bare numbers are the snippet's; nothing is made of what is not understood") {
  const auto m = read_measured("16.1 77.5 79.2");
  CHECK(m.allocated == bytes(77'500'000'000));
  CHECK(m.reserved == bytes(79'200'000'000));
  for (const char* text : {"", "hello", "peak: none", "1e999999", "peak: 99999999999999999999999999"}) {
    const auto none = read_measured(text);
    CHECK_FALSE(none.allocated.has_value());
    CHECK_FALSE(none.device.has_value());
  }
}
