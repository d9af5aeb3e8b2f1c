#include "formats/plan_text.h"

namespace gpudget::formats {
namespace {

using i18n::Msg;

std::string word(i18n::Language language, std::string id, std::string_view of) {
  id += of;
  return std::string(i18n::text_or(language, id, of));
}

}  // namespace

std::string gpus_text(i18n::Language language, const Scenario& s) {
  std::string text;
  if (s.gpus > 1) text = i18n::integer(language, s.gpus) + " × ";
  text += s.gpu.name.view();
  return text;
}

std::string way_text(i18n::Language language, const Scenario& s) {
  std::string text = word(language, "choice.method.", name(s.method));
  const auto add = [&](std::string_view part) {
    text += " · ";
    text += part;
  };
  if (s.gpus > 1 && data_parallel(s) != DataParallel::ddp) add(word(language, "choice.parallelism.data.", name(data_parallel(s))));
  if (s.gradient_checkpointing != Checkpointing::none) add(word(language, "field.", "gradient_checkpointing"));
  add(word(language, "choice.optim.", name(s.optim)));
  if (s.parallelism.offload != Offload::none) add(word(language, "field.", "parallelism.offload"));
  return text;
}

std::string reasons_text(i18n::Language language, const PlanRow& row) {
  std::string text;
  for (std::size_t i = 0; i < row.reason_count; ++i) {
    if (i > 0) text += " · ";
    text += word(language, "plan.why.", name(row.reasons[i]));
  }
  return text;
}

std::string nearest_text(i18n::Language language, const PlanMiss& miss, i18n::ByteUnit unit) {
  const std::string what = gpus_text(language, miss.row.scenario) + ", " + way_text(language, miss.row.scenario);
  switch (miss.kind) {
    case PlanMiss::Kind::memory: return i18n::format(language, Msg::plan_nearest_memory, {{"what", what}, {"size", i18n::size(language, miss.lacks, unit)}});
    case PlanMiss::Kind::deadline: return i18n::format(language, Msg::plan_nearest_deadline, {{"what", what}, {"time", i18n::duration(language, miss.late)}});
    case PlanMiss::Kind::budget: return i18n::format(language, Msg::plan_nearest_budget, {{"what", what}, {"money", i18n::money(language, miss.over)}});
  }
  return {};
}

}  // namespace gpudget::formats
