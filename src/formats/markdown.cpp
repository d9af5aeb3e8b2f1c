#include "formats/markdown.h"

#include <fmt/format.h>

#include "formats/report.h"

namespace gpudget::formats {
namespace {

// Text in a table cell: nothing of it may end the cell or start markup.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*_[]<>|").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

void add_table(std::string& out, const ReportRow& headers, const std::vector<ReportRow>& rows) {
  if (rows.empty()) return;
  out += '\n';
  for (const std::string& h : headers) out += fmt::format("| {} ", cell(h));
  out += "|\n";
  for (std::size_t i = 0; i < headers.size(); ++i) out += i == 1 ? "|---:" : "|---";
  out += "|\n";
  for (const ReportRow& row : rows) {
    for (const std::string& c : row) out += fmt::format("| {} ", cell(c));
    out += "|\n";
  }
}

}  // namespace

std::string write_markdown(const Scenario& s, const Estimate& e, const AdviceList& advice, i18n::Language language) {
  const Report r = make_report(s, e, advice, language);
  std::string out = fmt::format("## {}\n\n**{}**\n\n", cell(r.title), cell(r.verdict));
  for (const auto& [label, value] : r.figures) out += fmt::format("- {}{}{}\n", cell(label), r.colon, cell(value));
  add_table(out, r.category_headers, r.categories);
  add_table(out, r.ledger_headers, r.ledger);
  add_table(out, r.advice_headers, r.advice);
  if (!r.problems.empty()) out += '\n';
  for (const std::string& p : r.problems) out += fmt::format("- {}\n", cell(p));
  out += fmt::format("\n```json\n{}\n```\n", r.scenario);
  return out;
}

}  // namespace gpudget::formats
