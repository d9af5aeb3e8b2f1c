// oracle_to_cpp GIVEN.jsonl HELD_OUT.jsonl CAUSES.json FOLDER: the oracle's rows as a C++ table, FOLDER/oracle_table.h. Rows with an error are left out.
// CAUSES.json: {"rows": [{"id": "o431", "cause": "falcon_linear"}]}, why a row is predicted badly: message "validate.oracle.<cause>".
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  if (argc != 5) return std::cerr << "oracle_to_cpp GIVEN.jsonl HELD_OUT.jsonl CAUSES.json FOLDER\n", 2;
  const std::filesystem::path folder = argv[4];
  std::ifstream causes_in(argv[3]);
  const auto causes = nlohmann::json::parse(causes_in, nullptr, false);
  if (!causes.is_object() || !causes.contains("rows") || !causes["rows"].is_array()) return std::cerr << argv[3] << ": no causes\n", 1;
  std::map<std::string, std::string> why;
  for (const auto& c : causes["rows"])
    if (c.is_object()) why[c.value("id", "")] = c.value("cause", "");
  std::filesystem::create_directories(folder);
  // Rows alike stand together, and only what is compared is kept, so that the page carries little of it.
  struct Row {
    std::string scenario, text;
  };
  std::vector<Row> rows;
  for (int i = 1; i <= 2; ++i) {
    std::ifstream in(argv[i]);
    if (!in) return std::cerr << argv[i] << ": cannot be read\n", 1;
    for (std::string line; std::getline(in, line);) {
      if (line.empty()) continue;
      auto j = nlohmann::json::parse(line, nullptr, false);
      if (j.is_discarded() || !j.contains("result")) return std::cerr << argv[i] << ": not a row: " << line << "\n", 1;
      const auto result = j["result"];
      if (result.contains("error")) continue;
      const std::string id = j.value("id", "");
      std::int64_t peak = 0;
      std::ostringstream text;
      text << (i == 2 ? "true" : "false") << ", \"" << id << "\", {";
      for (const char* phase : {"forward", "backward", "step"}) {
        const std::int64_t bytes = result["phases"].value(phase, std::int64_t{0});
        if (bytes <= 0) return std::cerr << argv[i] << ": " << id << ": no " << phase << "\n", 1;
        peak = std::max(peak, bytes), text << bytes << ", ";
      }
      if (peak != result.value("peak", std::int64_t{0})) return std::cerr << argv[i] << ": " << id << ": the peak is in no phase\n", 1;
      text << "}, R\"~(" << why[id] << ")~\"";
      for (const char* field : {"result", "id", "model"}) j.erase(field);
      rows.push_back({j.dump(), text.str()});
    }
  }
  if (rows.empty()) return std::cerr << "no rows\n", 1;
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.scenario < b.scenario; });
  std::ofstream out(folder / "oracle_table.h");
  out << "// Made by tools/oracle_to_cpp.cpp.\n#pragma once\nnamespace gpudget::formats::oracle_table {\nstruct Row {\n  const char* json;\n  bool held_out;\n"
         "  const char* id;\n  long long phases[3];  // forward (with the loss), backward, step\n  const char* cause;\n};\ninline constexpr Row kRows[] = {\n";
  for (const Row& row : rows) out << "{R\"~(" << row.scenario << ")~\", " << row.text << "},\n";
  out << "};\n}  // namespace gpudget::formats::oracle_table\n";
  return out ? 0 : 1;
}
