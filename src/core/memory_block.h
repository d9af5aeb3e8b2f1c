// What one transformer block keeps for its backward pass, and what its backward pass holds at its largest moments. All bytes on one GPU.
// Source: the modelling code of transformers 5.12 with PyTorch 2.14's derivatives.yaml (what each operator saves); tensors of an RMSNorm'd block in
// bf16 with N tokens: norm 4Nh (its fp32 copy) + 4N + 2Nh (normalized, for the weight's gradient) + 2Nh (what the projections read), twice;
// queries, keys, values and the attention's result 2N each, its log-sum-exp 4N a head; gate, activation, up and their product 2NI each.
#pragma once
#include <cstdint>

#include "core/parameters.h"
#include "core/scenario.h"

namespace gpudget {

struct BlockMemory {
  // Saved for backward.
  std::int64_t norms = 0, attention = 0, scores = 0, mlp = 0, experts = 0, adapters = 0, dropout = 0;
  std::int64_t first_masks = 0;  // of dropout, for what the block reads: the first block's input needs no gradient, so it keeps none
  std::int64_t casts = 0;        // autocast's copies of frozen weights, kept for their inputs' gradients
  std::int64_t saved() const { return norms + attention + scores + mlp + experts + adapters + dropout; }
  std::int64_t dense_mlp = 0;              // the MLP of the first layers where they have no experts
  std::int64_t adapting = 0, adapted = 0;  // the fp32 product of the largest expert tensor's adapter, and scaled; the others, ready by then
  std::int64_t repeated = 0;  // more in a block of sliding attention: PyTorch's attention takes grouped heads as they are only where no mask is given
  std::int64_t final_norm = 0;
  std::int64_t input = 0;                         // its input in the residual stream, what checkpointing keeps
  std::int64_t kept_attention = 0, kept_mlp = 0;  // more that selective checkpointing keeps
  // Backward moments, beyond everything saved and the stream's gradient; *_gone: of what was saved, freed by then.
  std::int64_t mlp_extra = 0, mlp_weight = 0;            // at the activation's product, after the down projection's gradient
  std::int64_t norm_extra = 0, norm_gone = 0;            // at the norm before the MLP
  std::int64_t attention_extra = 0, attention_gone = 0;  // at the attention kernel
  std::int64_t last_norm_extra = 0;                      // at the first norm, all else gone
  std::int64_t dequantized = 0;                          // the largest 4-bit weight unpacked, for a gradient
  std::int64_t unpacked = 0;                             // for the forward pass: in its input's type, and autocast's copy
  std::int64_t weight_width = 2;
};

// Widths in bytes of the residual stream and of what matrix products read.
struct Widths {
  std::int64_t stream = 2, compute = 2;
  bool autocast() const { return stream != compute; }
};
Widths activation_widths(const Scenario& s);

// Whether this tensor is held in 4 bits where linear layers are. transformers 5 replaces what is an nn.Linear itself, by type (integrations/bitsandbytes.py,
// replace_with_bnb_linear): the head is left alone, and so is all of Falcon, whose FalconLinear is a class of its own (transformers 4 packed it).
bool is_packed(const Scenario& s, const ParameterTensor& t);
// What transformers' defaults give where checkpointing is reentrant and FSDP the first (version 4): see input_gradients in memory.cpp.
bool reentrant(const Scenario& s);

// Of one block's matrix products those that selective checkpointing computes again, as a share of all, by their sizes.
double recomputed_share(const ParameterList& list);

// `list`: parameter_list of the scenario's model; `tokens` of this GPU (batch times its part of the length), `tensor` the tensor-parallel degree.
BlockMemory block_memory(const Scenario& s, const ParameterList& list, std::int64_t tokens, std::int64_t tensor);

}  // namespace gpudget
