// The chapter's tables. What a formula of the chapter gives is computed here by that formula and stands beside what the chapter prints
// (rounded, or a range); what the chapter observed (sizes that fit, throughput, prices) is data. Texts are ids or proper names.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "course/formulas.h"

namespace gpudget::course {

enum class Table : std::uint8_t { full_finetune, single_gpu, multi_gpu, throughput, time, prices, cost, estimate_memory };
inline constexpr std::size_t kTables = 8;

// "7B": its parameters.
constexpr std::int64_t parameters_of(std::string_view size) {
  std::int64_t n = 0;
  for (const char c : size)
    if (c >= '0' && c <= '9') n = n * 10 + (c - '0');
  return n * 1'000'000'000;
}

// The worked example: a model of 7 billion parameters.
inline constexpr std::int64_t kWorkedParameters = 7'000'000'000;
struct Range {
  Bytes low, high;
};
inline constexpr Range kWorkedWithCheckpointing{gb(60), gb(70)};  // as the chapter prints it; its formula gives 58.8 GB
inline constexpr Range kWorkedFullKeyPoint{gb(60), gb(80)};       // "a 7B model takes 60-80 GB for full fine-tuning"

struct FullFinetuneRow {
  std::string_view size;
  std::int64_t parameters = 0;
  Bytes fp32, bf16, checkpointing;                          // by the formula
  Bytes printed_fp32, printed_bf16, printed_checkpointing;  // as the chapter rounds them
};
std::array<FullFinetuneRow, 4> full_finetune();

// The largest models that the chapter says a GPU can train, and what its own formulas say of them: full in bf16 (12 bytes a parameter), and
// "efficient" with checkpointing (8.4) or with checkpointing and 8-bit Adam (4.2, a quarter of the states' bytes).
struct SingleGpuRow {
  std::string_view gpu;
  Bytes vram;
  std::string_view max_full, max_efficient;
  Bytes full_needs;                  // max_full in bf16
  Bytes efficient_needs_high;        // max_efficient with checkpointing
  Bytes efficient_needs_low;         // and with 8-bit Adam
  std::int64_t full_by_formula = 0;  // the most parameters that 12 bytes each let in
  constexpr bool full_fits() const { return full_needs <= vram; }
  constexpr bool efficient_fits() const { return efficient_needs_low <= vram; }
};
std::array<SingleGpuRow, 5> single_gpu();

struct MultiGpuRow {
  std::string_view setup, gpu;
  std::int64_t gpus = 0;
  Bytes vram;                                      // of all together
  std::string_view efficient_low, efficient_high;  // the chapter's range
  Bytes needs_low, needs_high;                     // efficient_high with checkpointing and 8-bit Adam; with checkpointing alone
};
std::array<MultiGpuRow, 3> multi_gpu();
Bytes with_checkpointing_and_8bit_adam(std::int64_t parameters);

struct ThroughputRow {
  std::string_view model, gpu;
  std::int64_t gpus = 0;
  TokensPerSecond rate;
};
std::span<const ThroughputRow> throughput();

struct TimeExample {
  std::int64_t examples = 0, tokens_per_example = 0, epochs = 0;
  TokensPerSecond rate;
  std::int64_t total_tokens = 0, training_tokens = 0;
  Seconds seconds;
  constexpr double hours() const { return seconds.value() / 3600; }
};
TimeExample time_example();

struct PriceRow {
  std::string_view gpu;
  UsdPerHour on_demand, spot;
  constexpr double saving() const { return 1 - spot / on_demand; }
};
std::span<const PriceRow> prices();
const PriceRow* price_of(std::string_view gpu);
inline constexpr double kSpotSavingLow = 0.60, kSpotSavingHigh = 0.70;  // as the chapter prints it

struct CostExample {
  std::string_view model, gpu;
  double hours = 0;
  std::int64_t runs = 0;
  Usd on_demand, spot, runs_on_demand, runs_spot;
};
CostExample cost_example();

struct EstimateMemoryCase {
  std::int64_t parameters = 0, batch_size = 0, seq_len = 0;
  Precision precision{};
  EstimateMemory result;
};
std::array<EstimateMemoryCase, 2> estimate_memory_cases();

// Ways to need less, in the chapter's order, each on the worked 7B model; texts are "reduction.<id>" and "reduction.<id>.effect".
// Accumulation changes the batch, not the memory of the states: its before and after are zero.
struct Reduction {
  std::string_view id;
  std::string_view setting;  // as Hugging Face's TrainingArguments take it; empty: several
  Bytes before, after;
};
std::array<Reduction, 6> reductions();
inline constexpr std::int64_t kZeroExampleGpus = 8;
// Memory of one GPU under ZeRO: stage 0 divides nothing, 1 the optimizer states, 2 the gradients too, 3 the weights too.
Bytes zero_per_gpu(const Breakdown& whole, int stage, std::int64_t gpus);
inline constexpr std::int64_t kAccumulationExampleBatch = 1, kAccumulationExampleSteps = 16;

// Where the chapter contradicts itself; texts are "contradiction.<id>".
std::span<const std::string_view> contradictions();
std::span<const std::string_view> checklist();   // "checklist.<id>"; the ids of core's AdviceId
std::span<const std::string_view> key_points();  // "learn.key_points.<id>"
std::span<const std::string_view> profiling_calls();

}  // namespace gpudget::course

namespace gpudget {
template <>
struct Names<course::Table> {
  static constexpr std::array<std::string_view, course::kTables> values{"full_finetune", "single_gpu", "multi_gpu", "throughput",
                                                                        "time",          "prices",     "cost",      "estimate_memory"};
};
}  // namespace gpudget
