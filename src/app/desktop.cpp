// gpudget-desktop: the whole interface in a window, offline. Sleeps until something happens; files come by argument, dialog or drop; what the person chose is
// remembered (desktop_settings.h); the local GPUs are read in a child process, again each second while the window is shown and there are any.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <GLFW/glfw3.h>
#include <CLI/CLI.hpp>

#include "app/app.h"
#include "app/desktop_files.h"
#include "app/desktop_picture.h"
#include "app/desktop_settings.h"
#include "app/platform_glfw.h"
#include "probe/child.h"
#include "probe/report_json.h"
#include "ui/items.h"

namespace {

using namespace gpudget;
using app::App;
using app::PlatformGlfw;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Arguments {
  std::string scenario, screenshot, items, language, theme, view;
  int width = 0, height = 0;
  float scale = 0;
  bool fresh = false, probe_child = false, this_computer = false;
};

struct File {
  std::string name, text;
};

// Work that waits for a person or a driver is done in threads; its results are picked up between frames.
class Inbox {
 public:
  void put_file(File file) { put(files_, std::move(file)); }
  void put_notice(std::string notice) { put(notices_, std::move(notice)); }
  void put_report(probe::Report report) { put(reports_, std::move(report)); }
  std::vector<File> files() { return take(files_); }
  std::vector<std::string> notices() { return take(notices_); }
  std::vector<probe::Report> reports() { return take(reports_); }

 private:
  template <class T>
  void put(std::vector<T>& list, T value) {
    {
      const std::lock_guard lock(mutex_);
      list.push_back(std::move(value));
    }
    PlatformGlfw::wake();
  }
  template <class T>
  std::vector<T> take(std::vector<T>& list) {
    const std::lock_guard lock(mutex_);
    return std::exchange(list, {});
  }
  std::mutex mutex_;
  std::vector<File> files_;
  std::vector<std::string> notices_;
  std::vector<probe::Report> reports_;
};

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

void load(Inbox& inbox, const std::string& path) {
  File file{file_name(path), {}};
  if (app::read_file(path, file.text))
    inbox.put_file(std::move(file));
  else
    inbox.put_notice(path + ": cannot be read");
}

class DesktopHost final : public ui::Host {
 public:
  DesktopHost(Inbox& inbox, std::vector<std::thread>& threads) : inbox_(inbox), threads_(threads) {}

  void copy(std::string_view text) override { glfwSetClipboardString(nullptr, std::string(text).c_str()); }
  void save(std::string_view name, std::string_view, std::string_view content) override { save_as(std::string(name), std::string(content)); }
  void save_png(std::string_view name) override { png_wanted = std::string(name); }
  void choose_file() override {
    threads_.emplace_back([&inbox = inbox_] {
      bool available = false;
      const std::string path = app::choose_file_to_open(available);
      if (!available) inbox.put_notice("no file dialog here (zenity or kdialog): drop the file on the window");
      if (!path.empty()) load(inbox, path);
    });
  }
  void open_link(std::string_view url) override {
    threads_.emplace_back([address = std::string(url)] { app::open_link(address); });
  }
  std::string page_address() override { return {}; }
  void options_changed(const ui::Options&) override { changed = true; }
  void activity(std::string_view, std::string_view, bool) override {}

  void save_as(std::string name, std::string content) {
    threads_.emplace_back([&inbox = inbox_, name = std::move(name), content = std::move(content)] {
      bool available = false;
      std::string path = app::choose_file_to_save(name, available);
      if (!available) path = app::download_path(name);
      if (path.empty()) return;  // cancelled
      inbox.put_notice(app::write_file(path, content.data(), content.size()) ? path : path + ": cannot be written");
    });
  }

  std::optional<std::string> png_wanted;
  bool changed = false;

 private:
  Inbox& inbox_;
  std::vector<std::thread>& threads_;
};

template <std::size_t N>
std::optional<std::size_t> index_of(const std::string_view (&names)[N], std::string_view name) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name) return i;
  return std::nullopt;
}

i18n::Language system_language() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(name); value && *value) {
      const std::string code = std::string(value).substr(0, std::string(value).find('.'));
      return i18n::language(code).value_or(i18n::Language::en);
    }
  return i18n::Language::en;
}

