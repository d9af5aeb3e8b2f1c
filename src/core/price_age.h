// How old a price is. Core has no clock: who shows a price passes today's date.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/text.h"

namespace gpudget {

inline constexpr std::int64_t kOldPriceDays = 180;

// Days from 1970-01-01 to a date "YYYY-MM-DD" of the Gregorian calendar; nothing where it is no such date.
std::optional<std::int64_t> days_of_date(std::string_view date);
Text<12> date_of_days(std::int64_t days);  // the other way; days from 0 (1970) on
// True where `priced_on` is more than kOldPriceDays before `today`; false where either is no date.
bool price_is_old(std::string_view priced_on, std::string_view today);

}  // namespace gpudget
