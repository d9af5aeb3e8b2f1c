#include "i18n/numbers.h"

#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace gpudget::i18n {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kNoBreak = "\u00A0";
constexpr std::string_view kNotANumber = "\u2014";

bool finite(double v) { return v - v == 0; }

// "1234567.89" (digits, perhaps a point) with the language's marks; `digits` has no sign.
std::string with_marks(std::string_view digits, std::string_view thousands, std::string_view mark) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  std::string out;
  for (std::size_t i = 0; i < point; ++i) {
    if (i != 0 && (point - i) % 3 == 0) out += thousands;
    out += digits[i];
  }
  if (point < digits.size()) {
    out += mark;
    out += digits.substr(point + 1);
  }
  return out;
}

std::string with_marks(Language l, std::string_view digits) { return with_marks(digits, text(l, Msg::number_thousands), text(l, Msg::number_decimal)); }

// No "−0.00": the sign stands only before a digit other than zero.
std::string signed_digits(bool negative, const std::string& digits, const std::string& written) {
  return negative && digits.find_first_of("123456789") != std::string::npos ? std::string(kMinus) + written : written;
}

// Power of ten of the first figure once v > 0 is rounded to `figures`: 999.6 -> 3.
int exponent(double v, int figures) {
  const std::string e = fmt::format("{:.{}e}", v, figures - 1);
  const std::size_t at = e.find('e');
  int value = 0;
  for (const char c : std::string_view(e).substr(at + 2)) value = value * 10 + (c - '0');
  return e[at + 1] == '-' ? -value : value;
}

// "0.0123", "21.4", "1840", "12300": fixed notation with so many figures, v >= 0 and finite.
std::string figures_of(double v, int figures) {
  if (v == 0) return "0";
  const int digits = figures - 1 - exponent(v, figures);
  if (digits >= 0) return fmt::format("{:.{}f}", v, digits);
  // Round before the point: print the rounded figures, then zeros.
  const std::string e = fmt::format("{:.{}e}", v, figures - 1);
  std::string out;
  for (const char c : e.substr(0, e.find('e')))
    if (c != '.') out += c;
  out.append(static_cast<std::size_t>(-digits), '0');
  return out;
}

std::string with_unit(const std::string& number, std::string_view unit) { return fmt::format("{}{}{}", number, kNoBreak, unit); }

struct Step {
  double per;  // how many of the basic unit
  Msg unit;
};
// The largest unit in which the value, rounded to three figures, is at least 1. `steps` ascend and start at 1.
template <std::size_t N>
const Step& fitting(double v, const std::array<Step, N>& steps) {
  std::size_t i = 0;
  while (i + 1 < N && (v >= steps[i + 1].per || v / steps[i + 1].per >= 0.9995)) ++i;
  return steps[i];
}

}  // namespace

std::string integer(Language l, std::int64_t n) {
  const std::uint64_t magnitude = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  const std::string digits = fmt::format("{}", magnitude);
  return signed_digits(n < 0, digits, with_marks(l, digits));
}

std::string decimal(Language l, double v, int digits) {
  if (!finite(v)) return std::string(kNotANumber);
  const std::string plain = fmt::format("{:.{}f}", v < 0 ? -v : v, digits);
  return signed_digits(v < 0, plain, with_marks(l, plain));
}

std::string significant(Language l, double v, int figures) {
  if (!finite(v)) return std::string(kNotANumber);
  const std::string plain = figures_of(v < 0 ? -v : v, figures);
  return signed_digits(v < 0, plain, with_marks(l, plain));
}

std::string size(Language l, Bytes b, ByteUnit u) {
  static constexpr std::array<Step, 6> kDecimal{
      {{1, Msg::unit_byte}, {1e3, Msg::unit_kb}, {1e6, Msg::unit_mb}, {1e9, Msg::unit_gb}, {1e12, Msg::unit_tb}, {1e15, Msg::unit_pb}}};
  static constexpr std::array<Step, 6> kBinary{{{1, Msg::unit_byte},
                                                {1024.0, Msg::unit_kib},
                                                {1048576.0, Msg::unit_mib},
                                                {1073741824.0, Msg::unit_gib},
                                                {1099511627776.0, Msg::unit_tib},
                                                {1125899906842624.0, Msg::unit_pib}}};
  const auto v = static_cast<double>(b.in_bytes());
  const double magnitude = v < 0 ? -v : v;
  const Step& step = fitting(magnitude, u == ByteUnit::gb ? kDecimal : kBinary);
  if (step.per == 1) return with_unit(integer(l, b.in_bytes()), text(l, step.unit));
  // Binary units go up to 1023: four figures there, or 1020 would read as a rounded thousand.
  const double scaled = v / step.per;
  const int figures = magnitude / step.per >= 999.5 ? 4 : 3;
  return with_unit(significant(l, scaled, figures), text(l, step.unit));
}

