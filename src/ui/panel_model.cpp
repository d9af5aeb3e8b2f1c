// The model: a searchable list of the catalog; a size ("13B") or a config.json works too. What was understood stands beneath.
#include <algorithm>
#include <array>

#include "catalog/catalog.h"
#include "core/parameters.h"
#include "ui/actions.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {

void model_picker(const Frame& f, float width) {
  static constexpr std::size_t kShown = 512;
  const Scenario& s = f.s.scenario;
  if (begin_menu(f, f.text("field.model"), "model", s.model.name.view(), width, 420)) {
    const float inside = ImGui::GetContentRegionAvail().x;
    if (ImGui::IsWindowAppearing()) {
      f.s.model_query.clear();
      ImGui::SetKeyboardFocusHere();
    }
    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter);
    text_field(f, f.text(Msg::ui_search), "search", f.s.model_query, inside, f.text(Msg::question_model_search), Icon::search);
    const bool searching = ImGui::IsItemFocused() || ImGui::IsItemDeactivated();
    gap(6);
    // A config.json that is pasted into the search is the model.
    if (f.s.model_query.find('{') != std::string::npos) {
      if (auto used = use_config(f.s, f.s.model_query)) {
        ImGui::CloseCurrentPopup();
      } else {
        paragraph(f, (used.error().path.empty() ? std::string() : used.error().path + std::string(f.text(Msg::word_colon))) + error_text(f, used.error()),
                  kSmallType.in(f.c.over_text));
        gap(4);
      }
      f.s.model_query.resize(std::min(f.s.model_query.size(), std::size_t{4} << 20));
    }
    std::array<const ModelSpec*, kShown> found{};
    const std::size_t n = catalog::search_models(f.s.model_query, found);
    const auto pick = [&](std::string_view id) {
      set_field(f.s, "model", std::string(id));
      ImGui::CloseCurrentPopup();
    };
    // A size that was typed is a model of its own.
    Scenario sized = s;
    const bool is_size = !f.s.model_query.empty() && f.s.model_query.find_first_not_of("0123456789.,bBmMtTkK ") == std::string::npos &&
                         formats::set_field(sized, "model", R"({"params":")" + f.s.model_query + "\"}").has_value();
    if (enter && searching && !f.s.model_query.empty()) {
      if (n > 0)
        pick(found[0]->id.view());
      else if (is_size)
        set_scenario(f.s, sized), ImGui::CloseCurrentPopup();
    }
    if (is_size && menu_row(f, f.format(Msg::question_model_size, {{"size", f.s.model_query}}), "size", false)) {
      set_scenario(f.s, sized);
      ImGui::CloseCurrentPopup();
    }
    for (std::size_t i = 0; i < n; ++i) {
      const ModelSpec& m = *found[i];
      const std::string layers = f.integer(m.architecture.num_hidden_layers), context = i18n::count_short(f.language, m.architecture.max_position_embeddings);
      if (menu_row(f, m.name.view(), m.id.view(), m.id == s.model.id, i18n::count_short(f.language, m.published_parameters),
                   f.format(Msg::question_model_shape, {{"layers", layers}, {"context", context}})))
        pick(m.id.view());
    }
    if (n == 0 && !is_size) {
      gap(4);
      paragraph(f, f.format(Msg::ui_no_match, {{"query", f.s.model_query}}), kSmallType.in(f.c.secondary));
      gap(4);
    }
    hairline(f);
    if (menu_row(f, f.text(Msg::question_model_open), "open", false)) {
      f.host.choose_file();
      ImGui::CloseCurrentPopup();
    }
    end_menu();
  }
  gap(6);
  const ModelSummary& m = f.s.estimate.model;
  const std::string n = f.integer(m.parameters), active = i18n::count_short(f.language, m.active_parameters);
  paragraph(f,
            m.active_parameters < m.parameters ? f.format(Msg::question_parameters_active, {{"n", n}, {"active", active}})
                                               : f.format(Msg::question_parameters, {{"n", n}}),
            kSmallType.in(f.c.secondary));
  if (!f.s.assumed.empty() && f.s.assumed_of == s.model) {
    gap(4);
    paragraph(f, f.format(Msg::question_assumed, {{"fields", f.s.assumed}}), kSmallType.in(f.c.tight_text));
  }
  if (link(f, f.text(Msg::question_by_part), "by part", kSmallType)) f.s.parts_open = !f.s.parts_open;
  if (!f.s.parts_open) return;
  const ParameterCount count = count_parameters(s.model.architecture);
  for (std::size_t i = 0; i < kParts; ++i) {
    if (count.parts[i] == 0) continue;
    std::string id = "part.";
    id += name(static_cast<Part>(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    put_in(f, ImGui::GetWindowDrawList(), at, {at.x + width, at.y + 22}, f.text(id), kSmallType);
    put_in(f, ImGui::GetWindowDrawList(), at, {at.x + width, at.y + 22}, f.integer(count.parts[i]), kSmallType, 1);
    ImGui::Dummy({width, 22});
  }
}

}  // namespace gpudget::ui
