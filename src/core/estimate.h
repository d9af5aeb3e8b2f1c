// An Estimate: the answer, as a plain value. estimate() is a pure function of the Scenario: no I/O, no heap, no failure; what is wrong
// with the question is in `problems`. Memory is of the GPU that holds the most.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/ledger.h"
#include "core/scenario.h"
#include "core/text.h"
#include "core/units.h"

namespace gpudget {

enum class Confidence : std::uint8_t { measured, modelled, extrapolated };
template <>
struct Names<Confidence> {
  static constexpr std::array<std::string_view, 3> values{"measured", "modelled", "extrapolated"};
};
enum class Bound : std::uint8_t { compute, memory, communication };
template <>
struct Names<Bound> {
  static constexpr std::array<std::string_view, 3> values{"compute", "memory", "communication"};
};
enum class Severity : std::uint8_t { error, warning, note };
template <>
struct Names<Severity> {
  static constexpr std::array<std::string_view, 3> values{"error", "warning", "note"};
};

// What can be wrong with a scenario that is well formed. Its message is "problem.<name>" with {a} and {b} as arguments.
enum class ProblemId : std::uint8_t {
  bf16_unsupported,
  fp8_unsupported,
  flash_attention_unsupported,
  fp16_master_weights,
  does_not_fit,
  tight,
  gpus_not_divisible,
  tensor_not_divisible,
  pipeline_too_long,
  expert_without_experts,
  expert_not_divisible,
  quantized_full_training,
  qlora_needs_4bit,
  qlora_sharding,
  too_large,
  context_exceeded,
  no_price,
  price_old,
  throughput_extrapolated,
  gpu_speed_unknown,
  unknown_family,
  no_lora_targets,
  accumulation_with_optimizer_in_backward,
  offload_needs_sharding,
  gpus_per_node_crossed,
  lora_target_missing,
  zero3_tensor_parallel,
  selective_eager,
  old_prices_course
};
template <>
struct Names<ProblemId> {
  static constexpr std::array<std::string_view, 29> values{"bf16_unsupported",
                                                           "fp8_unsupported",
                                                           "flash_attention_unsupported",
                                                           "fp16_master_weights",
                                                           "does_not_fit",
                                                           "tight",
                                                           "gpus_not_divisible",
                                                           "tensor_not_divisible",
                                                           "pipeline_too_long",
                                                           "expert_without_experts",
                                                           "expert_not_divisible",
                                                           "quantized_full_training",
                                                           "qlora_needs_4bit",
                                                           "qlora_sharding",
                                                           "too_large",
                                                           "context_exceeded",
                                                           "no_price",
                                                           "price_old",
                                                           "throughput_extrapolated",
                                                           "gpu_speed_unknown",
                                                           "unknown_family",
                                                           "no_lora_targets",
                                                           "accumulation_with_optimizer_in_backward",
                                                           "offload_needs_sharding",
                                                           "gpus_per_node_crossed",
                                                           "lora_target_missing",
                                                           "zero3_tensor_parallel",
                                                           "selective_eager",
                                                           "old_prices_course"};
};
struct Problem {
  Severity severity = Severity::note;
  ProblemId id{};
  std::string_view path;      // of the field, a literal ("parallelism.tensor")
  std::int64_t a = 0, b = 0;  // numbers for the message
};
class Problems {
 public:
  void add(Severity severity, ProblemId id, std::string_view path, std::int64_t a = 0, std::int64_t b = 0) {
    if (size_ < items_.size()) items_[size_++] = {severity, id, path, a, b};
  }
  std::span<const Problem> view() const { return {items_.data(), size_}; }
  bool has_error() const {
    for (const Problem& p : view())
      if (p.severity == Severity::error) return true;
    return false;
  }

 private:
  std::array<Problem, 16> items_{};
  std::size_t size_ = 0;
};

struct ModelSummary {
  Text<96> name;
  std::int64_t parameters = 0;         // 4-bit weights counted one by one
  std::int64_t active_parameters = 0;  // used for one token
  std::int64_t trainable_parameters = 0;
};

struct MemoryEstimate {
  Bytes allocated;              // torch.cuda.max_memory_allocated()
  Bytes reserved;               // the caching allocator's segments
  Bytes device;                 // what nvidia-smi shows; what must be under `capacity`
  Bytes range_low, range_high;  // of device
  Bytes least;                  // `device` where the allocator holds back nothing: what it needs of any GPU of the kind, however large
  Bytes capacity;
  Bytes headroom;  // capacity - device; negative when it does not fit
  bool fits = false;
  Confidence confidence = Confidence::extrapolated;
  Phase peak_phase = Phase::load;
  std::array<Bytes, kPhases> phases{};          // device bytes of each phase; 0 for a phase that does not happen
  std::array<Bytes, kCategories> categories{};  // at the peak phase; sums to device exactly
  Ledger ledger;
  Bytes host;  // CPU memory that offload and paged states need, on the node, for one GPU
};

struct ComputeEstimate {
  Flops flops_per_token;              // forward and backward, recomputation included, of the whole model
  std::int64_t tokens_per_step = 0;   // of the whole job, accumulation included
  Seconds step_seconds;               // one optimizer step
  TokensPerSecond tokens_per_second;  // of the whole job
  double mfu = 0;                     // model FLOPs (no recomputation) against the GPU's dense peak in the compute type
  Bound bound = Bound::compute;
  TokensPerSecond tokens_per_second_low, tokens_per_second_high;  // what validation says of the error
};

struct TimeEstimate {
  std::int64_t training_tokens = 0;  // dataset * epochs
  std::int64_t steps = 0;            // optimizer steps, the last one may be partial
  Seconds seconds, seconds_all_runs;
};

struct CostEstimate {
  Usd usd, usd_all_runs;        // in the market asked for
  Usd usd_on_demand, usd_spot;  // one run; 0: no price
  Text<12> priced_on;
  Text<160> source;
};

struct Estimate {
  ModelSummary model;
  MemoryEstimate memory;
  ComputeEstimate compute;
  TimeEstimate time;
  CostEstimate cost;
  Problems problems;
};

void estimate(const Scenario& scenario, Estimate& out);
inline Estimate estimate(const Scenario& scenario) {
  Estimate e;
  estimate(scenario, e);
  return e;
}

}  // namespace gpudget
