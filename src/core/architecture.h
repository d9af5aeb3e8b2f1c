// The shape of a decoder-only language model, as data: what its config.json decides about parameters, activations and FLOPs.
// One description covers every family; `family` keeps what only the modelling code knows (which copies it makes, in which type).
// Field names follow Hugging Face's configs. All counts are elements, not bytes; 0 means "not there" unless said otherwise.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "core/names.h"

namespace gpudget {

// Hugging Face's model_type of the modelling code that runs the model.
enum class Family : std::uint8_t {
  llama,
  mistral,
  mixtral,
  qwen2,
  qwen2_moe,
  qwen3,
  qwen3_moe,
  gemma,
  gemma2,
  gemma3,
  phi,
  phi3,
  gpt2,
  gpt_neox,
  gpt_bigcode,
  opt,
  bloom,
  falcon,
  starcoder2,
  olmo,
  olmo2,
  cohere,
  cohere2,
  granite,
  granitemoe,
  deepseek_v2,
  deepseek_v3,
  gpt_oss,
  glm,
  glm4,
  stablelm,
  smollm3,
  mpt,
  other
};
template <>
struct Names<Family> {
  static constexpr std::array<std::string_view, 34> values{
      "llama",      "mistral",     "mixtral",     "qwen2",   "qwen2_moe", "qwen3",  "qwen3_moe",  "gemma",   "gemma2", "gemma3", "phi",     "phi3",
      "gpt2",       "gpt_neox",    "gpt_bigcode", "opt",     "bloom",     "falcon", "starcoder2", "olmo",    "olmo2",  "cohere", "cohere2", "granite",
      "granitemoe", "deepseek_v2", "deepseek_v3", "gpt_oss", "glm",       "glm4",   "stablelm",   "smollm3", "mpt",    "other"};
};

enum class Norm : std::uint8_t { rms, layer, layer_no_bias, none_affine };  // none_affine: a LayerNorm without weights (OLMo 1)
template <>
struct Names<Norm> {
  static constexpr std::array<std::string_view, 4> values{"rms", "layer", "layer_no_bias", "none_affine"};
};
enum class Activation : std::uint8_t { silu, gelu, gelu_tanh, relu, relu2 };
template <>
struct Names<Activation> {
  static constexpr std::array<std::string_view, 5> values{"silu", "gelu", "gelu_tanh", "relu", "relu2"};
};
enum class Positions : std::uint8_t { rope, learned, alibi, none };
template <>
struct Names<Positions> {
  static constexpr std::array<std::string_view, 4> values{"rope", "learned", "alibi", "none"};
};

struct Architecture {
  Family family = Family::llama;
  std::int64_t vocab_size = 0;
  std::int64_t hidden_size = 0;
  std::int64_t intermediate_size = 0;  // of the dense MLP
  std::int64_t num_hidden_layers = 0;
  std::int64_t num_attention_heads = 0;
  std::int64_t num_key_value_heads = 0;
  std::int64_t head_dim = 0;                 // always set (hidden_size / heads where the config leaves it out)
  std::int64_t max_position_embeddings = 0;  // rows of the table when positions == learned; otherwise the context length
  std::int64_t position_offset = 0;          // extra rows of a learned table (OPT: 2)
  std::int64_t word_embed_proj_dim = 0;      // width of the token embedding where it differs from hidden_size (OPT-350M), else 0
  bool tie_word_embeddings = false;

  Norm norm = Norm::rms;
  std::int64_t norms_per_layer = 2;  // block-level norms: 2 as in Llama, 4 in Gemma 2/3, 1 where one norm feeds a parallel block
  bool final_norm = true;
  bool embedding_norm = false;  // BLOOM
  bool gated_mlp = true;
  Activation activation = Activation::silu;
  Positions positions = Positions::rope;
  std::int64_t rotary_dim = 0;  // rotated part of head_dim when positions == rope (head_dim if all of it)
  bool qkv_bias = false;
  bool attention_out_bias = false;
  bool mlp_bias = false;
  bool lm_head_bias = false;
  bool fused_qkv = false;          // one matrix (Phi-3, GPT-2, NeoX, BLOOM, Falcon…)
  bool fused_gate_up = false;      // one matrix (Phi-3, GLM)
  bool parallel_residual = false;  // attention and MLP read the same input
  std::int64_t q_norm_size = 0;    // width of the q norm's weight: head_dim (Qwen3, Gemma 3), heads * head_dim (OLMo 2), 0: none
  std::int64_t k_norm_size = 0;
  bool attention_sinks = false;     // gpt-oss: one learned logit a head
  std::int64_t sliding_window = 0;  // tokens; 0: full attention in every layer
  std::int64_t global_every = 0;    // with sliding_window: every n-th layer is full attention (Gemma 2: 2, Gemma 3: 6); 0: none is
  bool attention_softcap = false;   // Gemma 2
  bool logits_softcap = false;      // Gemma 2
  bool logits_scaled = false;       // Cohere, Granite: logits multiplied by a constant
  bool embedding_scaled = false;    // Gemma, Granite
  bool residual_scaled = false;     // Granite
  double attention_dropout = 0, residual_dropout = 0, embedding_dropout = 0;  // as configured, active in training

  // Mixture of experts; num_experts == 0: dense.
  std::int64_t num_experts = 0;
  std::int64_t num_experts_per_tok = 0;
  std::int64_t moe_intermediate_size = 0;     // of one expert
  std::int64_t shared_intermediate_size = 0;  // of the shared expert(s) together; 0: none
  bool shared_expert_gate = false;            // Qwen2-MoE
  bool router_bias = false;                   // gpt-oss; DeepSeek-V3's correction buffer is router_correction
  bool router_correction = false;             // DeepSeek-V3: e_score_correction_bias, not trained
  bool expert_bias = false;                   // gpt-oss
  std::int64_t first_k_dense_replace = 0;     // the first k layers have the dense MLP

  // Multi-head latent attention; kv_lora_rank == 0: ordinary heads.
  std::int64_t q_lora_rank = 0;  // 0: q projected directly
  std::int64_t kv_lora_rank = 0;
  std::int64_t qk_rope_head_dim = 0;
  std::int64_t qk_nope_head_dim = 0;
  std::int64_t v_head_dim = 0;

  constexpr bool operator==(const Architecture&) const = default;
};

// Largest values that a reader accepts for any single field, so that products stay inside saturating int64 arithmetic.
inline constexpr std::int64_t kMaxLayers = 10'000, kMaxWidth = 10'000'000, kMaxVocab = 100'000'000, kMaxExperts = 100'000, kMaxContext = 1'000'000'000;

}  // namespace gpudget