ui::Options options_of(const Arguments& arguments, const app::DesktopSettings& settings) {
  ui::Options options;
  options.desktop = true;
  const auto either = [](const std::string& a, const std::string& b) { return a.empty() ? b : a; };
  options.language = i18n::language(either(arguments.language, settings.language)).value_or(system_language());
  options.theme = either(arguments.theme, settings.theme) == "dark" ? ui::Theme::dark : ui::Theme::light;
  if (const auto view = index_of(ui::kViewNames, either(arguments.view, settings.view))) options.view = static_cast<ui::View>(*view);
  return options;
}

int fail(int status, const std::string& what) {
  std::cerr << "gpudget-desktop: error: " << what << '\n';
  return status;
}

std::string words(const formats::Error& error) { return (error.path.empty() ? "" : error.path + ": ") + error.message(); }

// The items of the last frame with their rectangles, for tests that click by label.
bool write_items(const std::string& path) {
  std::string json = "[";
  for (const ui::Item& item : ui::items()) {
    std::string label;
    for (const char c : item.label) {
      if (c == '"' || c == '\\') label += '\\';
      label += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    char numbers[160];
    (void)std::snprintf(numbers, sizeof numbers, R"("x":%.1f,"y":%.1f,"width":%.1f,"height":%.1f,"visible":%s,"checked":%s,"disabled":%s})",
                        static_cast<double>(item.minimum.x), static_cast<double>(item.minimum.y), static_cast<double>(item.maximum.x - item.minimum.x),
                        static_cast<double>(item.maximum.y - item.minimum.y), item.visible ? "true" : "false", item.checked ? "true" : "false",
                        item.disabled ? "true" : "false");
    json += (json.size() > 1 ? ",\n" : "\n") + std::string("{\"label\":\"") + label + "\"," + numbers;
  }
  json += "\n]\n";
  return app::write_file(path, json.data(), json.size());
}

// Paints until nothing moves, keeps the last picture.
int screenshot(const Arguments& arguments, App& desktop, PlatformGlfw& platform) {
  double clock = now();
  for (int frame = 0; frame < 600 && desktop.next_frame(clock) <= 0.05; ++frame, clock += 1.0 / 60) desktop.frame(platform, clock);
  ui::collect_items(!arguments.items.empty());
  platform.keep_next_picture();
  desktop.frame(platform, clock);
  if (!app::write_png(platform.picture(), arguments.screenshot)) return fail(1, arguments.screenshot + ": cannot be written");
  if (!arguments.items.empty() && !write_items(arguments.items)) return fail(1, arguments.items + ": cannot be written");
  return 0;
}

class LocalGpus {
 public:
  LocalGpus(Inbox& inbox, std::vector<std::string> command) : inbox_(inbox), command_(std::move(command)) {}
  ~LocalGpus() {
    if (thread_.joinable()) thread_.join();
  }
  LocalGpus(const LocalGpus&) = delete;
  LocalGpus& operator=(const LocalGpus&) = delete;

  void read() {
    if (busy_.exchange(true)) return;
    if (thread_.joinable()) thread_.join();
    thread_ = std::thread([this] {
      inbox_.put_report(probe::read_in_child(command_, 4));
      busy_ = false;
    });
  }

 private:
  Inbox& inbox_;
  std::vector<std::string> command_;
  std::atomic<bool> busy_ = false;
  std::thread thread_;
};

std::string own_program(const char* name) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string(name) : path.string();
}

// Ctrl+O, Ctrl+S, Ctrl+Q: what every desktop program has. Ctrl+V outside a text field opens what was copied: a scenario, a config.json, another tool's file.
bool take_key(int key, int modifiers, DesktopHost& host, App& desktop, PlatformGlfw& platform, Inbox& inbox) {
  constexpr std::size_t kMostPasted = std::size_t{4} << 20;  // bytes
  if (modifiers != GLFW_MOD_CONTROL && modifiers != GLFW_MOD_SUPER) return false;
  switch (key) {
    case GLFW_KEY_O: return host.choose_file(), true;
    case GLFW_KEY_S: return host.save_as("scenario.json", desktop.interface().scenario_json()), true;
    case GLFW_KEY_Q:
    case GLFW_KEY_W: return platform.close(), true;
    case GLFW_KEY_V: {
      if (ImGui::GetIO().WantTextInput) return false;
      const char* copied = glfwGetClipboardString(nullptr);
      const std::string_view text = copied == nullptr ? "" : copied;
      if (text.size() > kMostPasted)
        inbox.put_notice("what was copied is larger than 4 MB: save it as a file and open that");
      else if (!text.empty())
        inbox.put_file({"", std::string(text)});
      return true;
    }
    default: return false;
  }
}

