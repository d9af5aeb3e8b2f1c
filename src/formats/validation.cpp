#include "formats/validation.h"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "core/estimate.h"
#include "core/memory.h"
#include "formats/accuracy_tables.h"
#include "formats/hf_config.h"
#include "formats/resolve.h"
#include "i18n/text.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;

constexpr std::string_view kFirst[] = {"llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "phi3", "olmo2"};

template <class T>
T value_or(const json& j, const char* name, T fallback) {
  return j.contains(name) && !j[name].is_null() ? j.value(name, fallback) : fallback;
}

// A row's scenario as the oracle's header explains it, and what was measured (tools/oracle_to_cpp.cpp). The table is made from checked data, so its fields are
// there; a config that cannot be read leaves the row out.
bool read_row(const json& row, const json& j, MemoryRow& r) {
  json fields = j["config"];
  r.family = value_or<std::string>(fields, "model_type", "");
  if (r.family == "gpt2")  // these rows leave the family's defaults out
    for (const auto& [name, n] : std::map<std::string, int>{{"vocab_size", 50257}, {"n_embd", 768}, {"n_layer", 12}, {"n_head", 12}, {"n_positions", 1024}})
      if (!fields.contains(name)) fields[name] = n;
  const auto config = read_hf_config(fields.dump());
  if (!config) return false;
  Scenario& s = r.scenario;
  s.model = *config;
  const std::string method = value_or<std::string>(j, "method", "full"), held = value_or<std::string>(j, "weights", "bf16");
  const std::string optim = value_or<std::string>(j, "optim", "adamw_torch_fused");
  const bool amp = value_or(j, "amp", false);
  s.method = from_name<Method>(method).value_or(Method::full);
  const DType type = from_name<DType>(held).value_or(DType::bf16);
  if (s.method != Method::qlora) s.weights = type;
  s.compute = amp ? DType::bf16 : type;
  s.per_device_train_batch_size = value_or<std::int64_t>(j, "batch", 1), s.max_length = value_or<std::int64_t>(j, "seq", 1);
  s.gradient_accumulation_steps = value_or<std::int64_t>(j, "accumulation", 1);
  s.gradient_checkpointing = value_or<std::string>(j, "checkpointing", "none") == "full" ? Checkpointing::full : Checkpointing::none;
  s.attn_implementation = value_or<std::string>(j, "attn", "sdpa") == "eager" ? Attention::eager : Attention::sdpa;
  const auto named = from_name<Optimizer>(optim);
  if (!named) return false;
  s.optim = *named;
  s.max_grad_norm = value_or(j, "clip", 1.0);
  if (j.contains("lora") && j["lora"].is_object()) {
    const json& l = j["lora"];
    s.lora.r = value_or<std::int64_t>(l, "r", 16), s.lora.dropout = value_or(l, "dropout", 0.0), s.lora.dora = value_or(l, "dora", false);
    if (l.contains("target_modules")) {
      const auto targets = modules_from_text(l["target_modules"].is_string() ? l["target_modules"].get<std::string>() : l["target_modules"].dump());
      if (!targets) return false;
      s.lora.target_modules = *targets;
    }
  }
  s.quantization.prepare_kbit = value_or(j, "kbit_fp32", true);
  constexpr Phase kPhase[] = {Phase::forward, Phase::backward, Phase::step};
  for (int i = 0; i < 3; ++i)
    r.measured_phases[i] = table_integer(row[3], static_cast<std::size_t>(i)), r.measured = std::max(r.measured, r.measured_phases[i]);
  for (int i = 2; i >= 0; --i)
    if (r.measured_phases[i] == r.measured) r.measured_phase = kPhase[i];
  r.first_families = std::find(std::begin(kFirst), std::end(kFirst), r.family) != std::end(kFirst);
  r.id = table_text(row, 2);
  r.kind = method + (amp ? " amp" : "") + " " + held + (s.gradient_checkpointing == Checkpointing::full ? " checkpointing" : "") +
           (s.attn_implementation == Attention::eager ? " eager" : "") + " " + optim + (s.gradient_accumulation_steps > 1 ? " accumulation" : "") +
           (s.lora.dropout > 0 ? " dropout" : "");

  Estimate e;
  estimate_memory(s, e);
  const Ledger& l = e.memory.ledger;
  const auto allocated = [&](Phase p) { return (l.phase_total(p) - l.phase_total(p, Category::framework)).in_bytes(); };
  r.predicted = e.memory.allocated.in_bytes();
  r.predicted_phase = e.memory.peak_phase == Phase::loss || e.memory.peak_phase == Phase::load ? Phase::forward : e.memory.peak_phase;
  r.predicted_phases[0] = std::max(allocated(Phase::forward), allocated(Phase::loss));
  r.predicted_phases[1] = allocated(Phase::backward), r.predicted_phases[2] = allocated(Phase::step);
  return true;
}

double quantile(std::vector<double>& v, std::size_t tenths) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, (v.size() * tenths + 9) / 10 - 1)];  // nearest rank
}
double size_of(double x) { return x < 0 ? -x : x; }

