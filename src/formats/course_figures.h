// The chapter's figures inside texts: {total}, {zero3}, {hours} … stand for values that its formulas give, written as the language writes them.
#pragma once
#include <string>
#include <string_view>

#include "core/units.h"
#include "i18n/text.h"

namespace gpudget::formats {
// A {name} that is no figure stays to be seen. Used by the quiz and by the chapter's paragraphs ("learn.…").
std::string fill_course_figures(i18n::Language language, std::string_view text);
std::string course_size(i18n::Language language, Bytes b);  // "84 GB" where it is whole GB, as the chapter prints; else "58.8 GB", "1.12 TB"
}  // namespace gpudget::formats
