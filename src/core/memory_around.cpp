#include "core/memory_around.h"

namespace gpudget {
namespace {

std::int64_t part_of(std::int64_t n, std::int64_t hundredths) { return saturating_multiply(n / 100, hundredths); }
std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
std::int64_t most(std::int64_t a, std::int64_t b) { return a > b ? a : b; }

// Sharded in a way of which there is neither an oracle row nor enough published runs.
bool split_model(const Scenario& s) { return s.parallelism.tensor > 1 || s.parallelism.pipeline > 1 || s.parallelism.context > 1 || s.parallelism.expert > 1; }
bool sharded(const Scenario& s) {
  const DataParallel d = data_parallel(s);
  return s.gpus > 1 && d != DataParallel::ddp;
}
bool with_experts(const Scenario& s) { return s.model.architecture.num_experts > 0; }
// What changes memory and that no measured kind has.
bool unusual(const Scenario& s) {
  return s.method == Method::inference || s.compile || s.parallelism.offload != Offload::none || split_model(s) || s.compute == DType::fp8 ||
         s.gradient_checkpointing == Checkpointing::selective || s.model.architecture.family == Family::other;
}
bool published_family(const Scenario& s) {
  switch (s.model.architecture.family) {
    case Family::llama:
    case Family::mistral:
    case Family::qwen2:
    case Family::granite:
    case Family::gpt_bigcode: return true;
    default: return false;
  }
}
bool known_optimizer(const Scenario& s) {
  switch (s.optim) {
    case Optimizer::adamw_torch:
    case Optimizer::adamw_torch_fused:
    case Optimizer::sgd:
    case Optimizer::sgd_momentum:
    case Optimizer::adafactor: return true;
    default: return false;
  }
}

}  // namespace

MemoryAround memory_around(const Scenario& s, std::int64_t allocated, std::int64_t passing, std::int64_t stepping) {
  MemoryAround r;
  r.context = mib(500);
  if (s.gpus > 1) r.communication = mib(922);
  std::int64_t slack = saturating_add(part_of(passing, 30), least(mib(1126).in_bytes(), allocated / 8));
  if (s.method == Method::full) slack = saturating_add(slack, part_of(stepping, 32));
  const std::int64_t always = allocated / 50;
  const std::int64_t room = s.gpu.memory.in_bytes() - allocated - r.context.in_bytes() - r.communication.in_bytes();
  r.least_slack = bytes(always);
  r.slack = bytes(most(least(slack, room), always));
  return r;
}

Confidence memory_confidence(const Scenario& s) {
  if (unusual(s) || !known_optimizer(s) || s.loss != Loss::full) return Confidence::extrapolated;
  if (published_family(s) && !with_experts(s) && s.gpus <= 8) return Confidence::measured;
  return sharded(s) ? Confidence::extrapolated : Confidence::modelled;
}

RangeShare memory_range(const Scenario& s) {
  if (unusual(s) || with_experts(s)) return {200, 550};
  if (s.method == Method::full) return sharded(s) ? RangeShare{160, 100} : RangeShare{230, 100};
  if (s.method == Method::lora) return sharded(s) ? RangeShare{160, 330} : RangeShare{170, 130};
  return {170, 430};
}

}  // namespace gpudget
