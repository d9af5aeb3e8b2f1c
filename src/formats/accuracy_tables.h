// The published measurements and the exact simulations that the Accuracy view and `gpudget validate` set beside the estimate, as tools/*_to_cpp.cpp make them
// of tests/data at build time: compiled in, but for the page, which fetches them as one file when that view is opened. What is read stays for good.
#pragma once
#include <cstdint>
#include <string_view>

#include <nlohmann/json.hpp>

#include "formats/error.h"

namespace gpudget::formats {

bool accuracy_tables_here();
// The page's file: {"measurements": …, "oracle": …, "throughput": …}.
Result<void> read_accuracy_tables(std::string_view json);

enum class AccuracyTable : std::uint8_t { measurements, oracle, throughput };
const nlohmann::json& accuracy_table(AccuracyTable table);  // null until it is here

// Members by name or place; an empty text, 0 or an empty list where there is none of that type.
const nlohmann::json& table_member(const nlohmann::json& object, const char* name);
std::string_view table_text(const nlohmann::json& list, std::size_t i);
std::int64_t table_integer(const nlohmann::json& list, std::size_t i);

}  // namespace gpudget::formats
