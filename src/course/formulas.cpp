#include "course/formulas.h"

namespace gpudget::course {

Bytes memory(std::int64_t parameters, Precision precision, std::int64_t multiplier) {
  return bytes(ceil_divide(product(parameters, bits_per_parameter(precision), multiplier), 8));  // half a byte takes a whole one
}

Breakdown full_finetuning(std::int64_t parameters, Precision precision) {
  const Bytes weights = memory(parameters, precision, 1);
  return {weights, weights, 2 * memory(parameters, Precision::float32, 1)};
}

Bytes with_checkpointing(Bytes total) { return bytes(saturating_multiply(total.in_bytes(), 100 - kCheckpointingPercentOff) / 100); }

Seconds training_time(std::int64_t dataset_size, std::int64_t epochs, std::int64_t batch_size, double throughput_per_second) {
  const double per_second = static_cast<double>(batch_size) * throughput_per_second;
  return per_second > 0 ? Seconds(static_cast<double>(product(dataset_size, epochs)) / per_second) : Seconds(0);
}

Usd cost(double hours, UsdPerHour price, std::int64_t runs) { return Usd(hours * price.value() * static_cast<double>(runs)); }

std::int64_t effective_batch(std::int64_t per_device_train_batch_size, std::int64_t gradient_accumulation_steps) {
  return product(per_device_train_batch_size, gradient_accumulation_steps);
}

EstimateMemory estimate_memory(std::int64_t parameters, std::int64_t batch_size, std::int64_t seq_len, Precision precision) {
  const std::int64_t per_parameter = precision == Precision::bfloat16 ? 2 : 4;  // as the chapter's code has it: anything else counts 4
  const Bytes weights = bytes(product(parameters, per_parameter));
  return {weights, weights, bytes(product(parameters, 4, 2)), bytes(product(batch_size, seq_len, 4096, 4))};
}

}  // namespace gpudget::course
