#include "app/platform_glfw.h"

#define GL_GLEXT_PROTOTYPES
#include <GLFW/glfw3.h>
#ifndef _WIN32
#include <GL/glext.h>
#endif

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "imgui_impl_glfw.h"
#include "imgui_impl_opengl3.h"

namespace gpudget::app {
namespace {

std::string glfw_error() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "unknown";
}

}  // namespace

// A framebuffer of its own: what a hidden window shows is not defined.
struct PlatformGlfw::OffScreen {
  GLuint frame = 0, colour = 0;

  OffScreen(int width, int height) {
    load(gen_framebuffers, "glGenFramebuffers");
    load(bind_framebuffer, "glBindFramebuffer");
    load(gen_renderbuffers, "glGenRenderbuffers");
    load(bind_renderbuffer, "glBindRenderbuffer");
    load(renderbuffer_storage, "glRenderbufferStorage");
    load(framebuffer_renderbuffer, "glFramebufferRenderbuffer");
    load(check, "glCheckFramebufferStatus");
    if (!gen_framebuffers || !bind_framebuffer || !gen_renderbuffers || !bind_renderbuffer || !renderbuffer_storage || !framebuffer_renderbuffer || !check)
      return;
    gen_framebuffers(1, &frame);
    bind_framebuffer(GL_FRAMEBUFFER, frame);
    gen_renderbuffers(1, &colour);
    bind_renderbuffer(GL_RENDERBUFFER, colour);
    renderbuffer_storage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    framebuffer_renderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    complete = check(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  }
  bool complete = false;

 private:
  template <class Function>
  static void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(glfwGetProcAddress(name));
  }
  PFNGLGENFRAMEBUFFERSPROC gen_framebuffers = nullptr;
  PFNGLBINDFRAMEBUFFERPROC bind_framebuffer = nullptr;
  PFNGLGENRENDERBUFFERSPROC gen_renderbuffers = nullptr;
  PFNGLBINDRENDERBUFFERPROC bind_renderbuffer = nullptr;
  PFNGLRENDERBUFFERSTORAGEPROC renderbuffer_storage = nullptr;
  PFNGLFRAMEBUFFERRENDERBUFFERPROC framebuffer_renderbuffer = nullptr;
  PFNGLCHECKFRAMEBUFFERSTATUSPROC check = nullptr;
};

PlatformGlfw::PlatformGlfw(const WindowOptions& options, std::string& error) : fixed_scale_(options.scale), placed_(options) {
  if (!glfwInit()) {
    error = "no window can be opened here (" + glfw_error() + ")";
    return;
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.off_screen || options.scale > 0 ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // shown once it is placed and painted: no white flash
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "gpudget");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "gpudget");
  const float factor = options.scale > 0 ? options.scale : 1;
  const int width = static_cast<int>(std::lround(static_cast<float>(options.width) * factor)),
            height = static_cast<int>(std::lround(static_cast<float>(options.height) * factor));
  window_ = glfwCreateWindow(options.off_screen ? 64 : width, options.off_screen ? 64 : height, "gpudget", nullptr, nullptr);
  if (!window_) {
    error = "OpenGL 3.2 is not to be had here (" + glfw_error() + ")";
    glfwTerminate();
    return;
  }
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(options.off_screen ? 0 : 1);
  glfwSetWindowUserPointer(window_, this);
  install_callbacks();
  ImGui_ImplGlfw_InitForOpenGL(window_, false);
  ImGui_ImplOpenGL3_Init("#version 150");
  if (options.off_screen) {
    fixed_scale_ = factor;
    off_screen_ = std::make_unique<OffScreen>(width, height);
    if (!off_screen_->complete) error = "this OpenGL cannot paint off screen at " + std::to_string(width) + " x " + std::to_string(height);
    picture_.width = width;
    picture_.height = height;
    return;
  }
  glfwSetWindowSizeLimits(window_, static_cast<int>(320 * factor), static_cast<int>(240 * factor), GLFW_DONT_CARE, GLFW_DONT_CARE);
  if (options.placed) glfwSetWindowPos(window_, options.x, options.y);
  if (options.maximized) glfwMaximizeWindow(window_);
  glfwShowWindow(window_);
}

