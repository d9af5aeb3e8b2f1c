// `gpudget course [TABLE] --json`: the chapter's tables, computed by its formulas. Names and units as in the chapter (…_gb is decimal GB as
// the chapter prints it, …_gib GiB); beside each printed figure stands the exact one in bytes. No table: an object of all of them.
#pragma once
#include <optional>
#include <string>

#include "course/tables.h"
#include "i18n/text.h"

namespace gpudget::formats {
// `language`: of the titles, rules and notes; names and figures do not change.
std::string write_course(std::optional<course::Table> table, i18n::Language language = i18n::Language::en);
}  // namespace gpudget::formats
