// The icons, drawn: one stroke, 16 units square. A text stands beside each, or the item carries it as its label.
#pragma once
#include "imgui.h"

namespace gpudget::ui {

enum class Icon : unsigned char {
  none,
  check,
  cross,
  warning,
  chevron_down,
  chevron_right,
  chevron_up,
  undo,
  redo,
  copy,
  link,
  download,
  search,
  sun,
  moon,
  plus,
  pin,
  info,
  reset,
  more,
  external,
  file,
  play
};
void draw_icon(ImDrawList* list, Icon icon, ImVec2 centre, ImU32 colour, float size = 16);

}  // namespace gpudget::ui
