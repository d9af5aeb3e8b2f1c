// The step timeline: memory over the phases as stacked areas, the peak marked. Widths are equal, not times. Layout is pure.
#pragma once
#include <array>
#include <vector>

#include "core/estimate.h"
#include "ui/frame.h"

namespace gpudget::ui {

struct TimelineBand {  // one category over the phases
  Category category{};
  std::vector<float> low, high;  // y of its edges at each phase, 0 at the bottom, 1 at the top of the scale
};
struct TimelineMarks {
  std::vector<Phase> phases;  // those that happen
  std::vector<TimelineBand> bands;
  std::size_t peak = 0;       // of `phases`
  float capacity = 0;         // y
  double top_bytes = 0;       // what y = 1 stands for
  std::vector<double> ticks;  // bytes
};
// `tick_unit`: bytes of the unit shown (1e9 or 2^30): ticks are nice steps in it.
TimelineMarks layout_timeline(const MemoryEstimate& m, double tick_unit, int most_ticks = 5);
void paint_timeline(const Frame& f, const char* id, const MemoryEstimate& m, float width, float height);

}  // namespace gpudget::ui
