#include "formats/course_quiz.h"

#include "course/formulas.h"
#include "course/quiz.h"
#include "course/tables.h"
#include "i18n/numbers.h"

namespace gpudget::formats {
namespace {

using i18n::Language;

// {name} in a text is a figure of the chapter, computed by its formulas.
std::string fill(Language l, std::string_view text) {
  static constexpr double kGib = 1073741824.0;
  const course::Breakdown b = course::full_finetuning(course::kWorkedParameters, course::Precision::bfloat16);
  const course::TimeExample time = course::time_example();
  const course::CostExample cost = course::cost_example();
  struct Figure {
    std::string_view name;
    std::string value;
  };
  const Figure figures[] = {{"weights", i18n::size(l, b.weights)},
                            {"gradients", i18n::size(l, b.gradients)},
                            {"states", i18n::size(l, b.optimizer)},
                            {"total", i18n::size(l, b.total())},
                            {"checkpointed", i18n::size(l, course::with_checkpointing(b.total()))},
                            {"fp32", i18n::size(l, course::full_finetuning(course::kWorkedParameters, course::Precision::float32).total())},
                            {"inference", i18n::size(l, course::memory(course::kWorkedParameters, course::Precision::bfloat16, 1))},
                            {"zero1", i18n::size(l, course::zero_per_gpu(b, 1, course::kZeroExampleGpus))},
                            {"zero2", i18n::size(l, course::zero_per_gpu(b, 2, course::kZeroExampleGpus))},
                            {"zero3", i18n::size(l, course::zero_per_gpu(b, 3, course::kZeroExampleGpus))},
                            {"gpus", i18n::integer(l, course::kZeroExampleGpus)},
                            {"tokens", i18n::integer(l, time.training_tokens)},
                            {"rate", i18n::rate(l, time.rate)},
                            {"hours", i18n::decimal(l, time.hours(), 1)},
                            {"third", i18n::decimal(l, time.hours() / static_cast<double>(time.epochs), 1)},
                            {"triple", i18n::decimal(l, time.hours() * static_cast<double>(time.epochs), 1)},
                            {"on_demand", i18n::money(l, cost.on_demand)},
                            {"spot", i18n::money(l, cost.spot)},
                            {"saving", i18n::percent(l, 1 - cost.spot / cost.on_demand)},
                            {"capacity", i18n::integer(l, 80)},
                            {"gib80", i18n::decimal(l, 80e9 / kGib, 1)}};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out += text[i];
      continue;
    }
    const std::string_view name = text.substr(i + 1, end - i - 1);
    std::string_view value = text.substr(i, end - i + 1);  // a placeholder without a figure stays to be seen
    for (const Figure& f : figures)
      if (f.name == name) value = f.value;
    out += value;
    i = end;
  }
  return out;
}

std::string message(Language l, std::string_view id, std::string_view suffix) {
  std::string whole = "quiz.";
  whole += id;
  whole += suffix;
  return fill(l, i18n::text_or(l, whole, whole));
}

}  // namespace

std::vector<QuizQuestion> quiz_questions(Language language) {
  static constexpr std::string_view kOptions[] = {".a", ".b", ".c", ".d"};
  std::vector<QuizQuestion> out;
  for (const course::Question& q : course::quiz()) {
    QuizQuestion made;
    made.id = q.id;
    made.question = message(language, q.id, "");
    for (std::size_t i = 0; i < q.options && i < 4; ++i) made.options.push_back(message(language, q.id, kOptions[i]));
    made.answer = q.answer;
    made.why = message(language, q.id, ".why");
    made.scenario = q.scenario;
    out.push_back(std::move(made));
  }
  return out;
}

}  // namespace gpudget::formats
