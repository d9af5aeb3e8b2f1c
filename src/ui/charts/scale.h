// Axis steps that people read at a glance: 1, 2 or 5 times a power of ten (2, 4, 8 … times in binary units).
#pragma once
#include <vector>

namespace gpudget::ui {
std::vector<double> nice_ticks(double from, double to, int most);
std::vector<double> decades(double from, double to);  // for a logarithmic axis: 1, 2, 5 × 10^n inside the range
}  // namespace gpudget::ui
