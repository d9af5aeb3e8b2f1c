#include "formats/course_speed.h"

#include <string_view>

#include <fmt/format.h>

#include "course/tables.h"
#include "i18n/numbers.h"

namespace gpudget::formats {
namespace {

using i18n::Msg;

// "7B" is any model that people call so: the size within a fifth ("70B" is 56 to 84).
bool is_of_size(std::string_view size, std::int64_t parameters) {
  std::int64_t billions = 0;
  for (const char c : size)
    if (c >= '0' && c <= '9') billions = billions * 10 + (c - '0');
  const double ratio = static_cast<double>(parameters) / (static_cast<double>(billions) * 1e9);
  return ratio > 0.8 && ratio < 1.2;
}

// "A100-40GB" and "a100-40gb-sxm", "H100" and "h100-80gb-pcie": the chapter's name begins the catalog's.
bool is_of_kind(std::string_view chapter, std::string_view id) {
  if (id.size() < chapter.size()) return false;
  for (std::size_t i = 0; i < chapter.size(); ++i) {
    const char c = chapter[i] >= 'A' && chapter[i] <= 'Z' ? static_cast<char>(chapter[i] - 'A' + 'a') : chapter[i];
    if (c != id[i]) return false;
  }
  return id.size() == chapter.size() || id[chapter.size()] == '-';
}

}  // namespace

std::optional<CourseSpeed> compare_speed_with_course(const Scenario& s, const Estimate& e) {
  if (s.method == Method::inference || e.compute.tokens_per_second.value() <= 0) return std::nullopt;
  for (const course::ThroughputRow& r : course::throughput()) {
    if (r.gpus != s.gpus || !is_of_size(r.model, e.model.parameters) || !is_of_kind(r.gpu, s.gpu.id.view())) continue;
    CourseSpeed c;
    c.model = r.model, c.gpu = r.gpu;
    c.course = r.rate, c.ours = e.compute.tokens_per_second;
    c.our_mfu = e.compute.mfu;
    c.course_mfu = e.compute.mfu * (c.course / c.ours);
    return c;
  }
  return std::nullopt;
}

std::string course_speed_text(i18n::Language l, const CourseSpeed& c) {
  const auto percent = [l](double share) { return i18n::percent(l, share); };
  return i18n::format(l, c.ours > c.course ? Msg::course_speed_faster : Msg::course_speed_slower,
                      {{"model", c.model},
                       {"gpu", c.gpu},
                       {"course", i18n::rate(l, c.course)},
                       {"ours", i18n::rate(l, c.ours)},
                       {"course_share", percent(c.course_mfu)},
                       {"our_share", percent(c.our_mfu)}});
}

}  // namespace gpudget::formats
