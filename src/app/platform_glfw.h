// The desktop's window: GLFW for events, OpenGL 3 for paint. Layout units are pixels at 96 dpi; a denser screen has a larger scale.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/platform.h"

struct GLFWwindow;

namespace gpudget::app {

struct Picture {
  int width = 0, height = 0;          // device pixels
  std::vector<unsigned char> pixels;  // RGB, top row first
};

struct WindowOptions {
  int width = 1280, height = 800;  // layout units
  int x = 0, y = 0;
  bool placed = false;  // x, y are wanted
  bool maximized = false;
  bool off_screen = false;  // never shown: paints into a picture
  float scale = 0;          // device pixels a layout unit; 0: the screen's own
};

class PlatformGlfw final : public Platform {
 public:
  // Needs the ImGui context. On failure (no display, no OpenGL 3) `error` says why, and nothing else may be called.
  PlatformGlfw(const WindowOptions& options, std::string& error);
  ~PlatformGlfw() override;
  PlatformGlfw(const PlatformGlfw&) = delete;
  PlatformGlfw& operator=(const PlatformGlfw&) = delete;

  void begin_frame() override;
  void paint(ImDrawData& data, ImVec4 background) override;

  // Sleeps until an event or for `seconds` (infinity: until an event); from any thread, wake() ends the sleep.
  static void wait(double seconds);
  static void wake();
  bool closing() const;
  void close();
  bool shown() const;  // neither minimised nor hidden
  void title(const std::string& text);
  WindowOptions placement() const;  // where the window is now, to be remembered
  void keep_next_picture() { keep_picture_ = true; }
  const Picture& picture() const { return picture_; }  // of the last frame painted after keep_next_picture()

  std::function<void()> on_input;                                      // anything happened
  std::function<void(const std::vector<std::string>& paths)> on_drop;  // files dropped on the window
  // Keys before ImGui sees them; true: taken.
  std::function<bool(int key, int modifiers)> on_key;

 private:
  struct OffScreen;
  static PlatformGlfw& of(GLFWwindow* window);
  void install_callbacks();
  void mouse_to_imgui() const;
  float scale() const;

  GLFWwindow* window_ = nullptr;
  std::unique_ptr<OffScreen> off_screen_;
  float fixed_scale_ = 0;
  mutable WindowOptions placed_;  // the last place while not maximized
  bool keep_picture_ = false;
  Picture picture_;
};

}  // namespace gpudget::app
