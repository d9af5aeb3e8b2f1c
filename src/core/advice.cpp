#include "core/advice.h"

#include "core/compute.h"
#include "core/cost.h"
#include "core/memory.h"

namespace gpudget {
namespace {

constexpr std::int64_t kShortest = 128;  // tokens, below which a sequence is not shortened further

bool is_training(const Scenario& s) { return s.method != Method::inference; }
bool has_adapters(const Scenario& s) { return s.method == Method::lora || s.method == Method::qlora; }
bool is_sharded(const Scenario& s) { return data_parallel(s) != DataParallel::ddp; }

bool keeps_small_states(Optimizer o) {
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

bool is_enabled(AdviceId id, const Scenario& s) {
  switch (id) {
    case AdviceId::mixed_precision: return bits(s.compute) <= 16;
    case AdviceId::gradient_checkpointing: return is_training(s) && s.gradient_checkpointing != Checkpointing::none;
    case AdviceId::gradient_accumulation: return is_training(s) && s.gradient_accumulation_steps > 1;
    case AdviceId::optimizer_8bit: return is_training(s) && keeps_small_states(s.optim);
    case AdviceId::sharding: return is_training(s) && is_sharded(s) && s.gpus > 1;
    case AdviceId::spot_instances: return s.price.market == Market::spot;
    case AdviceId::flash_attention: return s.attn_implementation == Attention::flash_attention_2;
    case AdviceId::fused_loss: return is_training(s) && s.loss == Loss::fused;
    case AdviceId::adafactor: return is_training(s) && s.optim == Optimizer::adafactor;
    case AdviceId::lora: return has_adapters(s);
    case AdviceId::qlora: return s.method == Method::qlora;
    case AdviceId::cpu_offload: return s.parallelism.offload != Offload::none;
    default: return false;
  }
}

// The memory alone, and of it the totals: an Estimate is large, and these are many.
void measure(const Scenario& s, Estimate& out) {
  out.problems = {};
  out.memory.ledger.keep_only_totals();
  estimate_memory(s, out);
}
bool fits(const Scenario& s, Estimate& scratch) {
  measure(s, scratch);
  return scratch.memory.fits;
}
// Time and money, of what is measured.
void price(const Scenario& s, Estimate& out) {
  out.compute = {}, out.time = {}, out.cost = {};
  estimate_compute(s, out);
  estimate_time(s, out);
  estimate_cost(s, out);
}

// The largest divisor of the micro-batch below it that fits, or 1; accumulation keeps the effective batch.
Scenario accumulate(const Scenario& s, Estimate& scratch, bool& measured) {
  Scenario r = s;
  const std::int64_t batch = s.per_device_train_batch_size;
  for (std::int64_t parts = 2; parts <= batch && parts <= 64; ++parts) {
    if (batch % parts != 0) continue;
    r.per_device_train_batch_size = batch / parts;
    r.gradient_accumulation_steps = saturating_multiply(s.gradient_accumulation_steps, parts);
    if (fits(r, scratch)) return measured = true, r;
  }
  r.per_device_train_batch_size = 1;
  r.gradient_accumulation_steps = saturating_multiply(s.gradient_accumulation_steps, batch);
  return r;
}

// ZeRO-2 where that is enough, since it costs the least; else everything is sharded.
Scenario shard(const Scenario& s, Estimate& scratch, bool& measured) {
  Scenario r = s;
  if (s.method == Method::qlora) return r.parallelism.data = DataParallel::fsdp, r;  // the kind that shards quantized weights
  if (s.method == Method::full && data_parallel(s) < DataParallel::zero2 && s.parallelism.pipeline == 1) {
    r.parallelism.data = DataParallel::zero2;
    if (fits(r, scratch)) return measured = true, r;
  }
  r.parallelism.data = s.parallelism.tensor > 1 ? DataParallel::fsdp : DataParallel::zero3;
  return r;
}

Scenario shorten(const Scenario& s) {
  Scenario r = s;
  std::int64_t length = s.max_length / 2;
  // Room that the examples never use goes first.
  if (!s.dataset.by_tokens && s.dataset.tokens_per_example <= length) {
    length = kShortest;
    while (length < s.dataset.tokens_per_example) length *= 2;
  }
  r.max_length = length < kShortest ? kShortest : length;
  return r;
}

Scenario add_gpus(const Scenario& s, Estimate& scratch, bool& measured) {
  Scenario r = s;
  r.gpus = saturating_multiply(s.gpus, 2);
  if (s.gradient_accumulation_steps % 2 == 0) r.gradient_accumulation_steps = s.gradient_accumulation_steps / 2;
  if (!is_sharded(s) && is_training(s)) r = shard(r, scratch, measured);
  if (!is_training(s)) r.parallelism.tensor = saturating_multiply(s.parallelism.tensor, 2);
  return r;
}

int other_errors(const Estimate& e) {
  int n = 0;
  for (const Problem& p : e.problems.view())
    if (p.severity == Severity::error && p.id != ProblemId::does_not_fit) ++n;
  return n;
}

// Full fine-tuning with everything kept, before what changes the result of the training.
bool changes_the_training(AdviceId id) {
  return id == AdviceId::lora || id == AdviceId::qlora || id == AdviceId::shorter_sequences || id == AdviceId::adafactor || id == AdviceId::optimizer_8bit;
}

// `measured`: the memory of the result stands in `scratch` already, since it was looked for.
Scenario apply(AdviceId id, const Scenario& s, Estimate& scratch, bool& measured) {
  Scenario r = s;
  // These three have more than one degree; the rest is done when it is done.
  if (is_enabled(id, s) && id != AdviceId::cpu_offload && id != AdviceId::gradient_accumulation && id != AdviceId::sharding) return r;
  const bool training = is_training(s);
  switch (id) {
    case AdviceId::mixed_precision:
      if (s.gpu.supports_bf16) {
        r.compute = DType::bf16;
        if (s.method != Method::qlora && bits(weights_dtype(s)) > 16) r.weights = DType::bf16;
        if (s.gradients && bits(*s.gradients) > 16) r.gradients.reset();
      } else {
        r.compute = DType::fp16;  // weights stay in fp32, autocast computes in fp16
      }
      break;
    case AdviceId::gradient_checkpointing:
      if (training) r.gradient_checkpointing = Checkpointing::full;
      break;
    case AdviceId::gradient_accumulation:
      if (training && s.per_device_train_batch_size > 1 && !s.optimizer_in_backward) r = accumulate(s, scratch, measured);
      break;
    case AdviceId::optimizer_8bit:
      if (training) r.optim = Optimizer::adamw_8bit, r.optimizer_states.reset();
      break;
    case AdviceId::sharding:
      if (training && data_parallel_degree(s) > 1 && data_parallel(s) < DataParallel::zero3) r = shard(s, scratch, measured);
      break;
    case AdviceId::spot_instances:
      if (!s.price.usd_per_gpu_hour && s.quote.spot.value() > 0) r.price.market = Market::spot;
      break;
    case AdviceId::flash_attention: r.attn_implementation = s.gpu.supports_flash_attention ? Attention::flash_attention_2 : Attention::sdpa; break;
    case AdviceId::fused_loss:
      if (training) r.loss = Loss::fused;
      break;
    case AdviceId::adafactor:
      if (training) r.optim = Optimizer::adafactor, r.optimizer_states.reset();
      break;
    case AdviceId::lora:
      if (training) r.method = Method::lora;
      break;
    case AdviceId::qlora:
      if (training) r.method = Method::qlora, r.weights.reset();
      break;
    case AdviceId::cpu_offload:
      if (training && s.parallelism.offload != Offload::all && s.parallelism.tensor * s.parallelism.pipeline == 1 && s.method == Method::full) {
        r.parallelism.offload = s.parallelism.offload == Offload::none ? Offload::optimizer : Offload::all;
        const DataParallel needed = r.parallelism.offload == Offload::all ? DataParallel::zero3 : DataParallel::zero2;
        if (data_parallel(s) < needed) r.parallelism.data = needed;
      }
      break;
    case AdviceId::shorter_sequences:
      if (s.max_length >= 2 * kShortest) r = shorten(s);
      break;
    case AdviceId::more_gpus: r = add_gpus(s, scratch, measured); break;
    case AdviceId::memory_profiling:
    case AdviceId::larger_gpu: break;
  }
  return r;
}

}  // namespace

Scenario apply_advice(AdviceId id, const Scenario& s) {
  Estimate scratch;
  bool measured = false;
  return apply(id, s, scratch, measured);
}

AdviceList advise(const Scenario& s, const Estimate& now, AdvisedScenarios* done) {
  struct Scored {
    Advice item;
    double score = 0;
    bool listed = true;
  };
  std::array<Scored, kAdvice> all{};
  Estimate then;
  const double capacity = now.memory.capacity.in_gb() > 0 ? now.memory.capacity.in_gb() : 1.0;
  const double seconds = now.time.seconds.value(), dollars = now.cost.usd.value();
  for (std::size_t i = 0; i < kAdvice; ++i) {
    Scored& a = all[i];
    a.item.id = static_cast<AdviceId>(i);
    a.item.enabled = is_enabled(a.item.id, s);
    if (a.item.id == AdviceId::larger_gpu && !now.memory.fits) {  // resolved by the caller, who has a catalog
      a.item.applicable = true;
      a.score = 1.0;
    }
    if (a.item.enabled && now.memory.fits) continue;
    bool measured = false;
    const Scenario changed = apply(a.item.id, s, then, measured);
    if (changed == s) continue;
    if (!measured) measure(changed, then);
    a.item.saves = now.memory.device - then.memory.device;
    // Worth it: no more memory, no new error, and something that is seen: a hundredth of the memory, of the time or of the money.
    const auto no_worse = [&] { return a.item.saves >= Bytes{} && other_errors(then) <= other_errors(now) && !(now.memory.fits && !then.memory.fits); };
    if (no_worse()) price(changed, then);
    a.item.saves_usd = Usd(dollars - then.cost.usd.value());
    a.item.costs = Seconds(then.time.seconds.value() - seconds);
    a.item.makes_it_fit = !now.memory.fits && then.memory.fits;
    const double memory = a.item.saves.in_gb() / capacity;
    const double slower = seconds > 0 ? a.item.costs.value() / seconds : 0.0, cheaper = dollars > 0 ? a.item.saves_usd.value() / dollars : 0.0;
    const bool better = memory > 0.01 || slower < -0.01 || cheaper > 0.01;
    a.item.applicable = no_worse() && better && (a.item.makes_it_fit || !(slower > 4 * memory && slower > 0.05 && cheaper <= 0));
    if (!a.item.applicable) {
      a.item = {a.item.id, a.item.enabled, false, false, {}, {}, {}};
      continue;
    }
    if (done != nullptr) (*done)[i] = changed;
    a.item.enabled = false;  // it is, and more of it helps
    // Not fitting: memory counts, time a little. Fitting: money and time count, memory a little.
    a.score = now.memory.fits ? cheaper - slower + 0.1 * memory : memory - 0.25 * slower + 0.05 * cheaper;
    if (a.item.makes_it_fit) a.score = 100.0 - slower + 0.05 * cheaper;
    if (changes_the_training(a.item.id)) a.score -= a.item.makes_it_fit ? 10.0 : 0.3;
    if (a.item.id == AdviceId::more_gpus) a.score -= a.item.makes_it_fit ? 5.0 : 0.1;  // hardware that someone must have
    a.score += 1000.0;
  }
  AdviceList list;
  const auto take = [&list, &all](auto wanted) {
    for (;;) {
      Scored* best = nullptr;
      for (Scored& a : all)
        if (a.listed && wanted(a) && (best == nullptr || a.score > best->score)) best = &a;
      if (best == nullptr) return;
      list.items[list.size++] = best->item;
      best->listed = false;
    }
  };
  take([](const Scored& a) { return a.item.applicable; });
  take([](const Scored&) { return true; });  // the rest, in the order of the ids: the checklist first
  return list;
}

}  // namespace gpudget
