#include "ui/actions.h"

#include <array>
#include <utility>

#include "formats/advice_patch.h"
#include "formats/hf_config.h"

namespace gpudget::ui {
namespace {

// The savers of the question and what stands for "without it".
struct Saver {
  std::string_view path, without;
};
constexpr std::array<Saver, 7> kSavers{{{"weights", "fp32"},
                                        {"optim", "adamw_torch_fused"},
                                        {"gradient_checkpointing", "none"},
                                        {"attn_implementation", "eager"},
                                        {"loss", "full"},
                                        {"parallelism.data", "auto"},
                                        {"parallelism.offload", "none"}}};

void renew(State& s) {
  estimate(s.scenario, s.estimate);
  s.advice = advise(s.scenario, s.estimate);
  s.savings.clear();
  for (const Saver& saver : kSavers) {
    Bytes saves;
    if (const auto without = device_with(s, saver.path, saver.without)) saves = *without - s.estimate.memory.device;
    s.savings.push_back({saver.path, saves > Bytes{} ? saves : Bytes{}});
  }
  ++s.revision;
}

void become(State& s, const Scenario& scenario, bool by_host) {
  s.scenario = scenario;
  s.by_host = by_host;
  renew(s);
}

}  // namespace

bool set_field(State& s, std::string_view path, const formats::Value& value, std::string_view key) {
  Scenario changed = s.scenario;
  if (auto done = formats::set_field(changed, path, value); !done) {
    refuse(s, std::move(done.error()));
    return false;
  }
  if (s.error && s.error->error.path == path) s.error.reset();
  if (changed == s.scenario) return true;
  s.history.record(s.scenario, key);
  become(s, changed, false);
  return true;
}

void set_scenario(State& s, const Scenario& scenario, std::string_view key, bool by_host) {
  s.error.reset();
  if (scenario == s.scenario) return;
  s.history.record(s.scenario, key);
  become(s, scenario, by_host);
}

void start_with(State& s, const Scenario& scenario) {
  s.history = {};
  become(s, scenario, false);
}

Scenario advised(const State& s, AdviceId advice) { return formats::advised(advice, s.scenario); }

void apply(State& s, AdviceId advice) { set_scenario(s, advised(s, advice)); }

bool undo(State& s) {
  const auto back = s.history.undo(s.scenario);
  if (back) become(s, *back, false);
  s.error.reset();
  s.imported.reset();
  return back.has_value();
}

bool redo(State& s) {
  const auto forward = s.history.redo(s.scenario);
  if (forward) become(s, *forward, false);
  s.error.reset();
  return forward.has_value();
}

void reset(State& s) {
  set_scenario(s, formats::default_scenario());
  s.imported.reset();
}

formats::Result<void> use_config(State& s, std::string_view json) {
  auto config = formats::inspect_hf_config(json);
  if (!config) return tl::unexpected(std::move(config.error()));
  Scenario changed = s.scenario;
  changed.model = config->model;
  set_scenario(s, changed);
  s.assumed.clear();
  for (const std::string& field : config->assumed) s.assumed += (s.assumed.empty() ? "" : ", ") + field;
  s.assumed_of = config->model;
  return {};
}

void use_import(State& s, formats::Imported imported) {
  set_scenario(s, imported.scenario);
  if (!imported.files.empty()) s.imported = std::move(imported.files.front());
  s.imported_open = false;
}

void pin(State& s) {
  if (s.pins.size() < kMaxPins) s.pins.push_back({s.scenario, s.estimate});
}

void unpin(State& s, std::size_t index) {
  if (index < s.pins.size()) s.pins.erase(s.pins.begin() + static_cast<std::ptrdiff_t>(index));
}

void refuse(State& s, formats::Error error, bool from_outside, std::string_view source) {
  s.error = FieldError{std::move(error), from_outside, std::string(source)};
}

void dismiss_error(State& s) { s.error.reset(); }
void dismiss_import(State& s) { s.imported.reset(); }

std::optional<Bytes> device_with(const State& s, std::string_view path, std::string_view choice) {
  Scenario changed = s.scenario;
  if (!formats::set_field(changed, path, std::string(choice))) return std::nullopt;
  Estimate e;
  estimate(changed, e);
  if (e.problems.has_error()) {
    // An error that is there anyway (it does not fit) is not the choice's fault.
    if (!s.estimate.problems.has_error()) {
      for (const Problem& p : e.problems.view())
        if (p.severity == Severity::error && p.id != ProblemId::does_not_fit) return std::nullopt;
    }
  }
  return e.memory.device;
}

}  // namespace gpudget::ui
