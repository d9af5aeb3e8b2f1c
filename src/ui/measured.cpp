// What torch or nvidia-smi showed on the reader's machine beside the estimate of the same scenario: the difference, its likely cause, and the
// offer to scale scenarios like this one. Scaling is never silent: the verdict shows it as a figure of its own (scaled_line).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "formats/measured_text.h"
#include "formats/schema.h"
#include "ui/actions.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

constexpr float kMost = 720;
constexpr double kClose = 0.03;  // nearer than this is agreement

struct Line {
  Msg label;
  Bytes MemoryEstimate::*estimate;
};
constexpr std::array<Line, 3> kLines{
    {{Msg::memory_allocated, &MemoryEstimate::allocated}, {Msg::memory_reserved, &MemoryEstimate::reserved}, {Msg::memory_device, &MemoryEstimate::device}}};

std::optional<Bytes> measured(const Frame& f, std::size_t i) {
  const double v = f.s.learn.measured[i];
  if (std::isnan(v) || v <= 0) return std::nullopt;
  // Nobody's peak is a few thousand bytes: a small number is gigabytes as people write them down.
  return bytes(static_cast<std::int64_t>(v < 1e5 ? v * 1e9 : std::min(v, 9e15)));
}

double ratio(Bytes a, Bytes b) { return static_cast<double>(a.in_bytes()) / static_cast<double>(std::max<std::int64_t>(1, b.in_bytes())); }

// The one setting that, changed, brings the estimate within 3 % of what was measured.
struct Cause {
  Scenario scenario;
  const formats::Field* field = nullptr;
  Bytes size;
};
std::optional<Cause> likely_cause(const Frame& f, Bytes MemoryEstimate::*which, Bytes target) {
  struct Change {
    std::string_view path, value;
  };
  constexpr std::array<Change, 12> kChanges{{{"attn_implementation", "eager"},
                                             {"attn_implementation", "sdpa"},
                                             {"attn_implementation", "flash_attention_2"},
                                             {"gradient_checkpointing", "none"},
                                             {"gradient_checkpointing", "full"},
                                             {"optimizer_states", "fp32"},
                                             {"master_weights", "true"},
                                             {"loss", "full"},
                                             {"loss", "fused"},
                                             {"weights", "fp32"},
                                             {"gradients", "fp32"},
                                             {"lora.adapter_dtype", "bf16"}}};
  std::optional<Cause> best;
  double nearest = kClose;
  for (const Change& change : kChanges) {
    Scenario s = f.s.scenario;
    if (!formats::set_field_text(s, change.path, change.value) || s == f.s.scenario) continue;
    Estimate e;
    estimate(s, e);
    const Bytes size = e.memory.*which;
    const double error = std::fabs(ratio(size, target) - 1);
    if (error >= nearest) continue;
    nearest = error;
    best = Cause{s, formats::find_field(change.path), size};
  }
  return best;
}

void conclusion(const Frame& f, float width) {
  const MemoryEstimate& m = f.s.estimate.memory;
  const auto near = [&](std::size_t i) {
    const auto b = measured(f, i);
    return b && std::fabs(ratio(m.*kLines[i].estimate, *b) - 1) < kClose;
  };
  // The innermost figure that is off says most about why.
  std::size_t off = kLines.size(), last = kLines.size();
  for (std::size_t i = kLines.size(); i-- > 0;) {
    if (!measured(f, i)) continue;
    if (last == kLines.size()) last = i;
    if (!near(i)) off = i;
  }
  if (last == kLines.size()) return;
  gap(4);
  if (off == kLines.size()) {
    paragraph(f, f.text(Msg::measured_close), kBodyType.in(f.c.fits_text), width);
    return;
  }
  const Bytes target = *measured(f, off);
  const bool more = target > m.*kLines[off].estimate;
  if (off == 1 && near(0) && more) {
    paragraph(f, f.text(Msg::measured_fragmentation), kBodyType, width);
  } else if (off == 2 && (near(0) || near(1)) && more) {
    paragraph(f, f.text(Msg::measured_others), kBodyType, width);
  } else if (const auto cause = likely_cause(f, kLines[off].estimate, target)) {
    std::string label = "field.";
    label += cause->field->path;
    const std::string setting = std::string(f.text(label)) + std::string(f.text(Msg::word_colon)) + field_words(f, *cause->field, cause->scenario);
    paragraph(f, f.format(Msg::measured_cause, {{"setting", setting}, {"size", f.size(cause->size)}}), kBodyType, width);
    gap(8);
    if (button(f, setting, "cause")) set_scenario(f.s, cause->scenario);
  } else {
    paragraph(f, f.text(Msg::measured_unknown), kBodyType, width);
  }
  // The outermost figure is what must be under the capacity: it gives the scale.
  gap(8);
  const double scale = ratio(*measured(f, last), m.*kLines[last].estimate);
  const std::string shown = i18n::significant(f.language, scale);
  if (button(f, f.format(Msg::measured_scale, {{"ratio", shown}}), "scale")) f.s.calibration = Calibration{scale, f.s.scenario.method};
}

}  // namespace

