// Where every byte is, and when: the step timeline, the ledger with its formulas, and why the chapter's figure is another.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "formats/course_comparison.h"
#include "formats/formula_text.h"
#include "ui/charts/timeline.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

constexpr float kSizeColumn = 84;

void totals(const Frame& f) {
  const MemoryEstimate& m = f.s.estimate.memory;
  struct Total {
    Msg label, help;
    Bytes size;
  };
  const std::array<Total, 3> all{{{Msg::memory_allocated, Msg::memory_allocated_help, m.allocated},
                                  {Msg::memory_reserved, Msg::memory_reserved_help, m.reserved},
                                  {Msg::memory_device, Msg::memory_device_help, m.device}}};
  for (const Total& t : all) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(t.label));
    ImGui::InvisibleButton((std::string(f.text(t.label)) + "###total").c_str(), {width, 26}, ImGuiButtonFlags_EnableNav);
    tooltip(f, std::string(f.text(t.help)) + "\n" + f.size_both(t.size));
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    put_in(f, list, at, {at.x + width - kSizeColumn - 8, at.y + 26}, f.text(t.label), kBodyType);
    put_in(f, list, {at.x + width - kSizeColumn, at.y}, {at.x + width, at.y + 26}, f.size(t.size), kBodyType.bold(), 1);
  }
}

// A number's groups of three digits stay on one line.
std::string unbroken(std::string_view text) {
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' && i > 0 && digit(i - 1) && digit(i + 1))
      out += "\u00A0";
    else
      out += text[i];
  }
  return out;
}

// A row of the table: an entry, or several that are the same thing in phases that follow one another.
struct Row {
  const LedgerEntry* entry = nullptr;
  Phase from{}, to{};
  std::string formula;
  bool at_peak = false;
};

std::vector<Row> rows_of(const Frame& f, const MemoryEstimate& m, Category category) {
  std::vector<Row> rows;
  for (const LedgerEntry& e : m.ledger.entries()) {
    if (e.category != category) continue;
    std::string formula = unbroken(formats::formula_text(e.formula, f.language));
    const auto follows = [&](const Row& r) {
      return r.entry->id == e.id && r.entry->size == e.size && static_cast<int>(r.to) + 1 == static_cast<int>(e.from) && r.formula == formula;
    };
    const auto before = std::find_if(rows.begin(), rows.end(), follows);
    if (before != rows.end()) {
      before->to = e.to;
      before->at_peak = before->at_peak || e.alive_in(m.peak_phase);
    } else {
      rows.push_back({&e, e.from, e.to, std::move(formula), e.alive_in(m.peak_phase)});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.entry->size > b.entry->size; });
  return rows;
}

std::string alive(const Frame& f, const Row& e) {
  if (e.from == Phase::load && (e.to == Phase::step || e.to == Phase::decode)) return std::string(f.text(Msg::memory_always));
  std::string from = "phase.", to = "phase.";
  from += name(e.from);
  to += name(e.to);
  return e.from == e.to ? std::string(f.text(from)) : std::string(f.text(from)) + " – " + std::string(f.text(to));
}

