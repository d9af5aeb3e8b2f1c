// Every model_type that is read: its defaults and its fields' names. The defaults are those of transformers 5
// (src/transformers/models/<model_type>/configuration_<model_type>.py); what has no field is what the modelling code does.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/units.h"
#include "formats/hf_fields.h"

namespace gpudget::formats {
namespace {

using std::string_view;
using A = Architecture;
using Row = HfFamily;
using Range = HfFields::Range;

constexpr Range kVocab{1, kMaxVocab}, kLayers{1, kMaxLayers}, kContext{1, kMaxContext}, kExpertCount{0, kMaxExperts}, kOrNone{0, kMaxWidth};

// Pieces that families share --------------------------------------------------------------------------------------------------------------------

void size(HfFields& f, A& a, const Row& row) {
  f.required("vocab_size", a.vocab_size, row.defaults.vocab, kVocab, {"padded_vocab_size"});
  f.required("hidden_size", a.hidden_size, row.defaults.hidden, {}, {"n_embd", "d_model", "n_embed"});
  f.required("num_hidden_layers", a.num_hidden_layers, row.defaults.layers, kLayers, {"n_layer", "num_layers", "n_layers"});
  f.required("num_attention_heads", a.num_attention_heads, row.defaults.heads, {}, {"n_head", "num_heads", "n_heads", "attention_heads"});
  f.integer("max_position_embeddings", a.max_position_embeddings, row.defaults.context, kContext,
            {"n_positions", "seq_length", "max_seq_len", "model_max_length", "max_sequence_length"});
  f.flag("tie_word_embeddings", a.tie_word_embeddings, row.defaults.tie);
}

// hidden_size / heads, where the config says nothing else.
void divided_head_dim(HfFields& f, A& a) {
  if (!f.reading() || f.failed()) return;
  if (a.hidden_size % a.num_attention_heads != 0)
    return f.fail("num_attention_heads", ErrorId::contradiction, fmt::format("hidden_size {}", a.hidden_size), "a divisor of hidden_size, or head_dim given");
  a.head_dim = a.hidden_size / a.num_attention_heads;
}

void kv_heads(HfFields& f, A& a, std::int64_t fallback, std::initializer_list<string_view> others = {}) {
  const bool as_heads = fallback == 0 || f.is_null("num_key_value_heads");
  f.integer("num_key_value_heads", a.num_key_value_heads, as_heads ? a.num_attention_heads : fallback, {}, others);
  if (!f.reading() || f.failed()) return;
  if (a.num_key_value_heads > a.num_attention_heads || a.num_attention_heads % a.num_key_value_heads != 0)
    f.fail("num_key_value_heads", ErrorId::contradiction, fmt::format("num_attention_heads {}", a.num_attention_heads), "a divisor of num_attention_heads");
}

void heads(HfFields& f, A& a, const Row& row) {
  if (f.failed()) return;
  kv_heads(f, a, row.defaults.kv_heads);
  if (!f.reading() || f.find("head_dim") != nullptr)
    f.integer("head_dim", a.head_dim, row.defaults.head_dim);
  else if (row.defaults.head_dim > 0 && !f.is_null("head_dim"))
    a.head_dim = row.defaults.head_dim;
  else
    divided_head_dim(f, a);
  if (f.reading()) a.rotary_dim = a.head_dim;
}

// The rotated part of a head; newer files keep the factor inside rope_parameters.
void partial_rotary(HfFields& f, A& a, double fallback, string_view name = "partial_rotary_factor") {
  if (f.failed()) return;
  double factor = f.reading() || a.head_dim == 0 ? fallback : static_cast<double>(a.rotary_dim) / static_cast<double>(a.head_dim);
  const nlohmann::json* inside = f.find("rope_parameters", "partial_rotary_factor");
  if (f.find(name) == nullptr && inside != nullptr && inside->is_number())
    factor = inside->get<double>();
  else
    f.share(name, factor, fallback);
  if (f.reading() && factor >= 0 && factor <= 1) a.rotary_dim = static_cast<std::int64_t>(static_cast<double>(a.head_dim) * factor + 1e-6);
}

// Sliding layers: a list of each layer's kind, or every n-th full (`pattern`, 0: none is), as the family has it.
void sliding(HfFields& f, A& a, std::int64_t window, std::int64_t pattern) {
  f.integer_or_none("sliding_window", a.sliding_window, window, {0, kMaxContext});
  if (!f.reading()) return f.integer_or_none("sliding_window_pattern", a.global_every, 0, {0, kMaxLayers});
  const nlohmann::json* types = f.find("layer_types");
  if (types != nullptr) {
    if (!types->is_array()) return f.fail("layer_types", ErrorId::wrong_type, {}, "a list of full_attention and sliding_attention");
    std::int64_t full = 0, all = 0;
    for (const auto& type : *types) {
      const string_view name = type.is_string() ? string_view(type.get_ref<const std::string&>()) : string_view();
      if (name != "full_attention" && name != "sliding_attention" && name != "chunked_attention")
        return f.fail("layer_types", ErrorId::unknown_name, std::string(name.substr(0, 40)),
                      "full_attention, sliding_attention: other kinds of layer are not modelled");
      ++all;
      full += name == "full_attention" ? 1 : 0;
    }
    if (full == all && all > 0) a.sliding_window = 0;
    a.global_every = full == 0 ? 0 : all / full;
  } else if (const nlohmann::json* letters = f.find("sliding_window_pattern"); letters != nullptr && letters->is_string()) {
    // EXAONE writes "LLLG": local and global layers in turn.
    const auto& turn = letters->get_ref<const std::string&>();
    if (turn.empty() || turn.size() > 100 || turn.find_first_not_of("LG") != std::string::npos)
      return f.fail("sliding_window_pattern", ErrorId::unknown_name, turn.substr(0, 40), "a number, or letters L and G");
    const auto full = static_cast<std::int64_t>(std::count(turn.begin(), turn.end(), 'G'));
    a.global_every = full == 0 ? 0 : static_cast<std::int64_t>(turn.size()) / full;
  } else {
    f.integer_or_none("sliding_window_pattern", a.global_every, pattern, {0, kMaxLayers});
    if (f.find("sliding_window_pattern") == nullptr && f.find("_sliding_window_pattern") != nullptr)
      f.integer_or_none("_sliding_window_pattern", a.global_every, pattern, {0, kMaxLayers});
  }
  if (a.global_every == 1) a.sliding_window = 0;
  if (a.sliding_window == 0) a.global_every = 0;
}

// Biases of q, k, v and o together.
void attention_bias(HfFields& f, A& a, bool fallback, string_view name = "attention_bias") {
  f.flag(name, a.qkv_bias, fallback);
  if (f.reading()) a.attention_out_bias = a.qkv_bias;
}
void attention_dropout(HfFields& f, A& a, string_view name = "attention_dropout", double fallback = 0) { f.share(name, a.attention_dropout, fallback); }

void intermediate(HfFields& f, A& a, const Row& row) { f.required("intermediate_size", a.intermediate_size, row.defaults.intermediate); }

// Layers that are dense in a mixture of experts: qwen's two fields. Written as a list.
void dense_layers_of_steps(HfFields& f, A& a) {
  if (!f.reading()) {
    if (a.first_k_dense_replace > 0) f.integer("first_k_dense_replace", a.first_k_dense_replace, 0);
    return;
  }
  if (f.failed()) return;
  std::int64_t step = 1;
  f.integer("decoder_sparse_step", step, 1, {1, kMaxLayers});
  std::int64_t dense = 0;
  if (f.find("first_k_dense_replace") != nullptr) {
    f.integer("first_k_dense_replace", dense, 0, {0, kMaxLayers});
  } else {
    const nlohmann::json* only = f.find("mlp_only_layers");
    if (only != nullptr && !only->is_array()) return f.fail("mlp_only_layers", ErrorId::wrong_type, {}, "a list of layer numbers");
    for (std::int64_t layer = 0; layer < a.num_hidden_layers; ++layer) {
      bool is_dense = (layer + 1) % step != 0;
      if (only != nullptr)
        for (const auto& n : *only) is_dense = is_dense || (n.is_number_integer() && n.get<std::int64_t>() == layer);
      dense += is_dense ? 1 : 0;
    }
  }
  a.first_k_dense_replace = dense;
}

// The first layers that are dense: a list of each layer's kind, or their number.
void dense_layers_of_types(HfFields& f, A& a, std::int64_t fallback) {
  const nlohmann::json* types = f.reading() && f.find("first_k_dense_replace") == nullptr ? f.find("mlp_layer_types") : nullptr;
  if (types == nullptr) return f.integer("first_k_dense_replace", a.first_k_dense_replace, fallback, {0, kMaxLayers});
  if (!types->is_array()) return f.fail("mlp_layer_types", ErrorId::wrong_type, {}, "a list of dense and sparse");
  a.first_k_dense_replace = std::count(types->begin(), types->end(), "dense");
}

// Experts beside one or more that every token sees, as a number of experts of the same width.
void shared_experts(HfFields& f, A& a, string_view name, std::int64_t fallback) {
  std::int64_t together = f.reading() || a.moe_intermediate_size == 0 ? 0 : a.shared_intermediate_size / a.moe_intermediate_size;
  f.integer(name, together, fallback, kExpertCount);
  if (f.reading() && !f.failed()) a.shared_intermediate_size = saturating_multiply(together, a.moe_intermediate_size);
}

// Llama and what is built like it -----------------------------------------------------------------------------------------------------------------

void llama_core(HfFields& f, A& a, const Row& row) {
  size(f, a, row);
  intermediate(f, a, row);
  heads(f, a, row);
  f.activation("hidden_act", a.activation, row.defaults.activation, {"hidden_activation", "activation_function"});
  attention_dropout(f, a);
}
void llama(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  f.flag("mlp_bias", a.mlp_bias, false);
}
void plain_llama(HfFields& f, A& a, const Row& row) { llama_core(f, a, row); }  // no biases to be had
void arcee(HfFields& f, A& a, const Row& row) {
  llama(f, a, row);
  if (f.reading()) a.gated_mlp = false;
}
void seed_oss(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  f.flag("attention_bias", a.qkv_bias, true);
  f.flag("attention_out_bias", a.attention_out_bias, false);
  f.flag("mlp_bias", a.mlp_bias, false);
}
void ernie4_5(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false, "use_bias");
  if (f.reading()) a.mlp_bias = a.qkv_bias;
}
void helium(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  f.flag("attention_bias", a.qkv_bias, false);
}
void nemotron(HfFields& f, A& a, const Row& row) {
  llama(f, a, row);
  partial_rotary(f, a, 0.5);
  if (f.reading()) a.gated_mlp = false, a.norm = Norm::layer;
}
void jais2(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, true);
  f.flag("mlp_bias", a.mlp_bias, true);
  if (f.reading()) a.gated_mlp = false, a.norm = Norm::layer;
}
void cwm(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  sliding(f, a, 8192, 4);
  f.flag("mlp_bias", a.mlp_bias, false);
}
void orion(HfFields& f, A& a, const Row& row) {
  llama(f, a, row);
  if (f.reading()) a.norm = Norm::layer;
}
void granite(HfFields& f, A& a, const Row& row) {
  llama(f, a, row);
  if (f.reading()) a.embedding_scaled = a.residual_scaled = a.logits_scaled = true;
}
void hyperclovax(HfFields& f, A& a, const Row& row) {
  granite(f, a, row);
  bool after = a.norms_per_layer == 4;
  f.flag("use_post_norm", after, true);
  if (f.reading()) a.norms_per_layer = after ? 4 : 2;
}
void minicpm(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  if (f.reading()) a.embedding_scaled = a.residual_scaled = a.logits_scaled = true;
}
void internlm2(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false, "bias");
  if (f.reading()) a.fused_qkv = true;
}
void internlm(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, true, "bias");
}
void baichuan(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  if (f.reading()) a.fused_qkv = true;
}
void hunyuan(HfFields& f, A& a, const Row& row) {
  llama(f, a, row);
  if (f.reading()) a.q_norm_size = a.k_norm_size = a.head_dim;
}
void exaone4(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  sliding(f, a, 4096, 4);
  if (f.reading()) a.q_norm_size = a.k_norm_size = a.head_dim;
}

