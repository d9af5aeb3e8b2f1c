#include "formats/architecture_json.h"

#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include "formats/field_json.h"
#include "formats/json_text.h"
#include "formats/nearest.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;
using A = Architecture;

// Every field with its name and the largest value accepted: one list for both directions.
template <class T>
struct F {
  string_view name;
  T A::*member;
  std::int64_t most;
};
template <class T>
F(string_view, T A::*, std::int64_t) -> F<T>;  // emcc's clang 14 deduces no aggregates by itself
constexpr std::tuple kFields{F{"family", &A::family, 0},
                             F{"vocab_size", &A::vocab_size, kMaxVocab},
                             F{"hidden_size", &A::hidden_size, kMaxWidth},
                             F{"intermediate_size", &A::intermediate_size, kMaxWidth},
                             F{"num_hidden_layers", &A::num_hidden_layers, kMaxLayers},
                             F{"num_attention_heads", &A::num_attention_heads, kMaxWidth},
                             F{"num_key_value_heads", &A::num_key_value_heads, kMaxWidth},
                             F{"head_dim", &A::head_dim, kMaxWidth},
                             F{"max_position_embeddings", &A::max_position_embeddings, kMaxContext},
                             F{"position_offset", &A::position_offset, kMaxContext},
                             F{"word_embed_proj_dim", &A::word_embed_proj_dim, kMaxWidth},
                             F{"tie_word_embeddings", &A::tie_word_embeddings, 0},
                             F{"norm", &A::norm, 0},
                             F{"norms_per_layer", &A::norms_per_layer, 16},
                             F{"final_norm", &A::final_norm, 0},
                             F{"embedding_norm", &A::embedding_norm, 0},
                             F{"gated_mlp", &A::gated_mlp, 0},
                             F{"activation", &A::activation, 0},
                             F{"positions", &A::positions, 0},
                             F{"rotary_dim", &A::rotary_dim, kMaxWidth},
                             F{"qkv_bias", &A::qkv_bias, 0},
                             F{"attention_out_bias", &A::attention_out_bias, 0},
                             F{"mlp_bias", &A::mlp_bias, 0},
                             F{"lm_head_bias", &A::lm_head_bias, 0},
                             F{"fused_qkv", &A::fused_qkv, 0},
                             F{"fused_gate_up", &A::fused_gate_up, 0},
                             F{"parallel_residual", &A::parallel_residual, 0},
                             F{"q_norm_size", &A::q_norm_size, kMaxWidth},
                             F{"k_norm_size", &A::k_norm_size, kMaxWidth},
                             F{"attention_sinks", &A::attention_sinks, 0},
                             F{"sliding_window", &A::sliding_window, kMaxContext},
                             F{"global_every", &A::global_every, kMaxLayers},
                             F{"attention_softcap", &A::attention_softcap, 0},
                             F{"logits_softcap", &A::logits_softcap, 0},
                             F{"logits_scaled", &A::logits_scaled, 0},
                             F{"embedding_scaled", &A::embedding_scaled, 0},
                             F{"residual_scaled", &A::residual_scaled, 0},
                             F{"attention_dropout", &A::attention_dropout, 1},
                             F{"residual_dropout", &A::residual_dropout, 1},
                             F{"embedding_dropout", &A::embedding_dropout, 1},
                             F{"num_experts", &A::num_experts, kMaxExperts},
                             F{"num_experts_per_tok", &A::num_experts_per_tok, kMaxExperts},
                             F{"moe_intermediate_size", &A::moe_intermediate_size, kMaxWidth},
                             F{"shared_intermediate_size", &A::shared_intermediate_size, kMaxWidth},
                             F{"shared_expert_gate", &A::shared_expert_gate, 0},
                             F{"router_bias", &A::router_bias, 0},
                             F{"router_correction", &A::router_correction, 0},
                             F{"expert_bias", &A::expert_bias, 0},
                             F{"first_k_dense_replace", &A::first_k_dense_replace, kMaxLayers},
                             F{"q_lora_rank", &A::q_lora_rank, kMaxWidth},
                             F{"kv_lora_rank", &A::kv_lora_rank, kMaxWidth},
                             F{"qk_rope_head_dim", &A::qk_rope_head_dim, kMaxWidth},
                             F{"qk_nope_head_dim", &A::qk_nope_head_dim, kMaxWidth},
                             F{"v_head_dim", &A::v_head_dim, kMaxWidth}};

// Visits the fields in order until one answers false.
template <class Visit>
bool for_each_field(Visit&& visit) {
  return std::apply([&](const auto&... f) { return (visit(f) && ...); }, kFields);
}

