// The quiz in a language, with its figures filled in by the chapter's formulas.
#pragma once
#include <string>
#include <vector>

#include "course/quiz.h"
#include "i18n/text.h"

namespace gpudget::formats {

struct QuizQuestion {
  std::string id;  // "quiz/3" is what the page reports to its host: "quiz/" + number from 1
  std::string question;
  std::vector<std::string> options;
  std::size_t answer = 0;
  std::string why;
  std::string scenario;  // partial Scenario JSON to open in the calculator; may be empty
};
std::vector<QuizQuestion> quiz_questions(i18n::Language language);

}  // namespace gpudget::formats
