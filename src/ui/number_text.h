// Numbers that people type: as any of the three languages writes them, with spaces and either mark.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "i18n/text.h"

namespace gpudget::ui {

// "1 000", "1.000", "1,000" (whole: 1000), "3,5", "3.5", "1.234,5", "1,234.5", "2e9". Nothing where it is not a number.
std::optional<double> read_number(std::string_view text, bool whole);
std::string number_text(i18n::Language l, double value, bool whole);  // as the language writes it
std::string plain_number(double value);                               // for editing: digits and a point, the shortest that reads back

}  // namespace gpudget::ui
