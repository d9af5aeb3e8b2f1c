// The largest value that still fits, everything else as given: exact, by bisection on a monotone function.
#pragma once
#include <cstdint>
#include <optional>

#include "core/scenario.h"

namespace gpudget {

enum class LimitOf : std::uint8_t { params, per_device_train_batch_size, max_length, lora_r };
template <>
struct Names<LimitOf> {
  static constexpr std::array<std::string_view, 4> values{"params", "per_device_train_batch_size", "max_length", "lora.r"};
};
struct Limit {
  std::int64_t value = 0;
  Scenario scenario;  // with that value
};
// Nothing when even the smallest value does not fit. `params` searches Llama-like shapes (architecture_presets.h).
std::optional<Limit> limit(const Scenario& scenario, LimitOf of);

}  // namespace gpudget
