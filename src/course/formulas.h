// The chapter's rules of thumb, exactly as it states them. They teach; the detailed model in core decides. GB is decimal here, as in the
// chapter, except in estimate_memory, whose figures the chapter prints as GB although they are GiB.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "core/names.h"
#include "core/units.h"

namespace gpudget::course {

enum class Precision : std::uint8_t { float32, bfloat16, float16, int8, int4 };
inline constexpr std::array kPrecisions{Precision::float32, Precision::bfloat16, Precision::float16, Precision::int8, Precision::int4};
constexpr std::int64_t bits_per_parameter(Precision p) {
  constexpr std::array<std::int64_t, 5> kBits{32, 16, 16, 8, 4};
  return kBits[static_cast<std::size_t>(p)];
}
constexpr double bytes_per_parameter(Precision p) { return static_cast<double>(bits_per_parameter(p)) / 8; }

// memory_bytes = parameters * bytes_per_parameter * multiplier
Bytes memory(std::int64_t parameters, Precision precision, std::int64_t multiplier);
inline constexpr std::int64_t kInferenceMultiplier = 1;
inline constexpr std::int64_t kTrainingMultiplierLow = 4, kTrainingMultiplierHigh = 6;  // AdamW

// Full fine-tuning: gradients as the weights; AdamW keeps two fp32 states whatever the weights' type, 8 bytes a parameter.
struct Breakdown {
  Bytes weights, gradients, optimizer;
  constexpr Bytes total() const { return weights + gradients + optimizer; }
};
Breakdown full_finetuning(std::int64_t parameters, Precision precision);
// Gradient checkpointing: the course takes 30 % off the whole.
inline constexpr std::int64_t kCheckpointingPercentOff = 30;
Bytes with_checkpointing(Bytes total);

// training_time = dataset_size * epochs / (batch_size * throughput). With the throughput in tokens a second, dataset_size counts tokens and
// batch_size is 1: the batch is already inside the throughput.
Seconds training_time(std::int64_t dataset_size, std::int64_t epochs, std::int64_t batch_size, double throughput_per_second);
Usd cost(double hours, UsdPerHour price, std::int64_t runs = 1);
std::int64_t effective_batch(std::int64_t per_device_train_batch_size, std::int64_t gradient_accumulation_steps);

// The chapter's estimate_memory(model, batch_size, seq_len, precision). Its activations take a hidden size of 4096 and 4 bytes.
struct EstimateMemory {
  Bytes weights, gradients, optimizer, activations;
  constexpr Bytes total() const { return weights + gradients + optimizer + activations; }
};
EstimateMemory estimate_memory(std::int64_t parameters, std::int64_t batch_size, std::int64_t seq_len, Precision precision);

}  // namespace gpudget::course

namespace gpudget {
template <>
struct Names<course::Precision> {
  static constexpr std::array<std::string_view, 5> values{"float32", "bfloat16", "float16", "int8", "int4"};
};
}  // namespace gpudget
