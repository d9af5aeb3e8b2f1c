#include <string>
#include <utility>

#include "formats/accuracy_tables.h"
#include "formats/estimate_json.h"
#include "formats/import.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"
#include "formats/url_state.h"
#include "ui/actions.h"
#include "ui/frame.h"
#include "ui/layout.h"
#include "ui/panels.h"
#include "ui/state.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace gpudget::ui {

struct Interface::Impl {
  Host& host;
  ImFont *regular, *semibold;
  State state;
  double until = 0;
  float content = 0;
  bool styled = false;
  Theme styled_theme = Theme::light;
  bool styled_coarse = false;

  void style() {
    if (styled && styled_theme == state.options.theme && styled_coarse == state.options.coarse_pointer) return;
    apply_style(state.options.theme, state.options.coarse_pointer);
    styled = true;
    styled_theme = state.options.theme;
    styled_coarse = state.options.coarse_pointer;
  }
  void keys();
};

Interface::Interface(Host& host, const Options& options, ImFont* regular, ImFont* semibold) : impl_(std::make_unique<Impl>(Impl{host, regular, semibold, {}})) {
  impl_->state.options = options;
  start_with(impl_->state, formats::default_scenario());
  impl_->style();
}
Interface::~Interface() = default;

// Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y), unless a text field has the keys: there they are its own.
void Interface::Impl::keys() {
  if (ImGui::GetIO().WantTextInput) return;
  if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z) || ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Y))
    ui::redo(state);
  else if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Z))
    ui::undo(state);
  if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    if (c == '/' && state.options.controls != Controls::none) {
      state.open_menu = "model";
      state.open_sections |= 1;  // narrow: the model's group
    } else if (c == '?') {
      state.show_keys = true;
    }
  }
}

void Interface::draw(double seconds) {
  Impl& m = *impl_;
  m.style();
  if (!ImGui::IsAnyItemActive()) m.state.history.close_step();
  begin_texts();
  Frame f{m.state, m.host, tokens(m.state.options.theme), m.regular, m.semibold, m.state.options.language, seconds, &m.until};
  m.keys();
  m.state.next_lit = {};
  m.content = draw_surface(f);
  const bool changed = m.state.next_lit.category != m.state.lit.category || m.state.next_lit.entry != m.state.lit.entry;
  m.state.lit = m.state.next_lit;
  if (changed) f.keep_drawing(1e-3);  // one more frame shows it everywhere
}

double Interface::wants_frames_until() const { return impl_->until; }
float Interface::content_height() const { return impl_->content; }
const Scenario& Interface::scenario() const { return impl_->state.scenario; }
const Estimate& Interface::estimate() const { return impl_->state.estimate; }
std::uint64_t Interface::revision() const { return impl_->state.revision; }
bool Interface::last_change_by_host() const { return impl_->state.by_host; }
const Options& Interface::options() const { return impl_->state.options; }
void Interface::set_options(const Options& options) { impl_->state.options = options; }

formats::Result<void> Interface::set(std::string_view partial_scenario_json, bool by_host) {
  auto read = formats::read_scenario(partial_scenario_json, impl_->state.scenario);
  if (!read) {
    refuse(impl_->state, read.error(), true);
    return tl::unexpected(std::move(read.error()));
  }
  set_scenario(impl_->state, *read, {}, by_host);
  return {};
}

formats::Result<void> Interface::set_url_state(std::string_view state) {
  auto read = formats::read_url_state(state);
  if (!read) {
    refuse(impl_->state, read.error(), true);
    return tl::unexpected(std::move(read.error()));
  }
  set_scenario(impl_->state, *read);
  return {};
}

formats::Result<void> Interface::open_text(std::string_view file_name, std::string_view text) {
  State& s = impl_->state;
  // Another tool's file, told by its content: adapter_config.json, TrainingArguments, DeepSpeed, accelerate, Axolotl, LLaMA-Factory, torchtune, GGUF.
  auto kind = formats::import_kind(file_name, text);
  if (kind && *kind != formats::ImportKind::scenario && *kind != formats::ImportKind::model_config) {
    auto imported = formats::import_file(file_name, text, s.scenario);
    if (!imported) {
      refuse(s, imported.error(), true, file_name);
      return tl::unexpected(std::move(imported.error()));
    }
    use_import(s, std::move(*imported));
    return {};
  }
  s.imported.reset();
  // A config.json says what it is by its model_type or architectures; anything else is a scenario.
  auto config = use_config(s, text);
  if (config) return {};
  auto scenario = formats::read_scenario(text, s.scenario);
  if (scenario) {
    set_scenario(s, *scenario);
    return {};
  }
  const bool looks_like_config = text.find("\"model_type\"") != std::string_view::npos || text.find("\"num_hidden_layers\"") != std::string_view::npos;
  const bool looks_like_json = text.find('{') != std::string_view::npos;
  formats::Error error = !kind && !looks_like_json ? std::move(kind.error()) : looks_like_config ? std::move(config.error()) : std::move(scenario.error());
  refuse(s, error, true, file_name);
  return tl::unexpected(std::move(error));
}

void Interface::open_accuracy(std::string_view json) {
  if (formats::accuracy_tables_here()) return;
  impl_->state.accuracy.file = formats::read_accuracy_tables(json) ? AccuracyState::File::wanted : AccuracyState::File::failed;
}

void Interface::set_local_gpus(const probe::Report& report) {
  impl_->state.local = report;
  impl_->state.local_known = true;
}
void Interface::texts_came() {
  impl_->state.learn.sheets.clear();
  impl_->state.learn.questions.clear();
}
void Interface::refuse_file(std::string_view file_name, formats::Error error) { refuse(impl_->state, std::move(error), true, file_name); }
std::string Interface::imported_json() const {
  const State& s = impl_->state;
  if (!s.imported) return {};
  formats::ImportedFile file = *s.imported;
  for (std::string& line : file.assumed) line = formats::without_reason(line);
  return formats::write_imported_file(file);
}
std::string Interface::scenario_json() const { return formats::write_scenario(impl_->state.scenario); }
std::string Interface::estimate_json() const {
  const State& s = impl_->state;
  return formats::write_estimate(s.scenario, s.estimate, s.advice, s.options.language);
}
std::string Interface::url_state() const { return formats::write_url_state(impl_->state.scenario); }
bool Interface::undo() { return ui::undo(impl_->state); }
bool Interface::redo() { return ui::redo(impl_->state); }

// In the reader's language: what was wrong, what would do, what was probably meant.
std::string error_words(i18n::Language language, const formats::Error& e) {
  static constexpr std::string_view kNames[] = {"not_json",         "too_large",      "too_deep",      "duplicate_key", "unknown_field", "unknown_name",
                                                "wrong_type",       "out_of_range",   "missing_field", "contradiction", "unknown_model", "unknown_gpu",
                                                "unknown_provider", "unknown_family", "bad_link",      "bad_version",   "unreadable"};
  std::string id = "error.";
  id += kNames[static_cast<std::size_t>(e.id)];
  const auto m = i18n::find(id);
  std::string text = m ? i18n::format(language, *m, {{"got", e.got}}) : e.message();
  if (!e.accepted.empty()) text += " " + i18n::format(language, Msg::error_accepted, {{"accepted", e.accepted}});
  if (!e.suggestion.empty()) text += " " + i18n::format(language, Msg::error_suggestion, {{"suggestion", e.suggestion}});
  return text;
}
std::string error_text(const Frame& f, const formats::Error& e) { return error_words(f.language, e); }

}  // namespace gpudget::ui
