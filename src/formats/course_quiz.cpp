#include "formats/course_quiz.h"

#include "course/quiz.h"
#include "formats/course_figures.h"

namespace gpudget::formats {
namespace {

std::string message(i18n::Language l, std::string_view id, std::string_view suffix) {
  std::string whole = "quiz.";
  whole += id;
  whole += suffix;
  return fill_course_figures(l, i18n::text_or(l, whole, whole));
}

}  // namespace

std::vector<QuizQuestion> quiz_questions(i18n::Language language) {
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
