// The chapter, alive: its text, its tables computed by its own formulas, its demonstrations and the quiz.
#include <algorithm>

#include "course/chapter.h"
#include "formats/course_figures.h"
#include "formats/course_sheet.h"
#include "ui/actions.h"
#include "ui/learn.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

constexpr float kMeasure = 720;  // width of a column of text that reads well

// Sheets are made once for a language: the chapter does not change.
const formats::CourseSheet& sheet(const Frame& f, std::string_view id) {
  LearnState& l = f.s.learn;
  if (l.language != f.language) {
    l.sheets.clear();
    l.questions.clear();
    l.language = f.language;
  }
  for (const auto& [known, made] : l.sheets)
    if (known == id) return made;
  l.sheets.emplace_back(id, formats::course_sheet(f.language, id));
  return l.sheets.back().second;
}

// What a cell cannot be narrower than: its longest word.
float longest_word(const Frame& f, std::string_view text, Type type) {
  float widest = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", from), text.size());
    widest = std::max(widest, width_of(f, text.substr(from, end - from), type));
    from = end + 1;
  }
  return widest;
}

// Where even the longest words have no room side by side: each row as a paragraph of its own, every cell after its header.
void stacked(const Frame& f, const formats::CourseSheet& s, float width) {
  for (const auto& cells : s.rows) {
    hairline(f);
    gap(6);
    for (std::size_t c = 0; c < s.columns.size() && c < cells.size(); ++c) {
      if (cells[c].empty()) continue;
      if (c == 0)
        paragraph(f, cells[c], kSmallType.bold(), width);
      else
        paragraph(f, s.columns[c].header + std::string(f.text(Msg::word_colon)) + cells[c], kSmallType, width);
    }
    gap(6);
  }
}

void table(const Frame& f, std::string_view id, float width) {
  const formats::CourseSheet& s = sheet(f, id);
  if (s.columns.empty()) return;
  gap(10);
  if (!s.title.empty()) paragraph(f, s.title, kSmallType.bold(), width);
  if (!s.rule.empty()) paragraph(f, s.rule, kSmallType.in(f.c.secondary), width);
  gap(6);
  // Column widths: what the widest cell needs, shrunk alike where there is not that much; cells wrap.
  const std::size_t n = s.columns.size();
  std::vector<float> needs(n, 0);
  for (std::size_t c = 0; c < n; ++c) {
    needs[c] = width_of(f, s.columns[c].header, kSmallType.bold()) + 20;
    for (const auto& row : s.rows)
      if (c < row.size()) needs[c] = std::max(needs[c], width_of(f, row[c], kSmallType) + 20);
  }
  float total = 0, least = 0;
  for (const float w : needs) total += w;
  bool side_by_side = true;
  if (total > width) {
    // No column narrower than its longest word; what is left goes to those that want more, in proportion.
    std::vector<float> minimum(n, 0);
    for (std::size_t c = 0; c < n; ++c) {
      minimum[c] = longest_word(f, s.columns[c].header, kSmallType.bold()) + 22;
      for (const auto& row : s.rows)
        if (c < row.size()) minimum[c] = std::max(minimum[c], longest_word(f, row[c], kSmallType) + 22);
      least += minimum[c];
    }
    side_by_side = least <= width;
    float wanted = 0;
    for (std::size_t c = 0; c < n; ++c) wanted += std::max(0.0F, needs[c] - minimum[c]);
    for (std::size_t c = 0; c < n; ++c)
      needs[c] = minimum[c] + (wanted > 0 ? std::max(0.0F, width - least) * std::max(0.0F, needs[c] - minimum[c]) / wanted : 0);
  } else {
    const float extra = std::min(48.0F, (width - total) / static_cast<float>(n));
    for (float& w : needs) w += extra;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto row = [&](auto text_of, bool header) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Type type = header ? kSmallType.bold().in(f.c.secondary) : kSmallType;
    float height = 0, x = at.x;
    for (std::size_t c = 0; c < n; ++c) height = std::max(height, paragraph_size(f, text_of(c), type, needs[c] - 20).y);
    height += 12;
    if (ImGui::IsRectVisible(at, {at.x + width, at.y + height}))
      for (std::size_t c = 0; c < n; ++c) {
        const std::string_view text = text_of(c);
        const ImVec2 size = paragraph_size(f, text, type, needs[c] - 20);
        const float left = s.columns[c].numeric ? x + needs[c] - 20 - std::min(size.x, needs[c] - 20) : x;
        put_paragraph(f, list, {left, at.y + 6}, text, type, needs[c] - 20);
        x += needs[c];
      }
    float all = 0;
    for (const float w : needs) all += w;
    list->AddRectFilled({at.x, at.y + height}, {at.x + all - 20, at.y + height + 1}, header ? f.c.edge : f.c.hairline);
    ImGui::Dummy({width, height + 1});
  };
  if (side_by_side) row([&](std::size_t c) { return std::string_view(s.columns[c].header); }, true);
  if (!side_by_side) stacked(f, s, width);
  for (std::size_t r = 0; side_by_side && r < s.rows.size(); ++r) {
    const auto& cells = s.rows[r];
    row([&](std::size_t c) { return c < cells.size() ? std::string_view(cells[c]) : std::string_view(); }, false);
  }
  for (const std::string& note : s.notes) {
    gap(6);
    paragraph(f, note, kSmallType.in(f.c.secondary), width);
  }
  gap(14);
}

}  // namespace