void mistral(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  sliding(f, a, row.model_type == "mistral" || row.model_type == "ministral" ? 4096 : 0, 0);
}
void mixtral(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  sliding(f, a, 0, 0);
  f.integer("num_local_experts", a.num_experts, 8, {1, kMaxExperts}, {"num_experts"});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 2, {1, kMaxExperts});
  if (f.reading()) a.moe_intermediate_size = a.intermediate_size;
}
void phimoe(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  f.flag("lm_head_bias", a.lm_head_bias, false);
  f.integer("num_local_experts", a.num_experts, 16, {1, kMaxExperts});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 2, {1, kMaxExperts});
  if (f.reading()) a.moe_intermediate_size = a.intermediate_size, a.norm = Norm::layer;
}
void minimax_m2(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  f.integer("rotary_dim", a.rotary_dim, 64, {0, kMaxWidth});
  f.integer("num_local_experts", a.num_experts, 256, {1, kMaxExperts});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 8, {1, kMaxExperts});
  bool qk_norm = a.q_norm_size > 0;
  f.flag("use_qk_norm", qk_norm, true);
  if (!f.reading() || f.failed()) return;
  a.moe_intermediate_size = a.intermediate_size;
  a.router_correction = true;
  if (qk_norm) a.q_norm_size = a.num_attention_heads * a.head_dim, a.k_norm_size = a.num_key_value_heads * a.head_dim;
}
void llama4(HfFields& f, A& a, const Row& row) {
  size(f, a, row);
  heads(f, a, row);
  f.integer("intermediate_size_mlp", a.intermediate_size, 16384);
  f.integer("intermediate_size", a.moe_intermediate_size, 8192);
  f.activation("hidden_act", a.activation, Activation::silu);
  attention_dropout(f, a);
  attention_bias(f, a, false);
  f.integer("num_local_experts", a.num_experts, 16, {1, kMaxExperts});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 1, {1, kMaxExperts});
  f.integer_or_none("attention_chunk_size", a.sliding_window, 8192, {0, kMaxContext});
  if (!f.reading()) return f.integer("first_k_dense_replace", a.first_k_dense_replace, 0);
  std::int64_t step = 1;
  f.integer("interleave_moe_layer_step", step, 1, {1, kMaxLayers});
  if (f.failed()) return;
  if (f.find("first_k_dense_replace") != nullptr)
    f.integer("first_k_dense_replace", a.first_k_dense_replace, 0, {0, kMaxLayers});
  else
    a.first_k_dense_replace = a.num_hidden_layers - a.num_hidden_layers / step;
  a.shared_intermediate_size = a.moe_intermediate_size;
  a.global_every = a.sliding_window > 0 ? 4 : 0;  // every fourth layer sees everything (and has no rotary embedding)
}

