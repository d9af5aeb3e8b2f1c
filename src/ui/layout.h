// Where things stand: wide, the question at the left and the answer at the right, each scrolling alone with the verdict in view; narrow, one
// column under a strip with the verdict; embedded, without header. One surface, nothing floats.
#pragma once
#include "ui/frame.h"

namespace gpudget::ui {

float draw_surface(Frame& f);  // the whole window; returns the height that the whole content would take

}  // namespace gpudget::ui
