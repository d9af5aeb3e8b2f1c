// What the page and the desktop window share: the ImGui context and its fonts, the interface, and when a frame is needed.
// Nothing runs while nothing moves: the main of each place sleeps until input or until next_frame() says so.
//
//   App app;                       // context and fonts
//   PlatformGlfw platform(…);      // needs the context
//   app.start(host, options);      // makes the interface
//   loop: wait for input, at most app.next_frame(now) seconds; on input app.input(); when due app.frame(platform, now)
#pragma once
#include <memory>

#include "app/platform.h"
#include "imgui.h"
#include "ui/ui.h"

namespace gpudget::app {

class App {
 public:
  App();
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  void start(ui::Host& host, const ui::Options& options);
  ui::Interface& interface() { return *interface_; }
  void set_options(const ui::Options& options);  // of the interface, and what follows from them (motion, size of targets)

  // Something happened (a key, the pointer, a message, a new size): ImGui needs three frames for layout, popups and focus to settle.
  void input();
  // Seconds from `now` until the next frame is due: 0 at once, infinity when only input can bring one.
  double next_frame(double now) const;
  // Draws one frame. `now`: seconds of any monotonic clock. A pause counts as a tenth of a second at most.
  void frame(Platform& platform, double now);
  std::uint64_t frames() const { return frames_; }

 private:
  ImFont* regular_ = nullptr;
  ImFont* semibold_ = nullptr;
  std::unique_ptr<ui::Interface> interface_;
  int frames_wanted_ = 3;
  double last_frame_ = -1, wake_at_ = 0;   // seconds; wake_at_: infinity for never
  std::uint64_t frames_ = 0;
};

// The cursor that a CSS or native cursor of the same meaning stands for; ImGuiMouseCursor_None: hidden.
ImGuiMouseCursor cursor();
// Where the text caret of the active field is, in layout units, so that input methods open there.
struct TextInput {
  bool wanted = false;
  bool decimal = false;          // numbers only: a soft keyboard with digits
  bool multiline = false;
  ImVec2 caret;
  float line_height = 0;
};
TextInput text_input();
// Whether a scroll of `x`, `y` (ImGui's signs: positive y scrolls up) at the pointer moves anything; if not it belongs to the page around us.
bool can_scroll(float x, float y);
// Scrolls what is under the pointer by layout units, for fingers; returns whether anything moved.
bool scroll_by(float x, float y);

}  // namespace gpudget::app