void remember(const std::string& file, App& desktop, const PlatformGlfw& platform) {
  const app::WindowOptions place = platform.placement();
  const ui::Options& options = desktop.interface().options();
  app::DesktopSettings settings;
  settings.width = place.width, settings.height = place.height, settings.x = place.x, settings.y = place.y;
  settings.placed = place.placed, settings.maximized = place.maximized;
  settings.language = i18n::code(options.language);
  settings.theme = options.theme == ui::Theme::dark ? "dark" : "light";
  settings.view = ui::kViewNames[static_cast<std::size_t>(options.view)];
  settings.scenario = desktop.interface().scenario_json();
  app::write_settings(file, settings);
}

void run(App& desktop, PlatformGlfw& platform, DesktopHost& host, Inbox& inbox, LocalGpus& local, const std::string& settings_file) {
  constexpr double kSaveAfter = 2, kReadAgain = 1, kNever = std::numeric_limits<double>::infinity();
  double save_at = kNever, read_at = kNever;
  bool read_when_shown = false;  // the GPUs: not while nobody looks
  std::string last_report;
  std::uint64_t saved_revision = desktop.interface().revision();
  platform.on_input = [&] { desktop.input(); };
  platform.on_drop = [&](const std::vector<std::string>& paths) {
    for (const std::string& path : paths) load(inbox, path);
  };
  platform.on_key = [&](int key, int modifiers) { return take_key(key, modifiers, host, desktop, platform, inbox); };
  local.read();
  while (!platform.closing()) {
    double time = now();
    double due = platform.shown() ? desktop.next_frame(time) : kNever;
    due = std::min({due, std::max(0.0, save_at - time), std::max(0.0, read_at - time)});
    PlatformGlfw::wait(due);
    time = now();
    for (const File& file : inbox.files()) {
      static_cast<void>(desktop.interface().open_text(file.name, file.text));  // what is wrong with it is shown in the window
      desktop.input();
    }
    for (const std::string& notice : inbox.notices()) {
      std::cerr << "gpudget-desktop: " << notice << '\n';
      platform.title("gpudget · " + notice);
    }
    for (const probe::Report& report : inbox.reports()) {
      if (!report.gpus.empty()) read_at = time + kReadAgain;
      std::string text = probe::to_json(report);
      if (text == last_report) continue;  // nothing to draw
      last_report = std::move(text);
      desktop.interface().set_local_gpus(report);
      desktop.input();
    }
    if (time >= read_at) {
      read_at = kNever;
      read_when_shown = true;
    }
    if (read_when_shown && platform.shown()) {
      read_when_shown = false;
      local.read();
    }
    if (platform.shown() && desktop.next_frame(time) <= 0) {
      if (host.png_wanted) platform.keep_next_picture();
      desktop.frame(platform, time);
      if (host.png_wanted && !platform.picture().pixels.empty()) {
        const std::vector<unsigned char> png = app::png(platform.picture());
        host.save_as(*std::exchange(host.png_wanted, std::nullopt), std::string(png.begin(), png.end()));
      } else if (host.png_wanted) {
        desktop.input();  // asked for during this frame: the next one is kept
      }
    }
    if (desktop.interface().revision() != saved_revision || host.changed) {
      saved_revision = desktop.interface().revision();
      host.changed = false;
      save_at = time + kSaveAfter;
    }
    if (time >= save_at) {
      save_at = kNever;
      remember(settings_file, desktop, platform);
    }
  }
  remember(settings_file, desktop, platform);
}

