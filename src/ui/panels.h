// The panels, one file each. A panel draws the state at the cursor in the width there is, and changes it only through actions.h.
#pragma once
#include <string>

#include "formats/schema.h"
#include "ui/frame.h"

namespace gpudget::ui {

void question_panel(const Frame& f);   // panel_question.cpp: all groups; folded where narrow
void verdict_panel(const Frame& f);    // panel_verdict.cpp: sentence, bar, the change that helps most, four figures
void verdict_strip(const Frame& f);    // the same in two lines, for narrow screens: stays on top
void memory_panel(const Frame& f);     // panel_memory.cpp: step timeline, ledger, the chapter's figure beside ours
void time_panel(const Frame& f);       // panel_time.cpp
void plan_panel(const Frame& f);       // panel_plan.cpp
void checklist_panel(const Frame& f);  // panel_checklist.cpp
void learn_panel(const Frame& f);      // panel_learn.cpp
void export_panel(const Frame& f);     // panel_export.cpp
void accuracy_panel(const Frame& f);   // panel_accuracy.cpp
void compare_panel(const Frame& f);    // panel_compare.cpp

void model_picker(const Frame& f, float width);  // panel_model.cpp
void gpu_picker(const Frame& f, float width);    // panel_gpu.cpp
void provider_picker(const Frame& f, float width);

void measured_section(const Frame& f);  // measured.cpp: a person's own figures beside the estimate
void scaled_line(const Frame& f);       // … and what they make of this scenario, under the verdict

// Shared words.
std::string field_words(const Frame& f, const formats::Field& field, const Scenario& s);  // a setting's value
std::string group_summary(const Frame& f, std::string_view group);                        // "4 × 2 048 tokens, accumulate 8"
std::string gpus_text(const Frame& f, const Scenario& s);                                 // "2 × A100 80GB"
std::string error_text(const Frame& f, const formats::Error& e);
std::string problem_text(const Frame& f, const Problem& p);
void problems_of(const Frame& f, std::string_view path);  // what is wrong with a field, beside it

}  // namespace gpudget::ui
