#include "app/platform_web.h"

#include <emscripten.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

#include <GLES3/gl3.h>

#include "backends/imgui_impl_opengl3.h"
#include "imgui_internal.h"

// Emscripten's own GL object is in the scope of these bodies.
EM_JS(int, gpudget_make_context, (), {
  const context = GL.createContext(Module.canvas, {
    majorVersion : 2,
    minorVersion : 0,
    alpha : false,
    depth : false,
    stencil : false,
    antialias : false,
    premultipliedAlpha : true,
    preserveDrawingBuffer : false,
    powerPreference : "low-power",
    failIfMajorPerformanceCaveat : false,
    enableExtensionsByDefault : true
  });
  return context && GL.makeContextCurrent(context) ? 1 : 0;
})
EM_JS(void, gpudget_canvas_size, (int width, int height), {
  const canvas = Module.canvas;
  if (canvas.width != width) canvas.width = width;  // clang-format does not know JavaScript's !==
  if (canvas.height != height) canvas.height = height;
})

namespace gpudget::app {
namespace {

struct NamedKey {
  std::string_view name;
  ImGuiKey key;
};
// DOM `key` values of keys without a character.
constexpr std::array<NamedKey, 22> kNamed{{{"Tab", ImGuiKey_Tab},
                                           {"ArrowLeft", ImGuiKey_LeftArrow},
                                           {"ArrowRight", ImGuiKey_RightArrow},
                                           {"ArrowUp", ImGuiKey_UpArrow},
                                           {"ArrowDown", ImGuiKey_DownArrow},
                                           {"PageUp", ImGuiKey_PageUp},
                                           {"PageDown", ImGuiKey_PageDown},
                                           {"Home", ImGuiKey_Home},
                                           {"End", ImGuiKey_End},
                                           {"Insert", ImGuiKey_Insert},
                                           {"Delete", ImGuiKey_Delete},
                                           {"Backspace", ImGuiKey_Backspace},
                                           {" ", ImGuiKey_Space},
                                           {"Enter", ImGuiKey_Enter},
                                           {"Escape", ImGuiKey_Escape},
                                           {"Control", ImGuiKey_LeftCtrl},
                                           {"Shift", ImGuiKey_LeftShift},
                                           {"Meta", ImGuiKey_LeftSuper},
                                           {"/", ImGuiKey_Slash},
                                           {"-", ImGuiKey_Minus},
                                           {"+", ImGuiKey_Equal},
                                           {"=", ImGuiKey_Equal}}};

// The key as ImGui names it: by its character where it has an ASCII letter or digit (shortcuts follow the layout), else by where it lies.
ImGuiKey imgui_key(std::string_view key, std::string_view code) {
  for (const NamedKey& n : kNamed)
    if (n.name == key) return code == "NumpadEnter" ? ImGuiKey_KeypadEnter : n.key;
  if (key.size() == 1) {
    const char c = key[0];
    if (c >= 'a' && c <= 'z') return static_cast<ImGuiKey>(ImGuiKey_A + (c - 'a'));
    if (c >= 'A' && c <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (c - 'A'));
    if (c >= '0' && c <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (c - '0'));
  }
  if (code.size() == 4 && code.starts_with("Key")) return static_cast<ImGuiKey>(ImGuiKey_A + (code[3] - 'A'));
  return ImGuiKey_None;
}

bool popup_open() { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }

// The innermost window under the pointer that a scroll along `axis` moves, as ImGui's own wheel finds it.
ImGuiWindow* scrolling_window(ImGuiWindow* window, int axis, float amount) {
  for (; window != nullptr; window = window->ParentWindow) {
    const bool blocked = (window->Flags & (ImGuiWindowFlags_NoMouseInputs | ImGuiWindowFlags_NoScrollWithMouse)) != 0;
    const float position = window->Scroll[axis], limit = window->ScrollMax[axis];
    if (!blocked && limit > 0 && (amount > 0 ? position > 0 : position < limit)) return window;
    if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0) break;
  }
  return nullptr;
}
bool moves(float amount) { return amount < 0 || amount > 0; }
ImGuiWindow* under_pointer() { return ImGui::GetCurrentContext()->HoveredWindow; }

}  // namespace

PlatformWeb::PlatformWeb(bool mac) {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendPlatformName = "gpudget_web";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  io.ConfigMacOSXBehaviors = mac;
}
PlatformWeb::~PlatformWeb() { context_lost(); }

