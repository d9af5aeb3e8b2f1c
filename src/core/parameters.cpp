#include "core/parameters.h"

namespace gpudget {
namespace {

using Kind = ParameterTensor::Kind;

// The names that a family's modelling code gives its matrices.
struct Naming {
  Module q = Module::q_proj, k = Module::k_proj, v = Module::v_proj, qkv = Module::qkv_proj, out = Module::o_proj;
  Module gate = Module::gate_proj, up = Module::up_proj, gate_up = Module::gate_up_proj, down = Module::down_proj;
  Module head = Module::lm_head, embedding = Module::embed_tokens;
};

Naming naming(Family f) {
  Naming n;
  switch (f) {
    case Family::gpt2:
    case Family::gpt_bigcode: n.qkv = Module::c_attn, n.out = Module::c_proj, n.up = Module::c_fc, n.down = Module::c_proj, n.embedding = Module::wte; break;
    case Family::gpt_neox: n.head = Module::embed_out; [[fallthrough]];
    case Family::bloom:
    case Family::falcon: n.qkv = Module::query_key_value, n.out = Module::dense, n.up = Module::dense_h_to_4h, n.down = Module::dense_4h_to_h; break;
    case Family::phi: n.out = Module::dense, n.up = Module::fc1, n.down = Module::fc2; break;
    case Family::opt: n.out = Module::out_proj, n.up = Module::fc1, n.down = Module::fc2; break;
    case Family::starcoder2: n.up = Module::c_fc, n.down = Module::c_proj; break;
    case Family::mpt: n.qkv = Module::Wqkv, n.out = Module::out_proj, n.up = Module::up_proj_mpt, n.embedding = Module::wte; break;
    default: break;
  }
  return n;
}

// Families whose experts peft targets by the names they had as separate layers.
bool converted_experts(const Architecture& a) {
  return a.num_experts > 0 && (a.family == Family::mixtral || a.family == Family::qwen2_moe || a.family == Family::qwen3_moe ||
                               a.family == Family::deepseek_v2 || a.family == Family::deepseek_v3);
}

class Builder {
 public:
  Builder(const Architecture& a, ParameterList& list, bool apart) : a_(a), list_(list), together_(converted_experts(a) && !apart) {}

  void matrix(Part part, Module m, Kind kind, std::int64_t rows, std::int64_t columns, std::int64_t count, bool bias) {
    const bool beside_experts = part == Part::mlp && together_;
    list_.add({part, m, kind, rows, columns, 1, count, saturating_multiply(rows, columns),
               beside_experts || (kind == Kind::matrix && !converted_experts(a_)) ? 0 : 1});
    if (bias) vector(part, rows, count);
  }
  void linear(Part part, Module m, std::int64_t rows, std::int64_t columns, std::int64_t count, bool bias) {
    matrix(part, m, a_.family == Family::gpt2 ? Kind::conv1d : Kind::linear, rows, columns, count, bias);
  }
  void vector(Part part, std::int64_t n, std::int64_t count) { list_.add({part, Module::q_proj, Kind::vector, n, 1, 1, count, n}); }
  void norm(std::int64_t width, std::int64_t count) {
    if (a_.norm == Norm::none_affine) return;
    vector(Part::norm, width, a_.norm == Norm::layer ? saturating_multiply(count, 2) : count);
  }

