#include "formats/report.h"

#include <fmt/format.h>

#include "formats/formula_text.h"
#include "formats/problem_text.h"
#include "formats/scenario_json.h"
#include "i18n/numbers.h"

namespace gpudget::formats {
namespace {

using i18n::Language;
using i18n::Msg;

std::string composed(Language l, std::string_view group, std::string_view id) { return std::string(i18n::text_or(l, fmt::format("{}.{}", group, id), id)); }
std::string words(Language l, Msg m) { return std::string(i18n::text(l, m)); }

}  // namespace

Report make_report(const Scenario& s, const Estimate& e, const AdviceList& advice, Language l) {
  Report r;
  r.colon = words(l, Msg::word_colon);
  const MemoryEstimate& m = e.memory;
  r.title = fmt::format("{} · {} · {} × {}", e.model.name.view(), composed(l, "choice.method", name(s.method)), i18n::integer(l, s.gpus), s.gpu.name.view());
  const bool over = m.headroom < Bytes{};
  const std::string room = i18n::size(l, over ? Bytes{} - m.headroom : m.headroom);
  r.verdict = fmt::format("{}{}{}", i18n::text(l, m.fits ? Msg::verdict_fits : Msg::verdict_does_not_fit), r.colon,
                          over ? i18n::format(l, Msg::verdict_does_not_fit_sentence, {{"over", room}, {"gpu", s.gpu.name.view()}})
                               : i18n::format(l, Msg::verdict_fits_sentence, {{"spare", room}, {"gpu", s.gpu.name.view()}}));
  const auto figure = [&](Msg label, std::string value) { r.figures.emplace_back(words(l, label), std::move(value)); };
  figure(Msg::verdict_memory, i18n::size(l, m.device));
  figure(Msg::cli_range, fmt::format("{} – {} ({})", i18n::size(l, m.range_low), i18n::size(l, m.range_high), composed(l, "confidence", name(m.confidence))));
  figure(Msg::cli_torch, fmt::format("{} / {}", i18n::size(l, m.allocated), i18n::size(l, m.reserved)));
  if (e.compute.tokens_per_second.value() > 0) figure(Msg::verdict_throughput, i18n::rate(l, e.compute.tokens_per_second));
  if (e.time.seconds.value() > 0) figure(Msg::verdict_time, i18n::duration(l, e.time.seconds));
  if (e.cost.usd.value() > 0) figure(Msg::verdict_cost, i18n::money(l, e.cost.usd));
  if (s.runs > 1 && e.cost.usd.value() > 0)
    figure(Msg::verdict_cost, i18n::format(l, Msg::verdict_all_runs, {{"v", i18n::money(l, e.cost.usd_all_runs)}, {"runs", i18n::integer(l, s.runs)}}));
  r.category_headers = {words(l, Msg::cli_memory_at_peak), words(l, Msg::cli_size)};
  for (std::size_t i = 0; i < kCategories; ++i)
    if (m.categories[i] > Bytes{}) r.categories.push_back({composed(l, "category", names<Category>()[i]), i18n::size(l, m.categories[i])});
  r.ledger_headers = {words(l, Msg::cli_ledger), words(l, Msg::cli_size), words(l, Msg::cli_alive), words(l, Msg::cli_formula)};
  for (const LedgerEntry& entry : m.ledger.entries()) {
    const std::string from = composed(l, "phase", name(entry.from));
    r.ledger.push_back({composed(l, "ledger", name(entry.id)), i18n::size(l, entry.size),
                        entry.from == entry.to ? from : fmt::format("{} – {}", from, composed(l, "phase", name(entry.to))), formula_text(entry.formula, l)});
  }
  r.advice_headers = {words(l, Msg::cli_advice), words(l, Msg::verdict_memory), words(l, Msg::verdict_time)};
  for (const Advice& a : advice.view()) {
    if (!a.applicable) continue;
    r.advice.push_back({composed(l, "advice", name(a.id)), a.saves > Bytes{} ? "−" + i18n::size(l, a.saves) : std::string(),
                        a.costs.value() >= 1 ? "+" + i18n::duration(l, a.costs) : std::string()});
  }
  for (const Problem& p : e.problems.view())
    r.problems.push_back(fmt::format("{}{}{}{}{}", composed(l, "severity", name(p.severity)), r.colon, p.path, r.colon, problem_text(p, l)));
  r.scenario = write_scenario_compact(s);
  return r;
}

}  // namespace gpudget::formats
