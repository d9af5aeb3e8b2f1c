#include <doctest/doctest.h>

#include "core/architecture_presets.h"
#include "formats/course_comparison.h"
#include "formats/schema.h"

using namespace gpudget;

TEST_CASE("the chapter's figure and the causes sum to our estimate exactly, whatever the scenario") {
  for (const char* change : {"method=full", "method=lora", "method=qlora", "method=inference"})
    for (const char* other :
         {"gradient_checkpointing=full", "weights=fp32", "master_weights=true", "optim=adamw_8bit", "optim=adafactor", "parallelism.offload=optimizer"})
      for (const std::int64_t gpus : {1, 8}) {
        Scenario s = formats::default_scenario();
        for (const std::string_view set : {std::string_view(change), std::string_view(other)}) {
          const std::size_t at = set.find('=');
          REQUIRE(formats::set_field_text(s, set.substr(0, at), set.substr(at + 1)).has_value());
        }
        s.gpus = gpus;
        if (gpus > 1) s.parallelism.data = DataParallel::zero3;
        const Estimate e = estimate(s);
        const formats::CourseComparison c = formats::compare_with_course(s, e);
        Bytes sum = c.course_total;
        for (const formats::Cause& cause : c.view()) sum += cause.bytes;
        CAPTURE(change);
        CAPTURE(other);
        CHECK(sum == e.memory.device);
        CHECK(c.estimate_total == e.memory.device);
      }
}

TEST_CASE("the rule is the chapter's: twelve bytes a parameter in bf16") {
  Scenario s = formats::default_scenario();
  const formats::CourseComparison c = formats::compare_with_course(s, estimate(s));
  CHECK(c.course_total == bytes(8'030'261'248 * 12));
  CHECK(formats::course_rule_text(i18n::Language::en, s, estimate(s)) == "8.03B × (2 + 2 + 8) B");
}
