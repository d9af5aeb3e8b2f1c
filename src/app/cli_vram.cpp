// gpudget vram: the GPUs of this computer, what they have and what is free. No GPU is an answer.
#include <unistd.h>

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
    LanguageOption language;
  };
  auto options = std::make_shared<Options>();
  call->add_flag("--json", options->json, "as JSON, in bytes");
  options->language.add(*call);
  call->callback([options, &context] {
    context.run = [options, &context] {
      const probe::Report report = probe::read();
      context.out = options->json ? probe::to_json(report) + "\n" : text(report, options->language.get());
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
