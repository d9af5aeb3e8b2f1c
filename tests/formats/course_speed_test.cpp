#include <doctest/doctest.h>

#include <string>

#include "catalog/catalog.h"
#include "core/architecture_presets.h"
#include "formats/course_speed.h"
#include "formats/schema.h"

using namespace gpudget;

namespace {
Scenario scenario(std::int64_t parameters, std::string_view gpu, std::int64_t gpus) {
  Scenario s = formats::default_scenario();
  s.model.architecture = llama_like(parameters);
  s.gpu = *catalog::find_gpu(gpu);
  s.gpus = gpus;
  return s;
}
}  // namespace

TEST_CASE("the chapter's speed stands beside ours for the rows that it has, and for no other") {
  const auto at = [](const Scenario& s) { return formats::compare_speed_with_course(s, estimate(s)); };
  const auto seven = at(scenario(7'000'000'000, "a100-40gb-sxm", 1));
  REQUIRE(seven.has_value());
  CHECK(seven->course.value() == 1000);
  CHECK(seven->model == "7B");
  CHECK(seven->course_mfu == doctest::Approx(seven->our_mfu * 1000 / seven->ours.value()));
  CHECK(at(scenario(7'000'000'000, "h100-80gb-sxm", 1))->course.value() == 2000);
  CHECK(at(scenario(13'000'000'000, "a100-80gb-sxm", 1))->course.value() == 500);
  CHECK(at(scenario(70'000'000'000, "h100-80gb-sxm", 8))->course.value() == 800);
  CHECK_FALSE(at(scenario(7'000'000'000, "a100-80gb-sxm", 1)).has_value());
  CHECK_FALSE(at(scenario(7'000'000'000, "a100-40gb-sxm", 2)).has_value());
  CHECK_FALSE(at(scenario(1'000'000'000, "a100-40gb-sxm", 1)).has_value());
  Scenario s = scenario(7'000'000'000, "a100-40gb-sxm", 1);
  s.method = Method::inference;
  CHECK_FALSE(at(s).has_value());
}

TEST_CASE("the difference is explained in each language, with both figures and nothing left open") {
  const Scenario s = scenario(7'000'000'000, "a100-40gb-sxm", 1);
  const auto speed = formats::compare_speed_with_course(s, estimate(s));
  REQUIRE(speed.has_value());
  for (const i18n::Language l : {i18n::Language::en, i18n::Language::pt, i18n::Language::fr}) {
    const std::string text = formats::course_speed_text(l, *speed);
    CHECK(text.find("A100-40GB") != std::string::npos);
    CHECK(text.find('{') == std::string::npos);
  }
}
