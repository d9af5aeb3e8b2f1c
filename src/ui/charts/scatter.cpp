#include "ui/charts/scatter.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/charts/scale.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

constexpr float kNear = 28;  // how far the pointer may be from a point to mean it

}  // namespace

ScatterMarks layout_scatter(const ScatterInput& in) {
  ScatterMarks out;
  out.right = in.width - 16;
  out.bottom = in.height - 46;
  if (in.points.empty() || out.right <= out.left || out.bottom <= out.top) return out;
  out.x_low = out.x_high = in.points[0].x;
  out.y_low = out.y_high = in.points[0].y;
  for (const ScatterPoint& p : in.points) {
    out.x_low = std::min(out.x_low, p.x);
    out.x_high = std::max(out.x_high, p.x);
    out.y_low = std::min(out.y_low, p.y);
    out.y_high = std::max(out.y_high, p.y);
  }
  if (in.diagonal) {
    out.x_low = out.y_low = std::min(out.x_low, out.y_low);
    out.x_high = out.y_high = std::max(out.x_high, out.y_high);
  }
  const auto widen = [&](double& low, double& high) {
    if (in.logarithmic) {
      low = std::max(low, 1e-9) / 1.35;
      high = std::max(high, low) * 1.35;
    } else {
      const double margin = high > low ? (high - low) * 0.06 : 1;
      low -= margin;
      high += margin;
    }
  };
  widen(out.x_low, out.x_high);
  widen(out.y_low, out.y_high);
  const auto place = [&](double v, double low, double high) {
    return static_cast<float>(in.logarithmic ? std::log(std::max(v, 1e-12) / low) / std::log(high / low) : (v - low) / (high - low));
  };
  const auto x_of = [&](double v) { return out.left + (out.right - out.left) * place(v, out.x_low, out.x_high); };
  const auto y_of = [&](double v) { return out.bottom - (out.bottom - out.top) * place(v, out.y_low, out.y_high); };
  for (const ScatterPoint& p : in.points) out.points.push_back({x_of(p.x), y_of(p.y)});
  out.order.resize(in.points.size());
  std::iota(out.order.begin(), out.order.end(), std::size_t{0});
  std::sort(out.order.begin(), out.order.end(),
            [&](std::size_t a, std::size_t b) { return in.points[a].x != in.points[b].x ? in.points[a].x < in.points[b].x : in.points[a].y < in.points[b].y; });

  // Ticks that leave each other room.
  const auto ticks = [&](double low, double high, bool across, std::vector<std::pair<float, double>>& marks) {
    float last = across ? -1e9F : 1e9F;
    std::vector<double> steps = in.logarithmic ? decades(low, high) : nice_ticks(low, high, 6);
    if (across && !in.x_steps.empty()) {
      steps.clear();
      for (const double t : in.x_steps)
        if (t >= low && t <= high) steps.push_back(t);
    }
    for (const double t : steps) {
      const float at = across ? x_of(t) : y_of(t);
      if (across ? at - last < 72 : last - at < 32) continue;
      marks.emplace_back(at, t);
      last = at;
    }
  };
  ticks(out.x_low, out.x_high, true, out.x_ticks);
  ticks(out.y_low, out.y_high, false, out.y_ticks);

  // Labels, front first, each to the right of its point, where nothing is in the way.
  struct Box {
    float x0, y0, x1, y1;
  };
  std::vector<Box> taken;
  for (const std::size_t i : out.order) {
    const ScatterPoint& p = in.points[i];
    if (p.label.empty() || !in.measure) continue;
    const ScatterMarks::At at = out.points[i];
    const Box box{at.x + p.radius + 4, at.y - 22, at.x + p.radius + 4 + in.measure(p.label), at.y - 4};
    if (box.x1 > out.right) continue;
    bool free = true;
    for (const Box& b : taken) free = free && (box.x1 < b.x0 || b.x1 < box.x0 || box.y1 < b.y0 || b.y1 < box.y0);
    for (std::size_t j = 0; free && j < out.points.size(); ++j)
      free = j == i || !in.points[j].front || out.points[j].x < box.x0 - 3 || out.points[j].x > box.x1 + 3 || out.points[j].y < box.y0 - 2 ||
             out.points[j].y > box.y1 + 2;
    if (!free) continue;
    taken.push_back(box);
    out.labels.push_back(i);
  }
  return out;
}

