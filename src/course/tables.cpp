#include "course/tables.h"

namespace gpudget::course {
namespace {

// The chapter prints approximations as the roundest figure, in hundreds, tens or ones of GB, that is within 5 % of the exact one.
Bytes roundest(Bytes exact) {
  for (const std::int64_t step : {100, 10, 1}) {
    const std::int64_t unit = gb(step).in_bytes();
    const Bytes rounded = bytes((exact.in_bytes() + unit / 2) / unit * unit);
    const Bytes off = rounded < exact ? exact - rounded : rounded - exact;
    if (20 * off <= exact) return rounded;
  }
  return exact;
}

// Below a terabyte whole GB, from there on tenths of a TB.
Bytes whole_gb_or_tenths_of_tb(Bytes exact) {
  const std::int64_t unit = exact < gb(1000) ? gb(1).in_bytes() : gb(100).in_bytes();
  return bytes((exact.in_bytes() + unit / 2) / unit * unit);
}

SingleGpuRow single(std::string_view gpu, std::int64_t vram_gb, std::string_view max_full, std::string_view max_efficient) {
  const std::int64_t efficient = parameters_of(max_efficient);
  return {gpu,
          gb(vram_gb),
          max_full,
          max_efficient,
          full_finetuning(parameters_of(max_full), Precision::bfloat16).total(),
          with_checkpointing(full_finetuning(efficient, Precision::bfloat16).total()),
          with_checkpointing_and_8bit_adam(efficient),
          gb(vram_gb).in_bytes() / full_finetuning(1, Precision::bfloat16).total().in_bytes()};
}

MultiGpuRow multi(std::string_view setup, std::string_view gpu, std::int64_t gpus, std::int64_t gb_each, std::string_view low, std::string_view high) {
  const std::int64_t largest = parameters_of(high);
  return {setup,
          gpu,
          gpus,
          gb(gpus * gb_each),
          low,
          high,
          with_checkpointing_and_8bit_adam(largest),
          with_checkpointing(full_finetuning(largest, Precision::bfloat16).total())};
}

constexpr std::array<ThroughputRow, 4> kThroughput{{
    {"7B", "A100-40GB", 1, TokensPerSecond(1000)},
    {"7B", "H100", 1, TokensPerSecond(2000)},
    {"13B", "A100-80GB", 1, TokensPerSecond(500)},
    {"70B", "H100", 8, TokensPerSecond(800)},
}};

constexpr std::array<PriceRow, 5> kPrices{{
    {"T4", UsdPerHour(0.50), UsdPerHour(0.15)},
    {"A10G", UsdPerHour(1.50), UsdPerHour(0.45)},
    {"A100-40GB", UsdPerHour(4.00), UsdPerHour(1.20)},
    {"A100-80GB", UsdPerHour(6.00), UsdPerHour(1.80)},
    {"H100", UsdPerHour(8.00), UsdPerHour(2.40)},
}};

constexpr std::array<std::string_view, 4> kContradictions{"fit_80gb", "max_24gb", "gib_as_gb", "multiplier_low"};
constexpr std::array<std::string_view, 7> kChecklist{"mixed_precision", "gradient_checkpointing", "gradient_accumulation", "8bit_optimizer",
                                                     "sharding",        "memory_profiling",       "spot_instances"};
constexpr std::array<std::string_view, 6> kKeyPoints{"multiplier", "seven_b", "reductions", "multi_gpu", "spot", "profile"};
constexpr std::array<std::string_view, 3> kProfiling{"torch.cuda.memory_allocated()", "torch.cuda.max_memory_allocated()",
                                                     "torch.cuda.reset_peak_memory_stats()"};

}  // namespace

Bytes with_checkpointing_and_8bit_adam(std::int64_t parameters) {
  const Breakdown b = full_finetuning(parameters, Precision::bfloat16);
  const Bytes states = bytes(b.optimizer.in_bytes() / 4);  // two states of one byte instead of four
  return with_checkpointing(b.weights + b.gradients + states);
}

std::array<FullFinetuneRow, 4> full_finetune() {
  constexpr std::array<std::string_view, 4> kSizes{"1B", "7B", "13B", "70B"};
  std::array<FullFinetuneRow, 4> rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    FullFinetuneRow& row = rows[i];
    row.size = kSizes[i];
    row.parameters = parameters_of(row.size);
    row.fp32 = full_finetuning(row.parameters, Precision::float32).total();
    row.bf16 = full_finetuning(row.parameters, Precision::bfloat16).total();
    row.checkpointing = with_checkpointing(row.bf16);
    row.printed_fp32 = whole_gb_or_tenths_of_tb(row.fp32);
    row.printed_bf16 = whole_gb_or_tenths_of_tb(row.bf16);
    row.printed_checkpointing = roundest(row.checkpointing);
  }
  return rows;
}

