#include "ui/charts/timeline.h"

#include <algorithm>
#include <cmath>

#include "ui/charts/scale.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

constexpr float kAxis = 62, kLabels = 26, kRamp = 0.16F;  // of a phase's width: how long one level takes to become the next

// A round number of the unit that is shown: "80 GB", not "80.0 GB".
std::string binary_or_decimal(const Frame& f, double bytes) {
  const bool binary = f.s.unit == i18n::ByteUnit::gib;
  const double unit = binary ? 1073741824.0 : 1e9, v = bytes / unit;
  const int digits = v >= 1 || v == 0 ? 0 : v >= 0.1 ? 1 : 2;
  return i18n::decimal(f.language, v, digits) + "\u00A0" + std::string(f.text(binary ? Msg::unit_gib : Msg::unit_gb));
}

}  // namespace

TimelineMarks layout_timeline(const MemoryEstimate& m, double tick_unit, int most_ticks) {
  TimelineMarks out;
  Bytes top = m.capacity;
  for (std::size_t i = 0; i < kPhases; ++i) {
    if (m.phases[i] <= Bytes{}) continue;
    if (static_cast<Phase>(i) == m.peak_phase) out.peak = out.phases.size();
    out.phases.push_back(static_cast<Phase>(i));
    top = std::max(top, m.phases[i]);
  }
  out.top_bytes = static_cast<double>(top.in_bytes()) * 1.08;
  if (out.top_bytes <= 0) return out;
  out.capacity = static_cast<float>(static_cast<double>(m.capacity.in_bytes()) / out.top_bytes);
  std::vector<double> level(out.phases.size(), 0);
  for (std::size_t c = 0; c < kCategories; ++c) {
    TimelineBand band;
    band.category = static_cast<Category>(c);
    bool any = false;
    for (std::size_t p = 0; p < out.phases.size(); ++p) {
      const double bytes = static_cast<double>(m.ledger.phase_total(out.phases[p], band.category).in_bytes());
      any = any || bytes > 0;
      band.low.push_back(static_cast<float>(level[p] / out.top_bytes));
      level[p] += bytes;
      band.high.push_back(static_cast<float>(level[p] / out.top_bytes));
    }
    if (any) out.bands.push_back(std::move(band));
  }
  for (const double t : nice_ticks(0, out.top_bytes / tick_unit, most_ticks)) out.ticks.push_back(t * tick_unit);
  return out;
}

