// The page's program: the interface on a canvas. Exports about thirty C functions to web/platform.js (input, frames) and web/page.js (scenario, options,
// texts); what the interface asks of the page (copy, save, links …) goes to the object Module.host. Texts are UTF-8 on both sides; a returned text is valid
// until the next call. Without WebGL2 the same program runs and draws nothing: the accessible twin is then the view.
#include <emscripten.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/app.h"
#include "app/platform_web.h"
#include "catalog/catalog.h"
#include "formats/json_text.h"
#include "formats/schema.h"
#include "formats/text_version.h"
#include "i18n/numbers.h"
#include "imgui_internal.h"
#include "ui/items.h"

EM_JS(void, gpudget_copy, (const char* text, int size), { Module.host.copy(UTF8ToString(text, size)); })
EM_JS(void, gpudget_save, (const char* name, const char* mime, const char* content, int size),
      { Module.host.save(UTF8ToString(name), UTF8ToString(mime), UTF8ToString(content, size)); })
EM_JS(void, gpudget_save_png, (const char* name), { Module.host.savePng(UTF8ToString(name)); })
EM_JS(void, gpudget_choose_file, (), { Module.host.chooseFile(); })
EM_JS(void, gpudget_open_link, (const char* url), { Module.host.openLink(UTF8ToString(url)); })
EM_JS(char*, gpudget_page_address, (), {
  const address = Module.host.pageAddress();
  const size = lengthBytesUTF8(address) + 1;
  const text = _malloc(size);
  stringToUTF8(address, text, size);
  return text;
})
EM_JS(void, gpudget_options_changed, (const char* language, const char* theme, const char* view),
      { Module.host.optionsChanged(UTF8ToString(language), UTF8ToString(theme), UTF8ToString(view)); })
EM_JS(void, gpudget_activity, (const char* verb, const char* id, int success), { Module.host.activity(UTF8ToString(verb), UTF8ToString(id), !!success); })

EM_JS(void, gpudget_load_accuracy, (), { Module.host.loadAccuracy(); })

namespace {

using namespace gpudget;
using app::App;
using app::PlatformWeb;

class WebHost final : public ui::Host {
 public:
  void copy(std::string_view text) override { gpudget_copy(text.data(), static_cast<int>(text.size())); }
  void save(std::string_view name, std::string_view mime, std::string_view content) override {
    gpudget_save(std::string(name).c_str(), std::string(mime).c_str(), content.data(), static_cast<int>(content.size()));
  }
  void save_png(std::string_view name) override { gpudget_save_png(std::string(name).c_str()); }
  void choose_file() override { gpudget_choose_file(); }
  void open_link(std::string_view url) override { gpudget_open_link(std::string(url).c_str()); }
  std::string page_address() override {
    char* text = gpudget_page_address();
    std::string address = text;
    std::free(text);
    return address;
  }
  void options_changed(const ui::Options& o) override {
    gpudget_options_changed(std::string(i18n::code(o.language)).c_str(), o.theme == ui::Theme::dark ? "dark" : "light",
                            std::string(ui::kViewNames[static_cast<std::size_t>(o.view)]).c_str());
  }
  void activity(std::string_view verb, std::string_view id, bool success) override {
    gpudget_activity(std::string(verb).c_str(), std::string(id).c_str(), success ? 1 : 0);
  }
  void load_accuracy() override { gpudget_load_accuracy(); }
};

// One of everything: a page has one program.
struct Program {
  explicit Program(bool mac) : platform(mac) {}
  App app;
  PlatformWeb platform;
  WebHost host;
  std::string clipboard, result;
};
Program* program = nullptr;

const char* give(std::string text) {
  program->result = std::move(text);
  return program->result.c_str();
}

// What the page looks at after each frame; doubles, in the order of `report` in web/platform.js.
std::array<double, 12> report{};

void fill_report() {
  const app::TextInput text = app::text_input();
  const ui::Interface& interface = program->app.interface();
  report = {static_cast<double>(program->app.frames()),
            static_cast<double>(interface.revision()),
            interface.last_change_by_host() ? 1.0 : 0.0,
            static_cast<double>(ImGui::GetMouseCursor()),
            text.wanted ? 1.0 : 0.0,
            text.decimal ? 1.0 : 0.0,
            static_cast<double>(text.caret.x),
            static_cast<double>(text.caret.y),
            static_cast<double>(text.line_height),
            app::anything_scrolls() ? 1.0 : 0.0,
            static_cast<double>(interface.content_height()),
            ImGui::GetCurrentContext()->InputEventsQueue.empty() ? 0.0 : 1.0};
}

ui::Options read_options(const char* language, const char* theme, const char* view, const char* controls, int flags) {
  ui::Options o = program->app.started() ? program->app.interface().options() : ui::Options();
  o.language = i18n::language(language).value_or(o.language);
  o.theme = std::string_view(theme) == "dark" ? ui::Theme::dark : ui::Theme::light;
  for (std::size_t i = 0; i < std::size(ui::kViewNames); ++i)
    if (ui::kViewNames[i] == view) o.view = static_cast<ui::View>(i);
  const std::string_view shown = controls;
  o.controls = shown == "none" ? ui::Controls::none : shown == "basic" ? ui::Controls::basic : ui::Controls::full;
  o.embed = (flags & 1) != 0;
  o.links = (flags & 2) != 0;
  o.reduced_motion = (flags & 4) != 0;
  o.coarse_pointer = (flags & 8) != 0;
  return o;
}

std::string error_json(const formats::Error& error) {
  formats::JsonWriter out;
  out.open('{').field("path", std::string_view(error.path)).field("message", std::string_view(error.message()));
  return out.field("words", std::string_view(ui::error_words(program->app.interface().options().language, error))).close('}').take();
}
const char* error_json(const formats::Result<void>& result) { return result ? "" : give(error_json(result.error())); }

}  // namespace