// Names of the enums that only this file spells.
constexpr std::array<string_view, 4> kNorms{"rms", "layer", "layer_no_bias", "none_affine"};
constexpr std::array<string_view, 5> kActivations{"silu", "gelu", "gelu_tanh", "relu", "relu2"};
constexpr std::array<string_view, 4> kPositions{"rope", "learned", "alibi", "none"};
constexpr std::span<const string_view> names_of(Family) { return names<Family>(); }
constexpr std::span<const string_view> names_of(Norm) { return kNorms; }
constexpr std::span<const string_view> names_of(Activation) { return kActivations; }
constexpr std::span<const string_view> names_of(Positions) { return kPositions; }

// Reads one member into `out`; on failure `error` says what would do.
struct Reader {
  const json& object;
  string_view path;
  Error error;
  std::size_t read = 0;

  bool fail(string_view field, ErrorId id, std::string got, std::string what) {
    error = {fmt::format("{}.{}", path, field), id, std::move(got), std::move(what), {}};
    return false;
  }
  template <class T>
  bool member(string_view field, T& out, std::int64_t most) {
    const auto found = object.find(field);
    if (found == object.end()) return true;
    ++read;
    const json& v = *found;
    if constexpr (std::is_same_v<T, bool>) {
      if (!v.is_boolean()) return fail(field, ErrorId::wrong_type, described(v), "true or false");
      out = v.get<bool>();
    } else if constexpr (std::is_same_v<T, double>) {
      if (!v.is_number()) return fail(field, ErrorId::wrong_type, described(v), "a number from 0 to 1");
      out = v.get<double>();
      if (!(out >= 0 && out <= static_cast<double>(most))) return fail(field, ErrorId::out_of_range, described(v), "a number from 0 to 1");
    } else if constexpr (std::is_enum_v<T>) {
      const auto all = names_of(T{});
      if (!v.is_string()) return fail(field, ErrorId::wrong_type, described(v), fmt::format("one of {}", fmt::join(all.begin(), all.end(), ", ")));
      const auto& text = v.get_ref<const std::string&>();
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i] != text) continue;
        out = static_cast<T>(i);
        return true;
      }
      return fail(field, ErrorId::unknown_name, shortened(text), fmt::format("one of {}", fmt::join(all.begin(), all.end(), ", ")));
    } else {
      const std::string range = fmt::format("an integer from 0 to {}", most);
      if (!v.is_number_integer()) return fail(field, ErrorId::wrong_type, described(v), range);
      if (!v.is_number_unsigned() || v.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) return fail(field, ErrorId::out_of_range, described(v), range);
      out = v.get<std::int64_t>();
    }
    return true;
  }
};

template <class T>
void write(JsonWriter& out, string_view field, const T& v) {
  if constexpr (std::is_enum_v<T>)
    out.field(field, names_of(v)[static_cast<std::size_t>(v)]);
  else
    out.field(field, v);
}

}  // namespace

std::string write_architecture(const Architecture& a) {
  const Architecture empty;
  JsonWriter out;
  out.open('{');
  for_each_field([&](const auto& f) {
    if (a.*f.member != empty.*f.member) write(out, f.name, a.*f.member);
    return true;
  });
  return out.close('}').take();
}

Result<Architecture> read_architecture(const json& object, string_view path) {
  if (!object.is_object()) return tl::unexpected(Error{std::string(path), ErrorId::wrong_type, described(object), "an object", {}});
  Architecture a;
  Reader reader{object, path, {}, 0};
  if (!for_each_field([&](const auto& f) { return reader.member(f.name, a.*f.member, f.most); })) return tl::unexpected(std::move(reader.error));
  if (reader.read != object.size()) {
    for (auto m = object.begin(); m != object.end(); ++m) {
      std::string_view near;
      bool known = false;
      std::size_t best = 0;
      for_each_field([&](const auto& f) {
        known = known || m.key() == f.name;
        const std::size_t d = edit_distance(m.key(), f.name);
        if (near.empty() || d < best) {
          near = f.name;
          best = d;
        }
        return true;
      });
      if (!known) return tl::unexpected(Error{fmt::format("{}.{}", path, shortened(m.key())), ErrorId::unknown_field, {}, {}, std::string(near)});
    }
  }
  for (const auto& [field, value] : {std::pair<string_view, std::int64_t>{"vocab_size", a.vocab_size},
                                     {"hidden_size", a.hidden_size},
                                     {"num_hidden_layers", a.num_hidden_layers},
                                     {"num_attention_heads", a.num_attention_heads},
                                     {"num_key_value_heads", a.num_key_value_heads},
                                     {"head_dim", a.head_dim}})
    if (value < 1) return tl::unexpected(Error{fmt::format("{}.{}", path, field), ErrorId::missing_field, {}, "an integer from 1", {}});
  return a;
}

}  // namespace gpudget::formats
