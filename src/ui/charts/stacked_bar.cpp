#include "ui/charts/stacked_bar.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

constexpr float kSmallest = 2, kPadding = 8, kGapBetween = 16;
constexpr float kRow = 36;  // two lines of a label beneath
constexpr float kSwatch = 10;
constexpr std::int64_t kLabelled = 2000;  // parts of less than this fraction of the whole are named by hover, keys and the table only

}  // namespace

BarMarks layout_bar(const BarInput& in) {
  BarMarks out;
  const double scale_bytes = static_cast<double>(
      in.scale > Bytes{} ? in.scale.in_bytes() : static_cast<std::int64_t>(static_cast<double>(std::max({in.total, in.capacity, in.high}).in_bytes()) * 1.02));
  if (scale_bytes <= 0 || in.width <= 0) return out;
  const auto x_of = [&](Bytes b) { return std::clamp(static_cast<float>(static_cast<double>(b.in_bytes()) / scale_bytes) * in.width, 0.0F, in.width); };
  out.clipped = static_cast<double>(in.total.in_bytes()) > scale_bytes;
  Bytes sum;
  float last = 0;
  for (std::size_t i = 0; i < in.parts.size(); ++i) {
    sum += in.parts[i].size;
    const float to = std::min(in.width, std::max(last + kSmallest, x_of(sum)));
    out.parts.push_back({i, last, to});
    last = to;
  }
  out.end = last;
  out.capacity = x_of(in.capacity);
  out.low = x_of(in.low);
  out.high = x_of(in.high);
  if (!in.labels || !in.measure) return out;

  // Inside where name and value fit, else beneath, left to right, pushed apart; a second row when one does not hold them.
  std::vector<BarLabel> outside;
  const auto negligible = [&](const BarPart& p) { return p.size.in_bytes() < in.total.in_bytes() / kLabelled; };
  for (const BarMark& m : out.parts) {
    const BarPart& p = in.parts[m.part];
    if (negligible(p)) continue;
    const float width = std::max(in.measure(p.name), in.measure(p.value));
    // The line of the capacity must not cross a label: of a part that it divides, the wider side counts.
    float from = m.from, to = m.to;
    if (in.capacity > Bytes{} && out.capacity > from && out.capacity < to) (out.capacity - from > to - out.capacity ? to : from) = out.capacity;
    if (width + 2 * kPadding <= to - from)
      out.labels.push_back({m.part, true, from + kPadding, width, 0, 0});
    else
      outside.push_back({m.part, false, 0, width, 0, (m.from + m.to) / 2});
  }
  if (outside.empty()) return out;
  float needed = -kGapBetween;
  for (const BarLabel& l : outside) needed += l.width + kGapBetween;
  if (needed > in.width) {
    // In a grid, in the bar's order, all of them: half a bar with names inside and half in a list would be read wrong.
    out.listed = true;
    out.labels.clear();
    float widest = 0;
    for (const BarPart& p : in.parts) widest = std::max(widest, in.measure(p.name));
    out.columns = std::max(1, static_cast<int>(in.width / (widest + kSwatch + 12)));
    const float column = in.width / static_cast<float>(out.columns);
    for (const BarMark& m : out.parts) {
      if (negligible(in.parts[m.part])) continue;
      const int i = static_cast<int>(out.labels.size());
      out.labels.push_back({m.part, false, static_cast<float>(i % out.columns) * column, column, i / out.columns, 0});
    }
    out.rows = (static_cast<int>(out.labels.size()) + out.columns - 1) / out.columns;
    return out;
  }
  // Each as near to its part as its neighbours leave it: pushed right, then back from the edge.
  float x = 0;
  for (BarLabel& l : outside) {
    l.x = std::max(x, l.anchor - 2);
    x = l.x + l.width + kGapBetween;
  }
  float limit = in.width;
  for (auto l = outside.rbegin(); l != outside.rend(); ++l) {
    l->x = std::max(0.0F, std::min(l->x, limit - l->width));
    limit = l->x - kGapBetween;
  }
  out.rows = 1;
  out.labels.insert(out.labels.end(), outside.begin(), outside.end());
  return out;
}

namespace {
float leader(const BarInput& in) { return in.high > Bytes{} && in.labels ? 20.0F : 8.0F; }  // room for the whisker under the bar
}  // namespace

float bar_height(const BarInput& in, const BarMarks& marks) {
  return in.bar + (marks.rows > 0 || (in.labels && in.high > Bytes{}) ? leader(in) : 0) + static_cast<float>(marks.rows) * kRow;
}

