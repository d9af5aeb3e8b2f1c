#include <doctest/doctest.h>

#include "core/price_age.h"

using namespace gpudget;

TEST_CASE("dates count days, leap years and all, and come back the same") {
  CHECK(days_of_date("1970-01-01") == 0);
  CHECK(days_of_date("2000-02-29") == 11'016);
  CHECK(days_of_date("2026-12-02") == 20'789);
  for (std::int64_t d = 0; d < 60'000; d += 7) CHECK(days_of_date(date_of_days(d).view()) == d);
  for (const char* bad : {"", "2026-13-01", "2026-02-29", "2026-1-01", "26-01-01", "2026-00-10", "2026-01-00", "yesterday!", "2026/01/01"})
    CHECK_FALSE(days_of_date(bad).has_value());
}

TEST_CASE("a price is old after 180 days, not on the 180th, and not where a date is missing") {
  CHECK_FALSE(price_is_old("2026-06-05", "2026-12-02"));
  CHECK(price_is_old("2026-06-04", "2026-12-02"));
  CHECK_FALSE(price_is_old("", "2026-12-02"));
  CHECK_FALSE(price_is_old("2026-01-01", ""));
  CHECK_FALSE(price_is_old("2027-01-01", "2026-12-02"));
}