// Qwen ---------------------------------------------------------------------------------------------------------------------------------------------

void qwen_window(HfFields& f, A& a) {
  bool use = a.sliding_window > 0;
  f.flag("use_sliding_window", use, false);
  if (!f.reading()) return sliding(f, a, 0, 0);
  if (!use) return;
  sliding(f, a, 4096, 0);
  // Layers below max_window_layers see everything.
  std::int64_t full = 28;
  if (f.find("layer_types") != nullptr || f.find("sliding_window_pattern") != nullptr) return;
  f.integer("max_window_layers", full, 28, {0, kMaxLayers});
  full = std::min(full, a.num_hidden_layers);
  a.global_every = full == 0 ? 0 : a.num_hidden_layers / full;
  if (a.global_every == 1) a.sliding_window = a.global_every = 0;
}
void qwen2(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  qwen_window(f, a);
  if (f.reading()) a.qkv_bias = true;
}
void qwen2_moe(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  qwen_window(f, a);
  f.flag("qkv_bias", a.qkv_bias, true);
  f.integer("moe_intermediate_size", a.moe_intermediate_size, 1408);
  f.integer("shared_expert_intermediate_size", a.shared_intermediate_size, 5632, kOrNone);
  f.integer("num_experts", a.num_experts, 60, {1, kMaxExperts}, {"num_local_experts"});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 4, {1, kMaxExperts});
  dense_layers_of_steps(f, a);
  if (f.reading()) a.shared_expert_gate = true;
}
void qwen3(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  qwen_window(f, a);
  attention_bias(f, a, false);
  if (f.reading()) a.q_norm_size = a.k_norm_size = a.head_dim;
}
void qwen3_moe(HfFields& f, A& a, const Row& row) {
  qwen3(f, a, row);
  f.integer("moe_intermediate_size", a.moe_intermediate_size, 768);
  f.integer("num_experts", a.num_experts, 128, {1, kMaxExperts}, {"num_local_experts"});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 8, {1, kMaxExperts});
  dense_layers_of_steps(f, a);
}

void mellum(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  sliding(f, a, 0, 0);
  f.integer("moe_intermediate_size", a.moe_intermediate_size, 896);
  f.integer("num_local_experts", a.num_experts, 64, {1, kMaxExperts}, {"num_experts"});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 8, {1, kMaxExperts});
  dense_layers_of_types(f, a, 0);
  if (f.reading()) a.q_norm_size = a.k_norm_size = a.head_dim;
}
void exaone_moe(HfFields& f, A& a, const Row& row) {
  exaone4(f, a, row);
  f.integer("moe_intermediate_size", a.moe_intermediate_size, 1024);
  f.integer("num_experts", a.num_experts, 64, {1, kMaxExperts});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 8, {1, kMaxExperts});
  shared_experts(f, a, "num_shared_experts", 1);
  dense_layers_of_types(f, a, 1);
  if (f.reading()) a.router_correction = true;
}
void ernie4_5_moe(HfFields& f, A& a, const Row& row) {
  ernie4_5(f, a, row);
  f.integer("moe_intermediate_size", a.moe_intermediate_size, 1536);
  f.integer("moe_num_experts", a.num_experts, 64, {1, kMaxExperts});
  f.integer("moe_k", a.num_experts_per_tok, 6, {1, kMaxExperts});
  shared_experts(f, a, "moe_num_shared_experts", 2);
  if (f.reading()) a.router_bias = true;  // a bias that corrects the choice, a parameter here
  if (!f.reading() || f.find("first_k_dense_replace") != nullptr) return f.integer("first_k_dense_replace", a.first_k_dense_replace, 1, {0, kMaxLayers});
  if (f.failed()) return;
  std::int64_t start = 1, end = a.num_hidden_layers - 1, step = 1, sparse = 0;
  f.integer("moe_layer_start_index", start, 1, {0, kMaxLayers});
  f.integer("moe_layer_end_index", end, a.num_hidden_layers - 1, {-1, kMaxLayers});
  f.integer("moe_layer_interval", step, 1, {1, kMaxLayers});
  if (f.failed()) return;
  if (end == -1) end = a.num_hidden_layers - 1;
  for (std::int64_t layer = start; layer <= std::min(end, a.num_hidden_layers - 1); ++layer) sparse += (layer + 1) % step == 0 ? 1 : 0;
  a.first_k_dense_replace = a.num_hidden_layers - sparse;
}

// Gemma --------------------------------------------------------------------------------------------------------------------------------------------

