#include "core/flops.h"

#include "core/memory_block.h"

namespace gpudget {
namespace {

std::int64_t layers_with_experts(const Architecture& a) {
  if (a.num_experts <= 0) return 0;
  const std::int64_t dense = a.first_k_dense_replace < a.num_hidden_layers ? a.first_k_dense_replace : a.num_hidden_layers;
  return a.num_hidden_layers - dense;
}

std::int64_t mlp_matrices(const Architecture& a) { return a.gated_mlp ? 3 : 2; }

// Weights of the attention projections of one layer.
std::int64_t attention_projections(const Architecture& a) {
  const std::int64_t d = a.hidden_size;
  if (a.kv_lora_rank > 0) {
    const std::int64_t qk = saturating_multiply(a.num_attention_heads, a.qk_nope_head_dim + a.qk_rope_head_dim);
    const std::int64_t v = saturating_multiply(a.num_attention_heads, a.v_head_dim);
    const std::int64_t q =
        a.q_lora_rank > 0 ? saturating_add(saturating_multiply(d, a.q_lora_rank), saturating_multiply(a.q_lora_rank, qk)) : saturating_multiply(d, qk);
    const std::int64_t kv_in = saturating_multiply(d, a.kv_lora_rank + a.qk_rope_head_dim);
    const std::int64_t kv_out = product(a.kv_lora_rank, a.num_attention_heads, a.qk_nope_head_dim + a.v_head_dim);
    return saturating_add(saturating_add(q, kv_in), saturating_add(kv_out, saturating_multiply(v, d)));
  }
  const std::int64_t q = saturating_multiply(a.num_attention_heads, a.head_dim), kv = saturating_multiply(a.num_key_value_heads, a.head_dim);
  return saturating_multiply(d, saturating_add(saturating_multiply(2, q), saturating_multiply(2, kv)));
}

}  // namespace

TokenWeights token_weights(const Architecture& a) {
  TokenWeights w;
  const std::int64_t d = a.hidden_size, sparse = layers_with_experts(a), dense = a.num_hidden_layers - sparse;
  w.attention = saturating_multiply(a.num_hidden_layers, attention_projections(a));
  w.mlp = product(dense, mlp_matrices(a), d, a.intermediate_size);
  if (sparse > 0) {
    const std::int64_t experts = product(a.num_experts_per_tok, mlp_matrices(a), d, a.moe_intermediate_size);
    const std::int64_t shared = product(mlp_matrices(a), d, a.shared_intermediate_size) + (a.shared_expert_gate ? d : 0);
    const std::int64_t router = saturating_multiply(d, a.num_experts);
    w.mlp = saturating_add(w.mlp, saturating_multiply(sparse, saturating_add(saturating_add(experts, shared), router)));
  }
  const std::int64_t embedding = a.word_embed_proj_dim > 0 ? a.word_embed_proj_dim : d;
  w.head = saturating_multiply(a.vocab_size, embedding);
  if (a.word_embed_proj_dim > 0 && a.word_embed_proj_dim != d) w.head = saturating_add(w.head, product(2, d, embedding));
  return w;
}

double token_adapter_weights(const ParameterList& list, const Lora& lora) {
  double sum = 0;
  for (const ParameterTensor& t : list.view()) {
    if (!is_lora_target(t, lora.target_modules) || t.kind == ParameterTensor::Kind::embedding) continue;
    const double all = static_cast<double>(t.elements());
    sum += static_cast<double>(saturating_multiply(lora_elements(t, lora), t.count)) * (static_cast<double>(t.active) / all);
  }
  return sum;
}

double attention_flops(const Architecture& a, std::int64_t tokens) {
  const double scores = static_cast<double>(a.kv_lora_rank > 0 ? a.qk_nope_head_dim + a.qk_rope_head_dim : a.head_dim);
  const double values = static_cast<double>(a.kv_lora_rank > 0 ? a.v_head_dim : a.head_dim);
  const double one_context = 2.0 * static_cast<double>(a.num_attention_heads) * (scores + values);
  const double layers = static_cast<double>(a.num_hidden_layers);
  const double full = static_cast<double>(tokens);
  double context = layers * full;
  if (a.sliding_window > 0 && a.sliding_window < tokens) {
    const std::int64_t global_layers = a.global_every > 0 ? a.num_hidden_layers / a.global_every : 0;
    const auto global = static_cast<double>(global_layers);
    context = global * full + (layers - global) * static_cast<double>(a.sliding_window);
  }
  return one_context * context;
}

ModelWork model_work(const Scenario& s, const ModelSummary& summary) {
  const Architecture& a = s.model.architecture;
  ModelWork w;
  w.weights = token_weights(a);
  w.parameters = summary.parameters;
  w.trainable = summary.trainable_parameters;
  const bool adapters = s.method == Method::lora || s.method == Method::qlora, selective = s.gradient_checkpointing == Checkpointing::selective;
  if (!adapters && !selective) return w;
  const ParameterList list = parameter_list(a, s.transformers);
  if (selective) w.recomputed = recomputed_share(list);
  if (adapters) w.adapters = token_adapter_weights(list, s.lora);
  return w;
}

TokenFlops token_flops(const Scenario& s, const ModelWork& work) {
  const Architecture& a = s.model.architecture;
  const TokenWeights& w = work.weights;
  TokenFlops f;
  f.blocks = 2.0 * static_cast<double>(w.blocks());
  f.attention = attention_flops(a, s.max_length);
  f.head = 2.0 * static_cast<double>(w.head);
  const bool adapters = s.method == Method::lora || s.method == Method::qlora;
  f.adapters = 2.0 * work.adapters;
  f.forward = f.blocks + f.attention + f.head + f.adapters;
  if (s.method == Method::inference) {
    f.model = f.total = f.forward;
    return f;
  }
  const double backward = (adapters ? 1.0 : 2.0) * (f.blocks + f.head) + 2.0 * (f.attention + f.adapters);
  f.model = f.forward + backward;
  double again = 0;
  if (s.gradient_checkpointing == Checkpointing::full) again = f.blocks + f.attention + f.adapters;
  if (s.gradient_checkpointing == Checkpointing::selective)
    again = f.blocks * work.recomputed + (s.attn_implementation == Attention::eager ? f.attention : 0.0);
  f.total = f.model + again;
  return f;
}

}  // namespace gpudget