int start(const Arguments& arguments, const char* program) {
  const bool off_screen = !arguments.screenshot.empty();
  const std::string settings_file = app::settings_file();
  const app::DesktopSettings settings = off_screen || arguments.fresh ? app::DesktopSettings() : app::read_settings(settings_file);

  File first;
  if (!arguments.scenario.empty()) {
    first.name = file_name(arguments.scenario);
    if (!app::read_file(arguments.scenario, first.text)) return fail(2, arguments.scenario + ": cannot be read (give a file of at most 64 MB)");
  }

  static Inbox& inbox = *new Inbox;  // outlives the threads of dialogs that are still open at the end
  std::vector<std::thread> threads;
  DesktopHost host(inbox, threads);
  App desktop;
  app::WindowOptions window;
  window.width = arguments.width > 0 ? arguments.width : off_screen ? 1440 : settings.width;
  window.height = arguments.height > 0 ? arguments.height : off_screen ? 900 : settings.height;
  window.x = settings.x, window.y = settings.y;
  window.placed = settings.placed && arguments.width <= 0 && arguments.height <= 0;
  window.maximized = settings.maximized && arguments.width <= 0 && arguments.height <= 0;
  window.off_screen = off_screen;
  window.scale = arguments.scale;
  std::string error;
  PlatformGlfw platform(window, error);
  if (!error.empty()) return fail(1, error + "; the command line needs no display: gpudget estimate");

  desktop.start(host, options_of(arguments, settings));
  if (!settings.scenario.empty() && first.text.empty()) static_cast<void>(desktop.interface().set(settings.scenario, true));  // of an older version: defaults
  if (!first.text.empty())
    if (const auto opened = desktop.interface().open_text(first.name, first.text); !opened && off_screen) return fail(2, words(opened.error()));

  int status = 0;
  if (off_screen) {
    if (arguments.this_computer) desktop.interface().set_local_gpus(probe::read());
    status = screenshot(arguments, desktop, platform);
  } else {
    LocalGpus local(inbox, {own_program(program), "--probe-child"});
    run(desktop, platform, host, inbox, local, settings_file);
  }
  for (std::thread& thread : threads) thread.detach();  // a dialog that is still open ends with us
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App parser("gpudget in a window: will this fine-tune fit, how long will it take, what will it cost?", "gpudget-desktop");
  parser.set_version_flag("--version", GPUDGET_VERSION);
  parser.add_option("--scenario,scenario", arguments.scenario, "Open this file: a scenario, a model's config.json or safetensors index")->type_name("FILE");
  parser.add_option("--screenshot", arguments.screenshot, "Paint off screen into this PNG file and end")->type_name("OUT.png");
  parser.add_option("--items", arguments.items, "With --screenshot: every item's label and rectangle as JSON")->type_name("OUT.json");
  parser.add_flag("--this-computer", arguments.this_computer, "With --screenshot: show this computer's GPUs too");
  parser.add_option("--width", arguments.width, "Width of the window in layout units")->check(CLI::Range(200, 8192));
  parser.add_option("--height", arguments.height, "Height of the window in layout units")->check(CLI::Range(200, 8192));
  parser.add_option("--scale", arguments.scale, "Pixels a layout unit (else the screen's)")->check(CLI::Range(0.5, 4.0));
  parser.add_option("--lang", arguments.language, "Language (else the last one, else the system's)")->check(CLI::IsMember({"en", "pt", "fr"}));
  parser.add_option("--theme", arguments.theme, "Theme")->check(CLI::IsMember({"light", "dark"}));
  std::vector<std::string> views(std::begin(ui::kViewNames), std::end(ui::kViewNames));
  parser.add_option("--view", arguments.view, "View")->check(CLI::IsMember(views));
  parser.add_flag("--fresh", arguments.fresh, "Forget the last window and scenario");
  parser.add_flag("--probe-child", arguments.probe_child)->group("");
  try {
    parser.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return parser.exit(error);
    return fail(2, std::string(error.what()) + " (gpudget-desktop --help)");
  }
  if (arguments.probe_child) {
    std::cout << probe::to_json(probe::read()) << '\n';
    return 0;
  }
  return start(arguments, argv[0]);
}
