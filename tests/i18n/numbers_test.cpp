#include "i18n/numbers.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "i18n/text.h"

using namespace gpudget;
using namespace gpudget::i18n;

namespace {
constexpr Language kAll[] = {Language::en, Language::pt, Language::fr};
// With the spaces that do not break as ordinary ones, so that the tests read.
std::string plain(const std::string& s) { return plain_spaces(s); }
}  // namespace

TEST_CASE("whole numbers have each language's thousands, and the true minus sign") {
  CHECK(integer(Language::en, 8'030'261'248) == "8,030,261,248");
  CHECK(plain(integer(Language::pt, 8'030'261'248)) == "8 030 261 248");
  CHECK(integer(Language::fr, 8'030'261'248) == "8\u202F030\u202F261\u202F248");
  CHECK(integer(Language::en, 999) == "999");
  CHECK(integer(Language::en, 0) == "0");
  CHECK(integer(Language::en, -1234) == "\u22121,234");
  CHECK(integer(Language::en, std::numeric_limits<std::int64_t>::min()) == "\u22129,223,372,036,854,775,808");
}

TEST_CASE("decimals have each language's mark") {
  CHECK(decimal(Language::en, 4.27, 1) == "4.3");
  CHECK(decimal(Language::pt, 4.27, 1) == "4,3");
  CHECK(decimal(Language::fr, 4.27, 1) == "4,3");
  CHECK(decimal(Language::en, -0.001, 2) == "0.00");  // no minus before nothing
}

TEST_CASE("three significant figures keep their zeros, whatever the size") {
  CHECK(significant(Language::en, 21.04) == "21.0");
  CHECK(significant(Language::en, 0.012345) == "0.0123");
  CHECK(significant(Language::en, 999.6) == "1,000");
  CHECK(significant(Language::en, 123456) == "123,000");
  CHECK(significant(Language::en, 0) == "0");
}

TEST_CASE("sizes: decimal GB or binary GiB, Go and Gio in French, a unit up where rounding takes them there") {
  CHECK(size(Language::en, bytes(21'400'000'000)) == "21.4\u00A0GB");
  CHECK(size(Language::pt, bytes(21'400'000'000)) == "21,4\u00A0GB");
  CHECK(size(Language::fr, bytes(21'400'000'000)) == "21,4\u00A0Go");
  CHECK(size(Language::fr, bytes(std::int64_t{80} << 30), ByteUnit::gib) == "80,0\u00A0Gio");
  CHECK(size(Language::en, bytes(999'999'999)) == "1.00\u00A0GB");
  CHECK(size(Language::en, bytes(-2'000'000'000)) == "\u22122.00\u00A0GB");
  CHECK(size(Language::en, bytes(512)) == "512\u00A0B");
  CHECK(plain(size_exact(Language::fr, bytes(21'400'000'000))) == "21 400 000 000 o");
}

TEST_CASE("model sizes are short") {
  CHECK(count_short(Language::en, 8'030'261'248) == "8.03B");
  CHECK(count_short(Language::fr, 8'030'261'248) == "8,03B");
  CHECK(count_short(Language::en, 7'000'000'000) == "7B");
  CHECK(count_short(Language::en, 999'600'000) == "1B");
}

TEST_CASE("money as each language writes it") {
  CHECK(plain(money(Language::en, Usd(1234.5))) == "$1,234.50");
  CHECK(plain(money(Language::pt, Usd(1234.5))) == "US$ 1.234,50");
  CHECK(plain(money(Language::fr, Usd(1234.5))) == "1 234,50 $US");
  CHECK(plain(money(Language::en, Usd(-5))) == "\u2212$5.00");
  CHECK(plain(money(Language::en, Usd(0))) == "$0.00");
}

TEST_CASE("durations in the unit that a person would take") {
  CHECK(plain(duration(Language::en, Seconds(0.85))) == "850 ms");
  CHECK(plain(duration(Language::en, Seconds(15360))) == "4.27 h");
  CHECK(plain(duration(Language::pt, Seconds(15360))) == "4,27 h");
  CHECK(plain(duration(Language::en, Seconds(720))) == "12 min");
  CHECK(plain(duration(Language::en, Seconds(3599))) == "1.00 h");
  CHECK(plain(duration(Language::en, Seconds(273600))) == "3 d 4 h");
  CHECK(plain(duration(Language::fr, Seconds(273600))) == "3 j 4 h");
}

TEST_CASE("percent: French sets a space before the sign") {
  CHECK(percent(Language::en, 0.3) == "30%");
  CHECK(percent(Language::pt, 0.3) == "30%");
  CHECK(percent(Language::fr, 0.3) == "30\u00A0%");
}

TEST_CASE("what is no finite number is a dash in every writer") {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const Language l : kAll)
    for (const double v : {infinity, -infinity, nan}) {
      CHECK(significant(l, v) == "\u2014");
      CHECK(decimal(l, v, 2) == "\u2014");
      CHECK(duration(l, Seconds(v)) == "\u2014");
      CHECK(money(l, Usd(v)) == "\u2014");
    }
}

TEST_CASE("dates: the day and month in words, what is no date comes back as it is") {
  CHECK(plain(date(Language::en, "2026-11-05")) == "Nov 5, 2026");
  CHECK(plain(date(Language::fr, "2026-03-01")).find("1er") == 0);
  for (const Language l : kAll) {
    CHECK(date(l, "2026-13-01") == "2026-13-01");
    CHECK(date(l, "soon") == "soon");
    CHECK(date(l, "") == "");
  }
}

TEST_CASE("a language is found by its code in every common spelling, others are not") {
  CHECK(language("pt-BR") == Language::pt);
  CHECK(language("fr_CA.UTF-8") == Language::fr);
  CHECK(language("EN") == Language::en);
  CHECK_FALSE(language("de").has_value());
  CHECK_FALSE(language("").has_value());
  CHECK_FALSE(language("french").has_value());
}

TEST_CASE("every message has a text in every language and is found by its id") {
  for (std::size_t i = 0; i < kMessages; ++i) {
    const Msg m = static_cast<Msg>(i);
    CHECK(find(id(m)) == m);
    for (const Language l : kAll) CHECK_FALSE(text(l, m).empty());
  }
  CHECK_FALSE(find("no.such.id").has_value());
  CHECK(text_or(Language::fr, "no.such.id", "fallback") == "fallback");
}

TEST_CASE("arguments replace their placeholders; a missing one stays visible; doubled braces are braces") {
  CHECK(format(Language::en, "{a} and {b}", {{"a", "1"}, {"b", "2"}}) == "1 and 2");
  CHECK(format(Language::en, "{a} and {b}", {{"a", "{b}"}}) == "{b} and {b}");
  CHECK(format(Language::en, "{{x}}", {{"x", "1"}}) == "{x}");
  CHECK(format(Language::en, "open {", {}) == "open {");
}
