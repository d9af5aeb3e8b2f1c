// Every item that a frame drew, with its label, rectangle and state, from Dear ImGui's own hooks: what a test clicks by label, what tells
// whether the keyboard is at the first or last item, what an overlay or the accessible twin can follow. Off (and free) until asked for.
#pragma once
#include <span>
#include <string>

#include "imgui.h"

namespace gpudget::ui {

struct Item {
  ImGuiID id = 0;
  std::string label;        // as drawn, without "##…"; empty where the widget reports none
  ImVec2 minimum, maximum;  // in the layout's units, unclipped
  bool visible = false;     // any part of it inside the clip rectangle
  bool checkable = false, checked = false, openable = false, opened = false, inputable = false, disabled = false;
};

void collect_items(bool on);    // for the current ImGui context
void begin_items();             // before NewFrame(): forgets the frame before
std::span<const Item> items();  // of the frame that was drawn last, in drawing order

ImGuiID focused_item();  // that the keyboard is at; 0: none

}  // namespace gpudget::ui
