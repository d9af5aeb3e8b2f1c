// gpudget vram: the GPUs of this computer, what they have and what is free; with a Scenario, whether it fits there now. No GPU is an answer.
// --watch is a small view of a terminal that is drawn again as the memory changes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli.h"
#include "app/cli_table.h"
#include "catalog/local_gpu.h"
#include "core/estimate.h"
#include "formats/local_fit.h"
#include "i18n/numbers.h"
#include "i18n/text.h"
#include "probe/probe.h"
#include "probe/report_json.h"

namespace gpudget::cli {
namespace {

using formats::LocalFit;
using i18n::Language;
using i18n::Msg;
using Samples = std::map<std::string, std::vector<double>>;  // shares used, the newest last, by GPU

// What the course asks to run around a training; formats/measured_text.h reads back what it prints.
constexpr std::string_view kSnippet = R"(import torch

torch.cuda.reset_peak_memory_stats()
trainer.train()  # a few steps are enough
free, total = torch.cuda.mem_get_info()
print("peak allocated:", torch.cuda.max_memory_allocated())
print("peak reserved :", torch.cuda.max_memory_reserved())
print("device used   :", total - free)
)";

struct VramOptions {
  ScenarioOptions scenario;
  LanguageOption language;
  bool json = false, check = false, snippet = false;
  double watch = 0;  // seconds
};

std::optional<Bytes> free_of(const probe::Gpu& gpu) { return gpu.used_known ? std::optional(gpu.free) : std::nullopt; }

// What the scenario needs on each GPU, were it run there.
std::vector<Bytes> needs_of(const Scenario& scenario, const probe::Report& report) {
  std::vector<Bytes> needs;
  Scenario there = scenario;
  for (const probe::Gpu& gpu : report.gpus) {
    there.gpu = catalog::local_gpu(gpu.name, gpu.total);
    needs.push_back(estimate(there).memory.device);
  }
  return needs;
}

std::string note_of(Language l, const probe::Report& report) {
  if (report.note_id.empty()) return report.note;
  const auto message = i18n::find(report.note_id);
  return message ? i18n::format(l, *message, {{"detail", report.note_detail}}) : report.note;
}

// The lines beneath the GPUs: what the driver calls itself, what asking cost, what could not be read.
std::string footer(Language l, const probe::Report& report) {
  std::string out;
  if (!report.driver.empty() || !report.cuda.empty())
    out += fmt::format("driver {}{}\n", report.driver.empty() ? i18n::text(l, Msg::cli_unknown) : report.driver,
                       report.cuda.empty() ? std::string() : ", CUDA " + report.cuda);
  if (report.context_cost > Bytes{}) out += i18n::format(l, Msg::probe_context_cost, {{"size", i18n::size(l, report.context_cost)}}) + "\n";
  if (const std::string note = note_of(l, report); !note.empty()) out += note + "\n";
  return out;
}

std::string size_or_unknown(Language l, Bytes size, bool known) { return known ? i18n::size(l, size) : std::string(i18n::text(l, Msg::cli_unknown)); }

Colour colour_of(LocalFit fit) { return fit == LocalFit::over ? Colour::red : fit == LocalFit::total ? Colour::amber : Colour::green; }

std::string fit_line(Language l, const probe::Gpu& gpu, Bytes needs) {
  return i18n::format(l, Msg::cli_this_scenario, {{"size", i18n::size(l, needs)}}) + " · " +
         coloured(formats::local_fit_text(needs, gpu.total, free_of(gpu), l), colour_of(formats::local_fit(needs, gpu.total, free_of(gpu))));
}

std::string processes_of(Language l, const probe::Gpu& gpu, std::size_t most) {
  std::vector<probe::Process> sorted = gpu.processes;
  std::stable_sort(sorted.begin(), sorted.end(), [](const probe::Process& a, const probe::Process& b) { return a.used > b.used; });
  std::string out;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i)
    out += fmt::format("   {} {}  {}\n", sorted[i].pid, sorted[i].name, size_or_unknown(l, sorted[i].used, sorted[i].used_known));
  if (sorted.size() > most) out += fmt::format("   + {}\n", sorted.size() - most);
  return out;
}

