#include "probe/child.h"

#include "probe/note.h"
#include "probe/report_json.h"

#if defined(_WIN32) || defined(__EMSCRIPTEN__)

namespace gpudget::probe {

Report read_in_child(const std::vector<std::string>&, double) { return read(); }

}  // namespace gpudget::probe

#else

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

extern char** environ;

namespace gpudget::probe {
namespace {

constexpr std::size_t kMostText = 16U << 20U;

// What the child writes until it ends, or until the deadline; whether it ended by itself.
bool read_all(int file, double seconds, std::string& out) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  char block[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wanted{file, POLLIN, 0};
    if (poll(&wanted, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t n = ::read(file, block, sizeof block);
    if (n <= 0) return n == 0;
    out.append(block, static_cast<std::size_t>(n));
    if (out.size() > kMostText) return false;
  }
}

}  // namespace

Report read_in_child(const std::vector<std::string>& command, double seconds) {
  Report failed;
  add_note(failed, "probe.no_answer");
  int ends[2];
  if (command.empty() || pipe2(ends, O_CLOEXEC) != 0) return failed;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  bool ended = false;
  if (error == 0) {
    ended = read_all(ends[0], seconds, text);
    if (!ended) kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ended = ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  close(ends[0]);
  return ended ? from_json(text) : failed;
}

}  // namespace gpudget::probe

#endif
