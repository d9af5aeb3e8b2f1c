// gpudget plan: every way to train this model on the named hardware, the front of cost and time, cheapest first.
#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli.h"
#include "app/cli_table.h"
#include "formats/plan_json.h"
#include "i18n/numbers.h"

namespace gpudget::cli {
namespace {

struct PlanCall {
  ScenarioOptions scenario;
  LanguageOption language;
  std::string gpus, deadline, market, methods;
  std::vector<std::string> owned;
  std::int64_t max_gpus = 0, top = 0;
  double budget = 0;
  bool keep_batch = false, no_quantization = false, no_lora = false, keep_optimizer = false, no_offload = false, json = false;
};

std::string how(const Scenario& s) {
  std::string out(name(s.method));
  if (s.parallelism.data != DataParallel::automatic) out += fmt::format(", {}", name(s.parallelism.data));
  if (s.parallelism.offload != Offload::none) out += fmt::format(", offload {}", name(s.parallelism.offload));
  if (s.gradient_checkpointing != Checkpointing::none) out += ", checkpointing";
  return out + fmt::format(", {}", name(s.optim));
}

std::string machines(const PlanRow& r) { return fmt::format("{}× {}", r.scenario.gpus, r.scenario.gpu.name.view()); }

int run(const PlanCall& call, Context& context) {
  nlohmann::json options = nlohmann::json::object();
  if (!call.gpus.empty()) options["gpus"] = call.gpus;
  for (const std::string& one : call.owned) {
    const std::size_t colon = one.rfind(':');
    const std::string count = colon == std::string::npos ? "1" : one.substr(colon + 1);
    if (count.empty() || count.size() > 6 || count.find_first_not_of("0123456789") != std::string::npos)
      throw Failure{"--owned", fmt::format("'{}' is not a GPU and a count (rtx-4090:2)", one)};
    options["owned"][one.substr(0, colon)] = std::atoi(count.c_str());
  }
  if (!call.deadline.empty()) options["deadline"] = call.deadline;
  if (!call.market.empty()) options["market"] = call.market;
  if (!call.methods.empty()) options["methods"] = call.methods;
  if (call.max_gpus != 0) options["max_gpus"] = call.max_gpus;
  if (call.top != 0) options["top"] = call.top;
  if (call.budget != 0) options["budget"] = call.budget;
  if (call.keep_batch) options["keep_effective_batch"] = true;
  if (call.no_quantization) options["no_quantization"] = true;
  if (call.no_lora) options["no_lora"] = true;
  if (call.keep_optimizer) options["keep_optimizer"] = true;
  if (call.no_offload) options["no_offload"] = true;
  const auto read = or_fail(formats::read_plan_options(options.dump(), call.scenario.read()));
  const PlanResult result = plan(read.request);
  const int status = result.front.empty() ? kNo : kDone;
  if (call.json) {
    context.out = formats::write_plan(read, result) + "\n";
    return status;
  }
  const i18n::Language l = call.language.get();
  if (result.front.empty()) {
    if (!result.nearest) {
      context.out = std::string(i18n::text(l, i18n::Msg::cli_plan_miss_nothing)) + "\n";
      return status;
    }
    const PlanMiss& m = *result.nearest;
    const std::string what = fmt::format("{} ({})", machines(m.row), how(m.row.scenario));
    const std::string size = i18n::size(l, m.lacks), time = i18n::duration(l, m.late), money = i18n::money(l, m.over);
    constexpr std::array<i18n::Msg, 3> kMisses{i18n::Msg::cli_plan_miss_memory, i18n::Msg::cli_plan_miss_deadline, i18n::Msg::cli_plan_miss_budget};
    context.out = i18n::format(l, kMisses[static_cast<std::size_t>(m.kind)], {{"gpus", what}, {"size", size}, {"time", time}, {"money", money}});
    context.out += '\n';
    return status;
  }
  Table table({"USD", "time", "GPUs", "micro-batch", "free", "how"}, {true, true, false, true, true, false});
  std::int64_t rows = 0;
  std::string why;
  for (const PlanRow& r : result.front) {
    if (call.top > 0 && rows == call.top) break;
    ++rows;
    const Scenario& s = r.scenario;
    table.row({i18n::money(l, r.usd_all_runs), i18n::duration(l, r.seconds_all_runs), machines(r),
               fmt::format("{} × {}", s.per_device_train_batch_size, s.gradient_accumulation_steps), i18n::size(l, r.headroom), how(s)});
    if (rows > 1 && rows < static_cast<std::int64_t>(result.front.size())) continue;  // the ends of the front in words
    why += fmt::format("{}:", machines(r));
    for (std::size_t i = 0; i < r.reason_count; ++i)
      why += fmt::format("{} {}", i == 0 ? "" : ";", i18n::text_or(l, fmt::format("plan.why.{}", name(r.reasons[i])), name(r.reasons[i])));
    why += '\n';
  }
  const std::string n = i18n::integer(l, result.candidates), fit = i18n::integer(l, result.fitting);
  context.out = table.text() + "\n" + why + i18n::format(l, i18n::Msg::plan_counted, {{"n", n}, {"fit", fit}}) + "\n";
  return status;
}

}  // namespace

void add_plan(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("plan", "every way to train this model on the named hardware: the front of cost and time, cheapest first");
  auto o = std::make_shared<PlanCall>();
  o->scenario.add(*call, context);
  o->language.add(*call, context);
  call->add_option("--gpus", o->gpus, "GPUs to choose from, comma-separated catalog ids; default: all that can be rented");
  call->add_option("--owned", o->owned, "a GPU you have and how many, rtx-4090:2; nothing is rented then, unless --gpus names it");
  call->add_option("--max-gpus", o->max_gpus, "at most so many GPUs (8)")->check(CLI::Range(1, 4096));
  call->add_option("--deadline", o->deadline, "all runs done within this time: 24h, 3d, 90m, or seconds");
  call->add_option("--budget", o->budget, "all runs for at most so many US dollars")->check(CLI::Range(1e-6, 1e12));
  context.words[call->add_option("--market", o->market, "on_demand or spot; default: the scenario's")] = {"on_demand", "spot"};
  call->add_option("--methods", o->methods, "any, kept, or full,lora,qlora; default: the scenario's own method");
  call->add_flag("--keep-batch", o->keep_batch, "keep micro-batch x accumulation x GPUs as in the scenario");
  call->add_flag("--no-quantization", o->no_quantization, "no 4-bit weights and no 8-bit optimizer states");
  call->add_flag("--no-lora", o->no_lora, "no LoRA and no QLoRA");
  call->add_flag("--keep-optimizer", o->keep_optimizer, "only the scenario's optimizer");
  call->add_flag("--no-offload", o->no_offload, "nothing on the CPU");
  call->add_option("--top", o->top, "the first so many rows")->check(CLI::Range(1, 1000000));
  call->add_flag("--json", o->json, "as JSON, each row with its full scenario");
  call->callback([o, &context] { context.run = [o, &context] { return run(*o, context); }; });
}

}  // namespace gpudget::cli
