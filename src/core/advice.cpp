#include "core/advice.h"

#include <algorithm>

namespace gpudget {
namespace {

bool adapters(const Scenario& s) { return s.method == Method::lora || s.method == Method::qlora; }
bool trains(const Scenario& s) { return s.method != Method::inference; }
bool sharded(const Scenario& s) {
  const DataParallel d = data_parallel(s);
  return d == DataParallel::zero1 || d == DataParallel::zero2 || d == DataParallel::zero3 || d == DataParallel::fsdp;
}
bool half(DType t) { return t == DType::bf16 || t == DType::fp16 || t == DType::fp8; }

// Optimizers whose states take a byte or less.
bool small_states(Optimizer o) {
  switch (o) {
    case Optimizer::adamw_8bit:
    case Optimizer::adamw_torch_8bit:
    case Optimizer::adamw_torch_4bit:
    case Optimizer::paged_adamw_8bit:
    case Optimizer::lion_8bit:
    case Optimizer::paged_lion_8bit:
    case Optimizer::ademamix_8bit:
    case Optimizer::galore_adamw_8bit: return true;
    default: return false;
  }
}

bool enabled(AdviceId id, const Scenario& s) {
  switch (id) {
    case AdviceId::mixed_precision: return half(s.compute) && (!trains(s) || adapters(s) || half(weights_dtype(s)) || s.master_weights);
    case AdviceId::gradient_checkpointing: return s.gradient_checkpointing != Checkpointing::none;
    case AdviceId::gradient_accumulation: return s.gradient_accumulation_steps > 1;
    case AdviceId::optimizer_8bit: return small_states(s.optim);
    case AdviceId::sharding: return s.gpus > 1 && sharded(s);
    case AdviceId::memory_profiling: return false;
    case AdviceId::spot_instances: return s.price.market == Market::spot;
    case AdviceId::flash_attention: return s.attn_implementation == Attention::flash_attention_2;
    case AdviceId::fused_loss: return s.loss != Loss::full;
    case AdviceId::adafactor: return s.optim == Optimizer::adafactor;
    case AdviceId::lora: return adapters(s);
    case AdviceId::qlora: return s.method == Method::qlora;
    case AdviceId::cpu_offload: return s.parallelism.offload != Offload::none;
    case AdviceId::shorter_sequences:
    case AdviceId::larger_gpu:
    case AdviceId::more_gpus: return false;
  }
  return false;
}

// How much a change asks of its user: what only costs a setting comes before what changes the method or the bill.
int effort(AdviceId id) {
  switch (id) {
    case AdviceId::flash_attention:
    case AdviceId::mixed_precision: return 0;
    case AdviceId::gradient_checkpointing:
    case AdviceId::fused_loss: return 1;
    case AdviceId::gradient_accumulation:
    case AdviceId::sharding: return 2;
    case AdviceId::optimizer_8bit: return 3;
    case AdviceId::adafactor: return 4;
    case AdviceId::cpu_offload: return 5;
    case AdviceId::lora:
    case AdviceId::shorter_sequences: return 6;
    case AdviceId::qlora: return 7;
    case AdviceId::more_gpus:
    case AdviceId::larger_gpu: return 8;
    case AdviceId::memory_profiling:
    case AdviceId::spot_instances: return 9;
  }
  return 9;
}

constexpr std::int64_t kShortestSequence = 256;  // below it there is little left to learn from
constexpr std::int64_t kMostGpus = 1'024;

}  // namespace

Scenario apply_advice(AdviceId id, const Scenario& scenario) {
  Scenario s = scenario;
  if (enabled(id, s)) return s;
  switch (id) {
    case AdviceId::mixed_precision:
      s.compute = s.gpu.supports_bf16 ? DType::bf16 : DType::fp16;
      if (weights_dtype(s) == DType::fp32) s.weights = s.compute;
      s.gradients.reset();
      if (s.compute == DType::fp16 && s.method == Method::full) s.master_weights = true;  // fp16 alone loses small updates
      break;
    case AdviceId::gradient_checkpointing:
      if (trains(s)) s.gradient_checkpointing = Checkpointing::full;
      break;
    case AdviceId::gradient_accumulation:
      if (!trains(s) || s.per_device_train_batch_size == 1 || s.optimizer_in_backward) break;
      s.gradient_accumulation_steps = s.per_device_train_batch_size;  // the same effective batch
      s.per_device_train_batch_size = 1;
      break;
    case AdviceId::optimizer_8bit:
      if (!trains(s)) break;
      s.optim = Optimizer::adamw_8bit;
      s.optimizer_states.reset();
      break;
    case AdviceId::sharding:
      if (s.gpus > 1 && trains(s) && s.method != Method::qlora) s.parallelism.data = DataParallel::zero3;
      break;
    case AdviceId::memory_profiling: break;
    case AdviceId::spot_instances:
      if (s.quote.spot.value() > 0 && !s.price.usd_per_gpu_hour) s.price.market = Market::spot;
      break;
    case AdviceId::flash_attention:
      if (s.gpu.supports_flash_attention && half(s.compute)) s.attn_implementation = Attention::flash_attention_2;
      break;
    case AdviceId::fused_loss:
      if (trains(s)) s.loss = Loss::fused;
      break;
    case AdviceId::adafactor:
      if (!trains(s)) break;
      s.optim = Optimizer::adafactor;
      s.optimizer_states.reset();
      break;
    case AdviceId::lora:
      if (s.method != Method::full) break;
      s.method = Method::lora;
      s.master_weights = false;
      s.gradients.reset();
      break;
    case AdviceId::qlora:
      if (!trains(s)) break;
      s.method = Method::qlora;
      s.weights.reset();
      s.master_weights = false;
      s.gradients.reset();
      break;
    case AdviceId::cpu_offload:
      if (!trains(s) || adapters(s)) break;
      if (!sharded(s)) s.parallelism.data = DataParallel::zero2;  // offload works through ZeRO
      s.parallelism.offload = Offload::optimizer;
      break;
    case AdviceId::shorter_sequences:
      if (s.max_length / 2 >= kShortestSequence) s.max_length /= 2;
      break;
    case AdviceId::larger_gpu: break;  // the caller's: core has no catalog
    case AdviceId::more_gpus:
      if (!trains(s) || s.method == Method::qlora || s.gpus * 2 > kMostGpus) break;
      s.gpus *= 2;
      if (!sharded(s)) s.parallelism.data = DataParallel::zero3;
      break;
  }
  return s;
}

AdviceList advise(const Scenario& scenario, const Estimate& now) {
  AdviceList out;
  Estimate then;
  for (std::size_t i = 0; i < kAdvice; ++i) {
    Advice a;
    a.id = static_cast<AdviceId>(i);
    a.enabled = enabled(a.id, scenario);
    const Scenario changed = apply_advice(a.id, scenario);
    if (a.id == AdviceId::larger_gpu) {
      a.applicable = !now.memory.fits;
    } else if (!a.enabled && !(changed == scenario)) {
      estimate(changed, then);
      a.saves = now.memory.device - then.memory.device;
      a.saves_usd = now.cost.usd - then.cost.usd;
      a.costs = then.time.seconds - now.time.seconds;
      a.makes_it_fit = !now.memory.fits && then.memory.fits;
      a.applicable = a.saves > Bytes{} || (a.id == AdviceId::spot_instances && a.saves_usd.value() > 0);
      // A change that brings an error of its own is no help.
      for (const Problem& p : then.problems.view())
        if (p.severity == Severity::error && p.id != ProblemId::does_not_fit) a.applicable = false;
      if (!a.applicable) a = {a.id, a.enabled, false, false, {}, {}, {}};
    }
    out.items[out.size++] = a;
  }
  const auto rank = [](const Advice& a) { return a.enabled ? 2 : a.applicable ? (a.makes_it_fit ? 0 : 1) : 3; };
  std::stable_sort(out.items.begin(), out.items.begin() + static_cast<std::ptrdiff_t>(out.size), [&](const Advice& x, const Advice& y) {
    if (rank(x) != rank(y)) return rank(x) < rank(y);
    if (rank(x) == 0 && effort(x.id) != effort(y.id)) return effort(x.id) < effort(y.id);
    if (rank(x) <= 1 && x.saves != y.saves) return x.saves > y.saves;
    return x.id < y.id;
  });
  return out;
}

}  // namespace gpudget
