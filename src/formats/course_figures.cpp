#include "formats/course_figures.h"

#include "course/tables.h"
#include "i18n/numbers.h"

namespace gpudget::formats {
namespace {

using i18n::Language;

std::string figure(Language l, std::string_view name) {
  const course::Breakdown b = course::full_finetuning(course::kWorkedParameters, course::Precision::bfloat16);
  const course::TimeExample time = course::time_example();
  const course::CostExample cost = course::cost_example();
  const Bytes weights_bf16 = course::estimate_memory_cases()[0].result.weights;
  const auto size = [&](Bytes v) { return course_size(l, v); };
  const auto whole_gb = [&](Bytes v) { return i18n::integer(l, v.in_bytes() / gb(1).in_bytes()); };  // the first of a range: the unit stands after the second
  const auto zero = [&](int stage) { return size(course::zero_per_gpu(b, stage, course::kZeroExampleGpus)); };
  const double epochs = static_cast<double>(time.epochs);

  if (name == "weights") return size(b.weights);
  if (name == "two") return size(b.weights + b.gradients);
  if (name == "states") return size(b.optimizer);
  if (name == "states8") return size(bytes(b.optimizer.in_bytes() / 4));
  if (name == "total") return size(b.total());
  if (name == "checkpointing") return size(course::with_checkpointing(b.total()));
  if (name == "fp32") return size(course::full_finetuning(course::kWorkedParameters, course::Precision::float32).total());
  if (name == "worked_low") return whole_gb(course::kWorkedWithCheckpointing.low);
  if (name == "worked_high") return size(course::kWorkedWithCheckpointing.high);
  if (name == "key_low") return whole_gb(course::kWorkedFullKeyPoint.low);
  if (name == "key_high") return size(course::kWorkedFullKeyPoint.high);
  if (name == "zero0") return zero(0);
  if (name == "zero1") return zero(1);
  if (name == "zero2") return zero(2);
  if (name == "zero3") return zero(3);
  if (name == "gpus") return i18n::integer(l, course::kZeroExampleGpus);
  if (name == "batch") return i18n::integer(l, course::kAccumulationExampleBatch);
  if (name == "steps") return i18n::integer(l, course::kAccumulationExampleSteps);
  if (name == "effective") return i18n::integer(l, course::effective_batch(course::kAccumulationExampleBatch, course::kAccumulationExampleSteps));
  if (name == "examples") return i18n::integer(l, time.examples);
  if (name == "length") return i18n::integer(l, time.tokens_per_example);
  if (name == "epochs") return i18n::integer(l, time.epochs);
  if (name == "rate") return i18n::rate(l, time.rate);
  if (name == "tokens") return i18n::integer(l, time.training_tokens);
  if (name == "seconds") return i18n::integer(l, static_cast<std::int64_t>(time.seconds.value()));
  const auto hours = [&](double h) { return i18n::decimal(l, h, 1) + "\u00A0" + std::string(i18n::text(l, i18n::Msg::unit_hour)); };
  if (name == "one_epoch") return hours(time.hours() / epochs);
  if (name == "right") return hours(time.hours());
  if (name == "double") return hours(time.hours() * 2);
  if (name == "all_epochs_twice") return hours(time.hours() * epochs);
  if (name == "hours") return i18n::decimal(l, cost.hours, 0);
  if (name == "runs") return i18n::integer(l, cost.runs);
  if (name == "price") return i18n::money(l, Usd(course::price_of(cost.gpu)->spot.value()));
  if (name == "spot") return i18n::money(l, cost.spot);
  if (name == "on_demand") return i18n::money(l, cost.on_demand);
  if (name == "runs_spot") return i18n::money(l, cost.runs_spot);
  if (name == "runs_on_demand") return i18n::money(l, cost.runs_on_demand);
  if (name == "saving_low") return i18n::decimal(l, course::kSpotSavingLow * 100, 0);
  if (name == "saving_high") return i18n::percent(l, course::kSpotSavingHigh);
  if (name == "bytes") return i18n::size_exact(l, weights_bf16);
  if (name == "gb") return size(weights_bf16);
  if (name == "gibs") return i18n::size(l, weights_bf16, i18n::ByteUnit::gib);
  if (name == "gib_as_gb") return i18n::decimal(l, weights_bf16.in_gib(), 1) + "\u00A0" + std::string(i18n::text(l, i18n::Msg::unit_gb));
  return {};
}

}  // namespace

std::string course_size(Language l, Bytes b) {
  const std::int64_t unit = gb(1).in_bytes();
  if (b < gb(1000) && b >= gb(1) && b.in_bytes() % unit == 0)
    return i18n::integer(l, b.in_bytes() / unit) + "\u00A0" + std::string(i18n::text(l, i18n::Msg::unit_gb));
  return i18n::size(l, b);
}

std::string fill_course_figures(Language l, std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out += text[i];
      continue;
    }
    const std::string value = figure(l, text.substr(i + 1, end - i - 1));
    out += value.empty() ? text.substr(i, end - i + 1) : std::string_view(value);
    i = end;
  }
  return out;
}

}  // namespace gpudget::formats