template <class Wanted>
MemoryErrors errors_of(std::string group, const std::vector<MemoryRow>& rows, const Wanted& wanted) {
  MemoryErrors e;
  e.group = std::move(group);
  std::vector<double> peaks, phases;
  std::size_t right = 0;
  for (const MemoryRow& r : rows) {
    if (!wanted(r)) continue;
    peaks.push_back(size_of(r.error()));
    for (int i = 0; i < 3; ++i) phases.push_back(size_of(r.phase_error(i)));
    right += r.measured_phase == r.predicted_phase ? 1 : 0;
  }
  e.rows = peaks.size();
  if (e.rows == 0) return e;
  e.median = quantile(peaks, 5), e.p90 = quantile(peaks, 9), e.worst = quantile(peaks, 10);
  e.phase_median = quantile(phases, 5), e.phase_p90 = quantile(phases, 9);
  e.phase_name_right = static_cast<double>(right) / static_cast<double>(e.rows);
  return e;
}

json to_json(const MemoryErrors& e) {
  return {{"group", e.group},         {"rows", e.rows},
          {"median", e.median},       {"p90", e.p90},
          {"worst", e.worst},         {"phase_median", e.phase_median},
          {"phase_p90", e.phase_p90}, {"phase_name_right", e.phase_name_right}};
}

}  // namespace

Validation validate_memory() {
  Validation v;
  for (const json& row : table_member(accuracy_table(AccuracyTable::oracle), "rows")) {
    if (!row.is_array() || row.size() != 5 || !row[0].is_object() || !row[0].contains("config")) continue;
    MemoryRow r;
    r.held_out = table_integer(row, 1) != 0;
    if (const std::string_view cause = table_text(row, 4); !cause.empty()) r.cause = "validate.oracle." + std::string(cause);
    if (read_row(row, row[0], r)) v.rows.push_back(std::move(r));
  }
  v.first = errors_of("first", v.rows, [](const MemoryRow& r) { return r.first_families && !r.held_out; });
  v.other = errors_of("others", v.rows, [](const MemoryRow& r) { return !r.first_families && !r.held_out; });
  v.held_out_first = errors_of("held_out_first", v.rows, [](const MemoryRow& r) { return r.first_families && r.held_out; });
  v.held_out_other = errors_of("held_out_others", v.rows, [](const MemoryRow& r) { return !r.first_families && r.held_out; });
  for (const Method m : {Method::full, Method::lora, Method::qlora})
    v.by_method.push_back(errors_of(std::string(name(m)), v.rows, [m](const MemoryRow& r) { return r.scenario.method == m; }));
  std::vector<std::string> families;
  for (const MemoryRow& r : v.rows)
    if (std::find(families.begin(), families.end(), r.family) == families.end()) families.push_back(r.family);
  std::sort(families.begin(), families.end());
  for (const std::string& f : families) v.by_family.push_back(errors_of(f, v.rows, [&f](const MemoryRow& r) { return r.family == f; }));
  for (std::size_t i = 0; i < v.rows.size(); ++i) v.worst.push_back(i);
  std::stable_sort(v.worst.begin(), v.worst.end(), [&](std::size_t a, std::size_t b) { return size_of(v.rows[a].error()) > size_of(v.rows[b].error()); });
  if (v.worst.size() > 10) v.worst.resize(10);
  return v;
}

std::string validation_json(const Validation& v) {
  json j = {{"goals", json::array({to_json(v.first), to_json(v.other), to_json(v.held_out_first), to_json(v.held_out_other)})}};
  for (const MemoryErrors& e : v.by_method) j["by_method"].push_back(to_json(e));
  for (const MemoryErrors& e : v.by_family) j["by_family"].push_back(to_json(e));
  const auto row = [](const MemoryRow& r) {
    return json{{"id", r.id},
                {"family", r.family},
                {"kind", r.kind},
                {"held_out", r.held_out},
                {"measured", r.measured},
                {"predicted", r.predicted},
                {"error", r.error()},
                {"cause", r.cause.empty() ? json() : json(i18n::text_or(i18n::Language::en, r.cause, r.cause))},
                {"measured_phase", std::string(name(r.measured_phase))},
                {"predicted_phase", std::string(name(r.predicted_phase))}};
  };
  for (const std::size_t i : v.worst) j["worst"].push_back(row(v.rows[i]));
  for (const MemoryRow& r : v.rows) j["rows"].push_back(row(r));
  return j.dump();
}

}  // namespace gpudget::formats