void measured_section(const Frame& f) {
  const MemoryEstimate& m = f.s.estimate.memory;
  const float width = std::min(ImGui::GetContentRegionAvail().x, kMost), field = width < 480 ? 130.0F : 170.0F;
  ImGui::PushID("measured");
  if (text_field(f, f.text(Msg::measured_paste), "paste", f.s.learn.pasted, width, f.text(Msg::measured_paste))) {
    const formats::MeasuredText read = formats::read_measured(f.s.learn.pasted);
    const std::array<std::optional<Bytes>, 3> found{read.allocated, read.reserved, read.device};
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i]) f.s.learn.measured[i] = static_cast<double>(found[i]->in_bytes());
  }
  gap(14);
  for (std::size_t i = 0; i < kLines.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string_view label = f.text(kLines[i].label);
    const ImVec2 size = paragraph_size(f, label, kBodyType, width - field - 12);
    put_paragraph(f, ImGui::GetWindowDrawList(), {at.x, at.y + (f.target() - size.y) / 2}, label, kBodyType, width - field - 12);
    ImGui::SetCursorScreenPos({at.x + width - field, at.y});
    double& value = f.s.learn.measured[i];
    bool cleared = false;
    number_field(f, label, "value", value, false, field, f.text(Msg::learn_profile_bytes), &cleared);
    if (cleared) value = std::numeric_limits<double>::quiet_NaN();
    ImGui::SetCursorScreenPos({at.x, at.y + f.target() + 2});
    const Bytes ours = m.*kLines[i].estimate;
    std::string words = f.format(Msg::learn_profile_estimate, {{"size", f.size(ours)}});
    if (const auto b = measured(f, i)) {
      const double r = ratio(ours, *b);
      const std::string share = (r >= 1 ? "+" : "−") + f.percent(std::fabs(r - 1), 1), size_text = f.size(*b);
      words += " · " + f.format(Msg::learn_profile_measured, {{"size", size_text}, {"share", share}});
    }
    paragraph(f, words, kSmallType.in(f.c.secondary), width);
    gap(10);
    ImGui::PopID();
  }
  conclusion(f, width);
  ImGui::PopID();
}

void scaled_line(const Frame& f) {
  if (!f.s.calibration || f.s.calibration->method != f.s.scenario.method) return;
  const MemoryEstimate& m = f.s.estimate.memory;
  const double scaled = static_cast<double>(m.device.in_bytes()) * f.s.calibration->ratio;
  const Bytes size = bytes(static_cast<std::int64_t>(std::min(scaled, 9e18)));
  const bool fits = size <= m.capacity;
  const std::string ratio_text = i18n::significant(f.language, f.s.calibration->ratio), size_text = f.size(size);
  const std::string words = f.format(fits ? Msg::measured_scaled_fits : Msg::measured_scaled_over, {{"ratio", ratio_text}, {"size", size_text}});
  paragraph(f, words, kBodyType.in(fits ? f.c.fits_text : f.c.over_text));
  if (link(f, f.text(Msg::measured_stop), "stop scaling", kSmallType)) f.s.calibration.reset();
  gap(f.compact ? 6 : 12);
}

}  // namespace gpudget::ui
