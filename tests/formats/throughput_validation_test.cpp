#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/estimate.h"
#include "formats/throughput_validation.h"

using namespace gpudget;
using namespace gpudget::formats;

TEST_CASE("speed on models that the fit did not see: median error, nine of ten, and no bias by GPU class") {
  const ThroughputValidation v = validate_throughput();
  CHECK(v.rows.size() == throughput_rows());
  CHECK(v.all.rows >= 250);
  CHECK(v.all.median <= 0.12);
  CHECK(v.all.p90 <= 0.30);
  for (const ThroughputErrors& e : v.by_gpu) {
    CAPTURE(e.group);
    CHECK(std::fabs(e.bias) <= 0.05);
    CHECK(std::fabs(e.bias_in_force) <= 0.05);
  }
  CHECK(v.by_gpu.size() == 3);
}

TEST_CASE("the range that an estimate states holds nine of ten measurements, in each group") {
  const ThroughputValidation v = validate_throughput();
  CHECK(v.all.within_range >= 0.9);
  for (const ThroughputErrors& e : v.by_method) {
    CAPTURE(e.group);
    CHECK(e.within_range >= 0.9);
  }
  for (const ThroughputRow& r : v.rows) {
    CHECK(r.low < r.predicted);
    CHECK(r.predicted < r.high);
  }
}

TEST_CASE("left out means left out: its constants are not those in force, and no row is predicted by its own model's fit") {
  const ThroughputValidation v = validate_throughput();
  for (const ThroughputRow& r : v.rows) {
    CAPTURE(r.id);
    CHECK(std::isfinite(r.left_out));
    CHECK(r.left_out > 0);
    CHECK(r.left_out != r.predicted);
  }
}

TEST_CASE("the worst rows come first and those far off say what is known about them") {
  const ThroughputValidation v = validate_throughput();
  REQUIRE(v.worst.size() == 12);
  for (std::size_t i = 1; i < v.worst.size(); ++i) CHECK(std::fabs(v.rows[v.worst[i]].left_out_error()) <= std::fabs(v.rows[v.worst[i - 1]].left_out_error()));
  int silent = 0;
  for (const std::size_t i : v.worst)
    if (v.rows[i].why.empty()) {
      ++silent;
      MESSAGE(std::string(v.rows[i].id) << " " << v.rows[i].left_out_error());
    }
  CHECK(silent <= 3);
}

TEST_CASE("a published row as a scenario is predicted as `estimate` predicts it") {
  for (std::size_t i = 0; i < throughput_rows(); i += 17) {
    const Scenario s = throughput_scenario(i);
    CHECK(predicted_throughput(s) * static_cast<double>(s.gpus) == doctest::Approx(estimate(s).compute.tokens_per_second.value()));
  }
}