void gemma(HfFields& f, A& a, const Row& row) {
  size(f, a, row);
  intermediate(f, a, row);
  heads(f, a, row);
  attention_bias(f, a, false);
  attention_dropout(f, a);
  if (f.reading()) a.activation = Activation::gelu_tanh, a.embedding_scaled = true;  // hidden_act says "gelu" in old files and is not used
}
void softcap(HfFields& f, string_view name, bool& v, double fallback) {
  double cap = v ? fallback > 0 ? fallback : 30.0 : 0.0;
  if (f.reading() && f.is_null(name)) {
    v = false;
    return;
  }
  f.number(name, cap, fallback);
  if (f.reading()) v = cap > 0;
}
void gemma2(HfFields& f, A& a, const Row& row) {
  gemma(f, a, row);
  sliding(f, a, 4096, 2);
  softcap(f, "attn_logit_softcapping", a.attention_softcap, 50.0);
  softcap(f, "final_logit_softcapping", a.logits_softcap, 30.0);
  if (f.reading()) a.norms_per_layer = 4;
}
void vaultgemma(HfFields& f, A& a, const Row& row) {
  gemma2(f, a, row);
  if (f.reading()) a.norms_per_layer = 2;
}
void gemma3(HfFields& f, A& a, const Row& row) {
  gemma(f, a, row);
  sliding(f, a, 4096, 6);
  softcap(f, "attn_logit_softcapping", a.attention_softcap, 0.0);
  softcap(f, "final_logit_softcapping", a.logits_softcap, 0.0);
  if (f.reading()) a.norms_per_layer = 4, a.q_norm_size = a.k_norm_size = a.head_dim;
}

// Microsoft ----------------------------------------------------------------------------------------------------------------------------------------

void phi(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  partial_rotary(f, a, 0.5);
  f.share("resid_pdrop", a.residual_dropout, 0);
  f.share("embd_pdrop", a.embedding_dropout, 0);
  bool qk_layernorm = a.q_norm_size > 0;
  f.flag("qk_layernorm", qk_layernorm, false);
  if (!f.reading() || f.failed()) return;
  a.norm = Norm::layer, a.norms_per_layer = 1, a.parallel_residual = true, a.gated_mlp = false;
  a.qkv_bias = a.attention_out_bias = a.mlp_bias = a.lm_head_bias = true;
  if (qk_layernorm) a.q_norm_size = a.k_norm_size = 2 * a.head_dim;  // with a bias each
}
void phi3(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  partial_rotary(f, a, 1.0);
  sliding(f, a, 0, 0);
  f.share("resid_pdrop", a.residual_dropout, 0);
  f.share("embd_pdrop", a.embedding_dropout, 0);
  if (f.reading()) a.fused_qkv = a.fused_gate_up = true;
}

// GPT ----------------------------------------------------------------------------------------------------------------------------------------------

