#include "core/memory.h"

#include "core/parameters.h"

namespace gpudget {
namespace {

constexpr std::int64_t kTrainingPhases = 5;

std::int64_t shard(std::int64_t n, std::int64_t by) { return by > 1 ? ceil_divide(n, by) : n; }
std::int64_t in_bytes(std::int64_t n, DType t) { return saturating_multiply(n, bits(t)) / 8; }

}  // namespace

// First version: the right structure with coarse activations; each consumer is refined in a file of its own.
void estimate_memory(const Scenario& s, Estimate& out) {
  const Architecture& a = s.model.architecture;
  const ParameterList list = parameter_list(a);
  const ParameterCount count = count_parameters(list);
  out.model = {s.model.name.empty() ? s.model.id : s.model.name, count.total, count.active, trainable_parameters(s, list)};
  MemoryEstimate& m = out.memory;
  Ledger& l = m.ledger;
  const bool training = s.method != Method::inference;
  const Phase last = training ? Phase::step : Phase::decode;
  const std::int64_t dp = data_parallel_degree(s), tp = s.parallelism.tensor, pp = s.parallelism.pipeline, cp = s.parallelism.context;
  const DataParallel data = data_parallel(s);
  const std::int64_t model_shard = product(tp, pp);
  const std::int64_t weight_shard = data == DataParallel::zero3 || data == DataParallel::fsdp ? dp : 1;
  const std::int64_t gradient_shard = weight_shard > 1 || data == DataParallel::zero2 ? dp : 1;
  const std::int64_t state_shard = gradient_shard > 1 || data == DataParallel::zero1 ? dp : 1;

  const std::int64_t parameters = shard(shard(count.total, model_shard), weight_shard);
  l.add(EntryId::weights, Category::weights, bytes(in_bytes(parameters, weights_dtype(s))), Phase::load, last,
        Formula(times(Term::parameters, parameters), times(Term::bits, bits(weights_dtype(s))), over(Term::count, 8)));
  const std::int64_t b = s.per_device_train_batch_size, t = shard(s.max_length, cp), layers = shard(a.num_hidden_layers, pp);
  const std::int64_t tokens = product(b, t);
  if (training) {
    const std::int64_t trainable = shard(out.model.trainable_parameters, model_shard);
    if (s.method != Method::full)
      l.add(EntryId::adapters, Category::weights, bytes(in_bytes(trainable, s.lora.adapter_dtype)), Phase::load, last,
            Formula(times(Term::parameters, trainable), times(Term::bits, bits(s.lora.adapter_dtype)), over(Term::count, 8)));
    const std::int64_t gradients = shard(trainable, gradient_shard), states = shard(trainable, state_shard);
    l.add(EntryId::gradients, Category::gradients, bytes(in_bytes(gradients, gradients_dtype(s))), Phase::backward, Phase::step,
          Formula(times(Term::parameters, gradients), times(Term::bits, bits(gradients_dtype(s))), over(Term::count, 8)));
    if (s.master_weights)
      l.add(EntryId::master_weights, Category::weights, bytes(in_bytes(states, DType::fp32)), Phase::load, last,
            Formula(times(Term::parameters, states), times(Term::bytes, 4)));
    const DType state = s.optimizer_states.value_or(s.master_weights ? DType::fp32 : trainable_dtype(s));
    l.add(EntryId::optimizer_states, Category::optimizer_states, bytes(in_bytes(saturating_multiply(states, 2), state)), Phase::load, last,
          Formula(times(Term::parameters, states), times(Term::count, 2), times(Term::bits, bits(state)), over(Term::count, 8)));
    const std::int64_t per_token = saturating_add(saturating_multiply(10, a.hidden_size), saturating_multiply(4, a.intermediate_size));
    if (s.gradient_checkpointing == Checkpointing::none) {
      l.add(EntryId::mlp_saved, Category::activations, bytes(product(layers, tokens, shard(per_token, tp), 2)), Phase::forward, Phase::backward,
            Formula(times(Term::layers, layers), times(Term::tokens, tokens), times(Term::width, shard(per_token, tp)), times(Term::bytes, 2)));
    } else {
      l.add(EntryId::block_inputs, Category::activations, bytes(product(layers, tokens, a.hidden_size, 2)), Phase::forward, Phase::backward,
            Formula(times(Term::layers, layers), times(Term::tokens, tokens), times(Term::hidden, a.hidden_size), times(Term::bytes, 2)));
      l.add(EntryId::recomputed_block, Category::activations, bytes(product(tokens, shard(per_token, tp), 2)), Phase::backward, Phase::backward,
            Formula(times(Term::tokens, tokens), times(Term::width, shard(per_token, tp)), times(Term::bytes, 2)));
    }
    l.add(EntryId::logits, Category::logits, bytes(product(tokens, shard(a.vocab_size, tp), 10)), Phase::loss, Phase::loss,
          Formula(times(Term::tokens, tokens), times(Term::vocab, shard(a.vocab_size, tp)), times(Term::bytes, 10)));
  } else {
    const std::int64_t kv = product(2, layers, tokens, shard(product(a.num_key_value_heads, a.head_dim), tp));
    l.add(EntryId::kv_cache, Category::kv_cache, bytes(in_bytes(kv, s.kv_cache_dtype.value_or(s.compute))), Phase::forward, Phase::decode,
          Formula(times(Term::elements, kv), times(Term::bits, bits(s.kv_cache_dtype.value_or(s.compute))), over(Term::count, 8)));
  }
  Bytes peak;
  for (std::size_t p = 0; p < kPhases; ++p) {
    const Phase phase = static_cast<Phase>(p);
    if (training ? p >= kTrainingPhases : phase == Phase::loss || phase == Phase::backward || phase == Phase::step) continue;
    const Bytes total = l.phase_total(phase);
    if (total > peak) peak = total, m.peak_phase = phase;
  }
  m.allocated = peak;
  m.reserved = bytes(saturating_add(peak.in_bytes(), peak.in_bytes() / 50));
  l.add(EntryId::allocator_slack, Category::framework, m.reserved - m.allocated, Phase::load, last, Formula(times(Term::bytes, peak.in_bytes() / 50)));
  l.add(EntryId::cuda_context, Category::framework, mib(500), Phase::load, last, Formula(times(Term::bytes, mib(500).in_bytes())));
  for (std::size_t p = 0; p < kPhases; ++p) {
    const Phase phase = static_cast<Phase>(p);
    if (training ? p >= kTrainingPhases : phase == Phase::loss || phase == Phase::backward || phase == Phase::step) continue;
    m.phases[p] = l.phase_total(phase);
  }
  m.device = l.phase_total(m.peak_phase);
  for (std::size_t c = 0; c < kCategories; ++c) m.categories[c] = l.phase_total(m.peak_phase, static_cast<Category>(c));
  m.range_low = bytes(m.device.in_bytes() / 100 * 90);
  m.range_high = bytes(saturating_add(m.device.in_bytes(), m.device.in_bytes() / 10));
  m.capacity = s.gpu.memory;
  m.headroom = m.capacity - m.device;
  m.fits = m.device <= m.capacity;
  m.confidence = Confidence::extrapolated;
  if (!m.fits) out.problems.add(Severity::error, ProblemId::does_not_fit, "gpu", -m.headroom.in_bytes(), m.capacity.in_bytes());
}

}  // namespace gpudget
