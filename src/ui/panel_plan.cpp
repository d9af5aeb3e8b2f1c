// Every way to do it: cost against time, one dot a kind of GPU and count, the front drawn, what one has and may spend as filters; the
// table beneath. A row chosen is the scenario. The search runs in slices: the page stays quick and shows what there is so far.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "formats/plan_json.h"
#include "formats/plan_text.h"
#include "ui/actions.h"
#include "ui/charts/scatter.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

constexpr double kSlice = 0.004;  // seconds of a frame that the search may take

PlanRequest request(const State& s) {
  const PlanState& p = s.plan;
  const Market market = p.spot ? Market::spot : Market::on_demand;
  PlanRequest r;
  r.base = s.scenario;
  r.market = market;
  r.max_gpus = static_cast<std::int64_t>(p.max_gpus);
  r.hardware = p.this_gpu ? formats::this_hardware(s.scenario, market) : formats::rentable_hardware(s.scenario, market);
  if (p.this_method) keep_method(r);
  if (!std::isnan(p.deadline_hours) && p.deadline_hours > 0) r.deadline = Seconds(p.deadline_hours * 3600);
  if (!std::isnan(p.budget) && p.budget > 0) r.budget = Usd(p.budget);
  return r;
}

void search(const Frame& f) {
  PlanState& p = f.s.plan;
  if (p.stale || p.revision != f.s.revision) {
    p.planner.start(request(f.s));
    p.revision = f.s.revision;
    p.stale = false;
    p.lit = -1;
  } else if (p.planner.progress().finished()) {
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  while (!p.planner.progress().finished() && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < kSlice) p.planner.step(4);
  p.result = p.planner.result();
  if (!p.planner.progress().finished()) f.keep_drawing(0.05);
}

// A label with a control at the right end of the column.
bool filter_number(const Frame& f, std::string_view label, const char* id, double& value, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float field = 120;
  put_in(f, ImGui::GetWindowDrawList(), at, {at.x + width - field - 8, at.y + f.target()}, label, kBodyType);
  ImGui::SetCursorScreenPos({at.x + width - field, at.y});
  bool cleared = false;
  const bool changed = number_field(f, label, id, value, false, field, f.text(Msg::plan_any), &cleared);
  if (cleared) value = std::numeric_limits<double>::quiet_NaN();
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, f.target()});
  return changed || cleared;
}

bool filters(const Frame& f) {
  PlanState& p = f.s.plan;
  static constexpr std::array<double, 9> kGpus{1, 2, 4, 8, 16, 32, 64, 128, 256};
  const float all = ImGui::GetContentRegionAvail().x;
  const int columns = all > 860 ? 3 : all > 560 ? 2 : 1;
  const float width = (all - 32 * static_cast<float>(columns - 1)) / static_cast<float>(columns), row = f.target() + 10;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  bool changed = false;
  int n = 0;
  const auto cell = [&] {
    const int line = n / columns;
    ImGui::SetCursorScreenPos({at.x + static_cast<float>(n % columns) * (width + 32), at.y + static_cast<float>(line) * row});
    ++n;
  };
  const auto two = [&](Msg label, const char* id, std::string_view a, std::string_view b, bool& second) {
    cell();
    const std::array<std::string, 2> names{std::string(a), std::string(b)};
    int chosen = second ? 1 : 0;
    if (choose(f, f.text(label), id, names, chosen, width)) {
      second = chosen == 1;
      changed = true;
    }
  };
  two(Msg::plan_hardware, "hardware", f.text(Msg::plan_all_gpus), f.text(Msg::plan_this_gpu), p.this_gpu);
  two(Msg::plan_method, "method", f.text(Msg::plan_all_methods), f.text(Msg::plan_this_method), p.this_method);
  two(Msg::plan_market, "market", f.text("choice.price.market.on_demand"), f.text("choice.price.market.spot"), p.spot);
  cell();
  changed = filter_number(f, f.text(Msg::plan_deadline), "deadline", p.deadline_hours, width) || changed;
  cell();
  changed = filter_number(f, f.text(Msg::plan_budget), "budget", p.budget, width) || changed;
  cell();
  const ImVec2 here = ImGui::GetCursorScreenPos();
  const std::string most = f.format(Msg::plan_max_gpus, {{"n", f.integer(static_cast<std::int64_t>(p.max_gpus))}});
  const float words = std::max(110.0F, width_of(f, most, kBodyType) + 12);
  put_in(f, ImGui::GetWindowDrawList(), here, {here.x + words, here.y + f.target()}, most, kBodyType);
  ImGui::SetCursorScreenPos({here.x + words, here.y + (f.target() - (f.s.options.coarse_pointer ? 40.0F : 24.0F)) / 2});
  changed = slider(f, most, "gpus", p.max_gpus, kGpus, width - words) || changed;
  ImGui::SetCursorScreenPos(at);
  const int lines = (n + columns - 1) / columns;
  ImGui::Dummy({all, row * static_cast<float>(lines)});
  return changed;
}

