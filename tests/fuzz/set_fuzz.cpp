// Lines of PATH=VALUE, as --set takes them, one after the other: an error changes nothing, and what was set is what is there.
#include "formats/field_json.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"
#include "fuzz.h"

using namespace gpudget;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Scenario s = formats::default_scenario();
  std::string_view text = as_text(data, size);
  for (int lines = 0; !text.empty() && lines < 16; ++lines) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const Scenario before = s;
    const auto done = formats::set_field_text(s, line.substr(0, equals), line.substr(equals + 1));
    if (!done) {
      must(s == before, "an error changes nothing");
      must(!done.error().message().empty() && !formats::nearest_field(line.substr(0, equals)).empty(), "an error says what is wrong");
    }
  }
  for (const formats::Field& f : formats::fields()) {
    if (f.path == "dataset.tokens" || (s.dataset.by_tokens && f.path.starts_with("dataset."))) continue;
    std::string value;
    formats::append_value(value, f, f.get(s));
    Scenario again = s;
    must(formats::set_field_text(again, f.path, value).has_value() && again == s, "a field's own text sets it to what it is");
  }
  return 0;
}
