// How long the C++ of a frame takes: each view drawn at the default size without a window (the renderer's work is not in it), and a frame in which the
// question changes (new estimate and advice) while the planner runs. Prints one line a figure with its goal; exits 1 with --check where a goal is missed.
//   bench_frame [--check]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "ui/headless.h"

using namespace gpudget;

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kGoal = 2;     // ms, of a frame
constexpr double kTick = 16.7;  // ms, between two frames of a screen of 60 Hz: the planner may take its 4 ms of one
int missed = 0;

// The best of a few rounds: a machine is rarely alone.
template <class Each>
void figure(const std::string& what, double goal, Each&& each) {
  constexpr int kTimes = 20;
  double best = 1e300;
  for (int round = 0; round < 10; ++round) {
    const auto from = Clock::now();
    for (int i = 0; i < kTimes; ++i) each(i);
    const double took = std::chrono::duration<double, std::milli>(Clock::now() - from).count() / kTimes;
    if (took < best) best = took;
  }
  if (best > goal) ++missed;
  std::printf("%-46s %8.3f ms  goal <= %-4g  now/goal %.2f%s\n", what.c_str(), best, goal, best / goal, best > goal ? "  MISSED" : "");
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  ui::Options o;
  for (std::size_t v = 0; v < std::size(ui::kViewNames); ++v) {
    o.view = static_cast<ui::View>(v);
    tests::Headless h(o);
    for (int i = 0; i < 200; ++i) h.frame();  // until the planner has come to its end
    figure(std::string(ui::kViewNames[v]), kGoal, [&](int) { h.frame(); });
  }
  const auto question = [&o](const char* what, ui::View view, double goal) {
    o.view = view;
    tests::Headless h(o);
    figure(what, goal, [&h](int i) {
      if (!h.interface->set(fmt::format(R"({{"per_device_train_batch_size":{}}})", 1 + i % 64), false)) std::abort();
      h.frame();
    });
  };
  question("the question changes", ui::View::memory, kGoal);
  question("the question changes, the planner running", ui::View::plan, kTick);
  return check && missed > 0 ? 1 : 0;
}
