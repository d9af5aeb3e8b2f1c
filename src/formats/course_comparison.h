// Why is the chapter's figure different? The chapter's rule for the scenario's model beside our estimate, and the difference split into
// causes that sum to it exactly: course total + causes = device memory at the peak.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/estimate.h"
#include "core/scenario.h"
#include "i18n/text.h"

namespace gpudget::formats {

// Texts: "cause.<name>" and "cause.<name>.why".
enum class CauseId : std::uint8_t {
  checkpointing_rule,  // the chapter takes 30 % off everything; really only activations shrink
  frozen_weights,      // LoRA, QLoRA: no gradients and states for the frozen weights
  weights_storage,     // quantization scales, unquantized parts, adapters
  gradients_type,
  master_weights,
  optimizer_states,  // types and number of states
  peak_moment,       // not everything is there at the peak
  sharding,
  offload,
  activations,
  logits,
  kv_cache,
  buffers,
  framework
};
inline constexpr std::size_t kCauses = 14;
struct Cause {
  CauseId id{};
  Bytes bytes;  // signed: positive where we count more than the chapter
};
struct CourseComparison {
  Bytes weights, gradients, optimizer;  // the chapter's rule
  Bytes checkpointing;                  // what the chapter takes off for checkpointing, zero or negative
  Bytes course_total;                   // sum of the four
  Bytes estimate_total;                 // memory.device
  std::array<Cause, kCauses> causes{};
  std::size_t size = 0;  // causes of zero bytes are left out
  std::span<const Cause> view() const { return {causes.data(), size}; }
};
CourseComparison compare_with_course(const Scenario& scenario, const Estimate& estimate);
// In words, the rule that gave course_total: "8.03B × (2 + 2 + 8) bytes".
std::string course_rule_text(i18n::Language language, const Scenario& scenario, const Estimate& estimate);

}  // namespace gpudget::formats

namespace gpudget {
template <>
struct Names<formats::CauseId> {
  static constexpr std::array<std::string_view, formats::kCauses> values{
      "checkpointing_rule", "frozen_weights", "weights_storage", "gradients_type", "master_weights", "optimizer_states", "peak_moment",
      "sharding",           "offload",        "activations",     "logits",         "kv_cache",       "buffers",          "framework"};
};
}  // namespace gpudget
