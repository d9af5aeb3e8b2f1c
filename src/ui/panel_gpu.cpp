// The GPU: the catalog by class, with memory and price; in the desktop program "this computer" first, with what is free now.
#include <array>

#include "catalog/catalog.h"
#include "ui/actions.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {

void gpu_picker(const Frame& f, float width) {
  static constexpr std::size_t kShown = 512;
  static constexpr std::array<std::string_view, 3> kClasses{"question.gpu_class.datacenter", "question.gpu_class.workstation", "question.gpu_class.consumer"};
  const Scenario& s = f.s.scenario;
  if (begin_menu(f, f.text("field.gpu"), "gpu", s.gpu.name.view(), width, 400)) {
    if (ImGui::IsWindowAppearing()) {
      f.s.gpu_query.clear();
      ImGui::SetKeyboardFocusHere();
    }
    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter);
    text_field(f, f.text(Msg::ui_search), "search", f.s.gpu_query, ImGui::GetContentRegionAvail().x, f.text(Msg::question_gpu_search), Icon::search);
    const bool searching = ImGui::IsItemFocused() || ImGui::IsItemDeactivated();
    gap(6);
    const auto pick = [&](std::string_view id) {
      set_field(f.s, "gpu", std::string(id));
      ImGui::CloseCurrentPopup();
    };
    if (f.s.gpu_query.empty()) {
      for (const probe::Gpu& local : f.s.local.gpus) {
        const std::string free = f.size(local.free), total = f.size(local.total);
        std::string row = "local ";
        row += std::to_string(local.index);
        if (menu_row(f, f.text(Msg::question_this_computer), row, false, {},
                     local.name + " · " + f.format(Msg::question_free_now, {{"free", free}, {"total", total}})))
          if (const std::string_view id = catalog::nearest_gpu(local.name); !id.empty()) pick(id);
      }
    }
    std::array<const Gpu*, kShown> found{};
    const std::size_t n = catalog::search_gpus(f.s.gpu_query, found);
    if (enter && searching && n > 0 && !f.s.gpu_query.empty()) pick(found[0]->id.view());
    int group = -1;
    for (std::size_t i = 0; i < n; ++i) {
      const Gpu& g = *found[i];
      if (const int c = static_cast<int>(catalog::class_of(g)); f.s.gpu_query.empty() && c != group) {
        group = c;
        gap(6);
        line(f, f.text(kClasses[static_cast<std::size_t>(c)]), kSmallType.bold().in(f.c.secondary));
      }
      std::string note = f.size(g.memory);
      if (const auto quote = catalog::quote(g.id.view()); quote && quote->on_demand.value() > 0) {
        const std::string price = f.money(Usd(quote->on_demand.value()));
        note += "  ·  ";
        note += f.format(Msg::question_per_hour, {{"price", price}});
      }
      if (menu_row(f, g.name.view(), g.id.view(), g.id == s.gpu.id, note)) pick(g.id.view());
    }
    if (n == 0) paragraph(f, f.format(Msg::ui_no_match, {{"query", f.s.gpu_query}}), kSmallType.in(f.c.secondary));
    end_menu();
  }
  gap(6);
  std::string beneath = f.size(s.gpu.memory);
  if (s.quote.on_demand.value() > 0) {
    const UsdPerHour hour = s.price.usd_per_gpu_hour.value_or(s.price.market == Market::spot ? s.quote.spot : s.quote.on_demand);
    const std::string price = f.money(Usd(hour.value())), date = s.quote.date.empty() ? std::string() : i18n::date(f.language, s.quote.date.view());
    beneath += "  ·  ";
    beneath += f.format(Msg::question_price_dated, {{"price", price}, {"provider", s.quote.provider.view()}, {"date", date}});
  }
  paragraph(f, beneath, kSmallType.in(f.c.secondary));
}

void provider_picker(const Frame& f, float width) {
  std::vector<std::string> names{std::string(f.text("choice.price.provider.null"))};
  int chosen = 0;
  const auto providers = catalog::providers();
  for (const std::string_view p : providers) {
    if (f.s.scenario.price.provider.view() == p) chosen = static_cast<int>(names.size());
    names.emplace_back(p);
  }
  std::vector<std::string> notes{std::string()};
  for (const std::string_view p : providers) {
    const auto quote = catalog::quote(f.s.scenario.gpu.id.view(), p, f.s.scenario.price.market);
    const double hour = !quote ? 0 : f.s.scenario.price.market == Market::spot ? quote->spot.value() : quote->on_demand.value();
    notes.push_back(hour > 0 ? f.format(Msg::question_per_hour, {{"price", f.money(Usd(hour))}}) : std::string("–"));
  }
  if (choose(f, f.text("field.price.provider"), "provider", names, chosen, width, notes)) {
    if (chosen == 0)
      set_field(f.s, "price.provider", formats::Value{});
    else
      set_field(f.s, "price.provider", std::string(providers[static_cast<std::size_t>(chosen - 1)]));
  }
}

}  // namespace gpudget::ui
