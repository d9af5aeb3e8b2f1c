// gpudget estimate --ndjson: one Scenario a line in, one Estimate a line out, as they come. A line that is wrong gives
// {"line": n, "error": {"path", "message"}} in its place and does not stop the rest. Memory does not grow with the number of lines.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "app/cli.h"
#include "core/advice.h"
#include "core/estimate.h"
#include "formats/estimate_json.h"
#include "formats/json_text.h"
#include "formats/scenario_json.h"

namespace gpudget::cli {
namespace {

class Batch {
 public:
  Batch(const Scenario& base, i18n::Language language) : base_(base), language_(language) {}

  // The next piece of the input; answers every line that it completes.
  void read(std::string_view piece) {
    while (!piece.empty()) {
      const std::size_t end = piece.find('\n');
      const std::string_view part = piece.substr(0, end);
      if (line_.size() <= formats::kMaxScenarioBytes)
        line_ += part.substr(0, formats::kMaxScenarioBytes + 1);  // what is longer is refused; its end is not kept
      if (end == std::string_view::npos) return;
      answer();
      piece.remove_prefix(end + 1);
    }
  }
  void end() {
    if (!line_.empty()) answer();
  }
  // A reader that has gone away, or a full disk.
  void write() {
    if (std::fwrite(out_.data(), 1, out_.size(), stdout) != out_.size() || std::fflush(stdout) != 0)
      throw Failure{"standard output", "could not be written (a place with room)"};
    out_.clear();
  }
  std::int64_t lines() const { return number_; }
  std::int64_t wrong() const { return wrong_; }
  std::int64_t too_big() const { return too_big_; }

 private:
  void answer() {
    ++number_;
    std::string_view line = line_;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    if (!line.empty()) {
      if (const auto s = formats::read_scenario(line, base_)) {
        estimate(*s, estimate_);
        too_big_ += estimate_.memory.fits ? 0 : 1;
        const AdviceList advice = advise(*s, estimate_, &advised_);
        formats::append_estimate(out_, *s, estimate_, advice, language_, &advised_);
      } else {
        ++wrong_;
        formats::JsonWriter error;
        error.open('{').field("line", number_).key("error").open('{').field("path", std::string_view(s.error().path));
        error.field("message", std::string_view(s.error().message())).close('}').close('}');
        out_ += error.text();
      }
      out_ += '\n';
      if (out_.size() > (1U << 16U)) write();
    }
    line_.clear();
  }

  const Scenario& base_;
  i18n::Language language_;
  std::string line_, out_;
  std::int64_t number_ = 0, wrong_ = 0, too_big_ = 0;
  Estimate estimate_;
  AdvisedScenarios advised_;
};

// Lines done, on standard error where a person watches it and the answers go elsewhere; from the second second on, so that short batches are quiet.
class Progress {
 public:
  explicit Progress(const Batch& batch) : batch_(batch), on_(isatty(STDERR_FILENO) != 0 && !output_is_terminal()) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }
  void show() {
    const auto now = std::chrono::steady_clock::now();
    if (!on_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;
    fmt::print(stderr, "\r\x1b[K{} lines", batch_.lines());
    (void)std::fflush(stderr);
  }

 private:
  const Batch& batch_;
  bool on_, shown_ = false;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

}  // namespace

int run_ndjson(const ScenarioOptions& options, i18n::Language language, bool check) {
  const bool piped = options.file.empty() || options.file == "-";
  const Scenario base = options.with_settings();
  const int file = piped ? STDIN_FILENO : open(options.file.c_str(), O_RDONLY | O_CLOEXEC);
  const std::string name = piped ? "standard input" : options.file;
  const auto unreadable = [&] { throw Failure{name, fmt::format("{} (a file of one Scenario a line)", std::strerror(errno))}; };
  if (file < 0) unreadable();
  Batch batch(base, language);
  std::optional<Progress> progress(batch);
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t n = ::read(file, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) unreadable();
    if (n == 0) break;
    batch.read({buffer.data(), static_cast<std::size_t>(n)});
    progress->show();
    batch.write();  // whoever waits for an answer before the next question gets it
  }
  batch.end();
  batch.write();
  if (!piped) close(file);
  progress.reset();
  if (batch.wrong() > 0)
    fmt::print(stderr, "gpudget: error: {}: {} of {} lines are wrong (each has its \"error\" in the output)\n", name, batch.wrong(), batch.lines());
  return batch.wrong() > 0 ? kWrong : check && batch.too_big() > 0 ? kNo : kDone;
}

}  // namespace gpudget::cli