// Learned positions or rotary ones, LayerNorm with bias, a plain MLP of four times the width, biases everywhere.
void gpt_core(HfFields& f, A& a, const Row& row, std::initializer_list<string_view> mlp_names) {
  size(f, a, row);
  if (f.failed()) return;
  f.integer("intermediate_size", a.intermediate_size, saturating_multiply(4, a.hidden_size), {}, mlp_names);
  divided_head_dim(f, a);
  f.activation("hidden_act", a.activation, row.defaults.activation, {"activation_function"});
  if (!f.reading()) return;
  a.num_key_value_heads = a.num_attention_heads;
  a.norm = Norm::layer;
  a.gated_mlp = false;
  a.qkv_bias = a.attention_out_bias = a.mlp_bias = true;
}
void gpt_dropouts(HfFields& f, A& a, double fallback) {
  f.share("attn_pdrop", a.attention_dropout, fallback);
  f.share("resid_pdrop", a.residual_dropout, fallback);
  f.share("embd_pdrop", a.embedding_dropout, fallback);
}
void gpt2(HfFields& f, A& a, const Row& row) {
  gpt_core(f, a, row, {"n_inner"});
  gpt_dropouts(f, a, 0.1);
  if (f.reading()) a.positions = Positions::learned, a.fused_qkv = true, a.rotary_dim = 0;
}
void gpt_bigcode(HfFields& f, A& a, const Row& row) {
  gpt2(f, a, row);
  bool multi_query = a.num_key_value_heads == 1;
  f.flag("multi_query", multi_query, true);
  if (f.reading() && multi_query) a.num_key_value_heads = 1;
}
void gpt_neo(HfFields& f, A& a, const Row& row) {
  gpt_core(f, a, row, {});
  f.share("attention_dropout", a.attention_dropout, 0);
  f.share("resid_dropout", a.residual_dropout, 0);
  f.share("embed_dropout", a.embedding_dropout, 0);
  if (f.reading()) a.positions = Positions::learned, a.qkv_bias = false;
}
void gptj(HfFields& f, A& a, const Row& row) {
  gpt_core(f, a, row, {"n_inner"});
  f.integer("rotary_dim", a.rotary_dim, 64, kOrNone);
  gpt_dropouts(f, a, 0);
  if (f.reading()) {
    a.qkv_bias = a.attention_out_bias = false;
    a.lm_head_bias = a.parallel_residual = true;
    a.norms_per_layer = 1;
  }
}
void codegen(HfFields& f, A& a, const Row& row) {
  gptj(f, a, row);
  if (f.reading()) a.fused_qkv = true;
}
// Every projection with a bias, LayerNorm before each half, positions that are learned (two rows more) or a fixed table.
void biogpt(HfFields& f, A& a, const Row& row) {
  gpt_core(f, a, row, {});
  f.share("hidden_dropout_prob", a.residual_dropout, 0.1);
  f.share("attention_probs_dropout_prob", a.attention_dropout, 0.1);
  if (f.reading()) a.positions = Positions::learned, a.position_offset = 2, a.embedding_scaled = true, a.rotary_dim = 0;
}
void xglm(HfFields& f, A& a, const Row& row) {
  gpt_core(f, a, row, {"ffn_dim"});
  f.share("dropout", a.residual_dropout, 0.1);
  f.share("attention_dropout", a.attention_dropout, 0.1);
  if (f.reading()) a.positions = Positions::none, a.embedding_scaled = true, a.rotary_dim = 0;
}
void persimmon(HfFields& f, A& a, const Row& row) {
  gpt_core(f, a, row, {});
  if (f.reading()) a.rotary_dim = a.head_dim;
  partial_rotary(f, a, 0.5);
  f.share("hidden_dropout", a.residual_dropout, 0);
  f.share("attention_dropout", a.attention_dropout, 0);
  bool qk_layernorm = a.q_norm_size > 0;
  f.flag("qk_layernorm", qk_layernorm, true);
  if (!f.reading() || f.failed()) return;
  a.fused_qkv = true;
  if (qk_layernorm) a.q_norm_size = a.k_norm_size = 2 * a.head_dim;  // with a bias each
}
void gpt_neox(HfFields& f, A& a, const Row& row) {
  gpt_core(f, a, row, {});
  partial_rotary(f, a, 0.25, "rotary_pct");
  f.share("attention_dropout", a.attention_dropout, 0);
  f.share("hidden_dropout", a.residual_dropout, 0);
  f.flag("use_parallel_residual", a.parallel_residual, true);
  attention_bias(f, a, true);
  if (f.reading()) a.fused_qkv = true;
}
void opt(HfFields& f, A& a, const Row& row) {
  size(f, a, row);
  f.required("ffn_dim", a.intermediate_size, row.defaults.intermediate);
  divided_head_dim(f, a);
  f.activation("activation_function", a.activation, Activation::relu);
  f.share("dropout", a.residual_dropout, 0.1);
  f.share("attention_dropout", a.attention_dropout, 0);
  bool bias = a.qkv_bias, affine = a.norm == Norm::layer, before = a.final_norm, removed = false;
  f.flag("enable_bias", bias, true);
  f.flag("layer_norm_elementwise_affine", affine, true);
  f.flag("do_layer_norm_before", before, true);
  f.flag("_remove_final_layer_norm", removed, false);
  f.integer("word_embed_proj_dim", a.word_embed_proj_dim, 0, kOrNone);
  if (!f.reading()) return;
  a.num_key_value_heads = a.num_attention_heads;
  a.gated_mlp = false;
  a.positions = Positions::learned, a.position_offset = 2;
  a.norm = affine ? Norm::layer : Norm::none_affine;
  a.qkv_bias = a.attention_out_bias = a.mlp_bias = bias;
  a.final_norm = before && !removed;
  if (a.word_embed_proj_dim == a.hidden_size) a.word_embed_proj_dim = 0;
}
void bloom(HfFields& f, A& a, const Row& row) {
  gpt_core(f, a, row, {});
  f.share("hidden_dropout", a.residual_dropout, 0);
  f.share("attention_dropout", a.attention_dropout, 0);
  if (f.reading()) a.activation = Activation::gelu_tanh, a.positions = Positions::alibi, a.embedding_norm = a.fused_qkv = true;
}
void mpt(HfFields& f, A& a, const Row& row) {
  size(f, a, row);
  if (f.failed()) return;
  divided_head_dim(f, a);
  f.share("resid_pdrop", a.residual_dropout, 0);
  f.share("emb_pdrop", a.embedding_dropout, 0);
  f.share("attn_pdrop", a.attention_dropout, 0);
  std::int64_t expansion = a.hidden_size > 0 ? a.intermediate_size / a.hidden_size : 4;
  f.integer("expansion_ratio", expansion, 4, {1, 1000});
  if (!f.reading() || f.failed()) return;
  if (const auto* p = f.find("attn_config", "attn_pdrop"); p != nullptr && p->is_number() && p->get<double>() >= 0 && p->get<double>() <= 1)
    a.attention_dropout = p->get<double>();
  a.intermediate_size = saturating_multiply(expansion, a.hidden_size);
  a.num_key_value_heads = a.num_attention_heads;
  a.norm = Norm::layer_no_bias, a.gated_mlp = false, a.fused_qkv = true, a.positions = Positions::alibi, a.activation = Activation::gelu;
}
void falcon(HfFields& f, A& a, const Row& row) {
  size(f, a, row);
  if (f.failed()) return;
  f.integer("ffn_hidden_size", a.intermediate_size, saturating_multiply(4, a.hidden_size));
  divided_head_dim(f, a);
  f.activation("activation", a.activation, Activation::gelu);
  f.share("hidden_dropout", a.residual_dropout, 0);
  f.share("attention_dropout", a.attention_dropout, 0);
  f.flag("bias", a.mlp_bias, false);
  bool alibi = a.positions == Positions::alibi;
  f.flag("alibi", alibi, false);
  f.flag("parallel_attn", a.parallel_residual, true);
  bool grouped = a.num_key_value_heads > 1 && a.num_key_value_heads < a.num_attention_heads, multi_query = a.num_key_value_heads == 1;
  if (!f.reading()) grouped = grouped || (a.parallel_residual && a.norms_per_layer == 2);
  f.flag("new_decoder_architecture", grouped, false);
  f.flag("multi_query", multi_query, true);
  std::int64_t kv = a.num_key_value_heads, norms = a.norms_per_layer;
  if (f.failed()) return;
  f.integer("num_kv_heads", kv, a.num_attention_heads, {}, {"n_head_kv"});
  f.integer("num_ln_in_parallel_attn", norms, grouped || !a.parallel_residual ? 2 : 1, {1, 2});
  if (!f.reading() || f.failed()) return;
  a.num_key_value_heads = grouped ? kv : multi_query ? 1 : a.num_attention_heads;
  if (a.num_attention_heads % a.num_key_value_heads != 0)
    return f.fail("num_kv_heads", ErrorId::contradiction, fmt::format("num_attention_heads {}", a.num_attention_heads), "a divisor of num_attention_heads");
  if (grouped) a.parallel_residual = true;
  a.norms_per_layer = grouped ? norms : a.parallel_residual ? 1 : 2;
  a.norm = Norm::layer, a.gated_mlp = false, a.fused_qkv = true;
  a.qkv_bias = a.attention_out_bias = a.mlp_bias;
  a.positions = alibi ? Positions::alibi : Positions::rope;
  a.rotary_dim = alibi ? 0 : a.head_dim;
}
void starcoder2(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, true, "use_bias");
  sliding(f, a, 0, 0);
  f.share("residual_dropout", a.residual_dropout, 0);
  f.share("embedding_dropout", a.embedding_dropout, 0);
  if (f.reading()) a.mlp_bias = a.qkv_bias, a.norm = Norm::layer, a.gated_mlp = false;
}
void stablelm(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  partial_rotary(f, a, 0.25);
  f.flag("use_qkv_bias", a.qkv_bias, false);
  f.share("hidden_dropout", a.residual_dropout, 0);
  f.flag("use_parallel_residual", a.parallel_residual, false);
  bool qk_layernorm = a.q_norm_size > 0;
  f.flag("qk_layernorm", qk_layernorm, false);
  if (!f.reading() || f.failed()) return;
  a.norm = Norm::layer;
  a.norms_per_layer = a.parallel_residual ? 1 : 2;
  if (qk_layernorm) a.q_norm_size = a.num_attention_heads * a.head_dim, a.k_norm_size = a.num_key_value_heads * a.head_dim;
}

// OLMo, Cohere, GLM, gpt-oss -----------------------------------------------------------------------------------------------------------------------

