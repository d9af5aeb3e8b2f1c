// The memory ledger: what takes how many bytes on one GPU, from which phase of a training step to which, and why.
// The memory of a phase is the sum of the entries alive in it; the peak is the largest phase. An entry whose size changes between
// phases (gradients that grow while activations leave) is written once for each span, with the size it has at that phase's largest moment.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/names.h"
#include "core/units.h"

namespace gpudget {

enum class Phase : std::uint8_t { load, forward, loss, backward, step, decode };
inline constexpr std::size_t kPhases = 6;
template <>
struct Names<Phase> {
  static constexpr std::array<std::string_view, kPhases> values{"load", "forward", "loss", "backward", "step", "decode"};
};

enum class Category : std::uint8_t { weights, gradients, optimizer_states, activations, logits, kv_cache, buffers, framework };
inline constexpr std::size_t kCategories = 8;
template <>
struct Names<Category> {
  static constexpr std::array<std::string_view, kCategories> values{"weights", "gradients", "optimizer_states", "activations",
                                                                    "logits",  "kv_cache",  "buffers",          "framework"};
};

// What an entry is. Its name is its id in JSON and the end of its message id ("ledger.<id>"); grep for it to find the code that writes it.
enum class EntryId : std::uint8_t {
  weights,
  quantized_weights,
  quantization_scales,
  unquantized_weights,
  adapters,
  master_weights,  // weights
  gradients,
  adapter_gradients,  // gradients
  optimizer_states,
  optimizer_scales,  // optimizer_states
  embedding_output,
  block_inputs,
  attention_saved,
  attention_scores,
  mlp_saved,
  norm_saved,
  expert_saved,  // activations
  adapter_saved,
  dropout_masks,
  recomputed_block,
  activation_gradients,
  final_norm_saved,
  autocast_cache,
  inputs,
  logits,
  logits_fp32,
  log_softmax,
  logits_gradient,
  loss_chunk,  // logits
  kv_cache,    // kv_cache
  gathered_parameters,
  reduce_buckets,
  dequantized_weight,
  optimizer_temporaries,
  clipping_temporaries,  // buffers
  flash_backward,
  compute_temporaries,
  offload_staging,
  rotary_tables,
  causal_mask,
  communication,
  cuda_context,
  library_workspaces,
  allocator_slack  // framework
};
inline constexpr std::size_t kEntryIds = 44;
template <>
struct Names<EntryId> {
  static constexpr std::array<std::string_view, kEntryIds> values{"weights",
                                                                  "quantized_weights",
                                                                  "quantization_scales",
                                                                  "unquantized_weights",
                                                                  "adapters",
                                                                  "master_weights",
                                                                  "gradients",
                                                                  "adapter_gradients",
                                                                  "optimizer_states",
                                                                  "optimizer_scales",
                                                                  "embedding_output",
                                                                  "block_inputs",
                                                                  "attention_saved",
                                                                  "attention_scores",
                                                                  "mlp_saved",
                                                                  "norm_saved",
                                                                  "expert_saved",
                                                                  "adapter_saved",
                                                                  "dropout_masks",
                                                                  "recomputed_block",
                                                                  "activation_gradients",
                                                                  "final_norm_saved",
                                                                  "autocast_cache",
                                                                  "inputs",
                                                                  "logits",
                                                                  "logits_fp32",
                                                                  "log_softmax",
                                                                  "logits_gradient",
                                                                  "loss_chunk",
                                                                  "kv_cache",
                                                                  "gathered_parameters",
                                                                  "reduce_buckets",
                                                                  "dequantized_weight",
                                                                  "optimizer_temporaries",
                                                                  "clipping_temporaries",
                                                                  "flash_backward",
                                                                  "compute_temporaries",
                                                                  "offload_staging",
                                                                  "rotary_tables",
                                                                  "causal_mask",
                                                                  "communication",
                                                                  "cuda_context",
                                                                  "library_workspaces",
                                                                  "allocator_slack"};
};

// A formula with its numbers: a product of factors, read left to right. `divides` factors stand under the line.
// Term says what a factor counts, so that a view can label it in any language ("32 layers × 4 096 × 2 B").
enum class Term : std::uint8_t { parameters, layers, batch, tokens, hidden, width, heads, vocab, experts, rank, bytes, bits, gpus, count, elements };
template <>
struct Names<Term> {
  static constexpr std::array<std::string_view, 15> values{"parameters", "layers", "batch", "tokens", "hidden", "width", "heads",   "vocab",
                                                           "experts",    "rank",   "bytes", "bits",   "gpus",   "count", "elements"};
};
struct Factor {
  Term term;
  bool divides;
  std::int64_t value;
  constexpr bool operator==(const Factor&) const = default;
};
struct Formula {
  std::array<Factor, 7> factors;  // the first `size` count, the others are never written
  std::uint8_t size = 0;
  constexpr Formula() {}  // NOLINT(modernize-use-equals-default)
  template <class... F>
  constexpr explicit Formula(F... f) {
    ((*this << f), ...);
  }
  constexpr std::span<const Factor> view() const { return {factors.data(), size}; }
  constexpr Formula& operator<<(Factor f) {
    factors[size++] = f;
    return *this;
  }
};
constexpr Factor times(Term t, std::int64_t v) { return {t, false, v}; }
constexpr Factor over(Term t, std::int64_t v) { return {t, true, v}; }
// `f` values of so many bits each: whole bytes where they are ("× 2 B"), else "× 4 bits ÷ 8".
constexpr Formula of_bits(Formula f, std::int64_t bits) {
  if (bits % 8 == 0) return f << times(Term::bytes, bits / 8);
  return f << times(Term::bits, bits) << over(Term::count, 8);
}

struct LedgerEntry {
  EntryId id{};
  Category category{};
  Phase from{}, to{};
  Bytes size;
  Formula formula;
  constexpr bool alive_in(Phase p) const { return from <= p && p <= to; }
};

class Ledger {
 public:
  static constexpr std::size_t kCapacity = 96;
  // Only the entries that there are cost anything: an Estimate is made and copied hundreds of thousands of times.
  Ledger() {}  // NOLINT(modernize-use-equals-default): a union's
  Ledger(const Ledger& other) : totals_(other.totals_), size_(other.size_), only_totals_(other.only_totals_) { copy(other); }
  Ledger& operator=(const Ledger& other) {
    totals_ = other.totals_, size_ = other.size_, only_totals_ = other.only_totals_;
    copy(other);
    return *this;
  }
  // Whoever asks only whether something fits needs the phases' totals alone: then no entry is kept, and no category.
  void keep_only_totals() { only_totals_ = true; }
  bool only_totals() const { return only_totals_; }
  // Entries of zero bytes are left out. Beyond kCapacity the entry is added to the last one, so that totals stay right.
  void add(EntryId id, Category category, Bytes size, Phase from, Phase to, const Formula& formula) {
    if (size <= Bytes{}) return;
    for (std::size_t p = static_cast<std::size_t>(from); p <= static_cast<std::size_t>(to); ++p) totals_[p] += size;
    if (!only_totals_) append(id, category, size, from, to, formula);
  }
  std::span<const LedgerEntry> entries() const { return {entries_.data(), size_}; }
  Bytes phase_total(Phase p) const { return totals_[static_cast<std::size_t>(p)]; }
  Bytes phase_total(Phase p, Category c) const;
  // The same for all phases, or all categories of one phase.
  const std::array<Bytes, kPhases>& phase_totals() const { return totals_; }
  std::array<Bytes, kCategories> category_totals(Phase p) const;
  void clear() { totals_ = {}, size_ = 0; }

 private:
  void append(EntryId id, Category category, Bytes size, Phase from, Phase to, const Formula& formula);
  void copy(const Ledger& other) {
    for (std::size_t i = 0; i < size_; ++i) entries_[i] = other.entries_[i];
  }
  union {  // not written until used
    std::array<LedgerEntry, kCapacity> entries_;
  };
  std::array<Bytes, kPhases> totals_{};
  std::size_t size_ = 0;
  bool only_totals_ = false;
};

}  // namespace gpudget
