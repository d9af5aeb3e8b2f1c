// The quick quiz: one question under the other, answered by a click, explained at once, shown in the calculator. Results stay in the page.
#include <algorithm>

#include "formats/course_quiz.h"
#include "formats/scenario_json.h"
#include "ui/actions.h"
#include "ui/learn.h"
#include "ui/widgets.h"

namespace gpudget::ui {

void quiz(const Frame& f) {
  LearnState& l = f.s.learn;
  if (l.questions.empty()) l.questions = formats::quiz_questions(f.language);
  l.answers.resize(l.questions.size(), -1);
  const float width = std::min(ImGui::GetContentRegionAvail().x, 720.0F);
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::int64_t right = 0, answered = 0;
  for (std::size_t q = 0; q < l.questions.size(); ++q) {
    const formats::QuizQuestion& question = l.questions[q];
    int& answer = l.answers[q];
    ImGui::PushID(static_cast<int>(q));
    gap(12);
    paragraph(f, f.integer(static_cast<std::int64_t>(q) + 1) + ".\u00A0" + question.question, kBodyType.bold(), width);
    gap(8);
    for (std::size_t o = 0; o < question.options.size(); ++o) {
      const std::string& option = question.options[o];
      const ImVec2 size = paragraph_size(f, option, kBodyType, width - 52);
      const float height = std::max(f.target() + 6, size.y + 16);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool pressed = ImGui::InvisibleButton((option + "###" + std::to_string(o)).c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
      const bool hot = ImGui::IsItemHovered() && answer < 0;
      if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      const bool is_right = o == question.answer, chosen = answer == static_cast<int>(o), shown = answer >= 0;
      const ImVec2 centre{at.x + 20, at.y + height / 2};
      list->AddRectFilled(at, {at.x + width, at.y + height},
                          shown && is_right ? mix(f.c.page, f.c.fits, 0.14F)
                          : chosen          ? mix(f.c.page, f.c.over, 0.12F)
                          : hot             ? f.c.field_hover
                                            : f.c.field,
                          kRadius);
      if (shown && is_right)
        draw_icon(list, Icon::check, centre, f.c.fits_text);
      else if (chosen)
        draw_icon(list, Icon::cross, centre, f.c.over_text);
      else
        list->AddCircle(centre, 7, f.c.edge, 24, 1.5F);
      put_paragraph(f, list, {at.x + 40, at.y + (height - size.y) / 2}, option, kBodyType, width - 52);
      gap(4);
      if (pressed && answer < 0) {
        answer = static_cast<int>(o);
        f.host.activity("answered", "quiz/" + std::to_string(q + 1), is_right);
      }
    }
    if (answer >= 0) {
      const bool good = static_cast<std::size_t>(answer) == question.answer;
      ++answered;
      right += good ? 1 : 0;
      gap(4);
      const std::string head = good ? std::string(f.text(Msg::learn_right)) : f.format(Msg::learn_wrong, {{"answer", question.options[question.answer]}});
      paragraph(f, "**" + head + "** " + question.why, kBodyType.in(good ? f.c.fits_text : f.c.text), width);
      if (!question.scenario.empty() && link(f, f.text(Msg::learn_show_in_calculator), "show", kSmallType)) {
        if (auto s = formats::read_scenario(question.scenario, formats::default_scenario())) set_scenario(f.s, *s);
      }
    }
    ImGui::PopID();
  }
  if (answered > 0) {
    gap(16);
    paragraph(f, f.format(Msg::learn_score, {{"right", f.integer(right)}, {"all", f.integer(static_cast<std::int64_t>(l.questions.size()))}}), kSectionType,
              width);
    if (answered == static_cast<std::int64_t>(l.questions.size()) && button(f, f.text(Msg::learn_again), "again", Look::quiet, Icon::reset))
      std::fill(l.answers.begin(), l.answers.end(), -1);
  }
}

}  // namespace gpudget::ui