void ledger(const Frame& f) {
  const MemoryEstimate& m = f.s.estimate.memory;
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::array<std::vector<Row>, kCategories> all;
  float alive_width = 0;
  for (std::size_t c = 0; c < kCategories; ++c) {
    all[c] = rows_of(f, m, static_cast<Category>(c));
    for (const Row& r : all[c]) alive_width = std::max(alive_width, width_of(f, alive(f, r), kSmallType));
  }
  for (std::size_t c = 0; c < kCategories; ++c) {
    const auto category = static_cast<Category>(c);
    const std::vector<Row>& entries = all[c];
    if (entries.empty()) continue;
    std::string id = "category.";
    id += name(category);
    hairline(f);
    ImGui::PushID(static_cast<int>(c));
    // The category: its colour, its name, what it takes at the peak and its share of it.
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = 38;
    const bool folds = f.s.options.embed,
               pressed = ImGui::InvisibleButton((std::string(f.text(id)) + "###category").c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
    if (folds && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (folds && pressed) f.s.open_categories ^= std::uint64_t{1} << c;
    const bool open = !folds || (f.s.open_categories >> c & 1U) != 0;
    if (ImGui::IsItemHovered()) f.s.next_lit.category = category;
    tooltip(f, f.text(id + ".help"));
    const bool lit = f.s.lit.category && *f.s.lit.category == category;
    if (lit) list->AddRectFilled({at.x - 8, at.y}, {at.x + width + 8, at.y + height}, with_alpha(f.c.field, 0.6F), kRadius);
    list->AddRectFilled({at.x, at.y + 13}, {at.x + 12, at.y + 25}, f.c.category[c], 3);
    list->AddRect({at.x, at.y + 13}, {at.x + 12, at.y + 25}, f.c.category_edge[c], 3);
    const bool bar = width > 480;
    put_in(f, list, {at.x + 22, at.y}, {at.x + width - kSizeColumn - (bar ? 90.0F : 0.0F), at.y + height}, f.text(id), kBodyType.bold());
    const Bytes size = m.categories[c];
    const double share = m.device > Bytes{} ? static_cast<double>(size.in_bytes()) / static_cast<double>(m.device.in_bytes()) : 0;
    if (bar) share_bar(f, {at.x + width - kSizeColumn - 78, at.y + 17}, 70, share, f.c.category[c]);
    put_in(f, list, {at.x + width - kSizeColumn, at.y}, {at.x + width, at.y + height}, f.size(size), kBodyType.bold(), 1);
    if (folds)
      draw_icon(list, open ? Icon::chevron_up : Icon::chevron_down, {at.x + 36 + width_of(f, f.text(id), kBodyType.bold()), at.y + height / 2}, f.c.secondary,
                12);
    // Its entries: what, when, why. An embed shows them when it is asked.
    for (std::size_t i = 0; open && i < entries.size(); ++i) {
      const LedgerEntry& e = *entries[i].entry;
      ImGui::PushID(static_cast<int>(i));
      std::string what = "ledger.";
      what += name(e.id);
      const ImVec2 row = ImGui::GetCursorScreenPos();
      const bool at_peak = entries[i].at_peak;
      const std::string& formula = entries[i].formula;
      const std::string when = alive(f, entries[i]);
      const bool two = width < 700;  // the formula on a line of its own
      const float name_width = two ? width - 22 - kSizeColumn - 8 : std::floor(width * 0.30F);
      ImGui::SetCursorScreenPos({row.x + 22, row.y});
      const Type ink = kSmallType.in(at_peak ? f.c.text : f.c.secondary);
      const ImVec2 named = paragraph_size(f, f.text(what), ink, name_width);
      put_paragraph(f, list, {row.x + 22, row.y + (26 - ink.size * kLine) / 2}, f.text(what), ink, name_width);
      const float lower = named.y > 26 ? named.y - 18 : 0;  // a name of two lines
      put_in(f, list, {row.x + width - kSizeColumn, row.y}, {row.x + width, row.y + 26}, f.size(e.size), kSmallType.in(at_peak ? f.c.text : f.c.secondary), 1);
      if (two) {
        ImGui::SetCursorScreenPos({row.x + 22, row.y + 22 + lower});
        copyable(f, formula, "formula", kSmallType.in(f.c.secondary), width - 22);
        ImGui::SetCursorScreenPos({row.x, ImGui::GetItemRectMax().y + 2});
      } else {
        const float x = row.x + 22 + name_width + 8, formula_room = width - 22 - name_width - 8 - kSizeColumn - alive_width - 24;
        ImGui::SetCursorScreenPos({x, row.y + 1});
        copyable(f, formula, "formula", kSmallType.in(f.c.secondary), formula_room);
        put_in(f, list, {x + formula_room + 8, row.y}, {row.x + width - kSizeColumn - 4, row.y + 26}, when, kSmallType.in(f.c.secondary));
        ImGui::SetCursorScreenPos({row.x, std::max(row.y + 26 + lower, ImGui::GetItemRectMax().y)});
      }
      ImGui::Dummy({width, 0});
      ImGui::PopID();
    }
    gap(6);
    ImGui::PopID();
  }
  hairline(f);
}

void course(const Frame& f) {
  if (f.s.scenario.method == Method::inference) return;
  const formats::CourseComparison c = formats::compare_with_course(f.s.scenario, f.s.estimate);
  heading(f, f.text(Msg::memory_course_title));
  const std::string rule = formats::course_rule_text(f.language, f.s.scenario, f.s.estimate), course_total = f.size(c.course_total),
                    ours = f.size(c.estimate_total);
  paragraph(f, f.format(Msg::memory_course_sentence, {{"rule", rule}, {"course", course_total}, {"ours", ours}}));
  gap(10);
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::int64_t largest = 1;
  for (const formats::Cause& cause : c.view()) largest = std::max(largest, cause.bytes.in_bytes() < 0 ? -cause.bytes.in_bytes() : cause.bytes.in_bytes());
  const auto total_row = [&](std::string_view label, const std::string& size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    put_in(f, list, at, {at.x + width - kSizeColumn, at.y + 32}, label, kBodyType.bold());
    put_in(f, list, {at.x + width - kSizeColumn, at.y}, {at.x + width, at.y + 32}, size, kBodyType.bold(), 1);
    ImGui::Dummy({width, 32});
  };
  hairline(f);
  total_row(f.text(Msg::memory_course_total), course_total);
  for (const formats::Cause& cause : c.view()) {
    std::string id = "cause.";
    id += name(cause.id);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool more = cause.bytes > Bytes{};
    const float bar = width > 560 ? 120.0F : width > 420 ? 60.0F : 0.0F, middle = at.x + width - kSizeColumn - 16 - bar / 2;
    const float half = bar / 2 * static_cast<float>(static_cast<double>(cause.bytes.in_bytes()) / static_cast<double>(largest));
    const float cause_room = middle - bar / 2 - 8 - at.x - 14;
    const ImVec2 size = paragraph_size(f, f.text(id), kBodyType, cause_room);
    const float height = std::max(28.0F, size.y + 6), centre = at.y + height / 2;
    ImGui::PushID(static_cast<int>(cause.id));
    ImGui::InvisibleButton((std::string(f.text(id)) + "###cause").c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
    tooltip(f, f.text(id + ".why"));
    ImGui::PopID();
    put_paragraph(f, list, {at.x + 14, centre - size.y / 2}, f.text(id), kBodyType, cause_room);
    if (bar > 0) list->AddRectFilled({middle, centre - 8}, {middle + 1, centre + 8}, f.c.edge);
    if (bar > 0 && half > 0) list->AddRectFilled({middle + 1, centre - 4}, {middle + 1 + std::max(1.0F, half), centre + 4}, f.c.tight, 2);
    if (bar > 0 && half < 0) list->AddRectFilled({middle + std::min(-1.0F, half), centre - 4}, {middle, centre + 4}, f.c.fits, 2);
    put_in(f, list, {at.x + width - kSizeColumn, at.y}, {at.x + width, at.y + height}, (more ? "+" : "") + f.size(cause.bytes), kBodyType, 1);
  }
  hairline(f);
  total_row(f.text(Msg::memory_course_ours), ours);
}

}  // namespace

void memory_panel(const Frame& f) {
  const MemoryEstimate& m = f.s.estimate.memory;
  const float width = ImGui::GetContentRegionAvail().x;
  heading(f, f.text(f.s.scenario.method == Method::inference ? Msg::memory_timeline_inference : Msg::memory_timeline_title));
  paint_timeline(f, "timeline", m, width, f.narrow ? 220.0F : 260.0F);
  gap(4);
  paragraph(f, f.text(Msg::memory_timeline_note), kSmallType.in(f.c.secondary));
  heading(f, f.text(Msg::memory_ledger_title));
  ledger(f);
  gap(8);
  totals(f);
  if (m.host > Bytes{}) {
    gap(6);
    paragraph(f, f.format(Msg::memory_host, {{"size", f.size(m.host)}}), kSmallType.in(f.c.secondary));
  }
  course(f);
  if (!f.s.options.embed) {  // a measured run is for the whole program, which an embed links to: it would be a screen more of height
    heading(f, f.text(Msg::measured_title));
    paragraph(f, f.text(Msg::measured_lead), kBodyType.in(f.c.secondary), std::min(width, 720.0F));
    gap(12);
    measured_section(f);
  }
  gap(24);
}

}  // namespace gpudget::ui