int paint_scatter(const Frame& f, const char* id, std::string_view description, const ScatterInput& in, int& lit) {
  const ScatterMarks m = layout_scatter(in);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string label = std::string(description) + "###" + id;
  const bool pressed = ImGui::InvisibleButton(label.c_str(), {std::max(1.0F, in.width), std::max(1.0F, in.height)}, ImGuiButtonFlags_EnableNav);
  if (m.points.empty()) return -1;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto p = [&](float x, float y) { return ImVec2(at.x + x, at.y + y); };
  const bool hovered = ImGui::IsItemHovered();
  if (lit >= static_cast<int>(in.points.size())) lit = -1;
  if (hovered) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    float nearest = kNear * kNear;
    lit = -1;
    for (std::size_t i = 0; i < m.points.size(); ++i) {
      const float dx = at.x + m.points[i].x - mouse.x, dy = at.y + m.points[i].y - mouse.y, d = dx * dx + dy * dy;
      // Of points at one place the first rank wins.
      if (d < nearest - (in.points[i].front ? 0.0F : 4.0F)) {
        nearest = d;
        lit = static_cast<int>(i);
      }
    }
    if (lit >= 0) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  } else if (const int step = arrow_step(); step != 0) {
    auto where = std::find(m.order.begin(), m.order.end(), static_cast<std::size_t>(std::max(0, lit)));
    std::ptrdiff_t index = lit < 0 ? (step > 0 ? -1 : static_cast<std::ptrdiff_t>(m.order.size())) : where - m.order.begin();
    index = std::clamp<std::ptrdiff_t>(index + step, 0, static_cast<std::ptrdiff_t>(m.order.size()) - 1);
    lit = static_cast<int>(m.order[static_cast<std::size_t>(index)]);
  }

  const auto place = [&](double v, bool across) {
    const double low = across ? m.x_low : m.y_low, high = across ? m.x_high : m.y_high;
    const double t = in.logarithmic ? std::log(std::max(v, 1e-12) / low) / std::log(high / low) : (v - low) / (high - low);
    return across ? m.left + (m.right - m.left) * static_cast<float>(t) : m.bottom - (m.bottom - m.top) * static_cast<float>(t);
  };
  if (in.limit_x) {
    const float x = std::clamp(place(*in.limit_x, true), m.left, m.right);
    list->AddRectFilled(p(x, m.top), p(m.right, m.bottom), with_alpha(f.c.over, 0.07F));
  }
  if (in.limit_y) {
    const float y = std::clamp(place(*in.limit_y, false), m.top, m.bottom);
    list->AddRectFilled(p(m.left, m.top), p(m.right, y), with_alpha(f.c.over, 0.07F));
  }
  for (const auto& [x, value] : m.x_ticks) {
    list->AddRectFilled(p(std::round(x), m.top), p(std::round(x) + 1, m.bottom), f.c.hairline);
    const std::string text = in.x_text(value);
    put(f, list, p(x - width_of(f, text, kSmallType) / 2, m.bottom + 6), text, kSmallType.in(f.c.secondary));
  }
  for (const auto& [y, value] : m.y_ticks) {
    list->AddRectFilled(p(m.left, std::round(y)), p(m.right, std::round(y) + 1), f.c.hairline);
    put_in(f, list, p(0, y - 10), p(m.left - 8, y + 10), in.y_text(value), kSmallType.in(f.c.secondary), 1);
  }
  put(f, list, p(0, 0), in.y_title, kSmallType.bold().in(f.c.secondary));
  put(f, list, p(m.right - width_of(f, in.x_title, kSmallType.bold()), m.bottom + 26), in.x_title, kSmallType.bold().in(f.c.secondary));
  if (in.diagonal) list->AddLine(p(m.left, m.bottom), p(m.right, m.top), f.c.edge, 1.5F);
  if (in.join_front) {
    const ScatterMarks::At* last = nullptr;
    for (const std::size_t i : m.order) {
      if (!in.points[i].front) continue;
      if (last != nullptr) {
        list->AddLine(p(last->x, last->y), p(m.points[i].x, last->y), f.c.edge, 1.5F);
        list->AddLine(p(m.points[i].x, last->y), p(m.points[i].x, m.points[i].y), f.c.edge, 1.5F);
      }
      last = &m.points[i];
    }
  }
  // The quiet ones first. Squares: four corners each, whatever their number.
  for (const bool front : {false, true})
    for (std::size_t i = 0; i < m.points.size(); ++i) {
      const ScatterPoint& point = in.points[i];
      if (point.front != front) continue;
      const ImVec2 c = p(m.points[i].x, m.points[i].y);
      if (front) {
        list->AddCircleFilled(c, point.radius, point.colour, 20);
        list->AddCircle(c, point.radius, f.c.page, 20, 1);
      } else {
        const float r = point.radius * 0.7F;
        list->AddRectFilled({c.x - r, c.y - r}, {c.x + r, c.y + r}, with_alpha(point.colour, 0.28F));
      }
    }
  for (const std::size_t i : m.labels) {
    const ImVec2 a = p(m.points[i].x + in.points[i].radius + 4, m.points[i].y - 21);
    list->AddRectFilled({a.x - 3, a.y - 1}, {a.x + width_of(f, in.points[i].label, kSmallType) + 3, a.y + kSmall + 1}, with_alpha(f.c.page, 0.85F), 3);
    put(f, list, a, in.points[i].label, kSmallType);
  }
  if (lit >= 0) {
    const std::size_t i = static_cast<std::size_t>(lit);
    list->AddCircle(p(m.points[i].x, m.points[i].y), in.points[i].radius + 4, f.c.text, 24, 2);
  }
  return pressed && lit >= 0 ? lit : -1;
}

}  // namespace gpudget::ui
