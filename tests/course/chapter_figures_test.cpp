// Every figure of tests/data/course_tables.json against the chapter's formulas and tables: the file is walked leaf by leaf, so that a figure nobody computes
// fails here, and so does a computed one that the file has not. What is prose there is named in kProse.
#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "course/chapter.h"
#include "course/quiz.h"
#include "course/tables.h"

using namespace gpudget;
using nlohmann::json;

namespace {

// Explanations and names of formulas, which the messages tell in three languages.
const std::set<std::string> kProse{"/about",
                                   "/multiplier/formula",
                                   "/full_finetune_rule",
                                   "/time_formula",
                                   "/estimate_memory_function/about",
                                   "/estimate_memory_function/weights",
                                   "/estimate_memory_function/gradients",
                                   "/estimate_memory_function/optimizer",
                                   "/estimate_memory_function/activations"};
// Lists of sentences: only how many there are is compared.
const std::set<std::string> kLists{"/checklist", "/key_points", "/quiz", "/known_inconsistencies", "/reductions"};

json file() {
  std::ifstream in(std::string(GPUDGET_SOURCE_DIR) + "/tests/data/course_tables.json");
  json all = json::parse(in);
  for (const std::string& each : kLists) all[json::json_pointer(each)] = all[json::json_pointer(each)].size();
  return all;
}

std::string text(std::string_view s) { return std::string(s); }
double gibibytes(Bytes b) { return b.in_gib(); }
json both(Bytes low, Bytes high) { return {low.in_gb(), high.in_gb()}; }
json both(std::string_view low, std::string_view high) { return {text(low), text(high)}; }

// The same document, of what src/course computes.
json computed() {
  json out;
  for (const course::Precision p : course::kPrecisions) out["bytes_per_parameter"][text(name(p))] = course::bytes_per_parameter(p);
  out["multiplier"] = {{"inference", course::kInferenceMultiplier}, {"adamw_training", {course::kTrainingMultiplierLow, course::kTrainingMultiplierHigh}}};

  const course::Breakdown fp32 = course::full_finetuning(course::kWorkedParameters, course::Precision::float32);
  const course::Breakdown bf16 = course::full_finetuning(course::kWorkedParameters, course::Precision::bfloat16);
  json& worked = out["worked_7b"];
  worked["parameters"] = course::kWorkedParameters;
  worked["float32"] = {{"weights_gb", fp32.weights.in_gb()},
                       {"gradients_gb", fp32.gradients.in_gb()},
                       {"optimizer_gb", fp32.optimizer.in_gb()},
                       {"total_gb", fp32.total().in_gb()}};
  worked["bfloat16_mixed"] = {{"weights_gb", bf16.weights.in_gb()},
                              {"gradients_gb", bf16.gradients.in_gb()},
                              {"optimizer_fp32_gb", bf16.optimizer.in_gb()},
                              {"total_gb", bf16.total().in_gb()}};
  worked["bfloat16_mixed_checkpointing"] = {{"activation_reduction", static_cast<double>(course::kCheckpointingPercentOff) / 100},
                                            {"total_gb", both(course::kWorkedWithCheckpointing.low, course::kWorkedWithCheckpointing.high)}};

  for (const course::FullFinetuneRow& r : course::full_finetune())
    out["full_finetune_table"].push_back({{"size", text(r.size)},
                                          {"full_fp32_gb", r.printed_fp32.in_gb()},
                                          {"full_bf16_gb", r.printed_bf16.in_gb()},
                                          {"with_checkpointing_gb", r.printed_checkpointing.in_gb()}});
  for (const course::SingleGpuRow& r : course::single_gpu())
    out["single_gpu"].push_back({{"gpu", text(r.gpu)}, {"vram_gb", r.vram.in_gb()}, {"max_full", text(r.max_full)}, {"max_efficient", text(r.max_efficient)}});
  for (const course::MultiGpuRow& r : course::multi_gpu())
    out["multi_gpu"].push_back({{"setup", text(r.setup)}, {"vram_gb", r.vram.in_gb()}, {"max_efficient", both(r.efficient_low, r.efficient_high)}});
  for (const course::ThroughputRow& r : course::throughput())
    out["throughput_tokens_per_s"].push_back({{"model", text(r.model)}, {"gpu", text(r.gpu)}, {"gpus", r.gpus}, {"tokens_per_s", r.rate.value()}});
  for (const course::PriceRow& r : course::prices())
    out["prices_usd_per_hour"].push_back({{"gpu", text(r.gpu)}, {"on_demand", r.on_demand.value()}, {"spot", r.spot.value()}});

  const course::TimeExample t = course::time_example();
  out["time_example"] = {{"examples", t.examples},
                         {"tokens_per_example", t.tokens_per_example},
                         {"epochs", t.epochs},
                         {"tokens_per_s", t.rate.value()},
                         {"total_tokens", t.total_tokens},
                         {"total_training_tokens", t.training_tokens},
                         {"seconds", t.seconds.value()},
                         {"hours", static_cast<double>(static_cast<int>(t.hours() * 10 + 0.5)) / 10}};
  const course::CostExample c = course::cost_example();
  out["cost_example"] = {{"model", text(c.model)},
                         {"gpu", text(c.gpu)},
                         {"hours", c.hours},
                         {"on_demand_usd", c.on_demand.value()},
                         {"spot_usd", c.spot.value()},
                         {"runs", c.runs},
                         {"runs_on_demand_usd", c.runs_on_demand.value()},
                         {"runs_spot_usd", c.runs_spot.value()},
                         {"spot_saving", {course::kSpotSavingLow, course::kSpotSavingHigh}}};
  for (const course::EstimateMemoryCase& e : course::estimate_memory_cases())
    out["estimate_memory_function"]["cases"].push_back({{"parameters", e.parameters},
                                                        {"batch_size", e.batch_size},
                                                        {"seq_len", e.seq_len},
                                                        {"precision", e.precision == course::Precision::float32 ? "fp32" : "bf16"},
                                                        {"weights_gib", gibibytes(e.result.weights)},
                                                        {"gradients_gib", gibibytes(e.result.gradients)},
                                                        {"optimizer_gib", gibibytes(e.result.optimizer)},
                                                        {"activations_gib", gibibytes(e.result.activations)},
                                                        {"total_gib", gibibytes(e.result.total())}});
  for (const std::string_view call : course::profiling_calls()) out["profiling"].push_back(text(call));

  std::size_t from_chapter = 0;
  for (const course::Question& q : course::quiz()) from_chapter += q.from_chapter ? 1 : 0;
  out["quiz"] = from_chapter;
  out["checklist"] = course::checklist().size();
  out["key_points"] = course::key_points().size();
  out["known_inconsistencies"] = course::contradictions().size();
  out["reductions"] = course::reductions().size();
  return out;
}

}  // namespace

