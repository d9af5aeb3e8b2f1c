// The chapter's seven items for this scenario: done, or what each would save and cost, with a button that does it. Then the other ways.
#include "course/chapter.h"
#include "ui/actions.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

std::string effect(const Frame& f, const Advice& a) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (a.saves > Bytes{}) add(f.format(Msg::checklist_saves, {{"size", f.size(a.saves)}}));
  if (a.makes_it_fit) add(std::string(f.text(Msg::checklist_fits_then)));
  if (a.saves_usd.value() > 0.005) add(f.format(Msg::checklist_saves_money, {{"money", f.money(a.saves_usd)}}));
  if (a.costs.value() >= 1) add(f.format(Msg::checklist_slower, {{"time", f.duration(a.costs)}}));
  if (a.costs.value() <= -1) add(f.format(Msg::checklist_faster, {{"time", f.duration(Seconds(-a.costs.value()))}}));
  return text;
}

void item(const Frame& f, const Advice& a) {
  std::string id = "advice.";
  id += name(a.id);
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string_view apply_words = f.text(Msg::ui_apply);
  const bool can = a.applicable && !a.enabled;
  const float action = can ? button_width(f, apply_words) : 0, room = width - 36 - (can ? action + 16 : 0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 centre{at.x + 11, at.y + 25};
  if (a.enabled) {
    list->AddCircleFilled(centre, 11, f.c.fits, 32);
    draw_icon(list, Icon::check, centre, f.s.options.theme == Theme::dark ? f.c.page : f.c.on_accent, 13);
  } else {
    list->AddCircle(centre, 10.25F, can ? f.c.edge : f.c.hairline, 32, 1.5F);
  }
  ImGui::SetCursorScreenPos({at.x + 36, at.y + 13});
  ImGui::BeginGroup();
  paragraph(f, f.text(id), kBodyType.bold(), room);
  paragraph(f, f.text(id + ".why"), kSmallType.in(f.c.secondary), room);
  const std::string what = a.enabled                            ? std::string(f.text(Msg::checklist_done))
                           : can                                ? effect(f, a)
                           : a.id == AdviceId::memory_profiling ? std::string()
                                                                : std::string(f.text(Msg::checklist_nothing));
  if (!what.empty()) {
    gap(2);
    paragraph(f, what, kSmallType.bold().in(can ? f.c.fits_text : f.c.secondary), room);
  }
  if (a.id == AdviceId::memory_profiling) {
    gap(6);
    code_block(f, course::code("profiling"), "profiling");
  }
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + 13;
  if (can) {
    ImGui::SetCursorScreenPos({at.x + width - action, at.y + 12});
    if (button(f, apply_words, (std::string(f.text(id)) + " apply").c_str(), a.makes_it_fit ? Look::primary : Look::quiet)) apply(f.s, a.id);
  }
  ImGui::SetCursorScreenPos({at.x, bottom});
  hairline(f);
}

}  // namespace

void checklist_panel(const Frame& f) {
  constexpr std::size_t kChapter = 7;  // the first seven ids are the chapter's
  heading(f, f.text(Msg::checklist_title));
  hairline(f);
  const AdviceList all = f.s.advice;  // applying one renews the list
  for (std::size_t i = 0; i < kChapter; ++i)
    for (const Advice& a : all.view())
      if (a.id == static_cast<AdviceId>(i)) {
        ImGui::PushID(static_cast<int>(i));
        item(f, a);
        ImGui::PopID();
      }
  bool titled = false;
  for (const Advice& a : all.view()) {
    if (static_cast<std::size_t>(a.id) < kChapter || (!a.applicable && !a.enabled)) continue;
    if (!titled) {
      heading(f, f.text(Msg::checklist_more_title));
      hairline(f);
      titled = true;
    }
    ImGui::PushID(static_cast<int>(a.id));
    item(f, a);
    ImGui::PopID();
  }
  gap(24);
}

}  // namespace gpudget::ui
