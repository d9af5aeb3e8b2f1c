// Shapes for a size that is no particular model: "7B" becomes a Llama-like decoder of that many parameters.
#pragma once
#include <cstdint>

#include "core/architecture.h"

namespace gpudget {

inline constexpr std::int64_t kMinLlamaLike = 1'000'000, kMaxLlamaLike = 100'000'000'000'000;

// A shape in the manner of Llama 3 (vocabulary 128 256, less below 100M; untied, grouped heads of 128, gated MLP about 3.5 times as wide) with at most
// `parameters` parameters and less than 0.1 % below it from 100M on. Depth follows the published models (16 layers at 1B, 32 at 8B, 80 at 70B,
// 126 at 405B). Both ends of the range are kept to.
Architecture llama_like(std::int64_t parameters);

}  // namespace gpudget
