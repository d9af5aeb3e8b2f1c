// Any text as the "#s=" of a link: an error, or a Scenario that has one link, which opens as it.
#include "formats/schema.h"
#include "formats/url_state.h"
#include "fuzz.h"

using namespace gpudget;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto s = formats::read_url_state(as_text(data, size));
  if (!s) {
    must(!s.error().message().empty(), "an error says what is wrong");
    return 0;
  }
  const auto back = formats::read_url_state(formats::write_url_state(*s));
  must(back && *back == *s, "a link opens as what it was made from");
  return 0;
}
