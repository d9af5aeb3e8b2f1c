// Points on two axes (logarithmic where asked), the front joined by steps, the rest quiet, limits as shaded ground. Layout is pure;
// the nearest point is lit by hover, arrow keys walk the points from left to right, click or Enter chooses.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/frame.h"

namespace gpudget::ui {

struct ScatterPoint {
  double x = 0, y = 0;
  bool front = false;  // on the Pareto front, or otherwise in the first rank
  ImU32 colour = 0;
  float radius = 4;
  std::string label;  // drawn beside it where there is room; may be empty
};
struct ScatterInput {
  std::vector<ScatterPoint> points;
  bool logarithmic = true;  // both axes
  bool join_front = true;
  bool diagonal = false;        // the line x = y, for measured against predicted
  std::vector<double> x_steps;  // where ticks may stand on the x axis, growing (minutes, hours, days); empty: 1-2-5
  std::optional<double> limit_x, limit_y;
  std::string x_title, y_title;
  std::function<std::string(double)> x_text, y_text;
  std::function<float(std::string_view)> measure;
  float width = 0, height = 0;
};
struct ScatterMarks {
  struct At {
    float x = 0, y = 0;
  };
  std::vector<At> points;           // inside the plot, y down
  std::vector<std::size_t> order;   // by x, for the keyboard
  std::vector<std::size_t> labels;  // points whose label is drawn: none overlaps another
  std::vector<std::pair<float, double>> x_ticks, y_ticks;
  double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
  float left = 78, top = 24, right = 0, bottom = 0;
};
ScatterMarks layout_scatter(const ScatterInput& in);
// Returns the point that was chosen, or -1. `lit`: the point under the pointer or the keys, kept between frames (-1: none).
int paint_scatter(const Frame& f, const char* id, std::string_view description, const ScatterInput& in, int& lit);

}  // namespace gpudget::ui
