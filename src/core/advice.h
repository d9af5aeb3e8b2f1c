// What to change: the chapter's checklist and beyond, each item tried on this scenario. An item is a function from Scenario to Scenario;
// what it saves and costs is the difference of two estimates. Never an item that makes things worse.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/estimate.h"
#include "core/names.h"

namespace gpudget {

// The first seven are the chapter's checklist, in its order; memory_profiling is always "not enabled", it saves nothing by itself.
enum class AdviceId : std::uint8_t {
  mixed_precision,
  gradient_checkpointing,
  gradient_accumulation,
  optimizer_8bit,
  sharding,
  memory_profiling,
  spot_instances,
  flash_attention,
  fused_loss,
  adafactor,
  lora,
  qlora,
  cpu_offload,
  shorter_sequences,
  larger_gpu,
  more_gpus
};
inline constexpr std::size_t kAdvice = 16;
template <>
struct Names<AdviceId> {
  static constexpr std::array<std::string_view, kAdvice> values{"mixed_precision",
                                                                "gradient_checkpointing",
                                                                "gradient_accumulation",
                                                                "8bit_optimizer",
                                                                "sharding",
                                                                "memory_profiling",
                                                                "spot_instances",
                                                                "flash_attention",
                                                                "fused_loss",
                                                                "adafactor",
                                                                "lora",
                                                                "qlora",
                                                                "cpu_offload",
                                                                "shorter_sequences",
                                                                "larger_gpu",
                                                                "more_gpus"};
};
struct Advice {
  AdviceId id{};
  bool enabled = false;       // the scenario does it already
  bool applicable = false;    // apply_advice changes something and it helps
  bool makes_it_fit = false;  // does not fit now, fits with it
  Bytes saves;                // of device memory
  Usd saves_usd;
  Seconds costs;  // more time for one run; negative: faster
};
struct AdviceList {
  std::array<Advice, kAdvice> items{};
  std::size_t size = 0;
  std::span<const Advice> view() const& { return {items.data(), size}; }
  std::span<const Advice> view() const&& = delete;  // a range-for over a temporary's items would outlive them
};

// What each item makes of the scenario, by AdviceId; of the applicable ones alone, and not of larger_gpu.
using AdvisedScenarios = std::array<Scenario, kAdvice>;

// All items, ordered: what makes it fit first, then by usefulness; enabled and inapplicable ones at the end. larger_gpu applies where it does
// not fit; which one is the caller's to find. `done`: also what apply_advice would give, for those who write it.
AdviceList advise(const Scenario& scenario, const Estimate& estimate, AdvisedScenarios* done = nullptr);
// The scenario with the item done; the scenario itself where it does not apply. larger_gpu is the caller's to resolve (core has no catalog).
Scenario apply_advice(AdviceId id, const Scenario& scenario);

}  // namespace gpudget
