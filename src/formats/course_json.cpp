#include "formats/course_json.h"

#include <array>
#include <string_view>

#include "course/chapter.h"
#include "course/quiz.h"
#include "formats/course_figures.h"
#include "formats/course_quiz.h"
#include "formats/course_sheet.h"
#include "formats/json_text.h"

namespace gpudget::formats {
namespace {

using i18n::Language;

// In hundredths at most, as the chapter writes its figures: an integer where it is one.
void number(JsonWriter& out, std::string_view key, double v) {
  const auto whole = static_cast<std::int64_t>(v);
  if (static_cast<double>(whole) == v)
    out.field(key, whole);
  else
    out.field(key, v);
}
void gigabytes(JsonWriter& out, std::string_view key, Bytes b) { number(out, key, b.in_gb()); }
void exact(JsonWriter& out, std::string_view key, Bytes b) { out.field(key, b.in_bytes()); }
// Six decimals, as the chapter's figures in GiB are compared: no more digits than a person reads.
void gibibytes(JsonWriter& out, std::string_view key, Bytes b) {
  const double millionths = b.in_gib() * 1e6 + 0.5;
  number(out, key, static_cast<double>(static_cast<std::int64_t>(millionths)) / 1e6);
}
double rounded(double v, double per_unit) { return static_cast<double>(static_cast<std::int64_t>(v * per_unit + 0.5)) / per_unit; }

void texts(JsonWriter& out, std::string_view key, std::string_view prefix, std::span<const std::string_view> ids, Language l) {
  out.key(key).open('[');
  for (const std::string_view id : ids) {
    const std::string whole = std::string(prefix) + std::string(id);
    out.open('{').field("id", id).field("text", std::string_view(fill_course_figures(l, i18n::text_or(l, whole, id)))).close('}');
  }
  out.close(']');
}

void full_finetune(JsonWriter& out) {
  for (const course::FullFinetuneRow& r : course::full_finetune()) {
    out.open('{').field("size", r.size).field("parameters", r.parameters);
    gigabytes(out, "full_fp32_gb", r.printed_fp32);
    gigabytes(out, "full_bf16_gb", r.printed_bf16);
    gigabytes(out, "with_checkpointing_gb", r.printed_checkpointing);
    exact(out, "full_fp32_bytes", r.fp32);
    exact(out, "full_bf16_bytes", r.bf16);
    exact(out, "with_checkpointing_bytes", r.checkpointing);
    out.close('}');
  }
}

void single_gpu(JsonWriter& out) {
  for (const course::SingleGpuRow& r : course::single_gpu()) {
    out.open('{').field("gpu", r.gpu);
    gigabytes(out, "vram_gb", r.vram);
    out.field("max_full", r.max_full).field("max_efficient", r.max_efficient);
    exact(out, "max_full_needs_bytes", r.full_needs);
    out.field("max_full_fits_by_formula", r.full_fits()).field("max_full_by_formula_parameters", r.full_by_formula);
    exact(out, "max_efficient_needs_checkpointing_bytes", r.efficient_needs_high);
    exact(out, "max_efficient_needs_checkpointing_8bit_bytes", r.efficient_needs_low);
    out.close('}');
  }
}

void multi_gpu(JsonWriter& out) {
  for (const course::MultiGpuRow& r : course::multi_gpu()) {
    out.open('{').field("setup", r.setup).field("gpu", r.gpu).field("gpus", r.gpus);
    gigabytes(out, "vram_gb", r.vram);
    out.key("max_efficient").open('[').value(r.efficient_low).value(r.efficient_high).close(']');
    exact(out, "needs_checkpointing_bytes", r.needs_high);
    exact(out, "needs_checkpointing_8bit_bytes", r.needs_low);
    out.close('}');
  }
}

void throughput(JsonWriter& out) {
  for (const course::ThroughputRow& r : course::throughput()) {
    out.open('{').field("model", r.model).field("gpu", r.gpu).field("gpus", r.gpus);
    number(out, "tokens_per_s", r.rate.value());
    out.close('}');
  }
}

void time(JsonWriter& out) {
  const course::TimeExample e = course::time_example();
  out.open('{').field("examples", e.examples).field("tokens_per_example", e.tokens_per_example).field("epochs", e.epochs);
  number(out, "tokens_per_s", e.rate.value());
  out.field("total_tokens", e.total_tokens).field("total_training_tokens", e.training_tokens);
  number(out, "seconds", e.seconds.value());
  number(out, "hours", rounded(e.hours(), 10));
  out.close('}');
}

void prices(JsonWriter& out) {
  for (const course::PriceRow& r : course::prices()) {
    out.open('{').field("gpu", r.gpu);
    number(out, "on_demand", r.on_demand.value());
    number(out, "spot", r.spot.value());
    number(out, "saving", rounded(r.saving(), 100));
    out.close('}');
  }
}

void cost(JsonWriter& out) {
  const course::CostExample e = course::cost_example();
  out.open('{').field("model", e.model).field("gpu", e.gpu);
  number(out, "hours", e.hours);
  number(out, "on_demand_usd", rounded(e.on_demand.value(), 100));
  number(out, "spot_usd", rounded(e.spot.value(), 100));
  out.field("runs", e.runs);
  number(out, "runs_on_demand_usd", rounded(e.runs_on_demand.value(), 100));
  number(out, "runs_spot_usd", rounded(e.runs_spot.value(), 100));
  out.key("spot_saving").open('[').value(course::kSpotSavingLow).value(course::kSpotSavingHigh).close(']').close('}');
}

void estimate_memory(JsonWriter& out) {
  for (const course::EstimateMemoryCase& c : course::estimate_memory_cases()) {
    const bool bf16 = c.precision == course::Precision::bfloat16;
    out.open('{').field("parameters", c.parameters).field("batch_size", c.batch_size).field("seq_len", c.seq_len);
    out.field("precision", bf16 ? "bf16" : "fp32");
    gibibytes(out, "weights_gib", c.result.weights);
    gibibytes(out, "gradients_gib", c.result.gradients);
    gibibytes(out, "optimizer_gib", c.result.optimizer);
    gibibytes(out, "activations_gib", c.result.activations);
    gibibytes(out, "total_gib", c.result.total());
    exact(out, "total_bytes", c.result.total());
    out.close('}');
  }
}

// {"table": …, "title": …, "rule": …, "rows": […] or "example": {…}, "notes": […]}
void table(JsonWriter& out, course::Table t, Language l) {
  const CourseSheet sheet = course_sheet(l, name(t));
  out.open('{').field("table", name(t)).field("title", std::string_view(sheet.title));
  if (!sheet.rule.empty()) out.field("rule", std::string_view(sheet.rule));
  if (t == course::Table::time || t == course::Table::cost) {
    out.key("example");
    t == course::Table::time ? time(out) : cost(out);
  } else {
    out.key(t == course::Table::estimate_memory ? "cases" : "rows").open('[');
    switch (t) {
      case course::Table::full_finetune: full_finetune(out); break;
      case course::Table::single_gpu: single_gpu(out); break;
      case course::Table::multi_gpu: multi_gpu(out); break;
      case course::Table::throughput: throughput(out); break;
      case course::Table::prices: prices(out); break;
      case course::Table::estimate_memory: estimate_memory(out); break;
      case course::Table::time:
      case course::Table::cost: break;
    }
    out.close(']');
  }
  out.key("notes").open('[');
  for (const std::string& note : sheet.notes) out.value(std::string_view(note));
  out.close(']').close('}');
}

void breakdown(JsonWriter& out, std::string_view key, std::string_view optimizer, course::Precision precision) {
  const course::Breakdown b = course::full_finetuning(course::kWorkedParameters, precision);
  out.key(key).open('{');
  gigabytes(out, "weights_gb", b.weights);
  gigabytes(out, "gradients_gb", b.gradients);
  gigabytes(out, optimizer, b.optimizer);
  gigabytes(out, "total_gb", b.total());
  out.close('}');
}

void worked(JsonWriter& out) {
  out.open('{').field("parameters", course::kWorkedParameters);
  breakdown(out, "float32", "optimizer_gb", course::Precision::float32);
  breakdown(out, "bfloat16_mixed", "optimizer_fp32_gb", course::Precision::bfloat16);
  const Bytes whole = course::full_finetuning(course::kWorkedParameters, course::Precision::bfloat16).total();
  out.key("bfloat16_mixed_checkpointing").open('{').field("activation_reduction", static_cast<double>(course::kCheckpointingPercentOff) / 100);
  out.key("total_gb").open('[').value(course::kWorkedWithCheckpointing.low.in_gb()).value(course::kWorkedWithCheckpointing.high.in_gb()).close(']');
  gigabytes(out, "by_formula_gb", course::with_checkpointing(whole));
  out.close('}').close('}');
}

}  // namespace

std::string write_course(std::optional<course::Table> only, Language l) {
  JsonWriter out;
  if (only) {
    table(out, *only, l);
    return out.take();
  }
  out.open('{');
  out.key("bytes_per_parameter").open('{');
  for (const course::Precision p : course::kPrecisions) number(out, name(p), course::bytes_per_parameter(p));
  out.close('}');
  out.key("multiplier").open('{').field("inference", course::kInferenceMultiplier);
  out.key("adamw_training").open('[').value(course::kTrainingMultiplierLow).value(course::kTrainingMultiplierHigh).close(']');
  out.field("formula", i18n::text(l, i18n::Msg::learn_formula_f1)).close('}');
  out.key("worked_7b");
  worked(out);
  for (std::size_t i = 0; i < course::kTables; ++i) {
    out.key(name(static_cast<course::Table>(i)));
    table(out, static_cast<course::Table>(i), l);
  }
  out.key("reductions").open('[');
  for (const course::Reduction& r : course::reductions()) {
    const std::string id = "reduction." + std::string(r.id);
    out.open('{').field("id", r.id).field("technique", i18n::text_or(l, id, r.id)).field("effect", i18n::text_or(l, id + ".effect", ""));
    if (!r.setting.empty()) out.field("setting", r.setting);
    if (r.before > Bytes{}) {
      exact(out, "before_bytes", r.before);
      exact(out, "after_bytes", r.after);
    }
    out.close('}');
  }
  out.close(']');
  out.key("profiling").open('[');
  for (const std::string_view call : course::profiling_calls()) out.value(call);
  out.close(']');
  texts(out, "checklist", "checklist.", course::checklist(), l);
  texts(out, "key_points", "learn.key_points.", course::key_points(), l);
  out.key("quiz").open('[');
  for (const QuizQuestion& q : quiz_questions(l)) {
    out.open('{').field("id", std::string_view(q.id)).field("question", std::string_view(q.question)).key("options").open('[');
    for (const std::string& option : q.options) out.value(std::string_view(option));
    out.close(']').field("answer", std::string_view(q.options[q.answer])).field("why", std::string_view(q.why)).close('}');
  }
  out.close(']');
  texts(out, "contradictions", "contradiction.", course::contradictions(), l);
  return out.close('}').take();
}

}  // namespace gpudget::formats
