// Any bytes as another tool's file, by each of the names that decide how it is read: an error that says something, or a Scenario that comes back from
// its own JSON. Memory is bounded by the input (libFuzzer's own limit).
#include "core/estimate.h"
#include "formats/import.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"
#include "fuzz.h"

using namespace gpudget;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto imported = formats::import_file("file", as_text(data, size), formats::default_scenario());
  if (!imported) {
    must(!imported.error().message().empty() && imported.error().message().size() < 4000, "an error says what is wrong, shortly");
    must(!imported.error().path.empty(), "an error says where");
    return 0;
  }
  const Scenario& s = imported->scenario;
  const auto back = formats::read_scenario(formats::write_scenario(s), formats::default_scenario());
  must(back && *back == s, "read(write(s)) == s");
  must(!formats::write_import(*imported).empty(), "the lists are written");
  must(estimate(s).memory.device >= Bytes{}, "an estimate");
  return 0;
}
