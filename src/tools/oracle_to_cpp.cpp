// oracle_to_cpp GIVEN.jsonl HELD_OUT.jsonl FOLDER: the oracle's rows as a C++ table, FOLDER/oracle_table.h. Rows with an error are left out.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  if (argc != 4) return std::cerr << "oracle_to_cpp GIVEN.jsonl HELD_OUT.jsonl FOLDER\n", 2;
  const std::filesystem::path folder = argv[3];
  std::filesystem::create_directories(folder);
  std::ofstream out(folder / "oracle_table.h");
  out << "// Made by tools/oracle_to_cpp.cpp.\n#pragma once\nnamespace gpudget::formats::oracle_table {\nstruct Row { bool held_out; const char* json; "
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
      out << "{" << (i == 2 ? "true" : "false") << ", R\"~(" << j.dump() << ")~\"},\n", ++rows;
    }
  }
  out << "};\n}  // namespace gpudget::formats::oracle_table\n";
  if (rows == 0) return std::cerr << "no rows\n", 1;
  return out ? 0 : 1;
}
