#include "core/price_age.h"

namespace gpudget {
namespace {

bool is_leap(std::int64_t y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }
std::int64_t days_in(std::int64_t y, std::int64_t m) {
  if (m == 2) return is_leap(y) ? 29 : 28;
  return m == 4 || m == 6 || m == 9 || m == 11 ? 30 : 31;
}
// Days from 0000-03-01 to the year's first of March count whole leap years (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
std::int64_t days_from_civil(std::int64_t y, std::int64_t m, std::int64_t d) {
  if (m <= 2) --y;
  const std::int64_t era = y / 400, of_era = y - era * 400, of_year = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
  return era * 146'097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719'468;
}

}  // namespace

std::optional<std::int64_t> days_of_date(std::string_view date) {
  if (date.size() != 10 || date[4] != '-' || date[7] != '-') return std::nullopt;
  const auto digits = [date](std::size_t from, std::size_t n) {
    std::int64_t v = 0;
    for (std::size_t i = from; i < from + n; ++i) {
      if (date[i] < '0' || date[i] > '9') return std::int64_t{-1};
      v = v * 10 + (date[i] - '0');
    }
    return v;
  };
  const std::int64_t y = digits(0, 4), m = digits(5, 2), d = digits(8, 2);
  if (y < 1970 || m < 1 || m > 12 || d < 1 || d > days_in(y, m)) return std::nullopt;
  return days_from_civil(y, m, d);
}

Text<12> date_of_days(std::int64_t days) {
  if (days < 0 || days > 2'932'896) return {};  // 9999-12-31
  std::int64_t y = 1970, m = 1;
  while (days >= (is_leap(y) ? 366 : 365)) days -= is_leap(y) ? 366 : 365, ++y;
  while (days >= days_in(y, m)) days -= days_in(y, m), ++m;
  const std::int64_t d = days + 1;
  const auto digit = [](std::int64_t v) { return static_cast<char>('0' + v % 10); };
  const char text[10]{digit(y / 1000), digit(y / 100), digit(y / 10), digit(y), '-', digit(m / 10), digit(m), '-', digit(d / 10), digit(d)};
  return std::string_view(text, sizeof text);
}

bool price_is_old(std::string_view priced_on, std::string_view today) {
  const auto from = days_of_date(priced_on), to = days_of_date(today);
  return from && to && *to - *from > kOldPriceDays;
}

}  // namespace gpudget