PlatformGlfw::~PlatformGlfw() {
  if (!window_) return;
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

PlatformGlfw& PlatformGlfw::of(GLFWwindow* window) { return *static_cast<PlatformGlfw*>(glfwGetWindowUserPointer(window)); }

float PlatformGlfw::scale() const {
  if (fixed_scale_ > 0) return fixed_scale_;
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::clamp(std::max(x, y), 0.5F, 8.0F);
}

// Window coordinates (pixels on X11, points on Wayland and macOS) to layout units.
void PlatformGlfw::mouse_to_imgui() const {
  double x = 0, y = 0;
  int width = 0, height = 0, frame_width = 0, frame_height = 0;
  glfwGetCursorPos(window_, &x, &y);
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &frame_width, &frame_height);
  if (width <= 0 || frame_width <= 0) return;
  const float ratio = static_cast<float>(frame_width) / static_cast<float>(width) / scale();
  ImGui::GetIO().AddMousePosEvent(static_cast<float>(x) * ratio, static_cast<float>(y) * ratio);
}

void PlatformGlfw::install_callbacks() {
  const auto tell = [](GLFWwindow* w) {
    if (of(w).on_input) of(w).on_input();
  };
  static const auto input = tell;
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int code, int action, int modifiers) {
    input(w);
    if (action != GLFW_RELEASE && of(w).on_key && of(w).on_key(key, modifiers)) return;
    ImGui_ImplGlfw_KeyCallback(w, key, code, action, modifiers);
  });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned c) { ImGui_ImplGlfw_CharCallback(w, c), input(w); });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int modifiers) {
    of(w).mouse_to_imgui();
    ImGui_ImplGlfw_MouseButtonCallback(w, button, action, modifiers);
    input(w);
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) { ImGui_ImplGlfw_ScrollCallback(w, x, y), input(w); });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { of(w).mouse_to_imgui(), input(w); });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
    ImGui_ImplGlfw_CursorEnterCallback(w, entered);
    if (entered) of(w).mouse_to_imgui();
    input(w);
  });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int focused) { ImGui_ImplGlfw_WindowFocusCallback(w, focused), input(w); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { input(w); });
  glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { input(w); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { input(w); });
  glfwSetWindowIconifyCallback(window_, [](GLFWwindow* w, int) { input(w); });
  glfwSetWindowCloseCallback(window_, [](GLFWwindow* w) { input(w); });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    if (of(w).on_drop) of(w).on_drop(std::vector<std::string>(paths, paths + count));
    input(w);
  });
}

void PlatformGlfw::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  // The backend knows the window's units; the layout's are ours.
  int width = picture_.width, height = picture_.height;
  if (!off_screen_) {
    glfwGetFramebufferSize(window_, &width, &height);
    // Outside the window the backend adds the pointer in the window's units: say it again in ours.
    if (glfwGetWindowAttrib(window_, GLFW_FOCUSED) && !glfwGetWindowAttrib(window_, GLFW_HOVERED)) mouse_to_imgui();
  }
  const float factor = scale();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(width) / factor, static_cast<float>(height) / factor);
  io.DisplayFramebufferScale = ImVec2(factor, factor);
}

void PlatformGlfw::paint(ImDrawData& data, ImVec4 background) {
  int width = picture_.width, height = picture_.height;
  if (!off_screen_) glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  glClearColor(background.x, background.y, background.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  if (keep_picture_ && width > 0 && height > 0) {
    keep_picture_ = false;
    picture_.width = width;
    picture_.height = height;
    const std::size_t row = 3 * static_cast<std::size_t>(width);
    std::vector<unsigned char> upside_down(row * static_cast<std::size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, upside_down.data());
    picture_.pixels.resize(upside_down.size());
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
      std::memcpy(&picture_.pixels[y * row], &upside_down[(static_cast<std::size_t>(height) - 1 - y) * row], row);
  }
  if (!off_screen_) glfwSwapBuffers(window_);
}

void PlatformGlfw::wait(double seconds) {
  if (seconds <= 0)
    glfwPollEvents();
  else if (std::isinf(seconds))
    glfwWaitEvents();
  else
    glfwWaitEventsTimeout(seconds);
}
void PlatformGlfw::wake() { glfwPostEmptyEvent(); }
bool PlatformGlfw::closing() const { return glfwWindowShouldClose(window_) != 0; }
void PlatformGlfw::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
bool PlatformGlfw::shown() const { return glfwGetWindowAttrib(window_, GLFW_VISIBLE) && !glfwGetWindowAttrib(window_, GLFW_ICONIFIED); }
void PlatformGlfw::title(const std::string& text) { glfwSetWindowTitle(window_, text.c_str()); }

WindowOptions PlatformGlfw::placement() const {
  const bool maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
  if (!maximized && !glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    const float factor = scale();
    placed_.width = static_cast<int>(std::lround(static_cast<float>(width) / factor));
    placed_.height = static_cast<int>(std::lround(static_cast<float>(height) / factor));
    glfwGetWindowPos(window_, &placed_.x, &placed_.y);
    placed_.placed = true;
  }
  placed_.maximized = maximized;
  return placed_;
}

}  // namespace gpudget::app
