// The interface without a window: frames built in memory with the real fonts, items clicked by their label.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/fonts.h"
#include "imgui.h"
#include "ui/items.h"
#include "ui/text.h"
#include "ui/ui.h"

namespace gpudget::tests {

struct RecordingHost : ui::Host {
  std::string copied, saved_name, saved, link, activity_id;
  int files_asked = 0, options_changes = 0;
  bool activity_success = false;
  ui::Options options;
  void copy(std::string_view text) override { copied = text; }
  void save(std::string_view name, std::string_view, std::string_view content) override { saved_name = name, saved = content; }
  void save_png(std::string_view name) override { saved_name = name; }
  void choose_file() override { ++files_asked; }
  void open_link(std::string_view url) override { link = url; }
  std::string page_address() override { return "https://example.org/gpudget/"; }
  void options_changed(const ui::Options& o) override { options = o, ++options_changes; }
  void activity(std::string_view, std::string_view id, bool success) override { activity_id = id, activity_success = success; }
};

class Headless {
 public:
  explicit Headless(const ui::Options& options = {}, ImVec2 size = {1440, 900}) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = size;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    ImFont* regular = font(app::inter_regular());
    ImFont* semibold = font(app::inter_semibold());
    interface = std::make_unique<ui::Interface>(host, options, regular, semibold);
    ui::collect_items(true);
    ui::collect_texts(true);
    frame();
    frame();
  }
  ~Headless() {
    interface.reset();
    ui::collect_texts(false);
    ImGui::DestroyContext();
  }
  Headless(const Headless&) = delete;
  Headless& operator=(const Headless&) = delete;

  void frame() {
    ImGui::GetIO().DeltaTime = 1.0F / 60;
    now += 1.0 / 60;
    ui::begin_items();
    ImGui::NewFrame();
    interface->draw(now);
    ImGui::Render();
    // The renderer that is not there: every texture counts as uploaded.
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      if (texture->Status == ImTextureStatus_WantCreate) texture->SetTexID(1);
      if (texture->Status == ImTextureStatus_WantDestroy) texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(texture->Status == ImTextureStatus_WantDestroy ? ImTextureStatus_Destroyed : ImTextureStatus_OK);
    }
  }
  const ui::Item* find(std::string_view label) const {
    for (const ui::Item& item : ui::items())
      if (item.label == label && item.visible) return &item;
    return nullptr;
  }
  bool click(std::string_view label) {
    const ui::Item* item = find(label);
    if (item == nullptr) return false;
    const ImVec2 at{(item->minimum.x + item->maximum.x) / 2, (item->minimum.y + item->maximum.y) / 2};
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(at.x, at.y);
    frame();
    io.AddMouseButtonEvent(0, true);
    frame();
    io.AddMouseButtonEvent(0, false);
    frame();
    frame();
    return true;
  }
  void type(std::string_view text) {
    for (const char c : text) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
    frame();
    frame();
  }
  void key(ImGuiKey k, ImGuiKey modifier = ImGuiKey_None) {
    ImGuiIO& io = ImGui::GetIO();
    if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, true);
    io.AddKeyEvent(k, true);
    frame();
    io.AddKeyEvent(k, false);
    if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, false);
    frame();
    frame();
  }

  RecordingHost host;
  std::unique_ptr<ui::Interface> interface;
  double now = 0;

 private:
  static ImFont* font(std::span<const unsigned char> file) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(file.data()), static_cast<int>(file.size()), 18, &config);
  }
};

}  // namespace gpudget::tests