std::string text(Language l, const probe::Report& report, const std::vector<Bytes>& needs) {
  if (report.gpus.empty()) return footer(l, report);
  Table t({"GPU", "", i18n::format(l, Msg::cli_total, {}), i18n::format(l, Msg::cli_used, {}), i18n::format(l, Msg::cli_free, {}),
           i18n::format(l, Msg::cli_reserved, {})},
          {true, false, true, true, true, true});
  for (const probe::Gpu& gpu : report.gpus)
    t.row({fmt::format("{}", gpu.index), gpu.name, i18n::size(l, gpu.total), size_or_unknown(l, gpu.used, gpu.used_known),
           size_or_unknown(l, gpu.free, gpu.used_known), size_or_unknown(l, gpu.reserved, gpu.reserved_known)});
  std::string out = t.text() + footer(l, report);
  for (std::size_t i = 0; i < report.gpus.size(); ++i) {
    if (!needs.empty()) out += fmt::format("{:>3}  {}\n", report.gpus[i].index, fit_line(l, report.gpus[i], needs[i]));
    out += processes_of(l, report.gpus[i], 8);
  }
  return out;
}

// Used, reserved and free as a bar, and where the scenario would end on it were it started now.
std::string bar(const probe::Gpu& gpu, Bytes needs, std::size_t cells) {
  const double total = static_cast<double>(gpu.total.in_bytes());
  const auto cell = [&](Bytes size) {
    return std::min(cells, static_cast<std::size_t>(static_cast<double>(cells) * static_cast<double>(size.in_bytes()) / total + 0.5));
  };
  const Bytes reserved = gpu.reserved_known ? gpu.reserved : Bytes{}, taken = gpu.used_known ? gpu.used + reserved : Bytes{};
  const std::size_t used = gpu.used_known ? cell(gpu.used) : 0, held = std::max(cell(taken), used), end = cell(taken + needs);
  const bool over = taken + needs > gpu.total;
  std::string out;
  for (std::size_t i = 0; i < cells; ++i) {
    if (!over && i + 1 == std::max<std::size_t>(end, 1))
      out += coloured("┃", Colour::green);
    else
      out += i < used ? "█" : i < held ? "▒" : "·";
  }
  return out + (over ? coloured("▶", Colour::red) : " ");
}

std::string history(const std::vector<double>& samples, std::size_t cells) {
  static constexpr std::string_view kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string out;
  for (std::size_t i = samples.size() > cells ? samples.size() - cells : 0; i < samples.size(); ++i)
    out += kBlocks[std::min<std::size_t>(7, static_cast<std::size_t>(samples[i] * 8))];
  return out;
}

std::string view(Language l, const probe::Report& report, const std::vector<Bytes>& needs, Samples& samples) {
  if (report.gpus.empty()) return footer(l, report);
  const std::size_t width = terminal_width() == 0 ? 80 : terminal_width(), cells = std::clamp<std::size_t>(width > 6 ? width - 6 : 1, 10, 60);
  std::string out;
  for (std::size_t i = 0; i < report.gpus.size(); ++i) {
    const probe::Gpu& gpu = report.gpus[i];
    out += fmt::format("{:>2} {}\n", gpu.index, coloured(gpu.name, Colour::bold));
    out += fmt::format("   {}\n", bar(gpu, needs[i], cells));
    const std::string free = size_or_unknown(l, gpu.free, gpu.used_known), total = i18n::size(l, gpu.total);
    out += fmt::format("   {}\n", i18n::format(l, Msg::question_free_now, {{"free", free}, {"total", total}}));
    out += fmt::format("   {}\n", fit_line(l, gpu, needs[i]));
    if (gpu.used_known && gpu.total > Bytes{}) {
      auto& seen = samples[gpu.uuid.empty() ? fmt::format("{}", gpu.index) : gpu.uuid];
      seen.push_back(static_cast<double>(gpu.used.in_bytes()) / static_cast<double>(gpu.total.in_bytes()));
      if (seen.size() > 60) seen.erase(seen.begin());
      out += fmt::format("   {}\n", coloured(history(seen, cells), Colour::dim));
    }
    out += processes_of(l, gpu, 5);
  }
  return out + footer(l, report);
}

