#include "formats/accuracy_tables.h"

#include <array>

#include "formats/json_reader.h"
#if !GPUDGET_TABLES_LATER
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
#include "formats/measurement_table.h"
#include "formats/oracle_table.h"
#include "formats/throughput_table.h"
#pragma GCC diagnostic pop
#endif

namespace gpudget::formats {
namespace {

using nlohmann::json;
using Tables = std::array<json, 3>;

Tables built_in() {
#if GPUDGET_TABLES_LATER
  return {};
#else
  return {json::parse(measurement_table::kJson, nullptr, false), json::parse(oracle_table::kJson, nullptr, false),
          json::parse(throughput_table::kJson, nullptr, false)};
#endif
}
Tables& tables() {
  static Tables all = built_in();
  return all;
}

}  // namespace

bool accuracy_tables_here() { return tables()[0].is_object(); }

Result<void> read_accuracy_tables(std::string_view text) {
  constexpr std::size_t kMost = 4 << 20;
  auto all = parse_json(text, kMost);
  if (!all) return tl::unexpected(std::move(all.error()));
  constexpr std::array<const char*, 3> names{"measurements", "oracle", "throughput"};
  Tables read;
  for (std::size_t i = 0; i < names.size(); ++i) {
    read[i] = table_member(*all, names[i]);
    if (!read[i].is_object()) return tl::unexpected(Error{names[i], ErrorId::missing_field, {}, "the measurements' file of this version", {}});
  }
  tables() = std::move(read);
  return {};
}

const json& accuracy_table(AccuracyTable table) { return tables()[static_cast<std::size_t>(table)]; }

const json& table_member(const json& object, const char* name) {
  static const json none = json::array();
  if (!object.is_object()) return none;
  const auto it = object.find(name);
  return it == object.end() ? none : *it;
}
std::string_view table_text(const json& list, std::size_t i) {
  if (!list.is_array() || i >= list.size() || !list[i].is_string()) return {};
  return list[i].get_ref<const std::string&>();
}
std::int64_t table_integer(const json& list, std::size_t i) {
  if (!list.is_array() || i >= list.size()) return 0;
  return list[i].is_number_integer() ? list[i].get<std::int64_t>() : list[i].is_boolean() && list[i].get<bool>() ? 1 : 0;
}

}  // namespace gpudget::formats
