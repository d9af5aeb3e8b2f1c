// Scenario → a tool's configuration → Scenario loses nothing that affects memory, but for what the file itself says that it leaves out, by name.
// trainer and trl are Python: tests/cli reads them back through Python's own parser.
#include <algorithm>
#include <map>
#include <set>

#include <doctest/doctest.h>

#include "core/estimate.h"
#include "formats/export.h"
#include "formats/import.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"
#include "formats/yaml_reader.h"
#include "random_scenario.h"

using namespace gpudget;
using formats::ExportTool;

namespace {

// What no tool's file is about: the base of the import has it from elsewhere.
const std::set<std::string_view> kOutside{"gpu",
                                          "gpus",
                                          "gpus_per_node",
                                          "dataset.examples",
                                          "dataset.tokens_per_example",
                                          "dataset.tokens",
                                          "throughput",
                                          "price.market",
                                          "price.usd_per_gpu_hour",
                                          "price.provider",
                                          "runs",
                                          "kv_cache_dtype"};

// What a file beside the trainer's decides: its gaps count too.
const std::set<std::string_view> kOfTheOtherFile{"master_weights", "parallelism.offload", "parallelism.data"};

// Random, but possible: a fine-tune that a tool could run.
std::optional<Scenario> possible_scenario(std::uint64_t seed) {
  Scenario s = tests::random_scenario(seed, 0.35);
  tests::Random r(seed + 1'000'000);
  if (s.method == Method::inference) s.method = Method::lora;
  const auto degree = [&] { return r.one_in(4) ? std::int64_t{2} : std::int64_t{1}; };
  s.parallelism.tensor = degree(), s.parallelism.pipeline = degree(), s.parallelism.context = degree(), s.parallelism.expert = 1;
  s.gpus = std::int64_t{8} << r.below(3);
  s.gpus_per_node = 8;
  if (r.one_in(3)) s.gpus = 1, s.parallelism.tensor = s.parallelism.pipeline = s.parallelism.context = 1;
  s.max_length = std::min<std::int64_t>(s.max_length, 65'536);
  s.per_device_train_batch_size = std::min<std::int64_t>(s.per_device_train_batch_size, 64);
  const Estimate e = estimate(s);
  for (const Problem& p : e.problems.view())
    if (p.severity == Severity::error && p.id != ProblemId::does_not_fit) return std::nullopt;
  return s;
}

std::vector<Scenario> possible_scenarios(std::size_t count) {
  std::vector<Scenario> out;
  for (std::uint64_t seed = 1; out.size() < count && seed < 100 * count; ++seed)
    if (auto s = possible_scenario(seed)) out.push_back(*s);
  return out;
}

bool same_memory(const MemoryEstimate& a, const MemoryEstimate& b) {
  return a.allocated == b.allocated && a.reserved == b.reserved && a.device == b.device && a.phases == b.phases && a.categories == b.categories &&
         a.host == b.host;
}

}  // namespace

TEST_CASE("what a configuration says comes back, and what it leaves out it names") {
  const auto scenarios = possible_scenarios(500);
  REQUIRE(scenarios.size() == 500);
  for (const ExportTool tool : {ExportTool::deepspeed, ExportTool::accelerate, ExportTool::torchtune, ExportTool::axolotl, ExportTool::llamafactory}) {
    if (tool != ExportTool::deepspeed && !formats::reads_yaml()) continue;
    CAPTURE(name(tool));
    std::map<std::string, int> lost;
    for (const Scenario& s : scenarios) {
      const Estimate e = estimate(s);
      const formats::ExportedFile file = formats::export_config(tool, s, e);
      // The files that this one names.
      std::vector<formats::ExportedFile> files{file};
      if (tool == ExportTool::axolotl || tool == ExportTool::llamafactory) {
        if (file.text.find("ds_config.json") != std::string::npos) files.push_back(formats::export_config(ExportTool::deepspeed, s, e));
        if (file.text.find("--to accelerate") != std::string::npos) files.push_back(formats::export_config(ExportTool::accelerate, s, e));
      }
      std::vector<formats::ImportSource> sources;
      for (const auto& f : files) sources.push_back({f.name, f.text, nullptr});
      Scenario base = formats::default_scenario();
      for (const formats::Field& f : formats::fields())
        if (kOutside.contains(f.path) && f.path != "dataset.tokens") f.set(base, f.get(s));
      base.dataset = s.dataset, base.quote = s.quote;
      const auto back = formats::import_files(sources, base);
      REQUIRE_MESSAGE(back, back.error().path << ": " << back.error().message() << "\n" << file.text);
      Scenario again = back->scenario;
      again.gpus = s.gpus;  // follows from the degrees, where one of them is left out
      for (const formats::ExportedFile& written : files) {
        for (const std::string& field : written.left_out) {
          // What the trainer's file says is not left out, though the file beside it does.
          if (&written != &files.front() && formats::find_field(field)->get(again) == formats::find_field(field)->get(s)) continue;
          const formats::Field* f = formats::find_field(field);
          REQUIRE_MESSAGE(f != nullptr, field);
          CHECK_MESSAGE(written.text.find(field) != std::string::npos, "named in the file: " << field);
          if (&written == &files.front() || kOfTheOtherFile.contains(field)) f->set(again, f->get(s));
        }
      }
      if (same_memory(e.memory, estimate(again).memory)) continue;
      // Which field is it?
      for (const formats::Field& f : formats::fields()) {
        if (f.get(again) == f.get(s)) continue;
        Scenario one = s;
        f.set(one, f.get(again));
        if (!same_memory(e.memory, estimate(one).memory)) ++lost[std::string(f.path)];
      }
      if (++lost["scenarios"] == 1)
        MESSAGE(name(tool) << ": " << formats::write_scenario_compact(s) << "\nis read back as " << formats::write_scenario_compact(again));
    }
    for (const auto& each : lost)
      CHECK_MESSAGE(each.second == 0, each.first << " is lost " << each.second << " times, of " << scenarios.size() << " scenarios");
  }
}
