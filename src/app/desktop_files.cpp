#include "app/desktop_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#ifndef _WIN32
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
#endif

namespace gpudget::app {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostBytes = 64U << 20U;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

#ifndef _WIN32

bool on_path(const std::string& program) {
  const std::string path = environment("PATH");
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    if (end > at && access((path.substr(at, end - at) + "/" + program).c_str(), X_OK) == 0) return true;
    at = end + 1;
  }
  return false;
}

// Starts a program; its standard output is `output`, or nothing for -1. 0 where it could not be started.
pid_t start(std::vector<std::string> words, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : 0;
}

std::string answer_of(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = start(words, ends[1]);
  close(ends[1]);
  std::string text;
  char block[1024];
  for (ssize_t n = 0; child > 0 && (n = read(ends[0], block, sizeof block)) > 0;) text.append(block, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 1;
  if (child > 0) waitpid(child, &status, 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "";
}

// Tests and odd desktops say GPUDGET_FILE_DIALOG=none, or the name of the program.
std::string dialog_program() {
  const std::string wish = environment("GPUDGET_FILE_DIALOG");
  if (wish == "none") return {};
  const bool kde = environment("XDG_CURRENT_DESKTOP").find("KDE") != std::string::npos;
  for (const std::string& program : {wish, std::string(kde ? "kdialog" : "zenity"), std::string(kde ? "zenity" : "kdialog")})
    if (!program.empty() && on_path(program)) return program;
  return {};
}

#else

std::string dialog_program() { return {}; }
std::string answer_of(const std::vector<std::string>&) { return {}; }

#endif

}  // namespace

std::string choose_file_to_open(bool& available) {
  const std::string program = dialog_program();
  available = !program.empty();
  if (!available) return {};
  if (program == "kdialog") return answer_of({program, "--getopenfilename", ":gpudget", "*.json"});
  return answer_of({program, "--file-selection", "--title=gpudget"});
}

std::string choose_file_to_save(const std::string& name, bool& available) {
  const std::string program = dialog_program();
  available = !program.empty();
  if (!available) return {};
  const std::string proposed = download_path(name);
  if (program == "kdialog") return answer_of({program, "--getsavefilename", proposed});
  return answer_of({program, "--file-selection", "--save", "--confirm-overwrite", "--title=gpudget", "--filename=" + proposed});
}

void open_link(const std::string& url) {
  if (url.rfind("https://", 0) != 0 && url.rfind("http://", 0) != 0 && url.rfind("mailto:", 0) != 0) return;
#ifndef _WIN32
#ifdef __APPLE__
  const char* opener = "open";
#else
  const char* opener = "xdg-open";
#endif
  if (const pid_t child = start({opener, url}, -1); child > 0) waitpid(child, nullptr, 0);
#endif
}

std::string download_path(const std::string& name) {
  const fs::path home = environment("HOME");
  std::error_code error;
  fs::path folder = environment("XDG_DOWNLOAD_DIR");
  if (folder.empty() || !fs::is_directory(folder, error)) folder = home / "Downloads";
  if (!fs::is_directory(folder, error)) folder = home;
  if (!fs::is_directory(folder, error)) folder = fs::current_path(error);
  const fs::path wanted = fs::path(name).filename();
  fs::path path = folder / wanted;
  for (int n = 2; fs::exists(path, error) && n < 1000; ++n)
    path = folder / (wanted.stem().string() + " (" + std::to_string(n) + ")" + wanted.extension().string());
  return path.string();
}

bool read_file(const std::string& path, std::string& text) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostBytes) return false;
  std::ifstream in(path, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(in), {});
  return !in.bad();
}

bool write_file(const std::string& path, const void* data, std::size_t size) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  return static_cast<bool>(out.flush());
}

}  // namespace gpudget::app
