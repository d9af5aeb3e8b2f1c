// The chapter's tables as people read them, in their language: headers, cells written as the language writes numbers, notes where the chapter
// contradicts itself. The page, the command line and the accessible page draw the same sheet.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "course/tables.h"
#include "i18n/text.h"

namespace gpudget::formats {

struct CourseColumn {
  std::string header;
  bool numeric = false;  // set right
};
struct CourseSheet {
  std::string title;
  std::string rule;  // the formula or the rule in words; may be empty
  std::vector<CourseColumn> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;
};
// `id`: a name of course::Table, or "precision", "worked_float32", "worked_bfloat16", "reductions", "zero", "contradictions". Unknown: an empty sheet.
CourseSheet course_sheet(i18n::Language language, std::string_view id);
std::span<const std::string_view> course_sheet_ids();

// `gpudget course [TABLE]`: one table, or all, as plain text.
std::string course_text(i18n::Language language, std::optional<course::Table> table);

}  // namespace gpudget::formats
