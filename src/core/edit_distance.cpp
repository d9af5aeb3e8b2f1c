#include "core/edit_distance.h"

#include <algorithm>
#include <array>

namespace gpudget {
namespace {

constexpr std::size_t kLongest = 96;

constexpr char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '-' ? '_' : c; }

bool contains(std::string_view whole, std::string_view piece) {
  if (piece.size() > whole.size()) return false;
  for (std::size_t start = 0; start + piece.size() <= whole.size(); ++start) {
    std::size_t i = 0;
    while (i < piece.size() && folded(whole[start + i]) == folded(piece[i])) ++i;
    if (i == piece.size()) return true;
  }
  return false;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kLongest);
  b = b.substr(0, kLongest);
  std::array<std::array<std::size_t, kLongest + 1>, 3> rows{};  // the last two rows and the one being made
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  std::size_t current = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t previous = current, before = (current + 2) % 3;
    current = (current + 1) % 3;
    rows[current][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = folded(a[i - 1]), y = folded(b[j - 1]);
      std::size_t best = std::min({rows[previous][j] + 1, rows[current][j - 1] + 1, rows[previous][j - 1] + (x == y ? 0U : 1U)});
      if (i > 1 && j > 1 && x == folded(b[j - 2]) && folded(a[i - 2]) == y) best = std::min(best, rows[before][j - 2] + 1);
      rows[current][j] = best;
    }
  }
  return rows[current][b.size()];
}

bool plausible(std::string_view typed, std::string_view name) {
  typed = typed.substr(0, kLongest);
  if (typed.size() >= 3 && (contains(name, typed) || (name.size() >= 3 && contains(typed, name)))) return true;
  return edit_distance(typed, name) * 3 <= std::max(typed.size(), name.size());
}

}  // namespace gpudget