void paint_timeline(const Frame& f, const char* id, const MemoryEstimate& m, float width, float height) {
  const bool binary = f.s.unit == i18n::ByteUnit::gib;
  const TimelineMarks marks = layout_timeline(m, binary ? 1073741824.0 : 1e9);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  std::string label;
  for (std::size_t p = 0; p < marks.phases.size(); ++p) {
    std::string phase = "phase.";
    phase += name(marks.phases[p]);
    label += (label.empty() ? "" : ", ") + std::string(f.text(phase)) + " " + f.size(m.phases[static_cast<std::size_t>(marks.phases[p])]);
  }
  label += "###";
  label += id;
  ImGui::InvisibleButton(label.c_str(), {std::max(1.0F, width), height}, ImGuiButtonFlags_EnableNav);
  if (marks.phases.empty()) return;
  const bool hovered = ImGui::IsItemHovered();
  // The arrows walk over the phases, from the peak.
  int& walked = f.s.timeline_phase;
  if (!ImGui::IsItemFocused() || hovered) {
    walked = -1;
  } else if (const int step = arrow_step(); step != 0) {
    const int last = static_cast<int>(marks.phases.size()) - 1;
    walked = walked < 0 ? static_cast<int>(marks.peak) : std::clamp(walked + step, 0, last);
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  bool staggered = false;
  for (const Phase p : marks.phases) {
    std::string phase = "phase.";
    phase += name(p);
    staggered = staggered || width_of(f, f.text(phase), kSmallType.bold()) > (width - kAxis) / static_cast<float>(marks.phases.size()) - 4;
  }
  const float left = at.x + kAxis, right = at.x + width, top = at.y + 22, bottom = at.y + height - kLabels - (staggered ? 18.0F : 0.0F);
  // Names that are wider than their phase stand in two rows, every other one lower.
  const float phase_width = (right - left) / static_cast<float>(marks.phases.size());
  const auto y_of = [&](float v) { return bottom - v * (bottom - top); };

  for (const double t : marks.ticks) {
    const float y = std::round(y_of(static_cast<float>(t / marks.top_bytes)));
    list->AddRectFilled({left, y}, {right, y + 1}, f.c.hairline);
    const std::string text = binary_or_decimal(f, t);
    put_in(f, list, {at.x, y - 10}, {left - 8, y + 10}, text, kSmallType.in(f.c.secondary), 1);
  }
  // Bands: level in each phase, a short ramp between phases.
  const ImDrawListFlags smooth = list->Flags;
  list->Flags &= ~ImDrawListFlags_AntiAliasedFill;  // neighbours share their edges exactly
  for (const TimelineBand& band : marks.bands) {
    const auto c = static_cast<std::size_t>(band.category);
    const float a = f.s.lit.category && *f.s.lit.category != band.category ? 0.30F : 1.0F;
    const ImU32 colour = with_alpha(f.c.category[c], a);
    for (std::size_t p = 0; p < marks.phases.size(); ++p) {
      const float x = left + static_cast<float>(p) * phase_width;
      const float ramp = p == 0 ? 0 : phase_width * kRamp;
      if (p > 0 && (band.high[p - 1] > band.low[p - 1] || band.high[p] > band.low[p]))
        list->AddQuadFilled({x, y_of(band.high[p - 1])}, {x + ramp, y_of(band.high[p])}, {x + ramp, y_of(band.low[p])}, {x, y_of(band.low[p - 1])}, colour);
      if (band.high[p] > band.low[p]) list->AddRectFilled({x + ramp, y_of(band.high[p])}, {x + phase_width, y_of(band.low[p])}, colour);
    }
  }
  list->Flags = smooth;
  // Capacity.
  if (marks.capacity > 0 && marks.capacity <= 1) {
    const float y = std::round(y_of(marks.capacity));
    for (float x = left; x < right; x += 8) list->AddRectFilled({x, y}, {std::min(x + 5, right), y + 1.5F}, f.c.text);
    const std::string text = f.format(Msg::verdict_capacity, {{"capacity", f.size(m.capacity)}});
    const float w = width_of(f, text, kSmallType);
    list->AddRectFilled({right - w - 4, y - kSmall - 4}, {right, y - 2}, with_alpha(f.c.page, 0.85F), 3);
    put(f, list, {right - w, y - kSmall - 3}, text, kSmallType.in(f.c.secondary));
  }
  // Phases and the peak.
  std::size_t under = marks.phases.size();
  for (std::size_t p = 0; p < marks.phases.size(); ++p) {
    const float x = left + static_cast<float>(p) * phase_width;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (hovered && mouse.x >= x && mouse.x < x + phase_width) under = p;
    std::string phase = "phase.";
    phase += name(marks.phases[p]);
    const bool peak = p == marks.peak;
    Type type = (peak ? kSmallType.bold() : kSmallType).in(peak ? f.c.text : f.c.secondary);
    // In two rows each has the room of two phases.
    if (const float wide = width_of(f, f.text(phase), type), most = 2 * phase_width - 12; staggered && wide > most) type.size *= std::max(0.8F, most / wide);
    const float down = staggered && p % 2 == 1 ? 18.0F : 0.0F, label_width = width_of(f, f.text(phase), type);
    put(f, list, {std::clamp(x + (phase_width - label_width) / 2, at.x, std::max(at.x, right - label_width)), bottom + 7 + down}, f.text(phase), type);
    if (p > 0) list->AddRectFilled({std::round(x), bottom}, {std::round(x) + 1, bottom + 5}, f.c.hairline);
    if (peak) {
      const Bytes total = m.phases[static_cast<std::size_t>(marks.phases[p])];
      const float y = y_of(static_cast<float>(static_cast<double>(total.in_bytes()) / marks.top_bytes));
      const std::string size = f.size(total), text = f.format(Msg::memory_peak, {{"size", size}});
      const float w = width_of(f, text, kSmallType.bold());
      const float tx = std::clamp(x + (phase_width + kRamp * phase_width - w) / 2, left, right - w);
      list->AddRectFilled({x + phase_width * kRamp, y - 1.5F}, {x + phase_width, y}, f.c.text);
      // Above the level, unless the line of the capacity is there.
      const float line_y = y_of(marks.capacity);
      const bool crossed = marks.capacity > 0 && line_y > y - kSmall - 12 && line_y < y + 4;
      const float ty = crossed ? y + 5 : y - kSmall - 5;
      list->AddRectFilled({tx - 6, ty - 2}, {tx + w + 6, ty + kSmall + 2}, with_alpha(f.c.page, crossed ? 0.92F : 0.0F), 3);
      put(f, list, {tx, ty}, text, kSmallType.bold());
    }
  }
  if (walked >= 0 && static_cast<std::size_t>(walked) < marks.phases.size()) {
    under = static_cast<std::size_t>(walked);
    const float x = left + static_cast<float>(under) * phase_width;
    list->AddRect({x, top}, {x + phase_width, bottom}, f.c.text, 3, 0, 1.5F);
  }
  if (under < marks.phases.size()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const TimelineBand& band : marks.bands)
      if (hovered && mouse.y <= y_of(band.low[under]) && mouse.y > y_of(band.high[under])) f.s.next_lit.category = band.category;
    std::string phase = "phase.";
    phase += name(marks.phases[under]);
    std::string words = "**" + std::string(f.text(phase)) + "**  " + f.size(m.phases[static_cast<std::size_t>(marks.phases[under])]);
    for (auto band = marks.bands.rbegin(); band != marks.bands.rend(); ++band) {
      const Bytes b = m.ledger.phase_total(marks.phases[under], band->category);
      if (b <= Bytes{}) continue;
      std::string category = "category.";
      category += name(band->category);
      const bool lit = f.s.lit.category && *f.s.lit.category == band->category;
      words += "\n" + std::string(lit ? "**" : "") + std::string(f.text(category)) + "  " + f.size(b) + (lit ? "**" : "");
    }
    tooltip_at_mouse(f, words);
  }
}

}  // namespace gpudget::ui
