// For tests that make thousands of exports and imports: `gpudget export` and `gpudget import --json` without a process for each.
// One JSON object a line in, one a line out: {"export": "trl", "scenario": {…}} gives {"name", "mime", "text", "command"};
// {"import": {"adapter_config.json": "its text", …}} gives what `gpudget import --json` writes. What is refused: {"error": "path: message"}.
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "formats/export_json.h"
#include "formats/import.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"

using namespace gpudget;
using nlohmann::json;

namespace {

formats::Result<std::string> answer(const json& line) {
  if (line.contains("export")) {
    const auto s = formats::read_scenario_object(line.at("scenario"), formats::default_scenario());
    if (!s) return tl::unexpected(s.error());
    return formats::answer_export(*s, line.at("export").get_ref<const std::string&>(), {});
  }
  std::vector<formats::ImportSource> files;
  for (const auto& file : line.at("import").items()) files.push_back({file.key(), file.value().get_ref<const std::string&>(), nullptr});
  const auto imported = formats::import_files(files, formats::default_scenario());
  if (!imported) return tl::unexpected(imported.error());
  return formats::write_import(*imported);
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    if (const auto text = answer(json::parse(line)))
      std::cout << *text << '\n';
    else
      std::cout << json{{"error", text.error().path + ": " + text.error().message()}} << '\n';
  }
}
