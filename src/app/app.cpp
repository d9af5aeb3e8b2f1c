#include "app/app.h"

#include <algorithm>
#include <limits>

#include "app/fonts.h"
#include "imgui_internal.h"
#include "ui/items.h"

namespace gpudget::app {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kCaretBlink = 0.4, kHeldButton = 0.05;  // seconds; ImGui's caret is on for 0.8 s and off for 0.4 s
constexpr float kBodySize = 15.0F;                       // layout units

ImFont* add_font(std::span<const unsigned char> file) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  // AddFontFromMemoryTTF takes void*, but only reads it when it does not own it.
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(file.data()), static_cast<int>(file.size()), kBodySize, &config);
}

}  // namespace

App::App() {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigNavEscapeClearFocusItem = true;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigInputTrickleEventQueue = true;
  io.ConfigErrorRecoveryEnableAssert = false;
  io.MouseDrawCursor = false;
  ImGui::GetCurrentContext()->ConfigNavWindowingKeyNext = 0;  // Ctrl+Tab belongs to the browser
  ImGui::GetCurrentContext()->ConfigNavWindowingKeyPrev = 0;
  regular_ = add_font(inter_regular());
  semibold_ = add_font(inter_semibold());
  ImGui::GetStyle().FontSizeBase = kBodySize;
}

App::~App() {
  interface_.reset();
  ImGui::DestroyContext();
}

void App::start(ui::Host& host, const ui::Options& options) {
  interface_ = std::make_unique<ui::Interface>(host, options, regular_, semibold_);
  set_options(options);
}

void App::set_options(const ui::Options& options) {
  reduced_motion_ = options.reduced_motion;
  ImGui::GetIO().ConfigInputTextCursorBlink = focused_ && !reduced_motion_;
  interface_->set_options(options);
  input();
}

void App::focus(bool on) {
  focused_ = on;
  ImGui::GetIO().ConfigInputTextCursorBlink = on && !reduced_motion_;
  input();
}

void App::input() { frames_wanted_ = 3; }

double App::next_frame(double now) const {
  if (frames_wanted_ > 0) return 0;
  return std::max(0.0, wake_at_ - now);
}

void App::frame(Platform& platform, double now) {
  ImGuiIO& io = ImGui::GetIO();
  const double elapsed = last_frame_ < 0 ? 1.0 / 60 : now - last_frame_;
  io.DeltaTime = static_cast<float>(std::clamp(elapsed, 1e-4, 0.1));
  last_frame_ = now;
  frames_wanted_ = std::max(0, frames_wanted_ - 1);

  platform.begin_frame();
  ui::begin_items();
  ImGui::NewFrame();
  interface_->draw(now);
  ImGui::Render();
  platform.paint(*ImGui::GetDrawData(), ImGui::GetStyle().Colors[ImGuiCol_WindowBg]);
  ++frames_;

  // What ImGui itself will want to show without further input.
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!g.InputEventsQueue.empty()) frames_wanted_ = std::max(frames_wanted_, 1);  // it spreads fast input over frames
  if (interface_->wants_frames_until() > now) frames_wanted_ = std::max(frames_wanted_, 1);
  wake_at_ = kNever;
  if (io.WantTextInput && io.ConfigInputTextCursorBlink) wake_at_ = std::min(wake_at_, now + kCaretBlink);
  if (g.ActiveId != 0 && ImGui::IsAnyMouseDown()) wake_at_ = std::min(wake_at_, now + kHeldButton);  // steppers repeat
  if (g.HoverItemDelayId != 0) {  // a tooltip is about to open: both of ImGui's timers count in frames' time
    const auto wake_after = [&](float timer, float delay) {
      if (timer <= delay) wake_at_ = std::min(wake_at_, now + static_cast<double>(delay - timer) + 0.01);
    };
    wake_after(g.HoverItemDelayTimer, g.Style.HoverDelayShort);
    wake_after(g.HoverItemDelayTimer, g.Style.HoverDelayNormal);
    if (g.HoverItemUnlockedStationaryId != g.HoverItemDelayId) wake_after(g.MouseStationaryTimer, g.Style.HoverStationaryDelay);
  }
}

}  // namespace gpudget::app
