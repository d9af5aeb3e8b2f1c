// Every parameter tensor of a model, by part, from its shape: exact counts of what PyTorch allocates. Gradients, optimizer states, LoRA
// targets and quantization all walk this one list, so they cannot disagree about what a model consists of.
// Source: the modelling code of transformers 5.12, one class a family (src/transformers/models/<family>/modeling_<family>.py).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/architecture.h"
#include "core/scenario.h"

namespace gpudget {

enum class Part : std::uint8_t { embedding, positions, attention, mlp, experts, router, norm, lm_head };
inline constexpr std::size_t kParts = 8;
template <>
struct Names<Part> {
  static constexpr std::array<std::string_view, kParts> values{"embedding", "positions", "attention", "mlp", "experts", "router", "norm", "lm_head"};
};

// A group of equal tensors. `rows` x `columns` is the weight as PyTorch holds it (out x in for nn.Linear, elements x 1 for vectors).
struct ParameterTensor {
  enum class Kind : std::uint8_t {
    linear,  // nn.Linear: bitsandbytes quantizes it, "all-linear" targets it
    conv1d,  // GPT-2's transposed linear: "all-linear" targets it, bitsandbytes (through the oracle's rule) leaves it
    embedding,
    vector,         // norms and biases
    expert_matrix,  // one matrix an expert in a single 3-d parameter (transformers 5), or an nn.Linear each (`apart`, transformers 4)
    matrix,         // a plain 2-d parameter (routers)
    buffer          // held with the weights, never trained (DeepSeek-V3's score correction)
  };
  Part part{};
  Module module{};  // meaningful for linear, conv1d, expert_matrix and lm_head
  Kind kind{};
  std::int64_t rows = 0, columns = 1;
  std::int64_t depth = 1;   // matrices in one tensor (experts)
  std::int64_t count = 0;   // tensors of this shape on the whole model
  std::int64_t active = 0;  // of rows * columns * depth, used for one token
  // Ranks that peft gives its adapter: 2 where one tensor holds two projections (gate and up of all experts), 0 where peft cannot reach it (dense MLPs
  // beside experts that it converts by their old names, utils/transformers_weight_conversion.py of peft 0.20; 3-d experts of families that it does not know).
  std::int64_t adapter_ranks = 1;
  bool apart = false;  // each of the `depth` matrices is an nn.Linear of its own: bitsandbytes quantizes it, an adapter is put on it
  constexpr std::int64_t elements() const { return product(rows, columns, depth); }
  constexpr std::int64_t total() const { return saturating_multiply(elements(), count); }
};

class ParameterList {
 public:
  static constexpr std::size_t kCapacity = 48;
  ParameterList() {}  // NOLINT(modernize-use-equals-default): a union's; the rows are written as they come
  void add(const ParameterTensor& t) {
    if (t.count > 0 && t.rows > 0 && size_ < kCapacity) items_[size_++] = t;
  }
  std::span<const ParameterTensor> view() const& { return {items_.data(), size_}; }
  std::span<const ParameterTensor> view() const&& = delete;  // a range-for over a temporary's items would outlive them

 private:
  union {
    std::array<ParameterTensor, kCapacity> items_;
  };
  std::size_t size_ = 0;
};

// Whether the experts, and their router, are nn.Linear modules, one after the other: those of Mixtral, Qwen and DeepSeek before transformers 5.
bool experts_apart(const Architecture& a, Transformers version);
ParameterList parameter_list(const Architecture& a, Transformers version = Transformers::v5);

struct ParameterCount {
  std::array<std::int64_t, kParts> parts{};  // by Part; a tied head counts in embedding only
  std::int64_t total = 0;                    // trainable in full fine-tuning
  std::int64_t active = 0;                   // used for one token: experts_per_tok of the experts
  constexpr std::int64_t part(Part p) const { return parts[static_cast<std::size_t>(p)]; }
};
ParameterCount count_parameters(const ParameterList& list);
ParameterCount count_parameters(const Architecture& a);

// True when an adapter is put on this tensor. "all-linear" is every linear layer but the output head (peft); "attention" is the
// projections of the attention.
bool is_lora_target(const ParameterTensor& t, const TargetModules& targets);
// Elements of A and B (and DoRA's magnitude) of one adapted matrix.
std::int64_t lora_elements(const ParameterTensor& t, const Lora& lora);
// Of the whole model.
std::int64_t lora_parameters(const ParameterList& list, const Lora& lora);
// What the scenario trains: everything in full fine-tuning, the adapters under LoRA and QLoRA, nothing in inference.
std::int64_t trainable_parameters(const Scenario& s, const ParameterList& list);

}  // namespace gpudget
