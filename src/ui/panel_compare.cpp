// Up to four scenarios beside the one on show: bars on one scale, and what differs in the question.
#include <algorithm>
#include <cmath>

#include "formats/schema.h"
#include "ui/actions.h"
#include "ui/charts/stacked_bar.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

std::string differences(const Frame& f, const Scenario& of) {
  std::string words;
  for (const formats::Field& field : formats::fields()) {
    if (field.get(of) == field.get(f.s.scenario)) continue;
    std::string id = "field.";
    id += field.path;
    words += (words.empty() ? "" : " · ") + std::string(f.text(id)) + std::string(f.text(Msg::word_colon)) + "**" + field_words(f, field, of) + "**";
  }
  return words.empty() ? std::string(f.text(Msg::compare_same)) : words;
}

void one(const Frame& f, const Scenario& s, const Estimate& e, std::string_view title, const std::string& beneath, Bytes scale, int index) {
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushID(index);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::string right = f.size(e.memory.device);
  if (e.time.seconds.value() > 0) right += "  ·  " + f.duration(e.time.seconds);
  if (e.cost.usd.value() > 0) right += "  ·  " + f.money(e.cost.usd);
  const float figures = width_of(f, right, kBodyType);
  if (width_of(f, title, kBodyType.bold()) + figures + 24 <= width) {
    put_in(f, list, at, {at.x + width, at.y + 32}, title, kBodyType.bold());
    put_in(f, list, {at.x + width - figures, at.y}, {at.x + width + 1, at.y + 32}, right, kBodyType, 1);
    ImGui::Dummy({width, 36});
  } else {
    paragraph(f, title, kBodyType.bold());
    paragraph(f, right);
    gap(6);
  }
  BarInput in;
  in.parts = bar_parts(f, e.memory);
  in.total = e.memory.device;
  in.capacity = e.memory.capacity;
  in.scale = scale;
  in.width = width;
  in.bar = 22;
  in.labels = false;
  paint_bar(f, "bar", in, layout_bar(in));
  gap(10);
  if (!beneath.empty()) paragraph(f, beneath, kSmallType.in(f.c.secondary));
  if (index >= 0) {
    gap(2);
    const float y = ImGui::GetCursorScreenPos().y;
    if (link(f, f.text(Msg::compare_open), "open", kSmallType)) set_scenario(f.s, s);
    ImGui::SetCursorScreenPos({at.x + width_of(f, f.text(Msg::compare_open), kSmallType) + 20, y});
    if (link(f, f.text(Msg::compare_remove), "remove", kSmallType)) unpin(f.s, static_cast<std::size_t>(index));
  }
  gap(14);
  hairline(f);
  gap(10);
  ImGui::PopID();
}

}  // namespace

std::string field_words(const Frame& f, const formats::Field& field, const Scenario& s) {
  if (field.path == "model") return std::string(s.model.name.view());
  if (field.path == "gpu") return std::string(s.gpu.name.view());
  const formats::Value v = field.get(s);
  if (const auto* b = std::get_if<bool>(&v)) return std::string(f.text(*b ? Msg::ui_on : Msg::ui_off));
  if (const auto* i = std::get_if<std::int64_t>(&v)) return f.integer(*i);
  if (const auto* d = std::get_if<double>(&v)) return i18n::significant(f.language, *d);
  std::string id = "choice.";
  id += field.path;
  id += '.';
  const auto* text = std::get_if<std::string>(&v);
  const std::string last = text != nullptr ? *text : "null";
  return std::string(i18n::text_or(f.language, id + last, text != nullptr ? *text : "–"));
}

void compare_panel(const Frame& f) {
  heading(f, f.text(Msg::compare_title));
  if (f.s.pins.empty()) paragraph(f, f.text(Msg::compare_none), kBodyType.in(f.c.secondary));
  gap(10);
  if (button(f, f.text(Msg::compare_pin), "pin", f.s.pins.empty() ? Look::primary : Look::quiet, Icon::pin, 0, f.s.pins.size() < kMaxPins)) pin(f.s);
  gap(18);
  hairline(f);
  gap(10);
  Bytes scale = std::max(f.s.estimate.memory.device, f.s.estimate.memory.capacity);
  for (const Pin& p : f.s.pins) scale = std::max({scale, p.estimate.memory.device, p.estimate.memory.capacity});
  scale += bytes(scale.in_bytes() / 50);
  const std::string now = std::string(f.s.scenario.model.name.view()) + ", " + gpus_text(f, f.s.scenario);
  one(f, f.s.scenario, f.s.estimate, f.text(Msg::compare_now), now, scale, -1);
  const std::vector<Pin> pins = f.s.pins;  // removing one changes the list
  for (std::size_t i = 0; i < pins.size(); ++i) {
    const std::string title = std::string(pins[i].scenario.model.name.view()) + ", " + gpus_text(f, pins[i].scenario);
    one(f, pins[i].scenario, pins[i].estimate, title, differences(f, pins[i].scenario), scale, static_cast<int>(i));
  }
  gap(16);
}

}  // namespace gpudget::ui