bool PlatformWeb::start_drawing() { return drawing_ = gpudget_make_context() != 0 && ImGui_ImplOpenGL3_Init("#version 300 es"); }
void PlatformWeb::context_lost() {
  if (drawing_) ImGui_ImplOpenGL3_Shutdown();
  drawing_ = false;
}
bool PlatformWeb::context_restored() {
  if (!drawing_) drawing_ = ImGui_ImplOpenGL3_Init("#version 300 es");
  return drawing_;
}

void PlatformWeb::begin_frame() {
  if (drawing_) ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(width_, height_);
  io.DisplayFramebufferScale = ImVec2(static_cast<float>(pixel_width_) / width_, static_cast<float>(pixel_height_) / height_);
}

void PlatformWeb::paint(ImDrawData& data, ImVec4 background) {
  if (!drawing_) return;
  gpudget_canvas_size(pixel_width_, pixel_height_);  // in the frame that draws: a canvas that is resized is blank
  glViewport(0, 0, pixel_width_, pixel_height_);
  glClearColor(background.x, background.y, background.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

void PlatformWeb::resize(float width, float height, int pixel_width, int pixel_height) {
  width_ = std::max(1.0F, width);
  height_ = std::max(1.0F, height);
  pixel_width_ = std::max(1, pixel_width);
  pixel_height_ = std::max(1, pixel_height);
}

void PlatformWeb::pointer(float x, float y, Pointer kind) {
  ImGuiIO& io = ImGui::GetIO();
  if (kind == Pointer::gone) {
    io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    return;
  }
  io.AddMouseSourceEvent(kind == Pointer::touch ? ImGuiMouseSource_TouchScreen : kind == Pointer::pen ? ImGuiMouseSource_Pen : ImGuiMouseSource_Mouse);
  io.AddMousePosEvent(x, y);
}

void PlatformWeb::button(int button, bool down) {
  if (button >= 0 && button < ImGuiMouseButton_COUNT) ImGui::GetIO().AddMouseButtonEvent(button, down);
}

void PlatformWeb::cancel_press() {
  ImGui::ClearActiveID();
  pointer(0, 0, Pointer::gone);
  button(0, false);
}

bool PlatformWeb::wheel(float x, float y) {
  const bool ours =
      (moves(x) && scrolling_window(under_pointer(), ImGuiAxis_X, x) != nullptr) || (moves(y) && scrolling_window(under_pointer(), ImGuiAxis_Y, y) != nullptr);
  if (ours) ImGui::GetIO().AddMouseWheelEvent(x, y);
  return ours;
}

bool PlatformWeb::pan(float x, float y) {
  bool moved = false;
  const auto along = [&](ImGuiAxis axis, float amount) {
    ImGuiWindow* window = moves(amount) ? scrolling_window(under_pointer(), axis, amount) : nullptr;
    if (window == nullptr) return;
    const float to = std::clamp(window->Scroll[axis] - amount, 0.0F, window->ScrollMax[axis]);
    if (axis == ImGuiAxis_X)
      ImGui::SetScrollX(window, to);
    else
      ImGui::SetScrollY(window, to);
    moved = true;
  };
  along(ImGuiAxis_X, x);
  along(ImGuiAxis_Y, y);
  return moved;
}

bool PlatformWeb::key(std::string_view name, std::string_view code, bool down, int modifiers) {
  ImGuiIO& io = ImGui::GetIO();
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & kCtrl) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (modifiers & kShift) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (modifiers & kAlt) != 0);
  io.AddKeyEvent(ImGuiMod_Super, (modifiers & kSuper) != 0);
  const ImGuiKey key = imgui_key(name, code);
  if (key == ImGuiKey_None) return false;
  if (!down) {
    io.AddKeyEvent(key, false);
    return false;
  }

  // Only what acts now is taken; the rest is the page's and the browser's.
  const bool command = (modifiers & (io.ConfigMacOSXBehaviors ? kSuper : kCtrl)) != 0, editing = io.WantTextInput;
  const bool item = g.ActiveId != 0 || (g.NavId != 0 && g.NavCursorVisible) || popup_open();
  bool ours = false;
  if ((modifiers & kAlt) != 0) {
    ours = false;
  } else if (command) {
    const bool move = key >= ImGuiKey_LeftArrow && key <= ImGuiKey_DownArrow;
    ours = key == ImGuiKey_Z || key == ImGuiKey_Y || (editing && (key == ImGuiKey_A || key == ImGuiKey_Home || key == ImGuiKey_End || move)) ||
           (editing && (key == ImGuiKey_Backspace || key == ImGuiKey_Delete));
  } else {
    switch (key) {
      case ImGuiKey_Tab: ours = true; break;  // web.cpp asks tab_leaves() once it is drawn
      case ImGuiKey_Escape: ours = !escape_leaves(); break;
      case ImGuiKey_Enter:
      case ImGuiKey_KeypadEnter:
      case ImGuiKey_Space:
      case ImGuiKey_LeftArrow:
      case ImGuiKey_RightArrow:
      case ImGuiKey_Home:
      case ImGuiKey_End: ours = item; break;
      case ImGuiKey_UpArrow:
      case ImGuiKey_PageUp: ours = item || scrolling_window(g.NavWindow, ImGuiAxis_Y, 1) != nullptr; break;
      case ImGuiKey_DownArrow:
      case ImGuiKey_PageDown: ours = item || scrolling_window(g.NavWindow, ImGuiAxis_Y, -1) != nullptr; break;
      case ImGuiKey_Delete:
      case ImGuiKey_Backspace:
      case ImGuiKey_Insert: ours = item; break;
      case ImGuiKey_Slash: ours = !editing; break;  // the search; Firefox would open its own
      case ImGuiKey_LeftCtrl:
      case ImGuiKey_LeftShift:
      case ImGuiKey_LeftSuper: io.AddKeyEvent(key, true); return false;
      default: io.AddKeyEvent(key, true); return false;  // characters come as text, but shortcuts look at keys
    }
  }
  if (ours) io.AddKeyEvent(key, true);
  return ours && (!editing || key != ImGuiKey_Space);  // a blank in a field is text: the field's own event brings it
}

