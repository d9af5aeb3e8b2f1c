// The catalog as JSON: what `gpudget list … --json` and the JavaScript module's list() give. One object a row, ids as a Scenario takes them.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "core/names.h"

namespace gpudget::formats {
enum class ListKind : std::uint8_t { models, gpus, prices, optimizers };
std::string write_list(ListKind kind);
}  // namespace gpudget::formats

namespace gpudget {
template <>
struct Names<formats::ListKind> {
  static constexpr std::array<std::string_view, 4> values{"models", "gpus", "prices", "optimizers"};
};
}  // namespace gpudget
