#include "formats/local_fit.h"

#include <doctest/doctest.h>

#include <string>

#include "formats/measured_text.h"

using namespace gpudget;
using formats::local_fit;
using formats::LocalFit;

TEST_CASE("a scenario on a local GPU: in what is free, in the whole, where free is not told, not at all; the limits themselves fit") {
  CHECK(local_fit(gib(10), gib(24), gib(10)) == LocalFit::now);
  CHECK(local_fit(gib(10) + bytes(1), gib(24), gib(10)) == LocalFit::total);
  CHECK(local_fit(gib(24), gib(24), gib(2)) == LocalFit::total);
  CHECK(local_fit(gib(24), gib(24), {}) == LocalFit::unknown);
  CHECK(local_fit(gib(24) + bytes(1), gib(24), gib(24)) == LocalFit::over);
}

TEST_CASE("the sentence says by how much") {
  const auto say = [](double needs_gb, std::optional<Bytes> free) {
    return formats::local_fit_text(bytes(static_cast<std::int64_t>(needs_gb * 1e9)), bytes(24'000'000'000), free, i18n::Language::en);
  };
  CHECK(say(10, bytes(13'000'000'000)) == "Fits in what is free now: 3.00\u00A0GB to spare.");
  CHECK(say(10, bytes(6'000'000'000)) == "Fits on this GPU, but not in what is free now: free another 4.00\u00A0GB.");
  CHECK(say(10, {}) == "Fits on this GPU: 14.0\u00A0GB to spare. The driver does not say what is free now.");
  CHECK(say(30, bytes(6'000'000'000)) == "Does not fit on this GPU: 6.00\u00A0GB over.");
}

TEST_CASE("what `gpudget vram --snippet` prints is read back as allocated, reserved and device") {
  const auto read = formats::read_measured("peak allocated: 11000000000\npeak reserved : 12000000000\ndevice used   : 13500000000\n");
  CHECK(read.allocated == bytes(11'000'000'000));
  CHECK(read.reserved == bytes(12'000'000'000));
  CHECK(read.device == bytes(13'500'000'000));
}