 private:
  const Architecture& a_;
  ParameterList& list_;
  bool together_;  // experts in one tensor, which peft converts by their old names
};

}  // namespace

bool experts_apart(const Architecture& a, Transformers version) { return version != Transformers::v5 && converted_experts(a); }

ParameterList parameter_list(const Architecture& a, Transformers version) {
  ParameterList list;
  const bool apart = experts_apart(a, version);
  Builder b(a, list, apart);
  const Naming n = naming(a.family);
  const std::int64_t h = a.hidden_size, layers = a.num_hidden_layers;
  const std::int64_t q_width = product(a.num_attention_heads, a.head_dim), kv_width = product(a.num_key_value_heads, a.head_dim);

  // Token embedding, learned positions, OPT-350M's projections in and out.
  const std::int64_t embedded = a.word_embed_proj_dim > 0 ? a.word_embed_proj_dim : h;
  b.matrix(Part::embedding, n.embedding, Kind::embedding, a.vocab_size, embedded, 1, false);
  if (a.positions == Positions::learned)
    b.matrix(Part::positions, n.embedding, Kind::embedding, saturating_add(a.max_position_embeddings, a.position_offset), h, 1, false);
  if (embedded != h) b.linear(Part::embedding, n.out, h, embedded, 1, false), b.linear(Part::embedding, n.out, embedded, h, 1, false);
  if (a.embedding_norm) b.norm(h, 1);

  // Attention.
  if (a.kv_lora_rank > 0) {
    const std::int64_t q_head = a.qk_nope_head_dim + a.qk_rope_head_dim;
    const std::int64_t q_out = product(a.num_attention_heads, q_head);
    if (a.q_lora_rank > 0) {
      b.linear(Part::attention, Module::q_a_proj, a.q_lora_rank, h, layers, a.qkv_bias);
      b.vector(Part::norm, a.q_lora_rank, layers);
      b.linear(Part::attention, Module::q_b_proj, q_out, a.q_lora_rank, layers, false);
    } else {
      b.linear(Part::attention, Module::q_proj, q_out, h, layers, false);
    }
    b.linear(Part::attention, Module::kv_a_proj_with_mqa, a.kv_lora_rank + a.qk_rope_head_dim, h, layers, a.qkv_bias);
    b.vector(Part::norm, a.kv_lora_rank, layers);
    b.linear(Part::attention, Module::kv_b_proj, product(a.num_attention_heads, a.qk_nope_head_dim + a.v_head_dim), a.kv_lora_rank, layers, false);
    b.linear(Part::attention, Module::o_proj, h, product(a.num_attention_heads, a.v_head_dim), layers, a.attention_out_bias);
  } else {
    if (a.fused_qkv) {
      b.linear(Part::attention, n.qkv, saturating_add(q_width, saturating_multiply(2, kv_width)), h, layers, a.qkv_bias);
    } else {
      b.linear(Part::attention, n.q, q_width, h, layers, a.qkv_bias);
      b.linear(Part::attention, n.k, kv_width, h, layers, a.qkv_bias);
      b.linear(Part::attention, n.v, kv_width, h, layers, a.qkv_bias);
    }
    b.linear(Part::attention, n.out, h, q_width, layers, a.attention_out_bias);
    if (a.q_norm_size > 0) b.vector(Part::norm, a.q_norm_size, layers);
    if (a.k_norm_size > 0) b.vector(Part::norm, a.k_norm_size, layers);
    if (a.attention_sinks) b.vector(Part::attention, a.num_attention_heads, layers);
  }

  // Feed-forward: dense layers, then experts.
  const std::int64_t dense = a.num_experts > 0 ? (a.first_k_dense_replace < layers ? a.first_k_dense_replace : layers) : layers;
  const std::int64_t sparse = layers - dense;
  const auto mlp = [&](Part part, std::int64_t width, std::int64_t count, bool bias, bool fused) {
    if (a.gated_mlp && fused) {
      b.linear(part, n.gate_up, saturating_multiply(2, width), h, count, bias);
    } else {
      if (a.gated_mlp) b.linear(part, n.gate, width, h, count, bias);
      b.linear(part, n.up, width, h, count, bias);
    }
    b.linear(part, n.down, h, width, count, bias);
  };
  if (dense > 0 && a.intermediate_size > 0) mlp(Part::mlp, a.intermediate_size, dense, a.mlp_bias, a.fused_gate_up);
  if (sparse > 0) {
    const std::int64_t e = a.num_experts, chosen = a.num_experts_per_tok, width = a.moe_intermediate_size;
    b.matrix(Part::router, Module::gate, apart ? Kind::linear : Kind::matrix, e, h, sparse, a.router_bias);
    if (a.router_correction) list.add({Part::router, Module::gate, Kind::buffer, e, 1, 1, sparse, e});
    const std::int64_t gate_up = saturating_multiply(a.gated_mlp ? 2 : 1, width);
    const auto one_by_one = [&](Module m, std::int64_t rows, std::int64_t columns) {
      list.add({Part::experts, m, Kind::expert_matrix, rows, columns, e, sparse, product(chosen, rows, columns), 1, true});
    };
    if (apart) {
      if (a.gated_mlp) one_by_one(Module::gate_proj, width, h);
      one_by_one(Module::up_proj, width, h), one_by_one(Module::down_proj, h, width);
    } else {
      list.add({Part::experts, Module::gate_up_proj, Kind::expert_matrix, gate_up, h, e, sparse, product(chosen, gate_up, h),
                converted_experts(a) ? (a.gated_mlp ? 2 : 1) : 0});
      list.add({Part::experts, Module::down_proj, Kind::expert_matrix, h, width, e, sparse, product(chosen, h, width), converted_experts(a) ? 1 : 0});
    }
    if (a.expert_bias) {
      list.add({Part::experts, Module::gate_up_proj, Kind::vector, gate_up, 1, e, sparse, product(chosen, gate_up)});
      list.add({Part::experts, Module::down_proj, Kind::vector, h, 1, e, sparse, product(chosen, h)});
    }
    if (a.shared_intermediate_size > 0) mlp(Part::mlp, a.shared_intermediate_size, sparse, a.mlp_bias, false);
    if (a.shared_expert_gate) b.linear(Part::router, Module::shared_expert_gate, 1, h, sparse, false);
  }

  b.norm(h, saturating_multiply(a.norms_per_layer, layers));
  if (a.final_norm) b.norm(h, 1);
  if (!a.tie_word_embeddings) b.matrix(Part::lm_head, n.head, Kind::linear, a.vocab_size, embedded, 1, false);
  if (a.lm_head_bias) b.vector(Part::lm_head, a.vocab_size, 1);
  return list;
}

ParameterCount count_parameters(const ParameterList& list) {
  ParameterCount c;
  for (const ParameterTensor& t : list.view()) {
    if (t.kind == Kind::buffer) continue;
    const std::int64_t total = t.total();
    std::int64_t& part = c.parts[static_cast<std::size_t>(t.part)];
    part = saturating_add(part, total);
    c.total = saturating_add(c.total, total);
    c.active = saturating_add(c.active, saturating_multiply(t.active, t.count));
  }
  return c;
}

ParameterCount count_parameters(const Architecture& a) { return count_parameters(parameter_list(a)); }

bool is_lora_target(const ParameterTensor& t, const TargetModules& targets) {
  const bool is_linear = t.kind == Kind::linear || t.kind == Kind::conv1d;
  const bool is_experts = t.kind == Kind::expert_matrix, is_router = t.kind == Kind::matrix;
  if (!is_linear && !is_experts && !is_router && t.kind != Kind::embedding) return false;
  if (t.adapter_ranks == 0) return false;
  switch (targets.kind) {
    case TargetModules::Kind::all_linear: return t.kind != Kind::embedding && t.part != Part::lm_head;
    case TargetModules::Kind::attention: return is_linear && t.part == Part::attention;
    case TargetModules::Kind::list:
      if (is_experts && t.module == Module::gate_up_proj)
        return targets.contains(t.module) || targets.contains(Module::gate_proj) || targets.contains(Module::up_proj) || targets.contains(Module::w1) ||
               targets.contains(Module::w3);
      if (is_experts) {
        const Module old = t.module == Module::gate_proj ? Module::w1 : t.module == Module::up_proj ? Module::w3 : Module::w2;
        return targets.contains(t.module) || targets.contains(old);
      }
      return targets.contains(t.module);
  }
  return false;
}

std::int64_t lora_elements(const ParameterTensor& t, const Lora& lora) {
  const std::int64_t in = t.columns, out = t.rows;
  std::int64_t n = product(lora.r, saturating_add(in, out), t.depth, t.adapter_ranks);
  if (lora.dora && t.kind != Kind::embedding) n = saturating_add(n, saturating_multiply(out, t.depth));
  return n;
}

std::int64_t lora_parameters(const ParameterList& list, const Lora& lora) {
  std::int64_t n = 0;
  for (const ParameterTensor& t : list.view())
    if (is_lora_target(t, lora.target_modules)) n = saturating_add(n, saturating_multiply(lora_elements(t, lora), t.count));
  return n;
}

std::int64_t trainable_parameters(const Scenario& s, const ParameterList& list) {
  switch (s.method) {
    case Method::full: return count_parameters(list).total;
    case Method::lora:
    case Method::qlora: return lora_parameters(list, s.lora);
    case Method::inference: return 0;
  }
  return 0;
}

}  // namespace gpudget