// The report, each GPU with what the scenario needs on it.
std::string json(const probe::Report& report, const std::vector<Bytes>& needs) {
  if (needs.empty()) return probe::to_json(report) + "\n";
  auto all = nlohmann::ordered_json::parse(probe::to_json(report));
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const probe::Gpu& gpu = report.gpus[i];
    const auto free = free_of(gpu);
    all["gpus"][i]["estimate"] = {{"device", needs[i].in_bytes()}, {"fits", needs[i] <= gpu.total}};
    all["gpus"][i]["estimate"]["fits_now"] = free ? nlohmann::ordered_json(needs[i] <= *free) : nlohmann::ordered_json(nullptr);
  }
  return all.dump() + "\n";
}

void print(const std::string& out) {
  if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
    throw Failure{"standard output", "could not be written (a place with room)"};
}

// Each line ends by clearing what stood behind it and the screen beneath is cleared: no flicker.
std::string over_the_last(std::string_view text) {
  std::string out = "\x1b[H";
  for (const char c : text) out += c == '\n' ? std::string("\x1b[K\n") : std::string(1, c);
  return out + "\x1b[J";
}

int run(const VramOptions& options, Context& context) {
  const Language l = options.language.get();
  if (options.snippet) {
    context.out = kSnippet;
    return kDone;
  }
  const ScenarioOptions& given = options.scenario;
  const bool asked = options.watch > 0 || options.check || !given.file.empty() || !given.configs.empty() || !given.settings.empty();
  // Standard input is read only where FILE says so: who asks for the GPUs alone may have it open.
  const Scenario scenario = given.file.empty() ? given.with_settings() : given.read();
  const bool live = options.watch > 0 && !options.json && output_is_terminal();
  if (live) print("\x1b[2J");
  for (Samples samples;;) {
    const probe::Report report = probe::read();
    const std::vector<Bytes> needs = asked ? needs_of(scenario, report) : std::vector<Bytes>();
    context.out = options.json ? json(report, needs) : options.watch > 0 ? view(l, report, needs, samples) : text(l, report, needs);
    if (options.watch <= 0 || report.gpus.empty()) {  // nothing to watch is an answer
      bool fits = false;
      for (std::size_t i = 0; i < needs.size(); ++i)
        fits = fits || formats::local_fit(needs[i], report.gpus[i].total, free_of(report.gpus[i])) == LocalFit::now;
      return options.check && !fits ? kNo : kDone;
    }
    print(live ? over_the_last(context.out) : context.out);
    std::this_thread::sleep_for(std::chrono::duration<double>(options.watch));
  }
}

}  // namespace

void add_vram(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("vram", "the GPUs of this computer: total, used and free memory, and whether a Scenario fits there now");
  auto options = std::make_shared<VramOptions>();
  options->scenario.add(*call, context);
  call->remove_option(call->get_option("--gpu"));  // it is this computer's
  call->get_option("FILE")->description("a Scenario as JSON, to see whether it fits there; - for standard input");
  call->add_flag("--json", options->json, "as JSON, in bytes");
  call->add_flag("--check", options->check, "exit status 1 where the Scenario fits in what is free now on none");
  CLI::Option* watch = call->add_option("--watch", options->watch, "again every so many seconds (1), until interrupted; with --json a line each time");
  watch->expected(0, 1)->default_str("1")->check(CLI::Range(0.1, 86400.0))->excludes(call->get_option("--check"));
  call->add_flag("--snippet", options->snippet, "the lines of Python that measure a run: paste what they print into gpudget's window or page");
  options->language.add(*call, context);
  call->callback([options, &context] { context.run = [options, &context] { return run(*options, context); }; });
}

}  // namespace gpudget::cli
