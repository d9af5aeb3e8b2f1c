#include "formats/estimate_json.h"

#include <fmt/format.h>

#include "formats/advice_patch.h"
#include "formats/formula_text.h"
#include "formats/json_text.h"
#include "formats/problem_text.h"
#include "formats/scenario_json.h"

namespace gpudget::formats {
namespace {

void write_memory(JsonWriter& out, const MemoryEstimate& m, i18n::Language language) {
  const auto size = [](Bytes b) { return b.in_bytes(); };
  out.key("memory").open('{');
  out.key("per_gpu").open('{').field("allocated", size(m.allocated)).field("reserved", size(m.reserved)).field("device", size(m.device)).close('}');
  out.key("range").open('{').field("low", size(m.range_low)).field("high", size(m.range_high)).close('}');
  out.field("capacity", size(m.capacity)).field("headroom", size(m.headroom)).field("fits", m.fits).field("confidence", m.confidence);
  out.field("peak_phase", m.peak_phase);
  out.key("phases").open('[');
  for (std::size_t i = 0; i < kPhases; ++i)
    if (m.phases[i] > Bytes{}) out.open('{').field("phase", names<Phase>()[i]).field("bytes", size(m.phases[i])).close('}');
  out.close(']');
  out.key("categories").open('{');
  for (std::size_t i = 0; i < kCategories; ++i) out.field(names<Category>()[i], size(m.categories[i]));
  out.close('}');
  out.key("ledger").open('[');
  std::string formula;
  for (const LedgerEntry& e : m.ledger.entries()) {
    formula.clear();
    append_formula(formula, e.formula, language);
    out.open('{').field("id", e.id).field("category", e.category).field("bytes", size(e.size));
    out.field("from", e.from).field("to", e.to).field("formula", std::string_view(formula)).close('}');
  }
  out.close(']').field("host_bytes", size(m.host)).close('}');
}

void write_advice(JsonWriter& out, const Scenario& s, const AdviceList& advice, const AdvisedScenarios* done) {
  const auto patch = [&](AdviceId id) {
    return done != nullptr && id != AdviceId::larger_gpu ? write_difference(s, (*done)[static_cast<std::size_t>(id)]) : write_difference(s, advised(id, s));
  };
  out.key("advice").open('[');
  for (const Advice& a : advice.view()) {
    out.open('{').field("id", a.id).field("enabled", a.enabled).field("applicable", a.applicable).field("makes_it_fit", a.makes_it_fit);
    out.field("saves_bytes", a.saves.in_bytes()).field("saves_usd", a.saves_usd.value()).field("costs_seconds", a.costs.value());
    out.key("scenario_patch").raw(a.applicable ? patch(a.id) : "{}").close('}');
  }
  out.close(']');
}

}  // namespace

std::string write_estimate(const Scenario& s, const Estimate& e, const AdviceList& advice, i18n::Language language, const AdvisedScenarios* done) {
  std::string text;
  text.reserve(8192);
  append_estimate(text, s, e, advice, language, done);
  return text;
}

void append_estimate(std::string& text, const Scenario& s, const Estimate& e, const AdviceList& advice, i18n::Language language, const AdvisedScenarios* done) {
  JsonWriter out(std::move(text));
  out.open('{');
  out.key("model").open('{').field("name", e.model.name.view()).field("parameters", e.model.parameters);
  out.field("active_parameters", e.model.active_parameters).field("trainable_parameters", e.model.trainable_parameters).close('}');
  write_memory(out, e.memory, language);
  const ComputeEstimate& c = e.compute;
  out.key("compute").open('{').field("flops_per_token", c.flops_per_token.value()).field("tokens_per_step", c.tokens_per_step);
  out.field("step_seconds", c.step_seconds.value()).field("tokens_per_second", c.tokens_per_second.value());
  out.key("tokens_per_second_range").open('{').field("low", c.tokens_per_second_low.value()).field("high", c.tokens_per_second_high.value()).close('}');
  out.field("mfu", c.mfu).field("bound", c.bound).close('}');
  out.key("time").open('{').field("training_tokens", e.time.training_tokens).field("steps", e.time.steps);
  out.field("seconds", e.time.seconds.value()).field("seconds_all_runs", e.time.seconds_all_runs.value()).close('}');
  out.key("cost").open('{').field("usd", e.cost.usd.value()).field("usd_all_runs", e.cost.usd_all_runs.value());
  out.field("usd_on_demand", e.cost.usd_on_demand.value()).field("usd_spot", e.cost.usd_spot.value());
  out.field("priced_on", e.cost.priced_on.view()).field("source", e.cost.source.view()).close('}');
  write_advice(out, s, advice, done);
  out.key("problems").open('[');
  for (const Problem& p : e.problems.view()) {
    out.open('{').field("severity", p.severity).field("path", p.path).field("id", p.id);
    out.field("message", std::string_view(problem_text(p, language))).close('}');
  }
  text = out.close(']').close('}').take();
}

}  // namespace gpudget::formats