void PlatformWeb::text(const char* utf8) { ImGui::GetIO().AddInputCharactersUTF8(utf8); }

void PlatformWeb::chord(ImGuiKey key) {
  ImGuiIO& io = ImGui::GetIO();
  const ImGuiKey command = io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl;
  io.AddKeyEvent(command, true);
  io.AddKeyEvent(key, true);
  io.AddKeyEvent(key, false);
  io.AddKeyEvent(command, false);
}

void PlatformWeb::focus(bool on, bool keep_item) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGui::GetIO().AddFocusEvent(on);
  if (!on && !keep_item) {
    ImGui::ClearActiveID();
    g.NavCursorVisible = false;
  }
  if (on && g.NavWindow == nullptr) {  // Tab needs a window to begin in
    for (ImGuiWindow* window : g.Windows) {
      if (window->WasActive && (window->Flags & (ImGuiWindowFlags_ChildWindow | ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoNavInputs)) == 0) {
        ImGui::FocusWindow(window);
        break;
      }
    }
  }
}

bool tab_leaves() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool tabbing = g.NavMoveSubmitted && (g.NavMoveFlags & ImGuiNavMoveFlags_IsTabbing) != 0;
  if (popup_open()) return false;  // a list keeps Tab to itself until it closes
  bool leaves = false;
  if (!tabbing) {
    leaves = g.NavWindow == nullptr;
  } else if (g.NavTabbingDir > 0) {
    leaves = g.NavMoveResultLocal.ID == 0;  // nothing after this item
  } else if (g.NavTabbingDir < 0) {
    leaves = g.NavMoveResultLocal.ID == 0 || (g.NavId != 0 && g.NavMoveScoringItems);  // nothing before this item
  } else {
    leaves = g.NavMoveResultLocal.ID == 0 && g.NavTabbingResultFirst.ID == 0;
  }
  if (leaves) {
    ImGui::NavMoveRequestCancel();
    ImGui::ClearActiveID();
    g.NavId = 0;
    g.NavCursorVisible = false;
  }
  return leaves;
}

bool escape_leaves() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return g.ActiveId == 0 && !popup_open() && (g.NavId == 0 || !g.NavCursorVisible);
}

bool anything_scrolls() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->Active && window->ScrollMax.y > 0 && (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) == 0) return true;
  return false;
}

bool active_is_scrollbar() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return g.ActiveId != 0 && g.ActiveIdWindow != nullptr &&
         (g.ActiveId == ImGui::GetWindowScrollbarID(g.ActiveIdWindow, ImGuiAxis_Y) || g.ActiveId == ImGui::GetWindowScrollbarID(g.ActiveIdWindow, ImGuiAxis_X));
}

TextInput text_input() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  TextInput t;
  t.wanted = g.IO.WantTextInput && g.ActiveId != 0;
  if (!t.wanted) return t;
  t.caret = g.PlatformImeData.InputPos;
  t.line_height = g.PlatformImeData.InputLineHeight;
  if (g.InputTextState.ID == g.ActiveId) {
    t.decimal = (g.InputTextState.Flags & (ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_CharsScientific)) != 0;
    t.multiline = (g.InputTextState.Flags & ImGuiInputTextFlags_Multiline) != 0;
  }
  return t;
}

}  // namespace gpudget::app
