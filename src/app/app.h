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
  bool started() const { return interface_ != nullptr; }
  ui::Interface& interface() { return *interface_; }
  void set_options(const ui::Options& options);  // of the interface, and what follows from them (motion, size of targets)

  // Whether keys go to us: without focus no caret blinks.
  void focus(bool on);
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
  bool focused_ = true, reduced_motion_ = false;
  double last_frame_ = -1, wake_at_ = 0;  // seconds; wake_at_: infinity for never
  std::uint64_t frames_ = 0;
};

}  // namespace gpudget::app
