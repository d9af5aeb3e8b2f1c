// Published measurements against prediction: one dot a run on a line where the two agree, the errors as figures and by kind of run, the
// largest with what is known of why, and every dot's source.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "formats/throughput_validation.h"
#include "ui/charts/scatter.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

std::string signed_percent(const Frame& f, double ratio, int digits = 0) { return (ratio >= 0 ? "+" : "−") + f.percent(std::fabs(ratio), digits); }

std::string gpu_name(std::string_view id) {
  const Gpu* g = catalog::find_gpu(id);
  return g != nullptr ? std::string(g->name.view()) : std::string(id);
}

std::string group_name(const Frame& f, std::string_view group) {
  if (catalog::find_gpu(group) != nullptr) return gpu_name(group);
  std::string id = "choice.method.";
  id += group;
  return std::string(i18n::text_or(f.language, id, group));
}

std::string title(const formats::ThroughputRow& r) {
  return std::string(r.model) + ", " + (r.gpus > 1 ? std::to_string(r.gpus) + " × " : "") + gpu_name(r.gpu);
}

std::string configuration(const Frame& f, const formats::ThroughputRow& r) {
  const std::string batch = f.integer(r.micro_batch), length = f.integer(r.max_length);
  std::string text = group_name(f, r.method) + " · " + f.format(Msg::accuracy_tokens, {{"batch", batch}, {"length", length}});
  if (r.checkpointing) text += " · " + std::string(f.text("field.gradient_checkpointing"));
  return text;
}

void statistics(const Frame& f, const formats::ThroughputErrors& e) {
  struct Cell {
    Msg label;
    std::string value;
  };
  const std::array<Cell, 4> cells{{{Msg::accuracy_median, f.percent(e.median, 1)},
                                   {Msg::accuracy_p90, "±" + f.percent(e.p90, 1)},
                                   {Msg::accuracy_bias, signed_percent(f, e.bias, 1)},
                                   {Msg::accuracy_within, f.percent(e.within_range)}}};
  const float all = ImGui::GetContentRegionAvail().x;
  const int columns = all < 620 ? 2 : 4;
  const float width = all / static_cast<float>(columns);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int i = 0; i < 4; ++i) {
    const Cell& cell = cells[static_cast<std::size_t>(i)];
    const int line = i / columns;
    const float x = at.x + static_cast<float>(i % columns) * width, y = at.y + static_cast<float>(line) * 58;
    put_in(f, list, {x, y}, {x + width - 12, y + kSmall}, f.text(cell.label), kSmallType.in(f.c.secondary));
    put(f, list, {x, y + 20}, cell.value, kSectionType, width - 12);
  }
  const int lines = 4 / columns;
  ImGui::Dummy({all, static_cast<float>(lines) * 58 - 8});
}

// The run under the pointer or the keys; a fixed height, so that nothing moves as the pointer does.
void detail(const Frame& f, const formats::ThroughputValidation& v) {
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const int lit = f.s.accuracy.lit;
  const float height = width < 560 ? 104.0F : 66.0F;
  if (lit < 0 || static_cast<std::size_t>(lit) >= v.rows.size()) {
    std::string words(f.text(Msg::accuracy_point));
    if (v.all.rows < v.rows.size()) words += " " + std::string(f.text(Msg::accuracy_quiet));
    paragraph(f, words, kSmallType.in(f.c.secondary));
  } else {
    const formats::ThroughputRow& r = v.rows[static_cast<std::size_t>(lit)];
    const std::string measured = f.rate(TokensPerSecond(r.measured)), predicted = f.rate(TokensPerSecond(r.left_out));
    paragraph(f,
              "**" + title(r) + "** " + configuration(f, r) + "\n" + std::string(f.text(Msg::accuracy_measured)) + " " + measured + " · " +
                  std::string(f.text(Msg::accuracy_predicted)) + " " + predicted + " (" + signed_percent(f, r.left_out_error(), 1) + ")",
              kSmallType);
    if (f.s.options.links && !r.url.empty()) {
      if (link(f, r.source, "source", kSmallType)) f.host.open_link(r.url);
    } else {
      paragraph(f, r.source, kSmallType.in(f.c.secondary));
    }
  }
  ImGui::SetCursorScreenPos({at.x, std::max(at.y + height, ImGui::GetCursorScreenPos().y)});
}

