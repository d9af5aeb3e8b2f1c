// Published measurements against prediction, memory and speed: one dot a run on a line where the two agree, the errors as figures and by kind of run, the
// largest with what is known of why, and every dot's source; and memory against exact simulations.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "formats/accuracy_tables.h"
#include "formats/measurement_validation.h"
#include "formats/throughput_validation.h"
#include "formats/validation.h"
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

// What a part of the view is about, and on how many rows it stands.
void opening(const Frame& f, Msg title, Msg lead, std::size_t rows) {
  heading(f, f.text(title));
  paragraph(f, f.format(lead, {{"rows", f.integer(static_cast<std::int64_t>(rows))}}), kBodyType, std::min(ImGui::GetContentRegionAvail().x, 720.0F));
  gap(16);
}

template <class Errors>
void statistics(const Frame& f, const Errors& e) {
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

// A row of a list of errors: what, how far off, and why.
void worst_row(const Frame& f, std::string_view name, std::string_view detail, std::string_view error, std::string_view cause) {
  const float width = ImGui::GetContentRegionAvail().x;
  gap(8);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = width_of(f, error, kBodyType.bold());
  put_in(f, ImGui::GetWindowDrawList(), {at.x + width - right, at.y}, {at.x + width + 1, at.y + 22}, error, kBodyType.bold(), 1);
  paragraph(f, name, kBodyType, width - right - 16);
  paragraph(f, detail, kSmallType.in(f.c.secondary));
  if (!cause.empty()) paragraph(f, cause, kSmallType.in(f.c.secondary));
  gap(8);
  hairline(f);
}

void worst(const Frame& f, const formats::ThroughputValidation& v) {
  heading(f, f.text(Msg::accuracy_worst));
  hairline(f);
  for (const std::size_t i : v.worst) {
    if (i >= v.rows.size()) continue;
    const formats::ThroughputRow& r = v.rows[i];
    worst_row(f, title(r), configuration(f, r) + " · " + f.rate(TokensPerSecond(r.measured)) + " → " + f.rate(TokensPerSecond(r.left_out)),
              signed_percent(f, r.left_out_error(), 1), r.why.empty() ? std::string_view() : f.text(r.why));
  }
}

// Memory --------------------------------------------------------------------------------------------------------------------------------------------

using formats::MeasurementKind;
using formats::MeasurementRow;

std::string kind_name(const Frame& f, MeasurementKind kind) {
  const std::string_view id = formats::measurement_kind_name(kind);
  return std::string(i18n::text_or(f.language, "validate.kind." + std::string(id), id));
}

std::string title(const MeasurementRow& r) {
  const Scenario& s = r.scenario;
  return std::string(r.model) + ", " + (s.gpus > 1 ? std::to_string(s.gpus) + " × " : "") + std::string(s.gpu.name.view());
}

std::string configuration(const Frame& f, const MeasurementRow& r) {
  const Scenario& s = r.scenario;
  std::string text = group_name(f, name(s.method)) + " · " +
                     f.format(Msg::accuracy_tokens, {{"batch", f.integer(s.per_device_train_batch_size)}, {"length", f.integer(s.max_length)}});
  if (s.gradient_checkpointing != Checkpointing::none) text += " · " + std::string(f.text("field.gradient_checkpointing"));
  text += " · " + std::string(r.stack);
  if (!r.version.empty()) text += " (" + std::string(r.version) + ")";
  return text;
}

void memory_chart(const Frame& f, const formats::MeasurementValidation& v, MeasurementKind kind, int& lit) {
  ScatterInput in;
  std::vector<std::size_t> rows;  // what each point is of
  int chosen = -1;
  for (std::size_t i = 0; i < v.rows.size(); ++i) {
    const MeasurementRow& r = v.rows[i];
    if (r.kind != kind) continue;
    if (static_cast<int>(i) == lit) chosen = static_cast<int>(rows.size());
    ScatterPoint p;
    p.x = static_cast<double>(r.measured), p.y = static_cast<double>(r.predicted);
    p.front = r.cause.empty();
    p.colour = with_alpha(f.c.accent_text, r.cause.empty() ? 0.95F : 0.5F);
    p.radius = 3.5F;
    in.points.push_back(std::move(p));
    rows.push_back(i);
  }
  in.join_front = false, in.diagonal = true;
  in.width = ImGui::GetContentRegionAvail().x;
  in.height = std::min(420.0F, std::max(260.0F, in.width * 0.6F));
  in.x_title = f.text(Msg::accuracy_measured), in.y_title = f.text(Msg::accuracy_predicted);
  in.x_text = in.y_text = [&f](double value) { return f.size(bytes(static_cast<std::int64_t>(value))); };
  in.measure = [&f](std::string_view text) { return width_of(f, text, kSmallType); };
  int at = chosen;
  paint_scatter(f, "memory accuracy chart", f.text(Msg::accuracy_memory_title), in, at);
  // What was pointed at last stays, so that its source can be reached.
  if (at >= 0 && static_cast<std::size_t>(at) < rows.size()) lit = static_cast<int>(rows[static_cast<std::size_t>(at)]);
}

void memory_detail(const Frame& f, const formats::MeasurementValidation& v, MeasurementKind kind, int lit) {
  const float width = ImGui::GetContentRegionAvail().x, height = width < 560 ? 168.0F : 104.0F;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (lit < 0 || static_cast<std::size_t>(lit) >= v.rows.size() || v.rows[static_cast<std::size_t>(lit)].kind != kind) {
    paragraph(f, f.text(Msg::accuracy_point), kSmallType.in(f.c.secondary));
  } else {
    const MeasurementRow& r = v.rows[static_cast<std::size_t>(lit)];
    paragraph(f,
              "**" + title(r) + "** " + configuration(f, r) + "\n" + std::string(f.text(Msg::accuracy_measured)) + " " + f.size(bytes(r.measured)) + " · " +
                  std::string(f.text(Msg::accuracy_predicted)) + " " + f.size(bytes(r.predicted)) + " (" + signed_percent(f, r.error(), 1) + ")",
              kSmallType);
    if (!r.cause.empty()) paragraph(f, f.text(r.cause), kSmallType.in(f.c.secondary));
    if (f.s.options.links) {
      if (link(f, r.stack, "memory source", kSmallType)) f.host.open_link(r.url);
    } else {
      paragraph(f, r.stack, kSmallType.in(f.c.secondary));
    }
  }
  ImGui::SetCursorScreenPos({at.x, std::max(at.y + height, ImGui::GetCursorScreenPos().y)});
}

void memory_groups(const Frame& f, const formats::MeasurementValidation& v, MeasurementKind kind) {
  heading(f, f.text(Msg::accuracy_groups));
  const bool small = ImGui::GetContentRegionAvail().x < 560;
  columns_of(f, "", f.text(Msg::accuracy_rows), small ? "50 %" : f.text(Msg::accuracy_median), small ? "90 %" : f.text(Msg::accuracy_p90),
             f.text(Msg::accuracy_bias), kSmallType.in(f.c.secondary));
  hairline(f);
  const auto row = [&](const formats::MeasurementErrors& e, const std::string& name) {
    if (e.rows == 0 || e.kind != kind) return;
    columns_of(f, name, f.integer(static_cast<std::int64_t>(e.rows)), f.percent(e.median, 1), (small ? "" : "±") + f.percent(e.p90, 1),
               signed_percent(f, e.bias, 1), kBodyType);
  };
  for (const formats::MeasurementErrors& e : v.by_stack) row(e, std::string(e.group));
  hairline(f);
  for (const formats::MeasurementErrors& e : v.without_cause) row(e, f.format(Msg::validate_no_cause_group, {{"kind", kind_name(f, kind)}}));
  hairline(f);
}

void memory_worst(const Frame& f, const formats::MeasurementValidation& v, MeasurementKind kind) {
  heading(f, f.text(Msg::accuracy_worst));
  hairline(f);
  for (const std::size_t i : v.worst[static_cast<std::size_t>(kind)]) {
    const MeasurementRow& r = v.rows[i];
    worst_row(f, title(r), configuration(f, r) + " · " + f.size(bytes(r.measured)) + " → " + f.size(bytes(r.predicted)), signed_percent(f, r.error(), 1),
              r.cause.empty() ? f.text(Msg::validate_unexplained) : f.text(r.cause));
  }
  gap(12);
  const auto count = [&f](std::size_t n) { return f.integer(static_cast<std::int64_t>(n)); };
  paragraph(
      f,
      f.format(Msg::validate_limits,
               {{"rows", count(v.limits.rows)}, {"right", count(v.limits.right)}, {"within", count(v.limits.within_range)}, {"wrong", count(v.limits.wrong)}}),
      kBodyType);
  std::size_t out = 0;
  for (const formats::LeftOutRows& l : v.left_out) out += l.rows;
  std::string words = f.format(Msg::validate_left_out, {{"rows", count(out)}});
  for (const formats::LeftOutRows& l : v.left_out)
    words += "\n" + count(l.rows) + std::string(f.text(Msg::word_colon)) +
             std::string(i18n::text_or(f.language, "validate.left_out." + std::string(l.reason), l.reason));
  gap(8);
  paragraph(f, words, kSmallType.in(f.c.secondary));
}

void memory_section(const Frame& f) {
  AccuracyState& a = f.s.accuracy;
  if (!a.memory) a.memory = formats::validate_measurements();
  const formats::MeasurementValidation& v = *a.memory;
  opening(f, Msg::accuracy_memory_title, Msg::validate_memory_gpu_lead, v.rows.size());
  const std::array<std::string, formats::kMeasurementKinds> names{kind_name(f, MeasurementKind::allocated), kind_name(f, MeasurementKind::reserved),
                                                                  kind_name(f, MeasurementKind::device)};
  choose(f, f.text(Msg::accuracy_figure), "memory kind", names, a.kind, std::min(ImGui::GetContentRegionAvail().x, 620.0F));
  const auto kind = static_cast<MeasurementKind>(std::clamp(a.kind, 0, static_cast<int>(formats::kMeasurementKinds) - 1));
  gap(16);
  statistics(f, v.by_kind[static_cast<std::size_t>(kind)]);
  gap(16);
  memory_chart(f, v, kind, a.lit_memory);
  gap(6);
  memory_detail(f, v, kind, a.lit_memory);
  memory_groups(f, v, kind);
  memory_worst(f, v, kind);
}

void oracle_section(const Frame& f) {
  AccuracyState& a = f.s.accuracy;
  if (!a.oracle) a.oracle = formats::validate_memory();
  const formats::Validation& v = *a.oracle;
  opening(f, Msg::accuracy_oracle_title, Msg::validate_memory_lead, v.rows.size());
  const bool small = ImGui::GetContentRegionAvail().x < 560;
  columns_of(f, "", small ? "50 %" : f.text(Msg::accuracy_median), small ? "90 %" : f.text(Msg::accuracy_p90), small ? "100 %" : f.text(Msg::validate_worst),
             f.text(Msg::validate_phase_right), kSmallType.in(f.c.secondary));
  const auto row = [&](const formats::MemoryErrors& e, std::string_view name) {
    columns_of(f, name, f.percent(e.median, 2), f.percent(e.p90, 2), f.percent(e.worst, 2), f.percent(e.phase_name_right, 1), kBodyType);
  };
  hairline(f);
  for (const formats::MemoryErrors* e : {&v.first, &v.other, &v.held_out_first, &v.held_out_other})
    row(*e, i18n::text_or(f.language, "validate.group." + e->group, e->group));
  hairline(f);
  for (const formats::MemoryErrors& e : v.by_method) row(e, group_name(f, e.group));
  hairline(f);
  heading(f, f.text(Msg::accuracy_worst));
  hairline(f);
  for (const std::size_t i : v.worst) {
    const formats::MemoryRow& r = v.rows[i];
    worst_row(f, r.family + ", " + r.kind, r.id + " · " + f.size(bytes(r.measured)) + " → " + f.size(bytes(r.predicted)), signed_percent(f, r.error(), 2),
              r.cause.empty() ? f.text(Msg::validate_unexplained) : f.text(r.cause));
  }
}

// The page brings the measurements when this view is first opened. Returns whether they are here; says what is going on where they are not.
bool brought(const Frame& f) {
  if (formats::accuracy_tables_here()) return true;
  AccuracyState::File& file = f.s.accuracy.file;
  heading(f, f.text(Msg::accuracy_title));
  if (file == AccuracyState::File::wanted) {
    file = AccuracyState::File::coming;
    f.host.load_accuracy();
  }
  const bool failed = file == AccuracyState::File::failed;
  paragraph(f, f.text(failed ? Msg::accuracy_failed : Msg::accuracy_loading), kBodyType.in(f.c.secondary), std::min(ImGui::GetContentRegionAvail().x, 720.0F));
  if (!failed) return false;
  gap(12);
  if (button(f, f.text(Msg::accuracy_retry), "retry")) file = AccuracyState::File::wanted;
  return false;
}

}  // namespace

void accuracy_panel(const Frame& f) {
  if (!brought(f)) return;
  AccuracyState& a = f.s.accuracy;
  if (!a.speed) a.speed = formats::validate_throughput();
  const formats::ThroughputValidation& v = *a.speed;
  heading(f, f.text(Msg::accuracy_title));
  memory_section(f);
  oracle_section(f);
  opening(f, Msg::accuracy_speed_title, Msg::accuracy_speed_lead, v.rows.size());
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