void rows(const Frame& f) {
  const std::vector<PlanRow> front = f.s.plan.result.front;  // choosing one starts a new search
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  hairline(f);
  for (std::size_t i = 0; i < front.size(); ++i) {
    const PlanRow& r = front[i];
    const std::string what = gpus_text(f, r.scenario), how = formats::way_text(f.language, r.scenario), why = formats::reasons_text(f.language, r);
    const std::string figures = f.duration(r.seconds_all_runs) + "  ·  " + f.money(r.usd_all_runs);
    const float right = width_of(f, figures, kBodyType.bold()), room = width - 16;
    const bool one_line = width_of(f, what, kBodyType.bold()) + right + 24 < room;
    const ImVec2 how_size = paragraph_size(f, how, kSmallType, room), why_size = why.empty() ? ImVec2(0, 0) : paragraph_size(f, why, kSmallType, room);
    const float height = 10 + 24 + (one_line ? 0.0F : 24.0F) + how_size.y + why_size.y + 10;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(i));
    const bool pressed = ImGui::InvisibleButton((what + ", " + figures + "###row").c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
    const bool chosen = r.scenario == f.s.scenario;
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (chosen || ImGui::IsItemHovered())
      list->AddRectFilled(at, {at.x + width, at.y + height}, chosen ? f.c.accent_wash : with_alpha(f.c.field, 0.6F), kRadius);
    float y = at.y + 10;
    put(f, list, {at.x + 8, y}, what, kBodyType.bold());
    if (!one_line) y += 24;
    put(f, list, {one_line ? at.x + width - 8 - right : at.x + 8, y}, figures, kBodyType.bold());
    y += 24;
    put_paragraph(f, list, {at.x + 8, y}, how, kSmallType.in(f.c.text), room);
    if (!why.empty()) put_paragraph(f, list, {at.x + 8, y + how_size.y}, why, kSmallType.in(f.c.secondary), room);
    ImGui::PopID();
    hairline(f);
    if (pressed && !chosen) set_scenario(f.s, r.scenario);
  }
}

