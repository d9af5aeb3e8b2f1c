// gpudget export: a configuration that a training tool runs.
#include <fmt/format.h>

#include "app/cli.h"
#include "core/estimate.h"
#include "formats/export.h"

namespace gpudget::cli {

void add_export(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("export", "a runnable configuration for a training tool");
  struct Options {
    ScenarioOptions scenario;
    std::string to;
  };
  auto options = std::make_shared<Options>();
  options->scenario.add(*call, context);
  CLI::Option* to = call->add_option("--to", options->to, "trainer, trl, deepspeed, accelerate, torchtune, axolotl or llamafactory")->required();
  for (const std::string_view tool : names<formats::ExportTool>()) context.words[to].emplace_back(tool);
  call->callback([options, &context] {
    context.run = [options, &context] {
      const auto tool = from_name<formats::ExportTool>(options->to);
      const auto all = names<formats::ExportTool>();
      if (!tool) throw Failure{"--to", fmt::format("'{}' is not known (one of {})", options->to, fmt::join(all.begin(), all.end(), ", "))};
      const Scenario s = options->scenario.read();
      if (s.method == Method::inference) throw Failure{"method", "inference has no training configuration (one of full, lora, qlora)"};
      context.out = formats::export_config(*tool, s, estimate(s)).text;
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
