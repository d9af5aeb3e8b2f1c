// The seam between the program and the place it runs in, chosen at link time: platform_glfw.cpp draws in a window of the desktop,
// platform_web.cpp on a canvas. A Platform is made after App (which owns the ImGui context) and feeds it input and paints its frames;
// what the interface itself asks for (files, links, copying) is ui::Host, implemented beside each main.
#pragma once
#include "imgui.h"

namespace gpudget::app {

class Platform {
 public:
  virtual ~Platform() = default;
  // Before ImGui::NewFrame(): size of the surface in layout units (io.DisplaySize), device pixels for one unit
  // (io.DisplayFramebufferScale), and what the backend does every frame. App sets io.DeltaTime.
  virtual void begin_frame() = 0;
  // After ImGui::Render(): clears the surface with `background` and paints.
  virtual void paint(ImDrawData& data, ImVec4 background) = 0;
};

}  // namespace gpudget::app
