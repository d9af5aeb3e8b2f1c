#include "formats/measurement_validation.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/memory.h"
#include "formats/accuracy_tables.h"
#include "formats/scenario_json.h"

namespace gpudget::formats {
namespace {

using std::string_view;

double size_of(double x) { return x < 0 ? -x : x; }

double quantile(std::vector<double> v, std::size_t tenths) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, (v.size() * tenths + 9) / 10 - 1)];  // nearest rank
}

// What sets a row apart from what the estimate is of (transformers, of the row's version). The rules are by configuration, never by error.
string_view cause_of(const MeasurementRow& r) {
  const Scenario& s = r.scenario;
  if (r.stack == "litgpt") return s.gpus > 1 ? "validate.cause.litgpt_fsdp" : "validate.cause.litgpt";
  if (s.gradient_checkpointing == Checkpointing::selective) return "validate.cause.selective";
  if (r.stack == "ms-swift") return "validate.cause.variable_length";
  if (s.parallelism.offload != Offload::none) return "validate.cause.offload";
  if (s.compile) return "validate.cause.compile";
  if (r.stack == "peft") return "validate.cause.cleared_cache";
  return {};
}

// Whether torch's own peak of the same run is within 4 %: then what is left of a device row is what the allocator and the libraries hold.
bool tensors_agree(const std::vector<MeasurementRow>& rows, const MeasurementRow& device) {
  constexpr string_view kOfDevice = "-smi";
  if (!device.id.ends_with(kOfDevice)) return false;
  const string_view run = device.id.substr(0, device.id.size() - kOfDevice.size());
  return std::any_of(rows.begin(), rows.end(), [run](const MeasurementRow& r) { return r.id == run && size_of(r.error()) <= 0.04; });
}

constexpr std::array<string_view, 4> kKinds{"allocated", "reserved", "device", "limit"};
MeasurementKind kind_named(string_view name) {
  return static_cast<MeasurementKind>(std::min(std::find(kKinds.begin(), kKinds.end(), name) - kKinds.begin(), std::ptrdiff_t{3}));
}

MeasurementErrors errors_of(string_view group, MeasurementKind kind, const std::vector<MeasurementRow>& rows,
                            bool (*wanted)(const MeasurementRow&, string_view)) {
  MeasurementErrors e;
  e.group = group, e.kind = kind;
  std::vector<double> sizes, signs;
  std::size_t inside = 0;
  for (const MeasurementRow& r : rows) {
    if (r.kind != kind || !wanted(r, group)) continue;
    sizes.push_back(size_of(r.error())), signs.push_back(r.error());
    inside += r.within() ? 1 : 0;
  }
  e.rows = sizes.size();
  if (e.rows == 0) return e;
  e.median = quantile(sizes, 5), e.p90 = quantile(sizes, 9), e.worst = quantile(sizes, 10), e.bias = quantile(signs, 5);
  e.within_range = static_cast<double>(inside) / static_cast<double>(e.rows);
  return e;
}

}  // namespace

string_view measurement_kind_name(MeasurementKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

MeasurementValidation validate_measurements() {
  using nlohmann::json;
  const json& table = accuracy_table(AccuracyTable::measurements);
  const json &configs = table_member(table, "configs"), &names = table_member(table, "models"), &stacks = table_member(table, "stacks"),
             &versions = table_member(table, "versions"), &urls = table_member(table, "urls");
  MeasurementValidation v;
  std::vector<Scenario> models(configs.size());
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const auto s = read_scenario_object({{"model", {{"config", configs[i]}}}}, Scenario());
    if (s) models[i] = *s;
  }
  Estimate e;
  for (const json& row : table_member(table, "rows")) {  // as tools/measurements_to_cpp.cpp writes it
    if (!row.is_array() || row.size() != 10) continue;
    const auto place = [&row](std::size_t i) { return static_cast<std::size_t>(table_integer(row, i)); };
    if (place(1) >= models.size()) continue;
    const auto s = read_scenario_object(row[9], models[place(1)]);
    if (!s) continue;  // a test counts the rows: none is lost here
    MeasurementRow r;
    r.scenario = *s;
    r.id = table_text(row, 0), r.model = table_text(names, place(2)), r.stack = table_text(stacks, place(3)), r.version = table_text(versions, place(4));
    r.url = table_text(urls, place(5));
    r.scenario.model.id = r.model, r.scenario.model.name = r.model;
    r.kind = kind_named(table_text(row, 6));
    r.measured = table_integer(row, 8);
    e.problems = {};
    estimate_memory(r.scenario, e);
    const MemoryEstimate& m = e.memory;
    const Bytes figure = r.kind == MeasurementKind::allocated ? m.allocated : r.kind == MeasurementKind::reserved ? m.reserved : m.device;
    r.predicted = figure.in_bytes(), r.confidence = m.confidence;
    const double share = m.device.in_bytes() > 0 ? static_cast<double>(r.predicted) / static_cast<double>(m.device.in_bytes()) : 0;
    r.low = static_cast<std::int64_t>(static_cast<double>(m.range_low.in_bytes()) * share);
    r.high = static_cast<std::int64_t>(static_cast<double>(m.range_high.in_bytes()) * share);
    r.ran = table_integer(row, 7) != 0, r.predicted_to_run = m.fits;
    r.cause = cause_of(r);
    if (r.kind == MeasurementKind::limit) {
      const std::int64_t capacity = m.capacity.in_bytes();
      ++v.limits.rows;
      if (r.ran == r.predicted_to_run)
        ++v.limits.right;
      else if (r.low <= capacity && capacity <= r.high)
        ++v.limits.within_range;
      else
        ++v.limits.wrong, v.wrong_limits.push_back(v.rows.size());
    }
    v.rows.push_back(r);
  }
  for (std::size_t k = 0; k < kMeasurementKinds; ++k) {
    const auto kind = static_cast<MeasurementKind>(k);
    const string_view name = measurement_kind_name(kind);
    v.by_kind[k] = errors_of(name, kind, v.rows, [](const MeasurementRow&, string_view) { return true; });
    v.without_cause[k] = errors_of(name, kind, v.rows, [](const MeasurementRow& r, string_view) { return r.cause.empty(); });
    std::vector<std::size_t>& worst = v.worst[k];
    for (std::size_t i = 0; i < v.rows.size(); ++i)
      if (v.rows[i].kind == kind) worst.push_back(i);
    std::stable_sort(worst.begin(), worst.end(), [&](std::size_t a, std::size_t b) { return size_of(v.rows[a].error()) > size_of(v.rows[b].error()); });
    if (worst.size() > 10) worst.resize(10);
    if (kind == MeasurementKind::device)
      for (const std::size_t i : worst)
        if (v.rows[i].cause.empty() && tensors_agree(v.rows, v.rows[i])) v.rows[i].cause = "validate.cause.allocator";
  }
  for (std::size_t i = 0; i < stacks.size(); ++i)
    for (std::size_t k = 0; k < kMeasurementKinds; ++k) {
      const MeasurementErrors of =
          errors_of(table_text(stacks, i), static_cast<MeasurementKind>(k), v.rows, [](const MeasurementRow& r, string_view g) { return r.stack == g; });
      if (of.rows > 0) v.by_stack.push_back(of);
    }
  for (const json& l : table_member(table, "left_out")) v.left_out.push_back({table_text(l, 0), static_cast<std::size_t>(table_integer(l, 1))});
  return v;
}

}  // namespace gpudget::formats
