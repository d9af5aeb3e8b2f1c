// Numbers as each language writes them: decimal mark, spaced thousands, units, money, durations. Three significant figures unless said;
// trailing zeros are kept ("21.0 GB"), so that nothing jumps when a digit changes. How a language writes them is data: the messages
// "number.*", "unit.*" and "month.*". The space between a number and its unit does not break (U+00A0, French thousands U+202F); where text
// goes to a pipe, plain_spaces() makes ordinary spaces of them. Minus is U+2212. What is not a finite number is written "—".
#pragma once
#include <cstdint>
#include <string>

#include "core/units.h"
#include "i18n/text.h"

namespace gpudget::i18n {

enum class ByteUnit : unsigned char { gb, gib };  // decimal (the default) or binary

std::string integer(Language l, std::int64_t n);                   // 8,030,261,248
std::string decimal(Language l, double v, int digits);             // fixed digits after the mark
std::string significant(Language l, double v, int figures = 3);    // 21.4
std::string size(Language l, Bytes b, ByteUnit u = ByteUnit::gb);  // "21.4 GB", "21,4 Go", "310 MB"; negative with U+2212
std::string size_exact(Language l, Bytes b);                       // "21,400,000,000 B"
std::string count_short(Language l, std::int64_t n);               // "8.03B" parameters: model sizes stay 7B in all three
std::string duration(Language l, Seconds s);                       // "4.27 h", "3 d 4 h", "12 min", "850 ms"
std::string money(Language l, Usd v);                              // "$1,234.50", "US$ 1.234,50", "1 234,50 $US"
std::string percent(Language l, double ratio, int digits = 0);     // 0.12 -> "12%", "12 %"
std::string rate(Language l, TokensPerSecond v);                   // "1,840 tokens/s"
std::string date(Language l, std::string_view iso);                // "Nov 5, 2026"; what is no YYYY-MM-DD comes back as it is
std::string plain_spaces(std::string_view text);                   // U+00A0 and U+202F as ordinary spaces

}  // namespace gpudget::i18n