std::vector<BarPart> bar_parts(const Frame& f, const MemoryEstimate& memory) {
  std::vector<BarPart> parts;
  for (std::size_t i = 0; i < kCategories; ++i) {
    const auto c = static_cast<Category>(i);
    if (memory.categories[i] <= Bytes{}) continue;
    std::string id = "category.";
    id += name(c);
    parts.push_back({c, memory.categories[i], std::string(f.text(id)), f.size(memory.categories[i])});
  }
  return parts;
}

void paint_bar(const Frame& f, const char* id, const BarInput& in, const BarMarks& marks) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = bar_height(in, marks);
  std::string label;
  for (const BarPart& p : in.parts) label += (label.empty() ? "" : ", ") + p.name + " " + p.value;
  label += "###";
  label += id;
  ImGui::InvisibleButton(label.c_str(), {std::max(1.0F, in.width), std::max(1.0F, height)}, ImGuiButtonFlags_EnableNav);
  const bool hovered = ImGui::IsItemHovered(), focused = ImGui::IsItemFocused();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float top = at.y, bottom = at.y + in.bar;
  const Lit& lit = f.s.lit;
  const auto dim = [&](Category c) { return lit.category && *lit.category != c ? 0.35F : 1.0F; };

  if (hovered) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const BarMark& m : marks.parts)
      if (mouse.y < bottom && mouse.x >= at.x + m.from && mouse.x < at.x + m.to) f.s.next_lit.category = in.parts[m.part].category;
    for (const BarLabel& l : marks.labels) {
      if (l.inside) continue;
      const float y = bottom + leader(in) + static_cast<float>(l.row) * kRow;
      if (mouse.y >= y && mouse.y < y + kRow && mouse.x >= at.x + l.x && mouse.x < at.x + l.x + l.width) f.s.next_lit.category = in.parts[l.part].category;
    }
  } else if (focused && !in.parts.empty()) {
    // The arrows walk over the parts.
    const int step = arrow_step();
    if (lit.category) f.s.next_lit = lit;
    if (step != 0) {
      std::ptrdiff_t index = step > 0 ? -1 : static_cast<std::ptrdiff_t>(in.parts.size());
      for (std::size_t i = 0; i < in.parts.size(); ++i)
        if (lit.category && in.parts[i].category == *lit.category) index = static_cast<std::ptrdiff_t>(i);
      index = std::clamp<std::ptrdiff_t>(index + step, 0, static_cast<std::ptrdiff_t>(in.parts.size()) - 1);
      f.s.next_lit.category = in.parts[static_cast<std::size_t>(index)].category;
    }
  }

  // Ground: what is free, hatched lightly.
  list->AddRectFilled({at.x, top}, {at.x + (in.capacity > Bytes{} ? marks.capacity : in.width), bottom}, f.c.field, 4);
  for (const BarMark& m : marks.parts) {
    const auto c = static_cast<std::size_t>(in.parts[m.part].category);
    const float a = dim(in.parts[m.part].category);
    const ImVec2 p{std::round(at.x + m.from), top}, q{std::round(at.x + m.to) - (m.to - m.from > 3 ? 1.0F : 0.0F), bottom};
    const bool first = m.part == 0, last = m.part + 1 == marks.parts.size();
    const ImDrawFlags corners = (first ? ImDrawFlags_RoundCornersLeft : 0) | (last ? ImDrawFlags_RoundCornersRight : 0);
    list->AddRectFilled(p, q, with_alpha(f.c.category[c], a), 4, corners == 0 ? ImDrawFlags_RoundCornersNone : corners);
    if (f.c.category_edge[c] != f.c.category[c] && q.x - p.x > 4)
      list->AddRect({p.x + 0.5F, p.y + 0.5F}, {q.x - 0.5F, q.y - 0.5F}, with_alpha(f.c.category_edge[c], a), 4,
                    corners == 0 ? ImDrawFlags_RoundCornersNone : corners);
  }
  // What does not fit: hatched in red beyond the line.
  if (in.capacity > Bytes{} && marks.end > marks.capacity + 0.5F) {
    const ImVec2 p{at.x + marks.capacity, top}, q{at.x + marks.end, bottom};
    list->PushClipRect(p, q, true);
    const float step = 9, run = q.y - p.y;
    for (float x = p.x - run; x < q.x; x += step) list->AddLine({x, q.y}, {x + run, p.y}, with_alpha(f.c.over, 0.75F), 2);
    list->PopClipRect();
    list->AddRect({p.x, p.y}, {q.x, q.y}, f.c.over, 3, ImDrawFlags_RoundCornersRight, 2);
  }
  // Capacity: a line that stands out above and below.
  if (in.capacity > Bytes{}) {
    const float x = std::round(at.x + marks.capacity);
    list->AddRectFilled({x - 2, top - 7}, {x + 2, bottom + 5}, f.c.page);
    list->AddRectFilled({x - 1, top - 7}, {x + 1, bottom + 5}, f.c.text);
  }
  // Whisker: from low to high.
  if (in.high > Bytes{} && marks.high - marks.low > 3) {
    const float y = in.labels ? bottom + 9 : top + in.bar / 2, low = std::round(at.x + marks.low), high = std::round(at.x + marks.high);
    const auto stroke = [&](float grow, ImU32 colour) {
      list->AddRectFilled({low - grow, y - 1 - grow}, {high + grow, y + 1 + grow}, colour);
      list->AddRectFilled({low - 1 - grow, y - 5 - grow}, {low + 1 + grow, y + 5 + grow}, colour);
      list->AddRectFilled({high - 1 - grow, y - 5 - grow}, {high + 1 + grow, y + 5 + grow}, colour);
    };
    if (!in.labels) stroke(1.5F, f.c.page);
    stroke(0, f.c.text);
  }
  // Labels.
  for (const BarLabel& l : marks.labels) {
    const BarPart& p = in.parts[l.part];
    const auto c = static_cast<std::size_t>(p.category);
    const float a = dim(p.category);
    if (l.inside) {
      // Not under the whisker or the hatching: those stand at the right end of the bar, labels at the left of their part.
      const float y = top + (in.bar - 2 * kSmall - 2) / 2;
      const ImU32 ink = with_alpha(f.c.on_category[c], std::max(a, 0.6F));
      if (in.capacity > Bytes{} && l.x + l.width > marks.capacity)  // on the hatching: a quiet ground
        list->AddRectFilled({at.x + l.x - 4, y - 3}, {at.x + l.x + l.width + 4, y + 2 * kSmall + 4}, f.c.category[c], 4);
      put(f, list, {at.x + l.x, y}, p.name, kSmallType.in(ink));
      put(f, list, {at.x + l.x, y + kSmall + 2}, p.value, kSmallType.bold().in(ink));
      continue;
    }
    const float y = bottom + leader(in) + static_cast<float>(l.row) * kRow, x = at.x + l.x;
    if (marks.listed) {
      list->AddRectFilled({x, y + 4}, {x + kSwatch, y + 4 + kSwatch}, with_alpha(f.c.category[c], a), 3);
      list->AddRect({x, y + 4}, {x + kSwatch, y + 4 + kSwatch}, with_alpha(f.c.category_edge[c], a), 3);
      put(f, list, {x + kSwatch + 6, y + 1}, p.name, kSmallType.in(with_alpha(f.c.secondary, std::max(a, 0.6F))), l.width - kSwatch - 10);
      put(f, list, {x + kSwatch + 6, y + kSmall + 2}, p.value, kSmallType.bold().in(with_alpha(f.c.text, std::max(a, 0.6F))));
      continue;
    }
    const float anchor = std::round(at.x + l.anchor);
    const ImU32 mark = with_alpha(f.c.category_edge[c], a);
    list->AddRectFilled({anchor, bottom + 1}, {anchor + 1, y - 2}, mark);
    if (anchor < x) list->AddRectFilled({anchor, y - 2}, {x + 6, y - 1}, mark);
    if (anchor > x + l.width) list->AddRectFilled({x, y - 2}, {anchor + 1, y - 1}, mark);
    list->AddRectFilled({x, y - 2}, {x + 16, y}, mark);
    put(f, list, {x, y + 2}, p.name, kSmallType.in(with_alpha(f.c.secondary, std::max(a, 0.6F))));
    put(f, list, {x, y + kSmall + 3}, p.value, kSmallType.bold().in(with_alpha(f.c.text, std::max(a, 0.6F))));
  }
  if (lit.category && hovered) {
    for (const BarPart& p : in.parts)
      if (p.category == *lit.category) {
        std::string help = "category.";
        help += name(p.category);
        help += ".help";
        std::string words = "**" + p.name + "**\n" + f.size_both(p.size);
        if (in.total > Bytes{}) words += "\n" + f.percent(static_cast<double>(p.size.in_bytes()) / static_cast<double>(in.total.in_bytes()), 1);
        words += "\n";
        words += f.text(help);
        tooltip_at_mouse(f, words);
      }
  }
}

}  // namespace gpudget::ui
