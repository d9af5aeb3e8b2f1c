// The JavaScript module's program: one C function a call, JSON in and out, no interface inside. web/gpudget.js is its other half.
//
// gpudget_input(n) gives n bytes to write the arguments to, one after the other; the call takes the length of each. It returns 0 and
// leaves its answer at gpudget_answer(), gpudget_answer_size() bytes of JSON; or 1 and {"path", "message"} there, the error.
#include <emscripten.h>

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/advice.h"
#include "core/estimate.h"
#include "core/limit.h"
#include "formats/course_json.h"
#include "formats/estimate_json.h"
#include "formats/export_json.h"
#include "formats/field_json.h"
#include "formats/import.h"
#include "formats/json_text.h"
#include "formats/limit_json.h"
#include "formats/list_json.h"
#include "formats/one_of.h"
#include "formats/plan_json.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"
#include "formats/url_state.h"

namespace {

using namespace gpudget;
using formats::Error;
using formats::ErrorId;
using formats::Result;
using std::string_view;

std::string input, answer;

string_view argument(int start, int size) { return string_view(input).substr(static_cast<std::size_t>(start), static_cast<std::size_t>(size)); }

int give(std::string json) {
  answer = std::move(json);
  return 0;
}
int refuse(const Error& error) {
  formats::JsonWriter out;
  out.open('{').field("path", string_view(error.path)).field("message", string_view(error.message())).close('}');
  answer = out.take();
  return 1;
}
int give(Result<std::string> json) { return json ? give(std::move(*json)) : refuse(json.error()); }
Result<i18n::Language> language_of(string_view code) {
  if (code.empty()) return i18n::Language::en;
  if (const auto language = i18n::language(code)) return *language;
  return tl::unexpected(Error{"lang", ErrorId::unknown_name, formats::shortened(code), "one of en, pt, fr", {}});
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE char* gpudget_input(int size) {
  input.resize(static_cast<std::size_t>(size));
  return input.data();
}
EMSCRIPTEN_KEEPALIVE const char* gpudget_answer() { return answer.data(); }
EMSCRIPTEN_KEEPALIVE int gpudget_answer_size() { return static_cast<int>(answer.size()); }

// Arguments: the Scenario, the language ("" is English).
EMSCRIPTEN_KEEPALIVE int gpudget_estimate(int scenario_size, int language_size) {
  const auto language = language_of(argument(scenario_size, language_size));
  if (!language) return refuse(language.error());
  static const Scenario defaults = formats::default_scenario();
  const auto s = formats::read_scenario(argument(0, scenario_size), defaults);
  if (!s) return refuse(s.error());
  static Estimate e;
  static AdvisedScenarios advised;
  estimate(*s, e);
  const AdviceList advice = advise(*s, e, &advised);
  answer.clear();
  formats::append_estimate(answer, *s, e, advice, *language, &advised);
  return 0;
}

// Arguments: the Scenario, the options.
EMSCRIPTEN_KEEPALIVE int gpudget_plan(int scenario_size, int options_size) {
  const auto s = formats::read_scenario(argument(0, scenario_size), formats::default_scenario());
  if (!s) return refuse(s.error());
  const auto options = formats::read_plan_options(argument(scenario_size, options_size), *s);
  if (!options) return refuse(options.error());
  return give(formats::write_plan(*options, plan(options->request)));
}

// Arguments: the Scenario, the name of the quantity.
EMSCRIPTEN_KEEPALIVE int gpudget_limit(int scenario_size, int of_size) {
  const auto s = formats::read_scenario(argument(0, scenario_size), formats::default_scenario());
  if (!s) return refuse(s.error());
  return give(formats::answer_limit(*s, argument(scenario_size, of_size)));
}

// Arguments: the Scenario, the tool's name, the address for the link back ("": none).
EMSCRIPTEN_KEEPALIVE int gpudget_export(int scenario_size, int tool_size, int link_size) {
  const auto s = formats::read_scenario(argument(0, scenario_size), formats::default_scenario());
  if (!s) return refuse(s.error());
  return give(formats::answer_export(*s, argument(scenario_size, tool_size), argument(scenario_size + tool_size, link_size)));
}

// Arguments: the table's name ("": all), the language.
EMSCRIPTEN_KEEPALIVE int gpudget_course(int table_size, int language_size) {
  const auto language = language_of(argument(table_size, language_size));
  if (!language) return refuse(language.error());
  if (table_size == 0) return give(formats::write_course(std::nullopt, *language));
  const auto table = formats::one_of<course::Table>("table", argument(0, table_size));
  if (!table) return refuse(table.error());
  return give(formats::write_course(*table, *language));
}

EMSCRIPTEN_KEEPALIVE int gpudget_list(int kind_size) {
  const auto kind = formats::one_of<formats::ListKind>("kind", argument(0, kind_size));
  if (!kind) return refuse(kind.error());
  return give(formats::write_list(*kind));
}

// Arguments: another tool's file, its name, the Scenario that it changes. {"scenario", "name", "kind", "read", "assumed", "ignored"}.
EMSCRIPTEN_KEEPALIVE int gpudget_import(int text_size, int name_size, int base_size) {
  const auto base = formats::read_scenario(argument(text_size + name_size, base_size), formats::default_scenario());
  if (!base) return refuse(base.error());
  const auto imported = formats::import_file(argument(text_size, name_size), argument(0, text_size), *base);
  if (!imported) return refuse(imported.error());
  const std::string file = formats::write_imported_file(imported->files.front());
  return give("{\"scenario\":" + formats::write_scenario(imported->scenario) + "," + file.substr(1));
}

// The whole Scenario that a partial one stands for, every field said.
EMSCRIPTEN_KEEPALIVE int gpudget_scenario(int scenario_size) {
  const auto s = formats::read_scenario(argument(0, scenario_size), formats::default_scenario());
  if (!s) return refuse(s.error());
  return give(formats::write_scenario(*s));
}

// A Scenario as the text after "#s=", as a JSON string, and back.
EMSCRIPTEN_KEEPALIVE int gpudget_link(int scenario_size) {
  const auto s = formats::read_scenario(argument(0, scenario_size), formats::default_scenario());
  if (!s) return refuse(s.error());
  std::string text;
  formats::append_json(text, string_view(formats::write_url_state(*s)));
  return give(std::move(text));
}
EMSCRIPTEN_KEEPALIVE int gpudget_read_link(int link_size) {
  const auto s = formats::read_url_state(argument(0, link_size));
  if (!s) return refuse(s.error());
  return give(formats::write_scenario(*s));
}

EMSCRIPTEN_KEEPALIVE int gpudget_schema() { return give(formats::schema_json()); }
EMSCRIPTEN_KEEPALIVE int gpudget_version() {
  std::string text;
  formats::append_json(text, string_view(GPUDGET_VERSION));
  return give(std::move(text));
}

}  // extern "C"
