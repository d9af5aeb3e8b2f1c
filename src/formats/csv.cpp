#include "formats/csv.h"

#include <fmt/format.h>

#include "formats/formula_text.h"

namespace gpudget::formats {
namespace {

// Quoted where needed; a text that a spreadsheet would run as a formula gets a leading apostrophe.
std::string cell(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos;
  std::string out = formula ? "'" : "";
  bool quote = formula;
  for (const char c : text) {
    if (c == '"') out += '"';
    quote = quote || c == '"' || c == ',' || c == '\n' || c == '\r';
    out += c;
  }
  return quote ? "\"" + out + "\"" : out;
}

}  // namespace

std::string write_csv(const Scenario&, const Estimate& e, i18n::Language language) {
  std::string out = "kind,id,category,bytes,from,to,formula\r\n";
  for (const LedgerEntry& entry : e.memory.ledger.entries())
    out += fmt::format("ledger,{},{},{},{},{},{}\r\n", name(entry.id), name(entry.category), entry.size.in_bytes(), name(entry.from), name(entry.to),
                       cell(formula_text(entry.formula, language)));
  for (std::size_t i = 0; i < kPhases; ++i)
    if (e.memory.phases[i] > Bytes{}) out += fmt::format("phase,{0},,{1},{0},{0},\r\n", names<Phase>()[i], e.memory.phases[i].in_bytes());
  for (std::size_t i = 0; i < kCategories; ++i) {
    const std::string_view peak = name(e.memory.peak_phase);
    out += fmt::format("category,{0},{0},{1},{2},{2},\r\n", names<Category>()[i], e.memory.categories[i].in_bytes(), peak);
  }
  for (const auto& [id, size] : {std::pair<std::string_view, Bytes>{"allocated", e.memory.allocated},
                                 {"reserved", e.memory.reserved},
                                 {"device", e.memory.device},
                                 {"range_low", e.memory.range_low},
                                 {"range_high", e.memory.range_high},
                                 {"capacity", e.memory.capacity},
                                 {"headroom", e.memory.headroom},
                                 {"host", e.memory.host}})
    out += fmt::format("total,{},,{},,,\r\n", id, size.in_bytes());
  return out;
}

}  // namespace gpudget::formats
