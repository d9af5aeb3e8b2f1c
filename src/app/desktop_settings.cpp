#include "app/desktop_settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

namespace gpudget::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

void get(const Json& json, const char* key, int& out, int low, int high) {
  if (const auto at = json.find(key); at != json.end() && at->is_number_integer())
    out = static_cast<int>(std::clamp<long long>(at->get<long long>(), low, high));
}
void get(const Json& json, const char* key, bool& out) {
  if (const auto at = json.find(key); at != json.end() && at->is_boolean()) out = at->get<bool>();
}
void get(const Json& json, const char* key, std::string& out) {
  if (const auto at = json.find(key); at != json.end() && at->is_string()) out = at->get<std::string>();
}

}  // namespace

std::string settings_file() {
  const std::string home = environment("HOME");
#if defined(_WIN32)
  std::string folder = environment("APPDATA");
#elif defined(__APPLE__)
  std::string folder = home.empty() ? "" : home + "/Library/Application Support";
#else
  std::string folder = environment("XDG_CONFIG_HOME");
  if (folder.empty() && !home.empty()) folder = home + "/.config";
#endif
  return folder.empty() ? "" : (fs::path(folder) / "gpudget" / "desktop.json").string();
}

DesktopSettings read_settings(const std::string& file) {
  DesktopSettings settings;
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return settings;
  if (const auto window = json.find("window"); window != json.end() && window->is_object()) {
    get(*window, "width", settings.width, 320, 16384);
    get(*window, "height", settings.height, 240, 16384);
    settings.placed = window->contains("x") && window->contains("y");
    get(*window, "x", settings.x, -32768, 32767);
    get(*window, "y", settings.y, -32768, 32767);
    get(*window, "maximized", settings.maximized);
  }
  get(json, "language", settings.language);
  get(json, "theme", settings.theme);
  get(json, "view", settings.view);
  if (const auto scenario = json.find("scenario"); scenario != json.end() && scenario->is_object()) settings.scenario = scenario->dump();
  return settings;
}

bool write_settings(const std::string& file, const DesktopSettings& settings) {
  if (file.empty()) return false;
  Json window = {{"width", settings.width}, {"height", settings.height}, {"maximized", settings.maximized}};
  if (settings.placed) window["x"] = settings.x, window["y"] = settings.y;
  Json json = {{"window", window}};
  if (!settings.language.empty()) json["language"] = settings.language;
  if (!settings.theme.empty()) json["theme"] = settings.theme;
  if (!settings.view.empty()) json["view"] = settings.view;
  const Json scenario = Json::parse(settings.scenario, nullptr, false);
  if (scenario.is_object()) json["scenario"] = scenario;
  std::error_code error;
  fs::create_directories(fs::path(file).parent_path(), error);
  const std::string part = file + ".part";
  {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    if (!out.flush()) return false;
  }
  fs::rename(part, file, error);
  return !error;
}

}  // namespace gpudget::app