void olmo(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  if (f.reading()) a.norm = Norm::none_affine;
}
void full_width_qk_norm(A& a) {
  a.q_norm_size = product(a.num_attention_heads, a.head_dim);
  a.k_norm_size = product(a.num_key_value_heads, a.head_dim);
}
void olmo2(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  if (row.model_type == "olmo3") sliding(f, a, 4096, 4);
  if (f.reading() && !f.failed()) full_width_qk_norm(a);
}
void olmoe(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  f.integer("num_experts", a.num_experts, 64, {1, kMaxExperts});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 8, {1, kMaxExperts});
  if (!f.reading() || f.failed()) return;
  a.moe_intermediate_size = a.intermediate_size;
  full_width_qk_norm(a);
}
void flex_olmo(HfFields& f, A& a, const Row& row) {
  olmo2(f, a, row);
  f.integer("num_experts", a.num_experts, 7, {1, kMaxExperts});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 5, {1, kMaxExperts});
  if (f.reading()) a.moe_intermediate_size = a.intermediate_size;
}
void cohere(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  const bool second = row.model_type == "cohere2";
  bool qk_norm = a.q_norm_size > 0;
  if (second)
    sliding(f, a, 4096, 4);
  else
    f.flag("use_qk_norm", qk_norm, false);
  if (!f.reading() || f.failed()) return;
  a.norm = Norm::layer_no_bias, a.norms_per_layer = 1, a.parallel_residual = a.logits_scaled = true;
  if (qk_norm) full_width_qk_norm(a);
}
void glm(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  partial_rotary(f, a, 0.5);
  f.flag("attention_bias", a.qkv_bias, true);
  if (f.reading()) a.fused_gate_up = true, a.norms_per_layer = row.model_type == "glm4" ? 4 : 2;
}
// The older ChatGLM code, with its own names; attention_bias is add_qkv_bias.
void chatglm(HfFields& f, A& a, const Row& row) {
  size(f, a, row);
  f.required("ffn_hidden_size", a.intermediate_size, row.defaults.intermediate);
  f.integer("kv_channels", a.head_dim, 128);
  bool multi_query = a.num_key_value_heads != a.num_attention_heads;
  f.flag("multi_query_attention", multi_query, true);
  f.integer("multi_query_group_num", a.num_key_value_heads, 2);
  f.flag("add_qkv_bias", a.qkv_bias, true);
  f.flag("add_bias_linear", a.mlp_bias, false);
  f.share("attention_dropout", a.attention_dropout, 0);
  f.share("hidden_dropout", a.residual_dropout, 0);
  if (!f.reading() || f.failed()) return;
  if (!multi_query) a.num_key_value_heads = a.num_attention_heads;
  a.attention_out_bias = a.mlp_bias;
  a.fused_qkv = a.fused_gate_up = true;
  a.rotary_dim = a.head_dim / 2;
}
void gpt_oss(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  sliding(f, a, 128, 2);
  attention_bias(f, a, true);
  f.integer("num_local_experts", a.num_experts, 128, {1, kMaxExperts}, {"num_experts"});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 4, {1, kMaxExperts}, {"experts_per_token"});
  if (f.reading()) a.moe_intermediate_size = a.intermediate_size, a.attention_sinks = a.router_bias = a.expert_bias = true;
}
void granitemoe(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  f.integer("num_local_experts", a.num_experts, 8, {1, kMaxExperts});
  f.integer("num_experts_per_tok", a.num_experts_per_tok, 2, {1, kMaxExperts});
  if (row.model_type == "granitemoeshared") f.integer("shared_intermediate_size", a.shared_intermediate_size, 0, kOrNone);
  if (f.reading()) a.moe_intermediate_size = a.intermediate_size, a.embedding_scaled = a.residual_scaled = a.logits_scaled = true;
}

// DeepSeek and its experts -------------------------------------------------------------------------------------------------------------------------

// n_routed_experts of moe_intermediate_size, n_shared_experts of the same width side by side, the first layers dense.
void routed_experts(HfFields& f, A& a, std::int64_t routed, std::int64_t shared, std::int64_t chosen, std::int64_t width, std::int64_t dense) {
  f.integer("moe_intermediate_size", a.moe_intermediate_size, width);
  f.integer("n_routed_experts", a.num_experts, routed, kExpertCount);
  if (f.failed()) return;
  f.integer("num_experts_per_tok", a.num_experts_per_tok, chosen, kExpertCount);
  f.integer("first_k_dense_replace", a.first_k_dense_replace, dense, {0, kMaxLayers});
  shared_experts(f, a, "n_shared_experts", shared);
  std::int64_t step = 1;
  f.integer("moe_layer_freq", step, 1, {1, kMaxLayers});
  if (!f.reading() || f.failed()) return;
  if (step > 1) {  // a layer has experts from first_k_dense_replace on, where its number is a multiple of the frequency
    std::int64_t sparse = 0;
    for (std::int64_t layer = a.first_k_dense_replace; layer < a.num_hidden_layers; ++layer) sparse += layer % step == 0 ? 1 : 0;
    a.first_k_dense_replace = a.num_hidden_layers - sparse;
  }
  if (a.num_experts == 0) a.moe_intermediate_size = a.shared_intermediate_size = a.num_experts_per_tok = a.first_k_dense_replace = 0;
}
// DeepSeek's attention, and what its models have besides experts.
void latent_attention(HfFields& f, A& a, const Row& row, std::int64_t q_rank, std::int64_t nope = 128, std::int64_t value = 128) {
  size(f, a, row);
  intermediate(f, a, row);
  f.activation("hidden_act", a.activation, Activation::silu);
  attention_dropout(f, a);
  f.integer_or_none("q_lora_rank", a.q_lora_rank, q_rank);
  f.integer("kv_lora_rank", a.kv_lora_rank, 512);
  f.integer("qk_rope_head_dim", a.qk_rope_head_dim, 64);
  f.integer("qk_nope_head_dim", a.qk_nope_head_dim, nope);
  f.integer("v_head_dim", a.v_head_dim, value);
  attention_bias(f, a, false);
  if (!f.reading() || f.failed()) return;
  a.num_key_value_heads = a.num_attention_heads;
  a.rotary_dim = a.qk_rope_head_dim;
  a.head_dim = a.qk_nope_head_dim + a.qk_rope_head_dim;
}
void deepseek_v2(HfFields& f, A& a, const Row& row) {
  latent_attention(f, a, row, 1536);
  routed_experts(f, a, 64, 2, 6, 1407, 0);
}
void deepseek_v3(HfFields& f, A& a, const Row& row) {
  latent_attention(f, a, row, 1536);
  routed_experts(f, a, 256, 1, 8, 2048, 3);
  if (f.reading()) a.router_correction = a.num_experts > 0;
}
void glm4_moe_lite(HfFields& f, A& a, const Row& row) {
  latent_attention(f, a, row, 768, 192, 256);
  routed_experts(f, a, 64, 1, 4, 1536, 1);
  if (f.reading()) a.router_correction = a.num_experts > 0;
}
void youtu(HfFields& f, A& a, const Row& row) { latent_attention(f, a, row, 1536); }
void deepseek(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  routed_experts(f, a, 0, 0, 0, 1407, 0);
}
void dots1(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  routed_experts(f, a, 0, 0, 0, 1408, 0);
  if (f.reading()) a.q_norm_size = a.k_norm_size = a.head_dim, a.router_correction = a.num_experts > 0;
}
void glm4_moe(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  partial_rotary(f, a, 0.5);
  f.flag("attention_bias", a.qkv_bias, false);
  bool qk_norm = a.q_norm_size > 0;
  f.flag("use_qk_norm", qk_norm, false);
  routed_experts(f, a, 128, 1, 8, 1408, 1);
  if (!f.reading()) return;
  a.router_correction = a.num_experts > 0;
  if (qk_norm) a.q_norm_size = a.k_norm_size = a.head_dim;
}

