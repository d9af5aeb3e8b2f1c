// gpudget vram: the GPUs of this computer, what they have and what is free. No GPU is an answer.
#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include "app/cli.h"
#include "app/cli_table.h"
#include "i18n/numbers.h"
#include "i18n/text.h"
#include "probe/probe.h"
#include "probe/report_json.h"

namespace gpudget::cli {
namespace {

std::string text(const probe::Report& report, i18n::Language l) {
  std::string note = report.note;
  if (!report.note_id.empty())
    if (const auto message = i18n::find(report.note_id)) note = i18n::format(l, *message, {{"detail", report.note_detail}});
  if (report.gpus.empty()) return note + "\n";
  Table t({"GPU", "", i18n::format(l, i18n::Msg::cli_total, {}), i18n::format(l, i18n::Msg::cli_used, {}), i18n::format(l, i18n::Msg::cli_free, {})},
          {true, false, true, true, true});
  for (const probe::Gpu& gpu : report.gpus)
    t.row({fmt::format("{}", gpu.index), gpu.name, i18n::size(l, gpu.total), i18n::size(l, gpu.used), i18n::size(l, gpu.free)});
  std::string out = t.text();
  if (!report.driver.empty()) out += fmt::format("driver {}{}\n", report.driver, report.cuda.empty() ? "" : ", CUDA " + report.cuda);
  return note.empty() ? out : out + note + "\n";
}

}  // namespace

void add_vram(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("vram", "the GPUs of this computer: total, used and free memory");
  struct Options {
    bool json = false;
    double watch = 0;
    LanguageOption language;
  };
  auto options = std::make_shared<Options>();
  call->add_flag("--json", options->json, "as JSON, in bytes");
  call->add_option("--watch", options->watch, "again every so many seconds, until interrupted; with --json a line each time")->check(CLI::Range(0.1, 86400.0));
  options->language.add(*call, context);
  call->callback([options, &context] {
    context.run = [options, &context] {
      while (true) {
        const probe::Report report = probe::read();
        context.out = options->json ? probe::to_json(report) + "\n" : text(report, options->language.get());
        if (options->watch <= 0 || report.gpus.empty()) break;  // nothing to watch is an answer
        if (!options->json && output_is_terminal()) context.out = "\x1b[H\x1b[2J" + context.out;
        if (std::fwrite(context.out.data(), 1, context.out.size(), stdout) != context.out.size() || std::fflush(stdout) != 0)
          throw Failure{"standard output", "could not be written (a place with room)"};
        std::this_thread::sleep_for(std::chrono::duration<double>(options->watch));
      }
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
