// oracle_to_cpp GIVEN.jsonl HELD_OUT.jsonl CAUSES.json FOLDER: the oracle's rows as a C++ table, FOLDER/oracle_table.h. Rows with an error are left out.
// CAUSES.json: {"rows": [{"id": "o431", "cause": "…"}]}, why a row is predicted badly.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

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
  std::ofstream out(folder / "oracle_table.h");
  out << "// Made by tools/oracle_to_cpp.cpp.\n#pragma once\nnamespace gpudget::formats::oracle_table {\nstruct Row { bool held_out; const char* json; const "
         "char* cause; "
         "};\ninline constexpr Row kRows[] = {\n";
  std::size_t rows = 0;
  for (int i = 1; i <= 2; ++i) {
    std::ifstream in(argv[i]);
    if (!in) return std::cerr << argv[i] << ": cannot be read\n", 1;
    for (std::string line; std::getline(in, line);) {
      if (line.empty()) continue;
      const auto j = nlohmann::json::parse(line, nullptr, false);
      if (j.is_discarded() || !j.contains("result")) return std::cerr << argv[i] << ": not a row: " << line << "\n", 1;
      if (j["result"].contains("error")) continue;
      out << "{" << (i == 2 ? "true" : "false") << ", R\"~(" << j.dump() << ")~\", R\"~(" << why[j.value("id", "")] << ")~\"},\n", ++rows;
    }
  }
  out << "};\n}  // namespace gpudget::formats::oracle_table\n";
  if (rows == 0) return std::cerr << "no rows\n", 1;
  return out ? 0 : 1;
}
