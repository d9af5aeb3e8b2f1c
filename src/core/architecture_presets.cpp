#include "core/architecture_presets.h"

#include <algorithm>
#include <array>

#include "core/parameters.h"

namespace gpudget {
namespace {

struct Anchor {
  std::int64_t parameters, layers;
};
// Llama 3.2 1B and 3B, 3.1 8B, 2 13B, 1 33B, 3.1 70B and 405B; outside them the same growth goes on.
constexpr std::array<Anchor, 12> kDepth{{{1'000'000, 2},
                                         {20'000'000, 4},
                                         {200'000'000, 12},
                                         {1'240'000'000, 16},
                                         {3'210'000'000, 28},
                                         {8'030'000'000, 32},
                                         {13'000'000'000, 40},
                                         {32'500'000'000, 60},
                                         {70'600'000'000, 80},
                                         {405'000'000'000, 126},
                                         {20'000'000'000'000, 320},
                                         {100'000'000'000'000, 400}}};

std::int64_t layers_for(std::int64_t parameters) {
  for (std::size_t i = 1; i < kDepth.size(); ++i) {
    const Anchor &low = kDepth[i - 1], &high = kDepth[i];
    if (parameters <= high.parameters) {
      // In steps of 1e6 parameters, so that the product stays far from overflow.
      const std::int64_t above = (parameters - low.parameters) / 1'000'000, width = (high.parameters - low.parameters) / 1'000'000;
      return low.layers + above * (high.layers - low.layers) / width;
    }
  }
  return kDepth.back().layers;
}

Architecture shape(std::int64_t vocabulary, std::int64_t hidden, std::int64_t layers, std::int64_t intermediate) {
  Architecture a;
  a.vocab_size = vocabulary;
  a.hidden_size = hidden;
  a.intermediate_size = intermediate;
  a.num_hidden_layers = layers;
  a.head_dim = a.rotary_dim = 128;
  a.num_key_value_heads = ceil_divide(hidden, 512);  // one for each four query heads
  a.num_attention_heads = 4 * a.num_key_value_heads;
  a.max_position_embeddings = 131'072;
  return a;
}

}  // namespace

Architecture llama_like(std::int64_t parameters) {
  parameters = std::clamp(parameters, kMinLlamaLike, kMaxLlamaLike);
  const std::int64_t layers = layers_for(parameters), vocabulary = std::min<std::int64_t>(128'256, parameters / 800);
  // The widest that is not too large with the usual MLP, in multiples of 16 ...
  std::int64_t low = 2, high = 16'384;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (count_parameters(shape(vocabulary, 16 * middle, layers, 56 * middle)).total <= parameters)
      low = middle;
    else
      high = middle - 1;
  }
  // ... and the MLP filled up to the size asked for.
  const std::int64_t hidden = 16 * low;
  const std::int64_t missing = parameters - count_parameters(shape(vocabulary, hidden, layers, 56 * low)).total;
  return shape(vocabulary, hidden, layers, 56 * low + std::max<std::int64_t>(0, missing / product(3, hidden, layers)));
}

}  // namespace gpudget
