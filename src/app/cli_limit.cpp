// gpudget limit: the largest value of one quantity that still fits.
#include "core/limit.h"

#include <fmt/format.h>

#include "app/cli.h"
#include "core/estimate.h"
#include "formats/limit_json.h"
#include "i18n/numbers.h"

namespace gpudget::cli {
namespace {

struct LimitOptions {
  ScenarioOptions scenario;
  std::string of;
  bool json = false;
};

int run(const LimitOptions& options, Context& context) {
  const auto of = from_name<LimitOf>(options.of);
  if (!of) throw Failure{"--of", fmt::format("'{}' is not known (one of {})", options.of, fmt::join(names<LimitOf>().begin(), names<LimitOf>().end(), ", "))};
  const Scenario s = options.scenario.read();
  if (*of == LimitOf::lora_r && s.method != Method::lora && s.method != Method::qlora)
    throw Failure{"--of", fmt::format("lora.r has no effect with method {} (--set method=lora)", name(s.method))};
  const auto found = limit(s, *of);
  if (options.json) {
    context.out = formats::write_limit(s, *of, found) + "\n";
  } else if (found) {
    const Estimate e = estimate(found->scenario);
    context.out = fmt::format("{} = {}: {} of {} on each {}\n", name(*of), found->value, i18n::size(i18n::Language::en, e.memory.device),
                              i18n::size(i18n::Language::en, e.memory.capacity), s.gpu.name.view());
  } else {
    context.out = fmt::format("{}: even the smallest value does not fit on {}\n", name(*of), s.gpu.name.view());
  }
  return found ? kDone : kNo;
}

}  // namespace

void add_limit(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("limit", "the largest value that still fits, everything else as given");
  auto options = std::make_shared<LimitOptions>();
  options->scenario.add(*call, context);
  CLI::Option* of = call->add_option("--of", options->of, "params, per_device_train_batch_size, max_length or lora.r")->required();
  for (const std::string_view quantity : names<LimitOf>()) context.words[of].emplace_back(quantity);
  call->add_flag("--json", options->json, "as JSON");
  call->callback([options, &context] { context.run = [options, &context] { return run(*options, context); }; });
}

}  // namespace gpudget::cli
