// How far one name is from another, for "did you mean". No heap; long text is compared by its beginning, so that hostile input is cheap.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace gpudget {

// Insertions, deletions, changes and swaps of neighbours that turn one into the other; letters compare without case, '-' equals '_'.
std::size_t edit_distance(std::string_view a, std::string_view b);
// True when a person may well have meant `name`: at most a third of the letters differ, or one contains the other.
bool plausible(std::string_view typed, std::string_view name);

}  // namespace gpudget
