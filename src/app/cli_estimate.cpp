// gpudget estimate: Scenario in, Estimate out, as a table, JSON, Markdown or CSV; or a stream of them, one a line.
#include <chrono>
#include <string>

#include <fmt/format.h>

#include "app/cli.h"
#include "app/cli_table.h"
#include "core/advice.h"
#include "core/estimate.h"
#include "core/price_age.h"
#include "formats/course_speed.h"
#include "formats/csv.h"
#include "formats/estimate_json.h"
#include "formats/formula_text.h"
#include "formats/html_report.h"
#include "formats/markdown.h"
#include "formats/problem_text.h"
#include "i18n/numbers.h"

namespace gpudget::cli {
namespace {

using i18n::Language;
using i18n::Msg;

struct EstimateOptions {
  ScenarioOptions scenario;
  LanguageOption language;
  bool json = false, markdown = false, csv = false, html = false, check = false, ndjson = false;
};

std::string composed(Language l, std::string_view group, std::string_view id) { return std::string(i18n::text_or(l, fmt::format("{}.{}", group, id), id)); }

std::string verdict(Language l, const Scenario& s, const Estimate& e) {
  const MemoryEstimate& m = e.memory;
  const bool tight = m.fits && m.headroom.in_bytes() < m.capacity.in_bytes() / 20;
  const Bytes distance = m.headroom < Bytes{} ? Bytes{} - m.headroom : m.headroom;
  const std::string room = i18n::size(l, distance);
  const std::string sentence = m.headroom < Bytes{} ? i18n::format(l, Msg::verdict_does_not_fit_sentence, {{"over", room}, {"gpu", s.gpu.name.view()}})
                                                    : i18n::format(l, Msg::verdict_fits_sentence, {{"spare", room}, {"gpu", s.gpu.name.view()}});
  const std::string_view word = i18n::text(l, !m.fits ? Msg::verdict_does_not_fit : tight ? Msg::verdict_tight : Msg::verdict_fits);
  return coloured(word, !m.fits ? Colour::red : tight ? Colour::amber : Colour::green) + std::string(i18n::text(l, Msg::word_colon)) + sentence;
}

// A bar of the used share of the capacity; what is over it is drawn too, up to twice the capacity.
std::string bar(const MemoryEstimate& m) {
  constexpr std::int64_t kCells = 40;
  const std::int64_t capacity = m.capacity.in_bytes();
  if (capacity <= 0) return {};
  const std::int64_t used = m.device.in_bytes() > 2 * capacity ? 2 * kCells : m.device.in_bytes() / (capacity / kCells + 1);
  std::string inside, over;
  for (std::int64_t i = 0; i < kCells; ++i) inside += i < used ? "█" : "░";
  for (std::int64_t i = kCells; i < used; ++i) over += "█";
  return coloured(inside, m.fits ? Colour::green : Colour::red) + "│" + coloured(over, Colour::red);
}

void add_categories(std::string& out, Language l, const Estimate& e) {
  Table table({std::string(i18n::text(l, Msg::cli_memory_at_peak)), std::string(i18n::text(l, Msg::cli_size)), ""}, {false, true, true});
  for (std::size_t i = 0; i < kCategories; ++i) {
    const Bytes size = e.memory.categories[i];
    if (size <= Bytes{} || e.memory.device <= Bytes{}) continue;
    table.row({composed(l, "category", names<Category>()[i]), i18n::size(l, size),
               i18n::percent(l, static_cast<double>(size.in_bytes()) / static_cast<double>(e.memory.device.in_bytes()))});
  }
  table.row({coloured(i18n::text(l, Msg::cli_device), Colour::bold), coloured(i18n::size(l, e.memory.device), Colour::bold), ""});
  out += table.text("  ");
}

void add_ledger(std::string& out, Language l, const Estimate& e) {
  Table table({std::string(i18n::text(l, Msg::cli_ledger)), std::string(i18n::text(l, Msg::cli_size)), std::string(i18n::text(l, Msg::cli_alive)),
               std::string(i18n::text(l, Msg::cli_formula))},
              {false, true, false, false});
  for (const LedgerEntry& entry : e.memory.ledger.entries()) {
    const std::string from = composed(l, "phase", name(entry.from)), to = composed(l, "phase", name(entry.to));
    table.row({composed(l, "ledger", name(entry.id)), i18n::size(l, entry.size), entry.from == entry.to ? from : fmt::format("{} – {}", from, to),
               formats::formula_text(entry.formula, l)});
  }
  out += table.text("  ");
}

void add_figures(std::string& out, Language l, const Scenario& s, const Estimate& e) {
  Table table({"", ""});
  const auto row = [&](Msg label, std::string value) { table.row({std::string(i18n::text(l, label)), std::move(value)}); };
  row(Msg::cli_model,
      fmt::format("{} · {}{}", e.model.name.view(), i18n::format(l, Msg::cli_parameters, {{"n", i18n::count_short(l, e.model.parameters)}}),
                  s.method == Method::inference ? std::string()
                                                : " · " + i18n::format(l, Msg::cli_trainable, {{"n", i18n::count_short(l, e.model.trainable_parameters)}})));
  row(Msg::cli_hardware, fmt::format("{} × {} · {}", i18n::integer(l, s.gpus), s.gpu.name.view(), i18n::size(l, e.memory.capacity)));
  row(Msg::cli_range,
      fmt::format("{} – {} ({})", i18n::size(l, e.memory.range_low), i18n::size(l, e.memory.range_high), composed(l, "confidence", name(e.memory.confidence))));
  row(Msg::cli_torch, fmt::format("{} / {}", i18n::size(l, e.memory.allocated), i18n::size(l, e.memory.reserved)));
  if (e.memory.host > Bytes{}) row(Msg::cli_host, i18n::size(l, e.memory.host));
  if (e.compute.tokens_per_second.value() > 0)
    row(Msg::verdict_throughput, fmt::format("{} · MFU {} · {}", i18n::rate(l, e.compute.tokens_per_second), i18n::percent(l, e.compute.mfu),
                                             i18n::format(l, Msg::cli_bound, {{"what", composed(l, "bound", name(e.compute.bound))}})));
  if (e.time.seconds.value() > 0) {
    std::string time = fmt::format("{} · {}", i18n::duration(l, e.time.seconds), i18n::format(l, Msg::cli_steps, {{"n", i18n::integer(l, e.time.steps)}}));
    if (s.runs > 1)
      time +=
          fmt::format(" · {}", i18n::format(l, Msg::verdict_all_runs, {{"v", i18n::duration(l, e.time.seconds_all_runs)}, {"runs", i18n::integer(l, s.runs)}}));
    row(Msg::verdict_time, time);
  }
  if (e.cost.usd.value() > 0) {
    std::string cost = i18n::money(l, e.cost.usd);
    if (s.runs > 1)
      cost += fmt::format(" · {}", i18n::format(l, Msg::verdict_all_runs, {{"v", i18n::money(l, e.cost.usd_all_runs)}, {"runs", i18n::integer(l, s.runs)}}));
    if (!e.cost.priced_on.empty())
      cost += fmt::format(" ({}{})", s.quote.provider.empty() ? std::string() : std::string(s.quote.provider.view()) + ", ",
                          i18n::date(l, e.cost.priced_on.view()));
    row(Msg::verdict_cost, cost);
  }
  out += table.text("  ");
}

void add_advice(std::string& out, Language l, const AdviceList& advice) {
  Table table({std::string(i18n::text(l, Msg::cli_advice)), ""});
  std::size_t shown = 0;
  for (const Advice& a : advice.view()) {
    if (!a.applicable || shown == 5) continue;
    ++shown;
    std::string gain;
    const auto also = [&](const std::string& text) { gain += (gain.empty() ? "" : " · ") + text; };
    if (a.makes_it_fit) also(coloured(i18n::text(l, Msg::verdict_fits), Colour::green));
    if (a.saves > Bytes{}) also("−" + i18n::size(l, a.saves));
    if (a.saves_usd.value() >= 0.005) also("−" + i18n::money(l, a.saves_usd));
    if (a.costs.value() >= 1) also("+" + i18n::duration(l, a.costs));
    table.row({composed(l, "advice", name(a.id)), gain});
  }
  if (shown > 0) out += "\n" + table.text("  ");
}

void add_problems(std::string& out, Language l, const Estimate& e) {
  for (const Problem& p : e.problems.view()) {
    const Colour colour = p.severity == Severity::error ? Colour::red : p.severity == Severity::warning ? Colour::amber : Colour::dim;
    out += fmt::format("\n  {} {}{}{}", coloured(composed(l, "severity", name(p.severity)), colour), p.path, i18n::text(l, Msg::word_colon),
                       formats::problem_text(p, l));
  }
  if (!e.problems.view().empty()) out += '\n';
}

// The clock is ours, not the estimate's: the JSON of a scenario is the same on any day.
bool priced_long_ago(const Estimate& e) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return price_is_old(e.cost.priced_on.view(), date_of_days(std::chrono::duration_cast<std::chrono::hours>(now).count() / 24).view());
}

std::string table_text(Language l, const Scenario& s, const Estimate& e, const AdviceList& advice) {
  std::string out = verdict(l, s, e) + "\n" + bar(e.memory) + "\n\n";
  add_figures(out, l, s, e);
  out += '\n';
  add_categories(out, l, e);
  out += '\n';
  add_ledger(out, l, e);
  add_advice(out, l, advice);
  add_problems(out, l, e);
  if (priced_long_ago(e))
    out += fmt::format("\n  {} price{}{}\n", coloured(composed(l, "severity", "note"), Colour::dim), i18n::text(l, Msg::word_colon),
                       i18n::text(l, Msg::problem_price_old));
  if (const auto course = formats::compare_speed_with_course(s, e)) out += fmt::format("\n  {}\n", formats::course_speed_text(l, *course));
  return out;
}

int run(const EstimateOptions& options, Context& context) {
  const Language l = options.language.get();
  if (options.ndjson) return run_ndjson(options.scenario, options.language.code.empty() ? Language::en : l, options.check);
  const Scenario s = options.scenario.read();
  const Estimate e = estimate(s);
  const AdviceList advice = advise(s, e);
  if (options.json)  // the language of the data is English unless asked for: the same bytes everywhere
    context.out = formats::write_estimate(s, e, advice, options.language.code.empty() ? Language::en : l) + "\n";
  else if (options.markdown)
    context.out = formats::write_markdown(s, e, advice, l);
  else if (options.csv)
    context.out = formats::write_csv(s, e, l);
  else if (options.html)
    context.out = formats::write_html_report(s, e, advice, l);
  else
    context.out = table_text(l, s, e, advice);
  return options.check && !e.memory.fits ? kNo : kDone;
}

}  // namespace

void add_estimate(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("estimate", "memory, time and cost of one Scenario");
  auto options = std::make_shared<EstimateOptions>();
  options->scenario.add(*call, context);
  CLI::Option* json = call->add_flag("--json", options->json, "the whole Estimate as JSON");
  CLI::Option* markdown = call->add_flag("--markdown", options->markdown, "tables for an issue or a thesis")->excludes(json);
  CLI::Option* csv = call->add_flag("--csv", options->csv, "the ledger as CSV")->excludes(json)->excludes(markdown);
  CLI::Option* html = call->add_flag("--html", options->html, "a report as one HTML file")->excludes(json)->excludes(markdown)->excludes(csv);
  call->add_flag("--ndjson", options->ndjson, "one Scenario a line in, one Estimate a line out; a wrong line is answered with its error")
      ->excludes(json)
      ->excludes(markdown)
      ->excludes(csv)
      ->excludes(html);
  options->language.add(*call, context);
  call->add_flag("--check", options->check, "exit status 1 where it does not fit");
  call->footer(field_help());
  call->callback([options, &context] { context.run = [options, &context] { return run(*options, context); }; });
}

}  // namespace gpudget::cli