std::array<SingleGpuRow, 5> single_gpu() {
  return {single("RTX 3090", 24, "1B", "3B"), single("RTX 4090", 24, "1B", "3B"), single("A100-40GB", 40, "3B", "7B"), single("A100-80GB", 80, "7B", "13B"),
          single("H100", 80, "7B", "13B")};
}

std::array<MultiGpuRow, 3> multi_gpu() {
  return {multi("2x A100-40GB", "A100-40GB", 2, 40, "7B", "13B"), multi("4x A100-80GB", "A100-80GB", 4, 80, "30B", "40B"),
          multi("8x H100", "H100", 8, 80, "70B", "70B")};
}

std::span<const ThroughputRow> throughput() { return kThroughput; }

TimeExample time_example() {
  TimeExample e;
  e.examples = 10'000;
  e.tokens_per_example = 512;
  e.epochs = 3;
  e.rate = kThroughput[0].rate;
  e.total_tokens = e.examples * e.tokens_per_example;
  e.training_tokens = e.total_tokens * e.epochs;
  e.seconds = training_time(e.total_tokens, e.epochs, 1, e.rate.value());
  return e;
}

std::span<const PriceRow> prices() { return kPrices; }

const PriceRow* price_of(std::string_view gpu) {
  for (const PriceRow& row : kPrices)
    if (row.gpu == gpu) return &row;
  return nullptr;
}

CostExample cost_example() {
  CostExample e;
  e.model = "7B";
  e.gpu = "A100-40GB";
  e.hours = 4;
  e.runs = 5;
  const PriceRow& price = kPrices[2];
  e.on_demand = cost(e.hours, price.on_demand);
  e.spot = cost(e.hours, price.spot);
  e.runs_on_demand = cost(e.hours, price.on_demand, e.runs);
  e.runs_spot = cost(e.hours, price.spot, e.runs);
  return e;
}

std::array<EstimateMemoryCase, 2> estimate_memory_cases() {
  return {EstimateMemoryCase{7'000'000'000, 1, 2048, Precision::bfloat16, estimate_memory(7'000'000'000, 1, 2048, Precision::bfloat16)},
          EstimateMemoryCase{7'000'000'000, 8, 512, Precision::float32, estimate_memory(7'000'000'000, 8, 512, Precision::float32)}};
}

Bytes zero_per_gpu(const Breakdown& whole, int stage, std::int64_t gpus) {
  const auto share = [&](Bytes b, int from_stage) { return stage >= from_stage ? bytes(ceil_divide(b.in_bytes(), gpus)) : b; };
  return share(whole.optimizer, 1) + share(whole.gradients, 2) + share(whole.weights, 3);
}

std::array<Reduction, 6> reductions() {
  const Breakdown b = full_finetuning(kWorkedParameters, Precision::bfloat16);
  const Bytes one_state = bytes(b.optimizer.in_bytes() / 2);
  const Bytes states_8bit = bytes(b.optimizer.in_bytes() / 4);
  return {
      Reduction{"mixed_precision", "bf16=True", full_finetuning(kWorkedParameters, Precision::float32).total(), b.total()},
      Reduction{"gradient_checkpointing", "gradient_checkpointing=True", b.total(), with_checkpointing(b.total())},
      Reduction{"gradient_accumulation", "per_device_train_batch_size=1, gradient_accumulation_steps=16", {}, {}},
      Reduction{"8bit_adam", "optim=\"adamw_8bit\"", b.total(), b.total() - b.optimizer + states_8bit},
      Reduction{"adafactor", "optim=\"adafactor\"", b.total(), b.total() - one_state},  // no momentum; it also factors the second state
      Reduction{"zero", "", b.total(), zero_per_gpu(b, 3, kZeroExampleGpus)},
  };
}
std::span<const std::string_view> contradictions() { return kContradictions; }
std::span<const std::string_view> checklist() { return kChecklist; }
std::span<const std::string_view> key_points() { return kKeyPoints; }
std::span<const std::string_view> profiling_calls() { return kProfiling; }

}  // namespace gpudget::course