TEST_CASE("every figure of the chapter is what its formulas and tables here give, and none is left out") {
  const json expected = file().flatten(), got = computed().flatten();
  std::size_t compared = 0;
  for (const auto& item : expected.items()) {
    const std::string& path = item.key();
    const json& value = item.value();
    if (kProse.count(path) != 0) continue;
    CAPTURE(path);
    REQUIRE_MESSAGE(got.contains(path), "nothing in src/course gives this figure");
    if (value.is_number()) {
      const double want = value.get<double>(), is = got[path].get<double>();
      CAPTURE(is);
      // GiB stand there with six decimals; all else is exact but for the last bit of a product.
      const double slack = path.find("_gib") != std::string::npos ? 5e-7 : want * 1e-12;
      CHECK(is - want <= slack);
      CHECK(want - is <= slack);
    } else {
      CHECK(got[path] == value);
    }
    ++compared;
  }
  for (const auto& item : got.items()) CHECK_MESSAGE(expected.contains(item.key()), item.key());
  CHECK(compared > 140);
}

TEST_CASE("the chapter's rule for its table: 16 and 12 bytes a parameter, 30 % less with checkpointing") {
  for (const course::FullFinetuneRow& r : course::full_finetune()) {
    CHECK(r.fp32.in_bytes() == 16 * r.parameters);
    CHECK(r.bf16.in_bytes() == 12 * r.parameters);
    CHECK(10 * r.checkpointing.in_bytes() == 7 * r.bf16.in_bytes());
  }
}

