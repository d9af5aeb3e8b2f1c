#include "ui/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "i18n/numbers.h"

namespace gpudget::ui {

std::optional<double> read_number(std::string_view text, bool whole) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == ' ' || c == '\'' || c == '_') continue;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0xA0) {  // no-break space
      ++i;
      continue;
    }
    if (c == 0xE2 && i + 2 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0x80) {  // narrow no-break space
      i += 2;
      continue;
    }
    kept += text[i];
  }
  // The last mark is the decimal one, unless the number is whole and groups of three follow, or the mark comes more than once.
  const std::size_t points = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), '.')),
                    commas = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), ','));
  const std::size_t last = kept.find_last_of(".,");
  std::string number;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const char c = kept[i];
    if (c != '.' && c != ',') {
      number += c;
      continue;
    }
    const bool repeated = (c == '.' ? points : commas) > 1;
    const bool grouping = repeated || (whole && points + commas == 1 && kept.size() - i == 4);
    if (i == last && !grouping) number += '.';
  }
  if (number.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (end != number.c_str() + number.size() || !std::isfinite(value)) return std::nullopt;
  if (whole && value != std::floor(value)) return std::nullopt;
  return value;
}

std::string number_text(i18n::Language l, double value, bool whole) {
  if (std::fabs(value) < 9e15 && value == std::floor(value)) return i18n::integer(l, static_cast<std::int64_t>(value));
  if (whole) return plain_number(value);
  int digits = 0;
  for (double v = value; digits < 6 && std::fabs(v - std::round(v)) > 1e-9; v *= 10) ++digits;
  return i18n::decimal(l, value, digits);
}

std::string plain_number(double value) {
  if (std::fabs(value) < 9e15 && value == std::floor(value)) return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{}", value);
}

}  // namespace gpudget::ui