void chart(const Frame& f, const formats::ThroughputValidation& v) {
  ScatterInput in;
  for (const formats::ThroughputRow& r : v.rows) {
    ScatterPoint p;
    p.x = r.measured;
    p.y = r.left_out;
    p.front = r.in_goal;
    p.colour = r.in_goal ? with_alpha(f.c.accent_text, 0.75F) : f.c.secondary;
    p.radius = 3.5F;
    in.points.push_back(std::move(p));
  }
  in.join_front = false;
  in.diagonal = true;
  in.width = ImGui::GetContentRegionAvail().x;
  in.height = std::min(420.0F, std::max(260.0F, in.width * 0.6F));
  const std::string unit(f.text(Msg::accuracy_per_gpu));
  in.x_title = std::string(f.text(Msg::accuracy_measured)) + ", " + unit;
  in.y_title = std::string(f.text(Msg::accuracy_predicted)) + ", " + unit;
  in.x_text = in.y_text = [&f](double value) { return f.integer(static_cast<std::int64_t>(value + 0.5)); };
  in.measure = [&f](std::string_view text) { return width_of(f, text, kSmallType); };
  const int before = f.s.accuracy.lit;
  paint_scatter(f, "accuracy chart", f.text(Msg::accuracy_title), in, f.s.accuracy.lit);
  // What was pointed at last stays, so that its source can be reached.
  if (f.s.accuracy.lit < 0) f.s.accuracy.lit = before;
}

void columns_of(const Frame& f, std::string_view name, std::string_view rows, std::string_view median, std::string_view p90, std::string_view bias, Type type) {
  const float width = ImGui::GetContentRegionAvail().x, column = width < 560 ? 60.0F : 120.0F;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::array<std::string_view, 4> cells{rows, median, p90, bias};
  const int shown = width < 560 ? 3 : 4;
  const float room = width - column * static_cast<float>(shown) - 8;
  const ImVec2 size = paragraph_size(f, name, type, room);
  const float height = std::max(32.0F, size.y + 8);
  put_paragraph(f, list, {at.x, at.y + (height - size.y) / 2}, name, type, room);
  for (int i = 0; i < shown; ++i) {
    const float right = at.x + width - column * static_cast<float>(shown - 1 - i);
    put_in(f, list, {right - column + 4, at.y}, {right, at.y + height}, cells[static_cast<std::size_t>(i)], type, 1);
  }
  ImGui::Dummy({width, height});
}

void groups(const Frame& f, const formats::ThroughputValidation& v) {
  heading(f, f.text(Msg::accuracy_groups));
  const bool small = ImGui::GetContentRegionAvail().x < 560;
  columns_of(f, "", f.text(Msg::accuracy_rows), small ? "50 %" : f.text(Msg::accuracy_median), small ? "90 %" : f.text(Msg::accuracy_p90),
             f.text(Msg::accuracy_bias), kSmallType.in(f.c.secondary));
  for (const auto* list : {&v.by_method, &v.by_gpu, &v.by_source}) {
    hairline(f);
    for (const formats::ThroughputErrors& e : *list)
      columns_of(f, group_name(f, e.group), f.integer(static_cast<std::int64_t>(e.rows)), f.percent(e.median, 1), (small ? "" : "±") + f.percent(e.p90, 1),
                 signed_percent(f, e.bias, 1), kBodyType);
  }
  hairline(f);
}

void worst(const Frame& f, const formats::ThroughputValidation& v) {
  heading(f, f.text(Msg::accuracy_worst));
  const float width = ImGui::GetContentRegionAvail().x;
  hairline(f);
  for (const std::size_t i : v.worst) {
    if (i >= v.rows.size()) continue;
    const formats::ThroughputRow& r = v.rows[i];
    const std::string error = signed_percent(f, r.left_out_error(), 1);
    gap(8);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = width_of(f, error, kBodyType.bold());
    put_in(f, ImGui::GetWindowDrawList(), {at.x + width - right, at.y}, {at.x + width + 1, at.y + 22}, error, kBodyType.bold(), 1);
    paragraph(f, title(r), kBodyType, width - right - 16);
    paragraph(f, configuration(f, r) + " · " + f.rate(TokensPerSecond(r.measured)) + " → " + f.rate(TokensPerSecond(r.left_out)), kSmallType.in(f.c.secondary));
    if (!r.why.empty()) paragraph(f, f.text(r.why), kSmallType.in(f.c.secondary));
    gap(8);
    hairline(f);
  }
}

}  // namespace

void accuracy_panel(const Frame& f) {
  AccuracyState& a = f.s.accuracy;
  if (!a.speed) a.speed = formats::validate_throughput();
  const formats::ThroughputValidation& v = *a.speed;
  heading(f, f.text(Msg::accuracy_title));
  paragraph(f, f.format(Msg::accuracy_speed_lead, {{"rows", f.integer(static_cast<std::int64_t>(v.rows.size()))}}), kBodyType,
            std::min(ImGui::GetContentRegionAvail().x, 720.0F));
  gap(16);
  statistics(f, v.all);
  gap(16);
  chart(f, v);
  gap(6);
  detail(f, v);
  groups(f, v);
  worst(f, v);
  gap(32);
}

}  // namespace gpudget::ui