void solar_open(HfFields& f, A& a, const Row& row) {
  llama_core(f, a, row);
  attention_bias(f, a, false);
  partial_rotary(f, a, 1.0);
  routed_experts(f, a, 128, 1, 8, 1280, 0);
  if (f.reading()) a.router_correction = a.num_experts > 0;
}

constexpr Activation kGeluTanh = Activation::gelu_tanh;

// vocabulary, hidden, intermediate, layers, heads, kv heads (0: heads), head_dim (0: hidden / heads), context, tied, activation
constexpr HfFamily kFamilies[] = {
    {"llama", Family::llama, {32000, 4096, 11008, 32, 32, 0, 0, 2048, false}, llama},
    {"mistral", Family::mistral, {32000, 4096, 14336, 32, 32, 8, 0, 131072, false}, mistral},
    {"mixtral", Family::mixtral, {32000, 4096, 14336, 32, 32, 8, 0, 131072, false}, mixtral},
    {"qwen2", Family::qwen2, {151936, 4096, 22016, 32, 32, 32, 0, 32768, false}, qwen2},
    {"qwen2_moe", Family::qwen2_moe, {151936, 2048, 5632, 24, 16, 16, 0, 32768, false}, qwen2_moe},
    {"qwen3", Family::qwen3, {151936, 4096, 22016, 32, 32, 32, 128, 32768, false}, qwen3},
    {"qwen3_moe", Family::qwen3_moe, {151936, 2048, 6144, 24, 32, 4, 0, 32768, false}, qwen3_moe},
    {"gemma", Family::gemma, {256000, 3072, 24576, 28, 16, 16, 256, 8192, true}, gemma},
    {"gemma2", Family::gemma2, {256000, 2304, 9216, 26, 8, 4, 256, 8192, true}, gemma2},
    {"gemma3_text", Family::gemma3, {262208, 2304, 9216, 26, 8, 4, 256, 131072, true}, gemma3},
    {"phi", Family::phi, {51200, 2048, 8192, 24, 32, 0, 0, 2048, false, kGeluTanh}, phi},
    {"phi3", Family::phi3, {32064, 3072, 8192, 32, 32, 0, 0, 4096, false}, phi3},
    {"gpt2", Family::gpt2, {50257, 768, 0, 12, 12, 0, 0, 1024, true, kGeluTanh}, gpt2},
    {"gpt_neox", Family::gpt_neox, {50432, 6144, 24576, 44, 64, 0, 0, 2048, false, Activation::gelu}, gpt_neox},
    {"gpt_bigcode", Family::gpt_bigcode, {50257, 768, 0, 12, 12, 0, 0, 1024, true, kGeluTanh}, gpt_bigcode},
    {"opt", Family::opt, {50272, 768, 3072, 12, 12, 0, 0, 2048, true}, opt},
    {"bloom", Family::bloom, {250880, 64, 0, 2, 8, 0, 0, 2048, true}, bloom},
    {"falcon", Family::falcon, {65024, 4544, 0, 32, 71, 0, 0, 2048, true}, falcon},
    {"starcoder2", Family::starcoder2, {49152, 3072, 12288, 30, 24, 2, 0, 4096, true, kGeluTanh}, starcoder2},
    {"olmo", Family::olmo, {50304, 4096, 11008, 32, 32, 0, 0, 2048, false}, olmo},
    {"olmo2", Family::olmo2, {50304, 4096, 11008, 32, 32, 0, 0, 2048, false}, olmo2},
    {"olmo3", Family::olmo2, {50304, 4096, 11008, 32, 32, 0, 0, 2048, false}, olmo2},
    {"cohere", Family::cohere, {256000, 8192, 22528, 40, 64, 0, 0, 8192, true}, cohere},
    {"cohere2", Family::cohere2, {256000, 8192, 22528, 40, 64, 0, 0, 8192, true}, cohere},
    {"granite", Family::granite, {32000, 4096, 11008, 32, 32, 0, 0, 2048, false}, granite},
    {"granitemoe", Family::granitemoe, {32000, 4096, 11008, 32, 32, 0, 0, 2048, false}, granitemoe},
    {"granitemoeshared", Family::granitemoe, {32000, 4096, 11008, 32, 32, 0, 0, 2048, false}, granitemoe},
    {"deepseek_v2", Family::deepseek_v2, {32000, 4096, 11008, 32, 32, 0, 0, 2048, false}, deepseek_v2},
    {"deepseek_v3", Family::deepseek_v3, {129280, 7168, 18432, 61, 128, 0, 0, 4096, false}, deepseek_v3},
    {"gpt_oss", Family::gpt_oss, {201088, 2880, 2880, 36, 64, 8, 64, 131072, false}, gpt_oss},
    {"glm", Family::glm, {151552, 4096, 13696, 40, 32, 2, 128, 131072, false}, glm},
    {"glm4", Family::glm4, {151552, 4096, 13696, 40, 32, 2, 128, 131072, false}, glm},
    {"stablelm", Family::stablelm, {50304, 2560, 6912, 32, 32, 32, 0, 4096, false}, stablelm},
    {"smollm3", Family::smollm3, {128256, 2048, 11008, 36, 16, 4, 0, 32768, true}, llama},
    {"mpt", Family::mpt, {50368, 2048, 0, 24, 16, 0, 0, 2048, true}, mpt},
    // Families without a modelling of their own in the memory model: read as the nearest, or as `other`.
    {"arcee", Family::llama, {32000, 2560, 18432, 32, 32, 0, 0, 4096, false, Activation::relu2}, arcee},
    {"baichuan", Family::llama, {125696, 4096, 11008, 32, 32, 0, 0, 4096, false}, baichuan},
    {"biogpt", Family::other, {42384, 1024, 4096, 24, 16, 0, 0, 1024, true, Activation::gelu}, biogpt},
    {"chatglm", Family::glm, {65024, 4096, 13696, 28, 32, 0, 0, 2048, false}, chatglm},
    {"codegen", Family::other, {50400, 4096, 0, 28, 16, 0, 0, 2048, false, kGeluTanh}, codegen},
    {"cwm", Family::llama, {128256, 6144, 21504, 64, 48, 8, 128, 131072, false}, cwm},
    {"deepseek", Family::other, {102400, 4096, 11008, 30, 32, 0, 0, 2048, false}, deepseek},
    {"dots1", Family::qwen3_moe, {152064, 4608, 10944, 62, 32, 32, 0, 2048, false}, dots1},
    {"ernie4_5", Family::llama, {103424, 1024, 3072, 18, 16, 2, 128, 131072, true}, ernie4_5},
    {"ernie4_5_moe", Family::other, {103424, 2560, 12288, 28, 20, 4, 0, 131072, true}, ernie4_5_moe},
    {"exaone", Family::llama, {102400, 2048, 8192, 32, 32, 0, 0, 2048, true}, plain_llama},
    {"exaone4", Family::other, {102400, 4096, 16384, 32, 32, 32, 0, 2048, false}, exaone4},
    {"exaone_moe", Family::other, {102400, 4096, 16384, 32, 32, 32, 0, 2048, false}, exaone_moe},
    {"flex_olmo", Family::other, {100352, 4096, 11008, 32, 32, 0, 0, 4096, false}, flex_olmo},
    {"glm4_moe", Family::other, {151552, 4096, 10944, 46, 96, 8, 0, 131072, false}, glm4_moe},
    {"glm4_moe_lite", Family::deepseek_v3, {154880, 2048, 10240, 47, 20, 0, 0, 202752, false}, glm4_moe_lite},
    {"gpt_neo", Family::other, {50257, 2048, 0, 24, 16, 0, 0, 2048, true, kGeluTanh}, gpt_neo},
    {"gptj", Family::other, {50400, 4096, 0, 28, 16, 0, 0, 2048, false, kGeluTanh}, gptj},
    {"helium", Family::llama, {48000, 2560, 7040, 24, 20, 20, 128, 4096, false}, helium},
    {"hunyuan_v1_dense", Family::qwen3, {290943, 4096, 11008, 32, 32, 0, 0, 2048, false}, hunyuan},
    {"hyperclovax", Family::granite, {32000, 4096, 11008, 32, 32, 0, 128, 2048, false}, hyperclovax},
    {"internlm", Family::llama, {103168, 4096, 11008, 32, 32, 0, 0, 2048, false}, internlm},
    {"internlm2", Family::llama, {103168, 4096, 11008, 32, 32, 0, 0, 2048, false}, internlm2},
    {"jais2", Family::other, {150272, 3328, 26624, 32, 26, 0, 128, 8192, false, Activation::relu2}, jais2},
    {"kimi_k2", Family::deepseek_v3, {163840, 7168, 18432, 61, 64, 0, 0, 131072, false}, deepseek_v3},
    {"llama4_text", Family::other, {202048, 5120, 0, 48, 40, 8, 128, 131072, false}, llama4},
    {"mellum", Family::qwen3_moe, {98304, 2304, 7168, 28, 32, 4, 128, 131072, false}, mellum},
    {"minicpm", Family::llama, {32000, 4096, 11008, 32, 32, 0, 0, 2048, true}, minicpm},
    {"minimax_m2", Family::other, {200064, 3072, 1536, 62, 48, 8, 128, 196608, false}, minimax_m2},
    {"ministral", Family::mistral, {32000, 4096, 14336, 32, 32, 8, 0, 131072, false}, mistral},
    {"ministral3", Family::mistral, {131072, 4096, 14336, 34, 32, 8, 128, 262144, false}, mistral},
    {"nemotron", Family::other, {256000, 6144, 24576, 32, 48, 0, 0, 4096, false, Activation::relu2}, nemotron},
    {"olmoe", Family::other, {50304, 2048, 2048, 16, 16, 0, 0, 4096, false}, olmoe},
    {"orion", Family::llama, {84608, 4096, 15360, 40, 40, 40, 0, 4096, false}, orion},
    {"persimmon", Family::other, {262144, 4096, 16384, 36, 64, 0, 0, 16384, false, Activation::relu2}, persimmon},
    {"phimoe", Family::other, {32064, 4096, 6400, 32, 32, 8, 0, 131072, false}, phimoe},
    {"seed_oss", Family::llama, {155136, 4096, 27648, 64, 80, 8, 128, 524288, false}, seed_oss},
    {"solar_open", Family::other, {196608, 4096, 10240, 48, 64, 8, 128, 131072, false}, solar_open},
    {"vaultgemma", Family::gemma2, {256000, 2304, 9216, 26, 8, 4, 256, 8192, true}, vaultgemma},
    {"xglm", Family::other, {256008, 1024, 4096, 24, 16, 0, 0, 2048, true, Activation::gelu}, xglm},
    {"youtu", Family::deepseek_v3, {128256, 2048, 6144, 32, 16, 0, 0, 131072, true}, youtu},
    // The language models of vision models, and names that have changed.
    {"qwen2_vl_text", Family::qwen2, {152064, 8192, 29568, 80, 64, 8, 0, 32768, false}, qwen2},
    {"qwen2_5_vl_text", Family::qwen2, {152064, 8192, 29568, 80, 64, 8, 0, 32768, false}, qwen2},
    {"qwen3_vl_text", Family::qwen3, {151936, 4096, 22016, 32, 32, 32, 128, 128000, false}, qwen3},
    {"qwen3_vl_moe_text", Family::qwen3_moe, {151936, 2048, 5632, 24, 16, 16, 0, 128000, false}, qwen3_moe},
    {"RefinedWeb", Family::falcon, {65024, 4544, 0, 32, 71, 0, 0, 2048, true}, falcon},
    {"RefinedWebModel", Family::falcon, {65024, 4544, 0, 32, 71, 0, 0, 2048, true}, falcon},
    {"stablelm_epoch", Family::stablelm, {50304, 2560, 6912, 32, 32, 32, 0, 4096, false}, stablelm},
};

}  // namespace

const HfFamily* find_hf_family(string_view model_type) {
  for (const HfFamily& row : kFamilies)
    if (row.model_type == model_type) return &row;
  return nullptr;
}
const HfFamily* hf_family_at(std::size_t i) { return i < std::size(kFamilies) ? &kFamilies[i] : nullptr; }

}  // namespace gpudget::formats
