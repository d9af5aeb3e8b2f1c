// The fit bar: one GPU's memory as a stacked bar to scale, the capacity as a line, what is free or too much, the range that validation
// supports as a whisker, a label on every part that can be seen. Layout is pure (no ImGui), paint draws it; parts are lit by hover and arrow keys.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ledger.h"
#include "ui/frame.h"

namespace gpudget::ui {

struct BarPart {
  Category category{};
  Bytes size;
  std::string name, value;  // "Weights", "16.1 GB"
};
struct BarInput {
  std::vector<BarPart> parts;        // in order, zeros left out
  Bytes total, capacity, low, high;  // capacity 0: no line; high 0: no whisker
  Bytes scale;                       // what the width stands for; 0: chosen
  float width = 0, bar = 44;         // of the whole; height of the bar
  bool labels = true;
  std::function<float(std::string_view)> measure;  // width of a small text
};

struct BarMark {  // x in 0..width
  std::size_t part = 0;
  float from = 0, to = 0;
};
struct BarLabel {
  std::size_t part = 0;
  bool inside = false;
  float x = 0, width = 0;  // left edge
  int row = 0;             // of the rows beneath, for those outside
  float anchor = 0;        // where its leader starts
};
struct BarMarks {
  std::vector<BarMark> parts;
  std::vector<BarLabel> labels;
  int rows = 0;         // rows of labels beneath the bar
  bool listed = false;  // the labels do not fit in one row: they stand in a grid beneath, each with its colour
  int columns = 0;
  float end = 0, capacity = 0, low = 0, high = 0;
  bool clipped = false;  // the bar goes beyond the scale
};
BarMarks layout_bar(const BarInput& in);
float bar_height(const BarInput& in, const BarMarks& marks);  // with its labels; the caption above is the caller's
// Draws at the cursor and takes the space; hovering or walking with the arrows lights a category (State::next_lit).
void paint_bar(const Frame& f, const char* id, const BarInput& in, const BarMarks& marks);

std::vector<BarPart> bar_parts(const Frame& f, const MemoryEstimate& memory);

}  // namespace gpudget::ui
