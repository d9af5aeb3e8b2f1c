// The canvas: WebGL2 through Dear ImGui's OpenGL3 backend, and the page's events as ImGui's. All listeners are in web/platform.js; it calls the
// exported functions of web.cpp, which call these. Positions and sizes are CSS pixels.
#pragma once
#include <string_view>

#include "app/platform.h"
#include "imgui.h"

namespace gpudget::app {

enum class Pointer : int { mouse, touch, pen, gone };
enum Modifiers : int { kCtrl = 1, kShift = 2, kAlt = 4, kSuper = 8 };

class PlatformWeb final : public Platform {
 public:
  explicit PlatformWeb(bool mac);  // mac: Cmd is the key of shortcuts
  ~PlatformWeb() override;
  PlatformWeb(const PlatformWeb&) = delete;
  PlatformWeb& operator=(const PlatformWeb&) = delete;

  bool start_drawing();  // makes the WebGL2 context of Module.canvas; false: there is none to be had
  bool drawing() const { return drawing_; }
  void context_lost();
  bool context_restored();

  void begin_frame() override;
  void paint(ImDrawData& data, ImVec4 background) override;

  void resize(float width, float height, int pixel_width, int pixel_height);
  void pointer(float x, float y, Pointer kind);
  void button(int button, bool down);
  void cancel_press();           // the press turned into something else (a scroll): nothing is clicked
  bool wheel(float x, float y);  // ImGui's units and signs; false, and nothing done, where nothing under the pointer scrolls that way
  bool pan(float x, float y);    // by CSS pixels, for fingers; false where nothing scrolls
  // False: not ours, the page's or the browser's. `key` and `code` as in DOM KeyboardEvent.
  bool key(std::string_view key, std::string_view code, bool down, int modifiers);
  void text(const char* utf8);
  void chord(ImGuiKey key);             // presses and releases Ctrl (Cmd) + key: copy, cut and paste come as events of their own
  void focus(bool on, bool keep_item);  // keep_item: the whole page lost focus, the field stays active for its return

 private:
  bool drawing_ = false;
  float width_ = 1, height_ = 1;
  int pixel_width_ = 1, pixel_height_ = 1;
};

// Whether Tab, as just drawn, would start over from the other end: then it is the page's. Forgets the focus if so.
bool tab_leaves();
// Whether Escape has nothing left to close or to clear.
bool escape_leaves();
// Whether anything in the surface scrolls vertically.
bool anything_scrolls();
bool active_is_scrollbar();  // of the item that is being pressed

// The active text field.
struct TextInput {
  bool wanted = false;
  bool decimal = false;  // numbers only: a soft keyboard with digits
  bool multiline = false;
  ImVec2 caret;
  float line_height = 0;
};
TextInput text_input();

}  // namespace gpudget::app
