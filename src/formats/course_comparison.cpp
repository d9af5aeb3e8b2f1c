#include "formats/course_comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "course/formulas.h"
#include "i18n/numbers.h"

namespace gpudget::formats {
namespace {

// The chapter speaks of 32- and 16-bit training; of quantized weights only what the weights take.
course::Precision precision_of(const Scenario& s) {
  if (s.method == Method::lora || s.method == Method::qlora) return course::Precision::bfloat16;  // its rule knows full fine-tuning only
  switch (weights_dtype(s)) {
    case DType::fp32:
    case DType::tf32: return course::Precision::float32;
    case DType::fp16: return course::Precision::float16;
    case DType::int8:
    case DType::fp8: return course::Precision::int8;
    case DType::int4:
    case DType::nf4: return course::Precision::int4;
    case DType::bf16: break;
  }
  return course::Precision::bfloat16;
}

bool trains(const Scenario& s) { return s.method != Method::inference; }
bool takes_checkpointing_off(const Scenario& s) { return trains(s) && s.gradient_checkpointing != Checkpointing::none; }

Bytes at_peak(const Estimate& e, Category c) { return e.memory.categories[static_cast<std::size_t>(c)]; }
// The category at its own largest moment.
Bytes largest(const Estimate& e, Category c) {
  Bytes most;
  for (std::size_t p = 0; p < kPhases; ++p) most = std::max(most, e.memory.ledger.phase_total(static_cast<Phase>(p), c));
  return most;
}

}  // namespace

CourseComparison compare_with_course(const Scenario& scenario, const Estimate& estimate_now) {
  CourseComparison out;
  const std::int64_t parameters = estimate_now.model.parameters;
  const course::Precision precision = precision_of(scenario);
  if (trains(scenario)) {
    const course::Breakdown rule = course::full_finetuning(parameters, precision);
    out.weights = rule.weights;
    out.gradients = rule.gradients;
    out.optimizer = rule.optimizer;
    if (takes_checkpointing_off(scenario)) out.checkpointing = course::with_checkpointing(rule.total()) - rule.total();
  } else {
    out.weights = course::memory(parameters, precision, course::kInferenceMultiplier);
  }
  out.course_total = out.weights + out.gradients + out.optimizer + out.checkpointing;
  out.estimate_total = estimate_now.memory.device;
  const auto add = [&](CauseId id, Bytes b) {
    if (b == Bytes{}) return;
    out.causes[out.size++] = {id, b};
  };

  // From the chapter's rule to one GPU that holds everything, part by part; then what sharding and offload take away.
  Scenario alone = scenario;
  alone.gpus = 1;
  alone.parallelism = {};
  Scenario resident = scenario;
  resident.parallelism.offload = Offload::none;
  const bool divided = !(alone == scenario);
  const Estimate one = divided ? estimate(alone) : estimate_now;
  const Estimate whole = scenario.parallelism.offload != Offload::none ? estimate(resident) : estimate_now;

  Bytes master;
  for (const LedgerEntry& e : one.memory.ledger.entries())
    if (e.id == EntryId::master_weights && e.alive_in(one.memory.peak_phase)) master += e.size;
  add(CauseId::checkpointing_rule, Bytes{} - out.checkpointing);
  add(CauseId::weights_storage, at_peak(one, Category::weights) - master - out.weights);
  add(CauseId::master_weights, master);
  if (scenario.method == Method::lora || scenario.method == Method::qlora) {
    add(CauseId::frozen_weights, at_peak(one, Category::gradients) + at_peak(one, Category::optimizer_states) - out.gradients - out.optimizer);
  } else {
    const Bytes gradients = largest(one, Category::gradients), states = largest(one, Category::optimizer_states);
    add(CauseId::gradients_type, gradients - out.gradients);
    add(CauseId::optimizer_states, states - out.optimizer);
    add(CauseId::peak_moment, at_peak(one, Category::gradients) + at_peak(one, Category::optimizer_states) - gradients - states);
  }
  add(CauseId::activations, at_peak(one, Category::activations));
  add(CauseId::logits, at_peak(one, Category::logits));
  add(CauseId::kv_cache, at_peak(one, Category::kv_cache));
  add(CauseId::buffers, at_peak(one, Category::buffers));
  add(CauseId::framework, at_peak(one, Category::framework));
  add(CauseId::sharding, whole.memory.device - one.memory.device);
  add(CauseId::offload, estimate_now.memory.device - whole.memory.device);
  return out;
}

std::string course_rule_text(i18n::Language language, const Scenario& scenario, const Estimate& estimate_now) {
  const double b = course::bytes_per_parameter(precision_of(scenario));
  const std::string each = b >= 1 ? i18n::integer(language, static_cast<std::int64_t>(b)) : i18n::decimal(language, b, 1),
                    count = i18n::count_short(language, estimate_now.model.parameters);
  const std::string_view byte = i18n::text(language, i18n::Msg::unit_byte);
  if (!trains(scenario)) return fmt::format("{} × {} {}", count, each, byte);
  return fmt::format(
      "{} × ({} + {} + {}) {}{}", count, each, each, i18n::integer(language, 8), byte,
      takes_checkpointing_off(scenario) ? " × " + i18n::decimal(language, 1 - static_cast<double>(course::kCheckpointingPercentOff) / 100, 1) : std::string());
}

}  // namespace gpudget::formats
