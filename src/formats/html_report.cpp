#include "formats/html_report.h"

#include <array>

#include <fmt/format.h>

#include "formats/report.h"

namespace gpudget::formats {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

void add_table(std::string& out, const ReportRow& headers, const std::vector<ReportRow>& rows) {
  if (rows.empty()) return;
  out += "<table><thead><tr>";
  for (const std::string& h : headers) out += fmt::format("<th scope=\"col\">{}</th>", escaped(h));
  out += "</tr></thead><tbody>\n";
  for (const ReportRow& row : rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) out += fmt::format("<td{}>{}</td>", i == 1 ? " class=\"n\"" : "", escaped(row[i]));
    out += "</tr>\n";
  }
  out += "</tbody></table>\n";
}

// The categories' colours of the interface, in their order.
constexpr std::array<std::string_view, kCategories> kColours{"#4C78A8", "#F58518", "#E45756", "#72B7B2", "#EECA3B", "#B279A2", "#9D755D", "#A0A0A0"};

// The peak to scale, with the capacity as a line.
std::string bar(const MemoryEstimate& m) {
  const std::int64_t scale = m.device > m.capacity ? m.device.in_bytes() : m.capacity.in_bytes();
  if (scale <= 0) return {};
  const auto tenths = [&](Bytes b) { return static_cast<double>(b.in_bytes()) * 1000.0 / static_cast<double>(scale); };
  std::string out = "<svg viewBox=\"0 0 1000 48\" role=\"img\" aria-hidden=\"true\">";
  double x = 0;
  for (std::size_t i = 0; i < kCategories; ++i) {
    const double w = tenths(m.categories[i]);
    if (w <= 0) continue;
    out += fmt::format("<rect x=\"{:.1f}\" y=\"8\" width=\"{:.1f}\" height=\"32\" fill=\"{}\"/>", x, w, kColours[i]);
    x += w;
  }
  const double line = tenths(m.capacity);
  return out + fmt::format("<path d=\"M{0:.1f} 0V48\" stroke=\"currentColor\" stroke-width=\"3\"/></svg>\n", line < 998 ? line : 998.0);
}

}  // namespace

std::string write_html_report(const Scenario& s, const Estimate& e, const AdviceList& advice, i18n::Language language) {
  const Report r = make_report(s, e, advice, language);
  std::string out = fmt::format(R"(<!DOCTYPE html>
<html lang="{}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 15px/1.45 Inter, system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
h1 {{ font-size: 20px }} .verdict {{ font-size: 24px }} svg {{ width: 100%; height: 48px }}
table {{ border-collapse: collapse; width: 100%; margin: 1.5rem 0; font-variant-numeric: tabular-nums }}
th, td {{ text-align: left; padding: 4px 8px; border-bottom: 1px solid #8884 }} td.n {{ text-align: right; white-space: nowrap }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px }} dt {{ opacity: .75 }} dd {{ margin: 0 }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere }}
</style></head><body>
<h1>{}</h1>
<p class="verdict">{}</p>
)",
                                i18n::code(language), escaped(r.title), escaped(r.title), escaped(r.verdict));
  out += bar(e.memory);
  out += "<dl>";
  for (const auto& [label, value] : r.figures) out += fmt::format("<dt>{}</dt><dd>{}</dd>", escaped(label), escaped(value));
  out += "</dl>\n";
  add_table(out, r.category_headers, r.categories);
  add_table(out, r.ledger_headers, r.ledger);
  add_table(out, r.advice_headers, r.advice);
  if (!r.problems.empty()) out += "<ul>";
  for (const std::string& p : r.problems) out += fmt::format("<li>{}</li>", escaped(p));
  if (!r.problems.empty()) out += "</ul>\n";
  return out + fmt::format("<pre>{}</pre>\n</body></html>\n", escaped(r.scenario));
}

}  // namespace gpudget::formats
