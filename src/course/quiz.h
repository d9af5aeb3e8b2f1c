// The quick quiz: the chapter's three questions, then more of the same kind. Texts are messages: "quiz.<id>" the question,
// "quiz.<id>.a" to ".d" the options, "quiz.<id>.why" the explanation. Figures in the texts are {placeholders} that formats/course_quiz.h
// fills from the chapter's formulas, so that question, answer and calculator cannot disagree.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace gpudget::course {

struct Question {
  std::string_view id;
  std::uint8_t options = 4;
  std::uint8_t answer = 0;  // index of the right option
  bool from_chapter = false;
  std::string_view scenario;  // partial Scenario JSON that shows the answer in the calculator; empty: none
};
std::span<const Question> quiz();

}  // namespace gpudget::course
