// "Did you mean": the nearest of some names to what was typed.
#pragma once
#include <span>
#include <string_view>

#include "core/edit_distance.h"

namespace gpudget::formats {

// The nearest name; of equals the first. `names` is not empty.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> names);

}  // namespace gpudget::formats
