// The chapter's interactive pieces, each in its own file: panel_learn.cpp draws the text around them.
#pragma once
#include "ui/frame.h"

namespace gpudget::ui {

void learn_demo(const Frame& f, std::string_view id);  // learn_demos.cpp: "formula", "worked_7b", "reductions", "zero_stages", "profiling"
void quiz(const Frame& f);                             // learn_quiz.cpp

}  // namespace gpudget::ui