void learn_panel(const Frame& f) {
  const float width = std::min(ImGui::GetContentRegionAvail().x, kMeasure);
  for (const course::Section& section : course::chapter()) {
    std::string base = "learn.";
    base += section.id;
    base += '.';
    ImGui::PushID(section.id.data(), section.id.data() + section.id.size());
    heading(f, f.text(base + "title"));
    int n = 0;
    for (const course::Block& block : section.blocks) {
      ImGui::PushID(n++);
      const std::string id = base + std::string(block.id);
      switch (block.kind) {
        case course::BlockKind::paragraph:
          paragraph(f, formats::fill_course_figures(f.language, f.text(id)), kBodyType, width);
          gap(12);
          break;
        case course::BlockKind::bullet: {
          const ImVec2 at = ImGui::GetCursorScreenPos();
          ImGui::GetWindowDrawList()->AddCircleFilled({at.x + 6, at.y + 12}, 2.5F, f.c.secondary);
          ImGui::SetCursorScreenPos({at.x + 20, at.y});
          paragraph(f, formats::fill_course_figures(f.language, f.text(id)), kBodyType, width - 20);
          ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
          gap(6);
          break;
        }
        case course::BlockKind::formula: {
          gap(4);
          const ImVec2 at = ImGui::GetCursorScreenPos();
          const ImVec2 size = paragraph_size(f, f.text(id), kBodyType.bold(), width - 32);
          ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + size.y + 24}, f.c.panel, kRadius);
          put_paragraph(f, ImGui::GetWindowDrawList(), {at.x + 16, at.y + 12}, f.text(id), kBodyType.bold(), width - 32);
          ImGui::Dummy({width, size.y + 24});
          gap(14);
          break;
        }
        case course::BlockKind::table: table(f, block.id, width); break;
        case course::BlockKind::code:
          code_block(f, course::code(block.id), "code");
          gap(14);
          break;
        case course::BlockKind::demo:
          if (block.id == "quiz") {
            quiz(f);
          } else if (block.id == "checklist") {
            if (button(f, f.text("view.checklist"), "checklist", Look::quiet, Icon::check)) {
              f.s.options.view = View::checklist;
              f.host.options_changed(f.s.options);
            }
          } else {
            learn_demo(f, block.id);
          }
          gap(14);
          break;
      }
      ImGui::PopID();
    }
    ImGui::PopID();
  }
  gap(32);
}

}  // namespace gpudget::ui
