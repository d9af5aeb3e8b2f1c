// oracle_to_cpp GIVEN.jsonl HELD_OUT.jsonl CAUSES.json FOLDER: the oracle's rows as JSON, in FOLDER/oracle_table.h and, for the page, oracle.json:
// {"rows": [[scenario, held out, id, [forward with the loss, backward, step], cause]…]}. Rows with an error are left out.
// CAUSES.json: {"rows": [{"id": "o431", "cause": "falcon_linear"}]}, why a row is predicted badly: message "validate.oracle.<cause>".
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
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
    std::string scenario;
    nlohmann::json row;
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
      auto phases = nlohmann::json::array();
      for (const char* phase : {"forward", "backward", "step"}) {
        const std::int64_t bytes = result["phases"].value(phase, std::int64_t{0});
        if (bytes <= 0) return std::cerr << argv[i] << ": " << id << ": no " << phase << "\n", 1;
        peak = std::max(peak, bytes), phases.push_back(bytes);
      }
      if (peak != result.value("peak", std::int64_t{0})) return std::cerr << argv[i] << ": " << id << ": the peak is in no phase\n", 1;
      for (const char* field : {"result", "id", "model"}) j.erase(field);
      rows.push_back({j.dump(), nlohmann::json::array({j, i == 2, id, phases, why[id]})});
    }
  }
  if (rows.empty()) return std::cerr << "no rows\n", 1;
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.scenario < b.scenario; });
  auto list = nlohmann::json::array();
  for (Row& row : rows) list.push_back(std::move(row.row));
  const std::string text = nlohmann::json{{"rows", list}}.dump();
  std::ofstream out(folder / "oracle_table.h"), page(folder / "oracle.json");
  out << "// Made by tools/oracle_to_cpp.cpp.\n#pragma once\nnamespace gpudget::formats::oracle_table {\ninline constexpr char kJson[] = R\"~(" << text
      << ")~\";\n}\n";
  page << text;
  return out && page ? 0 : 1;
}
