#include <doctest/doctest.h>

#include "core/planner.h"
#include "formats/plan_json.h"
#include "formats/schema.h"

using namespace gpudget;

// Only what cannot fail on a busy machine; the figures are tests/bench/bench.cpp's.
TEST_CASE("the plan over all that can be rented: thousands of candidates, few of them really computed, no slice that blocks") {
  const auto options = formats::read_plan_options(R"({"methods": "any", "max_gpus": 256})", formats::default_scenario());
  REQUIRE(options.has_value());
  Planner p;
  p.start(options->request);
  int slices = 1;
  while (!p.step(4).finished()) ++slices;
  const PlanResult r = p.result();
  CHECK(p.has_answer());
  CHECK_FALSE(r.front.empty());
  CHECK(r.candidates > 10'000);
  CHECK(r.evaluated < r.candidates / 2);
  CHECK(slices > 20);
}
