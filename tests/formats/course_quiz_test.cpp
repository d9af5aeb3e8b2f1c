#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/units.h"
#include "formats/course_quiz.h"
#include "formats/course_sheet.h"

using namespace gpudget;

TEST_CASE("every question has its texts and figures in every language, and options that differ") {
  for (const auto language : {i18n::Language::en, i18n::Language::pt, i18n::Language::fr})
    for (const formats::QuizQuestion& q : formats::quiz_questions(language)) {
      CAPTURE(q.id);
      CHECK(q.answer < q.options.size());
      for (const std::string& text : {q.question, q.why, q.options[0], q.options[1], q.options[2], q.options[3]}) {
        CHECK(text.find('{') == std::string::npos);
        CHECK(text.find("quiz.") == std::string::npos);
      }
      CHECK(std::set<std::string>(q.options.begin(), q.options.end()).size() == q.options.size());
    }
}

TEST_CASE("the chapter's answers: 84 GB for a 7B model in bf16, 4.3 hours for its example") {
  for (const formats::QuizQuestion& q : formats::quiz_questions(i18n::Language::en)) {
    if (q.id == "seven_b") CHECK(q.options[q.answer].find("84\u00A0GB; 60–70\u00A0GB") != std::string::npos);
    if (q.id == "time") CHECK(q.options[q.answer].find("4.3") == 0);
    if (q.id == "zero") CHECK(q.why.find("84\u00A0GB, 35\u00A0GB, 22.8\u00A0GB or 10.5\u00A0GB") != std::string::npos);
    if (q.id == "spot") CHECK(q.options[q.answer] == "$24.00");
  }
}

TEST_CASE("every sheet has rows as wide as its header and every text is a text") {
  for (const auto language : {i18n::Language::en, i18n::Language::pt, i18n::Language::fr})
    for (const std::string_view id : formats::course_sheet_ids()) {
      const formats::CourseSheet s = formats::course_sheet(language, id);
      CAPTURE(id);
      CHECK_FALSE(s.rows.empty());
      CHECK(s.title.find("sheet.") == std::string::npos);
      for (const auto& row : s.rows) {
        CHECK(row.size() == s.columns.size());
        for (const std::string& cell : row) CHECK(cell.find("contradiction.") == std::string::npos);
      }
    }
  CHECK(formats::course_sheet(i18n::Language::en, "nothing").columns.empty());
}

TEST_CASE("the sheet of model sizes is the chapter's") {
  const formats::CourseSheet s = formats::course_sheet(i18n::Language::fr, "full_finetune");
  REQUIRE(s.rows.size() == 4);
  CHECK(s.rows[1][1] == "112\u00A0Go");
  CHECK(s.rows[1][2] == "84\u00A0Go");
  CHECK(s.rows[3][1] == "1,1\u00A0To");
}