std::string size_exact(Language l, Bytes b) { return with_unit(integer(l, b.in_bytes()), text(l, Msg::unit_byte)); }

std::string count_short(Language l, std::int64_t n) {
  static constexpr std::array<std::string_view, 5> kLetters{"", "K", "M", "B", "T"};
  double v = static_cast<double>(n < 0 ? -n : n);
  std::size_t i = 0;
  while (i + 1 < kLetters.size() && v >= 999.5) v /= 1000, ++i;
  if (i == 0) return integer(l, n);
  std::string plain = figures_of(v, 3);
  if (plain.find('.') != std::string::npos) {
    plain.erase(plain.find_last_not_of('0') + 1);
    if (plain.back() == '.') plain.pop_back();
  }
  return signed_digits(n < 0, plain, with_marks(l, plain)) + std::string(kLetters[i]);
}

std::string duration(Language l, Seconds seconds) {
  const double v = seconds.value();
  if (!finite(v)) return std::string(kNotANumber);
  const double s = v < 0 ? -v : v;
  const auto written = [&]() -> std::string {
    if (s == 0) return with_unit(integer(l, 0), text(l, Msg::unit_second));
    if (s < 0.9995) return with_unit(significant(l, s * 1000), text(l, Msg::unit_millisecond));
    if (s < 59.95) return with_unit(significant(l, s), text(l, Msg::unit_second));
    const double minutes = s / 60;
    if (minutes < 9.995) return with_unit(significant(l, minutes), text(l, Msg::unit_minute));
    if (minutes < 59.5) return with_unit(decimal(l, minutes, 0), text(l, Msg::unit_minute));
    const double hours = minutes / 60;
    // From 59.5 minutes on: "1.00 h" rather than "60 min".
    if (hours < 1) return with_unit(significant(l, 1.0), text(l, Msg::unit_hour));
    if (hours < 47.95) return with_unit(significant(l, hours), text(l, Msg::unit_hour));
    const double days = hours / 24;
    if (days >= 99.5) return with_unit(decimal(l, days, 0), text(l, Msg::unit_day));
    const auto whole_hours = static_cast<std::int64_t>(hours + 0.5);
    std::string out = with_unit(integer(l, whole_hours / 24), text(l, Msg::unit_day));
    if (whole_hours % 24 != 0) out += std::string(kNoBreak) + with_unit(integer(l, whole_hours % 24), text(l, Msg::unit_hour));
    return out;
  }();
  return v < 0 ? std::string(kMinus) + written : written;
}

std::string money(Language l, Usd usd) {
  const double v = usd.value();
  if (!finite(v)) return std::string(kNotANumber);
  const double magnitude = v < 0 ? -v : v;
  // Cents, but none from 100 000 on, and two figures of what is less than a cent.
  const std::string plain = magnitude >= 99'999.995                ? fmt::format("{:.0f}", magnitude)
                            : magnitude > 0 && magnitude < 0.00995 ? figures_of(magnitude, 2)
                                                                   : fmt::format("{:.2f}", magnitude);
  const std::string number = with_marks(plain, text(l, Msg::number_money_thousands), text(l, Msg::number_decimal));
  return signed_digits(v < 0, plain, format(l, Msg::number_money, {{"v", number}}));
}

std::string percent(Language l, double ratio, int digits) { return format(l, Msg::number_percent, {{"v", decimal(l, ratio * 100, digits)}}); }

std::string rate(Language l, TokensPerSecond v) { return with_unit(significant(l, v.value()), text(l, Msg::unit_tokens_per_second)); }

std::string date(Language l, std::string_view iso) {
  const auto digit = [&](std::size_t i) { return iso[i] >= '0' && iso[i] <= '9'; };
  if (iso.size() != 10 || iso[4] != '-' || iso[7] != '-') return std::string(iso);
  for (const std::size_t i : {0U, 1U, 2U, 3U, 5U, 6U, 8U, 9U})
    if (!digit(i)) return std::string(iso);
  const int month = (iso[5] - '0') * 10 + (iso[6] - '0');
  const int day = (iso[8] - '0') * 10 + (iso[9] - '0');
  if (month < 1 || month > 12 || day < 1 || day > 31) return std::string(iso);
  const std::string written_day = day == 1 ? std::string(text(l, Msg::number_first_of_month)) : fmt::format("{}", day);
  return format(l, Msg::number_date, {{"day", written_day}, {"month", text_or(l, fmt::format("month.{}", month), "")}, {"year", iso.substr(0, 4)}});
}

std::string plain_spaces(std::string_view text) {
  constexpr std::string_view kNarrow = "\u202F";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const std::size_t length = rest.starts_with(kNoBreak) ? kNoBreak.size() : rest.starts_with(kNarrow) ? kNarrow.size() : 0;
    out += length != 0 ? ' ' : text[i];
    i += length != 0 ? length : 1;
  }
  return out;
}

}  // namespace gpudget::i18n
