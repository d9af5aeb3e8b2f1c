// Tokens, steps, seconds, dollars: a chain of visible products, on demand and spot, and what bounds the speed.
#include <algorithm>
#include <chrono>

#include "core/price_age.h"
#include "formats/course_speed.h"
#include "ui/actions.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

void link_of_chain(const Frame& f, std::string_view label, const std::string& value, const std::string& how) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, value_width = width_of(f, value, kBodyType.bold()) + 1;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool two = width < 620;
  const float label_width = two ? width - value_width - 8 : std::min(220.0F, width * 0.4F);
  put_in(f, list, at, {at.x + label_width, at.y + 44}, label, kBodyType.in(f.c.secondary));
  put_in(f, list, {at.x + label_width, at.y}, {two ? at.x + width : at.x + label_width + 200, at.y + 44}, value, kBodyType.bold(), two ? 1.0F : 0.0F);
  if (two) {
    ImGui::SetCursorScreenPos({at.x, at.y + 36});
    paragraph(f, how, kSmallType.in(f.c.secondary));
    gap(8);
  } else {
    const float x = at.x + label_width + 208, room = width - label_width - 208;
    const ImVec2 size = paragraph_size(f, how, kSmallType, room);
    const float height = std::max(44.0F, size.y + 12);
    put_paragraph(f, list, {x, at.y + (height - size.y) / 2}, how, kSmallType.in(f.c.secondary), room);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, height});
  }
  hairline(f);
}

void market(const Frame& f, Market which, Usd cost, float width) {
  const bool chosen = f.s.scenario.price.market == which;
  std::string id = "choice.price.market.";
  id += name(which);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float height = 104;
  list->AddRectFilled(at, {at.x + width, at.y + height}, chosen ? f.c.accent_wash : f.c.panel, kRadius + 2);
  put(f, list, {at.x + 16, at.y + 12}, f.text(id), kSmallType.in(f.c.secondary));
  put(f, list, {at.x + 16, at.y + 34}, cost.value() > 0 ? f.money(cost) : "–", kSectionType);
  ImGui::SetCursorScreenPos({at.x + 16, at.y + height - 36});
  if (chosen)
    put_in(f, list, {at.x + 16, at.y + height - 36}, {at.x + width, at.y + height - 12}, f.text(Msg::time_chosen), kSmallType.bold().in(f.c.accent_text));
  else if (link(f, f.text(Msg::time_choose), name(which).data(), kSmallType.bold()))
    set_field(f.s, "price.market", std::string(name(which)));
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

Text<12> today() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return date_of_days(std::chrono::duration_cast<std::chrono::hours>(since).count() / 24);
}

}  // namespace

void time_panel(const Frame& f) {
  const Scenario& s = f.s.scenario;
  const Estimate& e = f.s.estimate;
  heading(f, f.text(Msg::time_title));
  if (s.method == Method::inference) {
    paragraph(f, f.text(Msg::time_no_training), kBodyType.in(f.c.secondary));
    return;
  }
  const std::string training = f.integer(e.time.training_tokens), dataset = f.integer(e.time.training_tokens / std::max<std::int64_t>(1, s.epochs));
  hairline(f);
  link_of_chain(f, f.text(Msg::time_dataset), dataset + " tokens",
                s.dataset.by_tokens
                    ? std::string()
                    : f.format(Msg::time_dataset_how, {{"examples", f.integer(s.dataset.examples)}, {"tokens", f.integer(s.dataset.tokens_per_example)}}));
  link_of_chain(f, f.text(Msg::time_training), training + " tokens", f.format(Msg::time_training_how, {{"tokens", dataset}, {"epochs", f.integer(s.epochs)}}));
  link_of_chain(
      f, f.text(Msg::time_steps), f.integer(e.time.steps),
      f.format(Msg::time_steps_how, {{"tokens", training}, {"per", f.integer(e.compute.tokens_per_step)}, {"seconds", f.duration(e.compute.step_seconds)}}));
  link_of_chain(f, f.text(Msg::verdict_time), f.duration(e.time.seconds),
                f.format(Msg::time_time_how, {{"tokens", training}, {"rate", f.rate(e.compute.tokens_per_second)}}));
  const UsdPerHour hour = s.price.usd_per_gpu_hour.value_or(s.price.market == Market::spot ? s.quote.spot : s.quote.on_demand);
  if (e.cost.usd.value() > 0)
    link_of_chain(f, f.text(Msg::verdict_cost), f.money(e.cost.usd),
                  f.format(Msg::time_cost_how, {{"time", f.duration(e.time.seconds)}, {"gpus", gpus_text(f, s)}, {"price", f.money(Usd(hour.value()))}}));
  else
    problems_of(f, "price.usd_per_gpu_hour");
  if (s.runs > 1 && e.cost.usd_all_runs.value() > 0)
    link_of_chain(f, f.format(Msg::time_all, {{"runs", f.integer(s.runs)}}), f.money(e.cost.usd_all_runs),
                  f.format(Msg::time_all_how, {{"money", f.money(e.cost.usd)}, {"runs", f.integer(s.runs)}, {"time", f.duration(e.time.seconds_all_runs)}}));
  if (!e.cost.priced_on.empty()) {
    gap(8);
    paragraph(f, f.format(Msg::time_source, {{"date", i18n::date(f.language, e.cost.priced_on.view())}, {"source", e.cost.source.view()}}),
              kSmallType.in(f.c.secondary));
    if (price_is_old(e.cost.priced_on.view(), today().view())) {
      gap(4);
      paragraph(f, f.text(Msg::problem_price_old), kSmallType);
    }
  }
  if (e.cost.usd_on_demand.value() > 0 || e.cost.usd_spot.value() > 0) {
    heading(f, f.text(Msg::time_markets));
    const float width = ImGui::GetContentRegionAvail().x, one = std::min(280.0F, (width - 16) / 2);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    market(f, Market::on_demand, e.cost.usd_on_demand, one);
    ImGui::SetCursorScreenPos({at.x + one + 16, at.y});
    market(f, Market::spot, e.cost.usd_spot, one);
    if (e.cost.usd_on_demand.value() > 0 && e.cost.usd_spot.value() > 0 && e.cost.usd_spot < e.cost.usd_on_demand) {
      gap(10);
      paragraph(f, f.format(Msg::time_spot_saves, {{"share", f.percent(1 - e.cost.usd_spot / e.cost.usd_on_demand)}}), kSmallType.in(f.c.secondary));
    }
  }
  heading(f, f.text(Msg::time_speed));
  std::string bound = "bound.";
  bound += name(e.compute.bound);
  paragraph(f, f.format(Msg::time_bound, {{"bound", f.text(bound)}, {"mfu", f.percent(e.compute.mfu)}}));
  if (e.compute.tokens_per_second_high.value() > 0) {
    gap(4);
    paragraph(f, f.format(Msg::time_range, {{"low", f.rate(e.compute.tokens_per_second_low)}, {"high", f.rate(e.compute.tokens_per_second_high)}}),
              kSmallType.in(f.c.secondary));
  }
  if (const auto course = formats::compare_speed_with_course(s, e)) {
    gap(8);
    paragraph(f, formats::course_speed_text(f.language, *course), kSmallType.in(f.c.secondary));
  }
  gap(24);
}

}  // namespace gpudget::ui
