// Any text as a Scenario: an error that says something, or a value that comes back from its own JSON and link and whose Estimate is whole.
#include <nlohmann/json.hpp>

#include "core/advice.h"
#include "core/estimate.h"
#include "formats/csv.h"
#include "formats/estimate_json.h"
#include "formats/export.h"
#include "formats/html_report.h"
#include "formats/markdown.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"
#include "formats/url_state.h"
#include "fuzz.h"

using namespace gpudget;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto s = formats::read_scenario(as_text(data, size), formats::default_scenario());
  if (!s) {
    must(!s.error().message().empty() && s.error().message().size() < 4000, "an error says what is wrong, shortly");
    return 0;
  }
  const auto back = formats::read_scenario(formats::write_scenario(*s), formats::default_scenario());
  must(back && *back == *s, "read(write(s)) == s");
  const auto linked = formats::read_url_state(formats::write_url_state(*s));
  must(linked && *linked == *s, "a link opens as what it was made from");

  const Estimate e = estimate(*s);
  Bytes sum;
  for (const Bytes& b : e.memory.categories) sum += b;
  must(sum == e.memory.device, "the categories sum to the device's bytes");
  must(e.memory.device >= Bytes{} && e.memory.allocated <= e.memory.reserved && e.memory.reserved <= e.memory.device, "allocated <= reserved <= device");
  const AdviceList advice = advise(*s, e);
  const std::string text = formats::write_estimate(*s, e, advice, i18n::Language::fr);
  const auto json = nlohmann::json::parse(text, nullptr, false);
  must(json.is_object(), "the Estimate is JSON");
  for (const char* group : {"compute", "time", "cost"})
    for (const auto& v : json[group]) must(!v.is_null(), "every number is finite");
  must(!formats::write_markdown(*s, e, advice).empty() && !formats::write_csv(*s, e).empty(), "reports");
  must(formats::write_html_report(*s, e, advice).find("<script") == std::string::npos, "no script in the report");
  if (s->method != Method::inference)
    for (const std::string_view tool : names<formats::ExportTool>())
      must(!formats::export_config(*from_name<formats::ExportTool>(tool), *s, e).text.empty(), "an export");
  return 0;
}
