// The estimate against the published measurements. GPUDGET_MEASUREMENTS=1 prints every row.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/memory_around.h"
#include "formats/measurement_json.h"
#include "formats/measurement_validation.h"
#include "formats/scenario_json.h"

using namespace gpudget;
using namespace gpudget::formats;

TEST_CASE("every published row is compared or left out with its reason: none is lost") {
  const MeasurementValidation v = validate_measurements();
  std::size_t out = 0;
  for (const LeftOutRows& l : v.left_out) {
    out += l.rows;
    const std::string id = "validate.left_out." + std::string(l.reason);
    CHECK_MESSAGE(i18n::text_or(i18n::Language::pt, id, "") != "", id);
  }
  CHECK(v.rows.size() == 404);
  CHECK(out == 215);
  CHECK(v.rows.size() + out == 619);
  if (std::getenv("GPUDGET_MEASUREMENTS") != nullptr)
    for (const MeasurementRow& r : v.rows)
      std::printf("%+8.3f %s %s %s %s\n", r.error(), std::string(measurement_kind_name(r.kind)).c_str(), std::string(r.id).c_str(),
                  std::string(r.version).c_str(), std::string(r.cause).c_str());
}

TEST_CASE("published measurements are predicted no worse than they have been") {
  const MeasurementValidation v = validate_measurements();
  struct Limit {
    std::size_t rows;
    double median, p90, within;
  };
  const Limit limits[] = {{182, 0.02, 0.22, 0.9}, {74, 0.165, 0.37, 0.6}, {93, 0.05, 0.16, 0.9}};
  for (std::size_t k = 0; k < kMeasurementKinds; ++k) {
    const MeasurementErrors& e = v.by_kind[k];
    MESSAGE(std::string(e.group) << " median " << e.median << " p90 " << e.p90 << " worst " << e.worst << " within " << e.within_range);
    CHECK(e.rows == limits[k].rows);
    CHECK(e.median <= limits[k].median);
    CHECK(e.p90 <= limits[k].p90);
    CHECK(e.within_range >= limits[k].within);
  }
  // Where nothing known sets a run apart, the goal is met.
  CHECK(v.without_cause[0].rows >= 140);
  CHECK(v.without_cause[0].median <= 0.01);
  CHECK(v.without_cause[0].p90 <= 0.03);
  CHECK(v.without_cause[0].worst <= 0.05);
  CHECK(v.without_cause[2].rows >= 80);
  CHECK(v.without_cause[2].median <= 0.05);
  CHECK(v.without_cause[2].p90 <= 0.15);
}

TEST_CASE("the range that an estimate states holds nearly nine of ten measurements of the programs that it is of") {
  const MeasurementValidation v = validate_measurements();
  std::size_t rows = 0, inside = 0;
  for (const MeasurementRow& r : v.rows) {
    CHECK(r.low < r.predicted);
    CHECK(r.predicted < r.high);
    if (r.kind == MeasurementKind::limit || r.cause == "validate.cause.litgpt_fsdp" || r.cause == "validate.cause.variable_length") continue;
    ++rows, inside += r.within() ? 1 : 0;
  }
  MESSAGE(inside << " of " << rows);
  CHECK(rows > 250);
  CHECK(static_cast<double>(inside) >= 0.93 * static_cast<double>(rows));
}

TEST_CASE("what ran and what did not is told: nearly all right, the rest mostly within the range") {
  const MeasurementValidation v = validate_measurements();
  MESSAGE("limits: right " << v.limits.right << " within " << v.limits.within_range << " wrong " << v.limits.wrong);
  CHECK(v.limits.rows == 55);
  CHECK(v.limits.right >= 49);
  CHECK(v.limits.wrong <= 2);
  for (const std::size_t i : v.wrong_limits) CHECK(!v.rows[i].cause.empty());
}