TEST_CASE("memory is parameters × bytes × multiplier, int4 half a byte") {
  CHECK(course::memory(7'000'000'000, course::Precision::bfloat16, course::kInferenceMultiplier) == gb(14));
  CHECK(course::memory(7'000'000'000, course::Precision::bfloat16, course::kTrainingMultiplierLow) == gb(56));
  CHECK(course::memory(7'000'000'000, course::Precision::bfloat16, course::kTrainingMultiplierHigh) == gb(84));
  CHECK(course::memory(7, course::Precision::int4, 1) == bytes(4));  // a half byte is a whole one
}

TEST_CASE("time, cost and the effective batch follow the chapter's formulas") {
  CHECK(course::training_time(5'120'000, 3, 1, 1000).value() == 15360);
  CHECK(course::training_time(10'000, 3, 8, 2).value() == 1875);  // in examples, with a batch
  CHECK(course::cost(4, UsdPerHour(1.5), 5).value() == 30);
  CHECK(course::effective_batch(1, 16) == 16);
}

TEST_CASE("where the chapter contradicts itself the formulas say so") {
  const auto rows = course::single_gpu();
  for (const course::SingleGpuRow& r : rows) {
    CHECK(r.full_fits() == (r.vram < gb(80)));  // 7B full in 80 GB is the chapter's slip
    if (r.vram == gb(24)) CHECK(r.full_by_formula == 2'000'000'000);
    CHECK(r.efficient_fits());
  }
}

TEST_CASE("ZeRO divides one component more a stage and never leaves a byte out") {
  const course::Breakdown b = course::full_finetuning(7'000'000'001, course::Precision::bfloat16);
  for (int stage = 0; stage < 4; ++stage) {
    CHECK(course::zero_per_gpu(b, stage, 1) == b.total());
    if (stage > 0) CHECK(course::zero_per_gpu(b, stage, 8) < course::zero_per_gpu(b, stage - 1, 8));
  }
  CHECK(8 * course::zero_per_gpu(b, 3, 8) >= b.total());
}

TEST_CASE("reductions reduce, each on the worked model") {
  for (const course::Reduction& r : course::reductions()) {
    CAPTURE(r.id);
    if (r.id == "gradient_accumulation") continue;  // it changes the batch, not these
    CHECK(r.after < r.before);
    CHECK(r.after > Bytes{});
  }
}

TEST_CASE("the quiz has the chapter's three questions first and six more, and the right answer is not always in the same place") {
  std::set<int> places;
  std::set<std::string_view> ids;
  std::size_t n = 0, chapter = 0;
  for (const course::Question& q : course::quiz()) {
    CHECK(q.answer < q.options);
    CHECK(q.from_chapter == (n < 3));
    chapter += q.from_chapter ? 1 : 0;
    if (!q.scenario.empty()) CHECK(json::parse(q.scenario, nullptr, false).is_object());
    places.insert(q.answer);
    ids.insert(q.id);
    ++n;
  }
  CHECK(chapter == 3);
  CHECK(n >= 9);
  CHECK(ids.size() == n);
  CHECK(places.size() == 4);
}

TEST_CASE("the chapter's sections are there, each block with a name and every code block with its text") {
  std::set<std::string_view> sections, demos, tables;
  for (const course::Section& s : course::chapter()) {
    sections.insert(s.id);
    CHECK_FALSE(s.blocks.empty());
    for (const course::Block& b : s.blocks) {
      CHECK_FALSE(b.id.empty());
      if (b.kind == course::BlockKind::code) CHECK_FALSE(course::code(b.id).empty());
      if (b.kind == course::BlockKind::demo) demos.insert(b.id);
      if (b.kind == course::BlockKind::table) tables.insert(b.id);
    }
  }
  for (const std::string_view s :
       {"components", "formula", "precision", "worked", "reductions", "zero", "hardware", "time", "cost", "profiling", "checklist", "key_points", "quiz"})
    CHECK_MESSAGE(sections.count(s) == 1, s);
  for (const std::string_view d : {"formula", "worked_7b", "reductions", "zero_stages", "profiling", "checklist", "quiz"})
    CHECK_MESSAGE(demos.count(d) == 1, d);
  for (const std::string_view t : names<course::Table>()) CHECK_MESSAGE(tables.count(t) == 1, t);
  CHECK(course::code("nothing").empty());
}
