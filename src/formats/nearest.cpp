#include "formats/nearest.h"

namespace gpudget::formats {

std::string_view nearest(std::string_view typed, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t best_distance = 0;
  for (const std::string_view name : names) {
    const std::size_t d = edit_distance(typed, name);
    if (best.data() == nullptr || d < best_distance) {
      best = name;
      best_distance = d;
    }
  }
  return best;
}

}  // namespace gpudget::formats