TEST_CASE("the worst rows of each kind come first and say what is known about them") {
  const MeasurementValidation v = validate_measurements();
  for (const auto& worst : v.worst) {
    REQUIRE(worst.size() == 10);
    for (std::size_t i = 0; i < worst.size(); ++i) {
      const MeasurementRow& r = v.rows[worst[i]];
      if (i > 0) CHECK(std::fabs(r.error()) <= std::fabs(v.rows[worst[i - 1]].error()));
      CHECK(!r.cause.empty());
      CHECK(i18n::text_or(i18n::Language::fr, r.cause, "") != "");
    }
  }
}

TEST_CASE("the measurements' JSON names every row with a scenario that can be estimated again") {
  const MeasurementValidation v = validate_measurements();
  const auto j = nlohmann::json::parse(measurements_json(v, i18n::Language::en), nullptr, false);
  REQUIRE(j.is_object());
  REQUIRE(j["rows"].size() == v.rows.size());
  std::set<std::string> ids;
  for (std::size_t i = 0; i < v.rows.size(); ++i) {
    const auto& row = j["rows"][i];
    ids.insert(row["id"].get<std::string>());
    const auto again = read_scenario(row["scenario"].dump(), Scenario());
    REQUIRE(again);
    CHECK(estimate(*again).memory.allocated == estimate(v.rows[i].scenario).memory.allocated);
    CHECK(row["source"].get<std::string>().substr(0, 8) == "https://");
  }
  CHECK(ids.size() == v.rows.size());
  std::size_t out = 0;
  for (const auto& l : j["left_out"]) {
    CHECK(l["ids"].size() == l["rows"].get<std::size_t>());
    out += l["ids"].size();
  }
  CHECK(out == 215);
}

TEST_CASE("slack is held only where the GPU has room for it, and never less than 2 % of what is allocated") {
  Scenario s;
  s.method = Method::full;
  s.gpu.memory = gib(80);
  const std::int64_t g = gib(1).in_bytes();
  const MemoryAround roomy = memory_around(s, 20 * g, 10 * g, 10 * g), tight = memory_around(s, 76 * g, 10 * g, 10 * g),
                     over = memory_around(s, 90 * g, 10 * g, 10 * g);
  CHECK(roomy.slack.in_gib() == doctest::Approx(0.3 * 10 + 0.32 * 10 + 1.1).epsilon(0.001));
  CHECK((bytes(76 * g) + tight.slack + tight.context + tight.communication) == s.gpu.memory);
  CHECK(over.slack.in_bytes() == 90 * g / 50);
  CHECK(roomy.communication == Bytes{});
  s.gpus = 2;
  CHECK(memory_around(s, 20 * g, 10 * g, 10 * g).communication == mib(922));
}

TEST_CASE("confidence: measured where published runs are of the kind, modelled where the oracle is, else extrapolated") {
  const auto confidence = [](const char* json) {
    const auto s = read_scenario(json, Scenario());
    REQUIRE(s);
    return memory_confidence(*s);
  };
  CHECK(confidence(R"({"model":"meta-llama/Llama-3.1-8B"})") == Confidence::measured);
  CHECK(confidence(R"({"model":"meta-llama/Llama-3.1-8B","gpus":8,"parallelism":{"data":"fsdp"}})") == Confidence::measured);
  CHECK(confidence(R"({"model":"google/gemma-2-9b"})") == Confidence::modelled);
  CHECK(confidence(R"({"model":"google/gemma-2-9b","gpus":8,"parallelism":{"data":"fsdp"}})") == Confidence::extrapolated);
  CHECK(confidence(R"({"model":"meta-llama/Llama-3.1-8B","method":"inference"})") == Confidence::extrapolated);
  CHECK(confidence(R"({"model":"meta-llama/Llama-3.1-8B","compile":true})") == Confidence::extrapolated);
  CHECK(confidence(R"({"model":"meta-llama/Llama-3.1-8B","gpus":8,"parallelism":{"tensor":8}})") == Confidence::extrapolated);
}
