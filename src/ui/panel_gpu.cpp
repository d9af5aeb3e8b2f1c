// The GPU: the catalog by class, with memory and price; in the desktop program "this computer" first, with what is free now.
#include <algorithm>
#include <array>

#include "catalog/catalog.h"
#include "catalog/local_gpu.h"
#include "core/estimate.h"
#include "formats/local_fit.h"
#include "formats/resolve.h"
#include "ui/actions.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

std::optional<Bytes> free_of(const probe::Gpu& local) { return local.used_known ? std::optional(local.free) : std::nullopt; }

std::string free_now(const Frame& f, const probe::Gpu& local) {
  std::string total = f.size(local.total);
  if (!local.used_known) return total;
  const std::string free = f.size(local.free);
  return f.format(Msg::question_free_now, {{"free", free}, {"total", total}});
}

void use_local(const Frame& f, const probe::Gpu& local) {
  Scenario scenario = f.s.scenario;
  scenario.gpu = catalog::local_gpu(local.name, local.total);
  formats::resolve_quote(scenario);
  set_scenario(f.s, scenario, "gpu");
}

// What this scenario would find on the computer's own GPUs: in what is free now and in the whole. Equal ones once.
void this_computer(const Frame& f) {
  static constexpr std::size_t kMost = 4;
  const auto& gpus = f.s.local.gpus;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < gpus.size() && shown < kMost; ++i) {
    const auto same = [&](const probe::Gpu& g) { return g.name == gpus[i].name && g.total == gpus[i].total && g.free == gpus[i].free; };
    if (std::any_of(gpus.begin(), gpus.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    ++shown;
    Scenario there = f.s.scenario;
    there.gpu = catalog::local_gpu(gpus[i].name, gpus[i].total);
    const Bytes needs = estimate(there).memory.device;
    gap(6);
    std::string first(f.text(Msg::question_this_computer));
    first += std::string(f.text(Msg::word_colon)) + gpus[i].name + " · " + free_now(f, gpus[i]);
    paragraph(f, first, kSmallType.in(f.c.secondary));
    const formats::LocalFit fit = formats::local_fit(needs, gpus[i].total, free_of(gpus[i]));
    paragraph(f, formats::local_fit_text(needs, gpus[i].total, free_of(gpus[i]), f.language),
              kSmallType.in(fit == formats::LocalFit::over    ? f.c.over_text
                            : fit == formats::LocalFit::total ? f.c.tight_text
                                                              : f.c.fits_text));
  }
}

}  // namespace

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
        std::string row = "local ";
        row += std::to_string(local.index);
        if (menu_row(f, f.text(Msg::question_this_computer), row, false, {}, local.name + " · " + free_now(f, local))) {
          use_local(f, local);
          ImGui::CloseCurrentPopup();
        }
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
  this_computer(f);
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
