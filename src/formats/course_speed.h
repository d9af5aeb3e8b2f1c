// The chapter's throughput beside ours, where the chapter has a row for this size of model, kind of GPU and number of them, and why they differ.
#pragma once
#include <optional>
#include <string>

#include "core/estimate.h"
#include "i18n/text.h"

namespace gpudget::formats {

struct CourseSpeed {
  std::string_view model, gpu;         // as the chapter writes them: "7B", "A100-40GB"
  TokensPerSecond course, ours;        // of the whole job
  double course_mfu = 0, our_mfu = 0;  // what each says of the GPU's peak, at the same operations a token
};
// Nothing for inference, and where the chapter has no such row. `estimate` may be of a measured speed: then that is "ours".
std::optional<CourseSpeed> compare_speed_with_course(const Scenario& scenario, const Estimate& estimate);
// One paragraph in words: both figures, and what each assumes.
std::string course_speed_text(i18n::Language language, const CourseSpeed& speed);

}  // namespace gpudget::formats
