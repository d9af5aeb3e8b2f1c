// What the window remembers between two runs: its place, language, theme, view and the scenario. One JSON file in the platform's folder for settings:
// $XDG_CONFIG_HOME/gpudget/desktop.json (~/.config), ~/Library/Application Support/gpudget, %APPDATA%\gpudget.
#pragma once
#include <string>

namespace gpudget::app {

struct DesktopSettings {
  int width = 1280, height = 800, x = 0, y = 0;  // layout units; place in the screen's
  bool placed = false, maximized = false;
  std::string language, theme, view;  // as in the page's address; empty: not chosen
  std::string scenario;               // JSON
};

std::string settings_file();                                                    // empty where no folder can be named
DesktopSettings read_settings(const std::string& file);                         // what is missing or broken keeps its default
bool write_settings(const std::string& file, const DesktopSettings& settings);  // whole or not at all

}  // namespace gpudget::app