void chart(const Frame& f) {
  PlanState& p = f.s.plan;
  ScatterInput in;
  in.width = ImGui::GetContentRegionAvail().x;
  in.height = f.narrow ? 280.0F : 340.0F;
  std::vector<std::size_t> dots;
  for (std::size_t i = 0; i < p.result.dots.size(); ++i) {
    const PlanDot& d = p.result.dots[i];
    if (d.hardware >= p.planner.request().hardware.size() || d.seconds.value() <= 0 || d.usd.value() <= 0) continue;
    ScatterPoint point;
    point.x = d.seconds.value();
    point.y = d.usd.value();
    point.front = d.on_front;
    point.colour = d.on_front ? f.c.accent : d.within ? f.c.secondary : f.c.over;
    point.radius = 4 + std::min(5.0F, std::log2(static_cast<float>(d.gpus)));
    const Gpu& gpu = p.planner.request().hardware[d.hardware].gpu;
    if (d.on_front) {
      point.label = d.gpus > 1 ? f.integer(d.gpus) + " × " : std::string();
      point.label += gpu.name.view();
    }
    in.points.push_back(std::move(point));
    dots.push_back(i);
  }
  if (p.planner.request().deadline) in.limit_x = p.planner.request().deadline->value();
  if (p.planner.request().budget) in.limit_y = p.planner.request().budget->value();
  in.x_steps = {10,       30,       60,    120,       300,       600,        1200,       1800,       3600,       7200,
                4 * 3600, 8 * 3600, 86400, 2 * 86400, 5 * 86400, 10 * 86400, 30 * 86400, 90 * 86400, 365 * 86400};
  in.x_title = f.text(Msg::verdict_time);
  in.y_title = f.text(Msg::verdict_cost);
  in.x_text = [&f](double v) {
    // Round figures of one unit: "30 min", not "30.0 min".
    const Msg unit = v < 60 ? Msg::unit_second : v < 3600 ? Msg::unit_minute : v < 86400 ? Msg::unit_hour : Msg::unit_day;
    const double in_unit = v / (v < 60 ? 1 : v < 3600 ? 60 : v < 86400 ? 3600 : 86400);
    return f.integer(static_cast<std::int64_t>(in_unit + 0.5)) + "\u00A0" + std::string(f.text(unit));
  };
  in.y_text = [&f](double v) { return v >= 10 ? i18n::money(f.language, Usd(std::round(v))) : f.money(Usd(v)); };
  in.measure = [&f](std::string_view t) { return width_of(f, t, kSmallType); };
  const int pressed = paint_scatter(f, "plan chart", f.text(Msg::plan_title), in, p.lit);
  const auto row_of = [&](const PlanDot& d) -> const PlanRow* {
    for (const PlanRow& r : p.result.front)
      if (r.scenario.gpus == d.gpus && r.scenario.gpu.id == p.planner.request().hardware[d.hardware].gpu.id) return &r;
    return nullptr;
  };
  if (p.lit >= 0 && static_cast<std::size_t>(p.lit) < dots.size()) {
    const PlanDot& d = p.result.dots[dots[static_cast<std::size_t>(p.lit)]];
    std::string words = "**" + (d.gpus > 1 ? f.integer(d.gpus) + " × " : std::string()) +
                        std::string(p.planner.request().hardware[d.hardware].gpu.name.view()) + "**\n" + f.duration(d.seconds) + "  ·  " + f.money(d.usd);
    if (const PlanRow* r = row_of(d)) words += "\n" + formats::way_text(f.language, r->scenario);
    if (ImGui::IsItemHovered() || ImGui::IsItemFocused()) tooltip_at_mouse(f, words);
  }
  if (pressed >= 0)
    if (const PlanRow* r = row_of(p.result.dots[dots[static_cast<std::size_t>(pressed)]])) {
      const Scenario chosen = r->scenario;
      set_scenario(f.s, chosen);
    }
}

}  // namespace

void plan_panel(const Frame& f) {
  heading(f, f.text(Msg::plan_title));
  if (f.s.scenario.method == Method::inference) {
    paragraph(f, f.text(Msg::time_no_training), kBodyType.in(f.c.secondary));
    return;
  }
  PlanState& p = f.s.plan;
  if (filters(f)) p.stale = true;
  search(f);
  gap(14);
  if (!p.result.front.empty()) {
    chart(f);
    gap(6);
  }
  const PlanProgress progress = p.planner.progress();
  if (!progress.finished()) {
    const double share = progress.of > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.of) : 0;
    share_bar(f, ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail().x, share, f.c.accent);
    gap(12);
  }
  paragraph(f, f.format(Msg::plan_counted, {{"n", f.integer(p.result.candidates)}, {"fit", f.integer(p.result.fitting)}}), kSmallType.in(f.c.secondary));
  gap(12);
  if (!p.result.front.empty()) {
    rows(f);
  } else if (progress.finished()) {
    std::string words(f.text(Msg::plan_nothing));
    if (p.result.nearest) words += " " + formats::nearest_text(f.language, *p.result.nearest, f.s.unit);
    paragraph(f, words);
  }
  gap(32);
}

}  // namespace gpudget::ui
