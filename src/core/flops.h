// Floating-point operations of one token, counted from the architecture: two for each weight of each matrix multiplication that the token
// passes, and the attention's quadratic part. Elementwise work, norms, rotary embeddings and lookups are not counted (they are memory traffic,
// see compute.cpp), which is the convention of published MFU figures (PaLM, appendix B; llm-foundry; Megatron).
#pragma once
#include "core/estimate.h"
#include "core/parameters.h"
#include "core/scenario.h"

namespace gpudget {

// Weights that one token meets in matrix multiplications, element counts of the whole model.
struct TokenWeights {
  std::int64_t attention = 0;  // projections of all layers
  std::int64_t mlp = 0;        // dense MLPs, the active experts with their router and the shared experts, all layers
  std::int64_t head = 0;       // the output projection, and OPT-350M's projections in and out
  constexpr std::int64_t blocks() const { return attention + mlp; }
};
TokenWeights token_weights(const Architecture& a);

// Weights of LoRA adapters that one token meets (A and B of each target matrix; of experts, those that are active).
double token_adapter_weights(const ParameterList& list, const Lora& lora);

// What a model and a method decide once, whatever the batch, the hardware and the sharding: the planner keeps it across candidates.
struct ModelWork {
  TokenWeights weights;
  double adapters = 0;          // token_adapter_weights
  double recomputed = 0;        // of the blocks' products, computed again under selective checkpointing
  std::int64_t parameters = 0;  // of the whole model
  std::int64_t trainable = 0;
};
ModelWork model_work(const Scenario& s, const ModelSummary& summary);

// Operations of the attention scores and of the weighted sum for one token in the forward pass, at a sequence of `tokens`: 4 * width * context,
// the context not halved for causality (as MFU counts it) but bounded by a sliding window in the layers that have one.
double attention_flops(const Architecture& a, std::int64_t tokens);

struct TokenFlops {
  double blocks = 0;     // forward: weights inside the blocks
  double attention = 0;  // forward: the quadratic part
  double head = 0;       // forward: the output projection
  double adapters = 0;   // forward: LoRA matrices
  double forward = 0;    // all of the above
  double model = 0;      // forward and backward of the method, nothing recomputed: what MFU divides by
  double total = 0;      // with what gradient checkpointing computes again
};
// full: the backward pass costs twice the forward. LoRA, QLoRA: frozen weights have no weight gradient, so once; adapters and attention twice.
// Checkpointing: full repeats the blocks' forward, selective every other matrix product, and eager attention. inference: forward only.
TokenFlops token_flops(const Scenario& s, const ModelWork& work);

}  // namespace gpudget