extern "C" {

#define EXPORT EMSCRIPTEN_KEEPALIVE

// flags: 1 embed, 2 links, 4 reduced motion, 8 coarse pointer, 16 mac, 32 without drawing. Returns whether it draws.
EXPORT int gp_start(const char* language, const char* theme, const char* view, const char* controls, int flags) {
  program = new Program((flags & 16) != 0);
  ImGuiPlatformIO& io = ImGui::GetPlatformIO();
  io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { program->host.copy(program->clipboard = text); };
  io.Platform_GetClipboardTextFn = [](ImGuiContext*) { return program->clipboard.c_str(); };
  io.Platform_SetImeDataFn = nullptr;  // the report tells where the caret is
  const bool draws = (flags & 32) == 0 && program->platform.start_drawing();
  program->app.start(program->host, read_options(language, theme, view, controls, flags));
  return draws ? 1 : 0;
}
EXPORT void gp_options(const char* language, const char* theme, const char* view, const char* controls, int flags) {
  program->app.set_options(read_options(language, theme, view, controls, flags));
}

// Frames. Returns seconds until the next one: 0 at once, -1 only after input.
EXPORT double gp_frame(double now) {
  program->app.frame(program->platform, now);
  fill_report();
  const double next = program->app.next_frame(now);
  return std::isfinite(next) ? next : -1;
}
EXPORT const double* gp_report() { return report.data(); }
EXPORT void gp_wake() { program->app.input(); }
EXPORT void gp_resize(float width, float height, int pixel_width, int pixel_height) {
  program->platform.resize(width, height, pixel_width, pixel_height);
  program->app.input();
}
EXPORT void gp_context_lost() { program->platform.context_lost(); }
EXPORT int gp_context_restored() {
  program->app.input();
  return program->platform.context_restored() ? 1 : 0;
}

// Input.
EXPORT void gp_pointer(float x, float y, int kind) {
  program->platform.pointer(x, y, static_cast<app::Pointer>(kind));
  program->app.input();
}
EXPORT void gp_button(int button, int down) {
  program->platform.button(button, down != 0);
  program->app.input();
}
EXPORT void gp_cancel_press() {
  program->platform.cancel_press();
  program->app.input();
}
EXPORT int gp_active_is_scrollbar() { return app::active_is_scrollbar() ? 1 : 0; }
EXPORT int gp_wheel(float x, float y) {
  const bool ours = program->platform.wheel(x, y);
  if (ours) program->app.input();
  return ours ? 1 : 0;
}
EXPORT int gp_pan(float x, float y) {
  program->app.input();
  return program->platform.pan(x, y) ? 1 : 0;
}
EXPORT int gp_key(const char* key, const char* code, int down, int modifiers) {
  program->app.input();
  return program->platform.key(key, code, down != 0, modifiers) ? 1 : 0;
}
EXPORT int gp_tab_leaves() { return app::tab_leaves() ? 1 : 0; }
EXPORT int gp_escape_leaves() { return app::escape_leaves() ? 1 : 0; }
EXPORT void gp_text(const char* text) {
  program->platform.text(text);
  program->app.input();
}
EXPORT void gp_focus(int on, int keep_item) {
  program->platform.focus(on != 0, keep_item != 0);
  program->app.focus(on != 0);
}
// 'c', 'x' or 'v'; what was copied is then gp_clipboard().
EXPORT void gp_chord(int letter) {
  program->platform.chord(letter == 'c' ? ImGuiKey_C : letter == 'x' ? ImGuiKey_X : ImGuiKey_V);
  program->app.input();
}
EXPORT void gp_set_clipboard(const char* text) { program->clipboard = text; }
EXPORT const char* gp_clipboard() { return program->clipboard.c_str(); }

// A language's texts (i18n::bring), also before gp_start.
EXPORT int gp_texts(const char* language, const char* texts) {
  const auto l = i18n::language(language);
  const bool here = l && i18n::bring(*l, texts);
  if (program != nullptr && program->app.started()) {
    program->app.interface().texts_came();
    program->app.input();
  }
  return here ? 1 : 0;
}

// The scenario. Errors: JSON {"path", "message", "words"}, the last in the interface's language; "" when all is well.
EXPORT const char* gp_set(const char* json, int by_host) {
  program->app.input();
  return error_json(program->app.interface().set(json, by_host != 0));
}
EXPORT const char* gp_set_url_state(const char* state) {
  program->app.input();
  return error_json(program->app.interface().set_url_state(state));
}
EXPORT const char* gp_open(const char* name, const char* text) {
  program->app.input();
  return error_json(program->app.interface().open_text(name, text));
}
// A file that the page itself could not read, YAML: `got` is what is wrong with it, in the interface's language.
EXPORT const char* gp_refuse(const char* name, const char* got) {
  program->app.input();
  const formats::Error error{*name == '\0' ? "file" : name, formats::ErrorId::unreadable, got, {}, {}};
  program->app.interface().refuse_file(name, error);
  return give(error_json(error));
}
EXPORT void gp_accuracy(const char* json) {
  program->app.input();
  program->app.interface().open_accuracy(json);
}
EXPORT const char* gp_imported() { return give(program->app.interface().imported_json()); }
EXPORT const char* gp_scenario() { return give(program->app.interface().scenario_json()); }
EXPORT const char* gp_estimate() { return give(program->app.interface().estimate_json()); }
EXPORT const char* gp_url_state() { return give(program->app.interface().url_state()); }
EXPORT double gp_revision() { return static_cast<double>(program->app.interface().revision()); }
EXPORT int gp_undo(int redo) {
  program->app.input();
  return (redo != 0 ? program->app.interface().redo() : program->app.interface().undo()) ? 1 : 0;
}

// For the accessible twin: the table of fields, texts by id and numbers as the language writes them.
EXPORT const char* gp_schema() { return give(formats::schema_json()); }
EXPORT const char* gp_catalog() {  // {"models": [[id, name] …], "gpus": […]}
  formats::JsonWriter out;
  const auto row = [&](std::string_view id, std::string_view name) { out.open('[').value(id).value(name).close(']'); };
  out.open('{').key("models").open('[');
  for (const ModelSpec& m : catalog::models()) row(m.id.view(), m.name.view());
  out.close(']').key("gpus").open('[');
  for (const Gpu& g : catalog::gpus()) row(g.id.view(), g.name.view());
  return give(out.close(']').close('}').take());
}
// What else it asks for (formats/text_version.h); {"error": {"path", "message", "words"}} where the question is wrong.
EXPORT const char* gp_ask(const char* what, const char* argument) {
  const ui::Interface& interface = program->app.interface();
  auto answer = formats::answer_text_version(what, argument, interface.scenario(), interface.options().language, program->host.page_address());
  if (answer) return give(std::move(*answer));
  return give("{\"error\":" + error_json(answer.error()) + "}");
}
EXPORT const char* gp_gpu_name() { return give(std::string(program->app.interface().scenario().gpu.name.view())); }
EXPORT const char* gp_message(const char* id, const char* fallback) {
  return give(std::string(i18n::text_or(program->app.interface().options().language, id, fallback)));
}
EXPORT const char* gp_number(const char* kind, double value) {
  const i18n::Language l = program->app.interface().options().language;
  const std::string_view k = kind;
  const auto whole = static_cast<std::int64_t>(value);
  if (k == "size") return give(i18n::size(l, bytes(whole)));
  if (k == "count") return give(i18n::count_short(l, whole));
  if (k == "integer") return give(i18n::integer(l, whole));
  if (k == "duration") return give(i18n::duration(l, Seconds(value)));
  if (k == "money") return give(i18n::money(l, Usd(value)));
  if (k == "rate") return give(i18n::rate(l, TokensPerSecond(value)));
  if (k == "percent") return give(i18n::percent(l, value));
  return give(i18n::significant(l, value));
}

// For tests: every item of the last frame.
EXPORT void gp_collect_items(int on) {
  ui::collect_items(on != 0);
  program->app.input();
}
EXPORT const char* gp_items() {
  formats::JsonWriter out;
  out.open('[');
  for (const ui::Item& item : ui::items()) {
    const auto d = [](float v) { return static_cast<double>(v); };
    out.open('{').field("id", static_cast<std::int64_t>(item.id)).field("label", std::string_view(item.label));
    out.field("x", d(item.minimum.x)).field("y", d(item.minimum.y)).field("width", d(item.maximum.x - item.minimum.x));
    out.field("height", d(item.maximum.y - item.minimum.y)).field("visible", item.visible).field("checked", item.checked).field("opened", item.opened);
    out.field("inputable", item.inputable).field("disabled", item.disabled).close('}');
  }
  return give(out.close(']').take());
}

}  // extern "C"

int main() { return 0; }  // the page calls gp_start when it knows its options
