#include "ui/charts/scale.h"

#include <array>
#include <cmath>

namespace gpudget::ui {

std::vector<double> nice_ticks(double from, double to, int most) {
  std::vector<double> ticks;
  if (!(to > from) || most < 1) return ticks;
  const double raw = (to - from) / most, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = power * 10;
  for (const double k : std::array{1.0, 2.0, 5.0})
    if (power * k >= raw * 0.999) {
      step = power * k;
      break;
    }
  for (double i = std::ceil(from / step); i * step <= to * (1 + 1e-9); ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> decades(double from, double to) {
  std::vector<double> ticks;
  if (!(from > 0) || !(to > from)) return ticks;
  for (double e = std::floor(std::log10(from)); e <= std::ceil(std::log10(to)); ++e)
    for (const double k : std::array{1.0, 2.0, 5.0}) {
      const double v = k * std::pow(10.0, e);
      if (v >= from && v <= to) ticks.push_back(v);
    }
  return ticks;
}

}  // namespace gpudget::ui
