// Inter, subset at build time to what the three languages need, digits of one width: OpenType files inside the program.
// Defined in a source that the build generates (fonts.cpp).
#pragma once
#include <span>

namespace gpudget::app {

std::span<const unsigned char> inter_regular();
std::span<const unsigned char> inter_semibold();

}  // namespace gpudget::app
