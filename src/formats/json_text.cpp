#include "formats/json_text.h"

#include <array>
#include <cstring>
#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

namespace gpudget::formats {
namespace {

constexpr bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != 0x7f; }

// Nothing to escape; eight bytes at a time.
bool is_plain(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U, kTops = 0x8080808080808080U;
  const auto below = [](std::uint64_t x, std::uint64_t n) { return (x - kOnes * n) & ~x & kTops; };  // some byte less than n; n at most 128
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t x = 0;
    std::memcpy(&x, text.data() + i, 8);
    if ((below(x, 0x20) | below(x ^ (kOnes * '"'), 1) | below(x ^ (kOnes * '\\'), 1) | below(x ^ (kOnes * 0x7f), 1)) != 0) return false;
  }
  for (; i < text.size(); ++i)
    if (!is_plain(text[i])) return false;
  return true;
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  if (is_plain(text)) {
    // One growth of `out` for the text and its quotes: most of an Estimate is short words.
    const std::size_t at = out.size();
    out.resize(at + text.size() + 2);
    char* const to = out.data() + at;
    to[0] = to[text.size() + 1] = '"';
    if (!text.empty()) std::memcpy(to + 1, text.data(), text.size());
    return;
  }
  out += '"';
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = start;
    while (end < text.size() && is_plain(text[end])) ++end;
    out.append(text.data() + start, end - start);
    if (end == text.size()) break;
    const char c = text[end];
    const auto u = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        out += "\\u00";
        out += kHex[u >> 4U];
        out += kHex[u & 15U];
    }
    start = end + 1;
  }
  out += '"';
}

namespace {

char* digits_of(char* to, std::int64_t v) {
  const fmt::format_int digits(v);
  std::memcpy(to, digits.data(), digits.size());
  return to + digits.size();
}
// At most 24 bytes: "-2.2250738585072014e-308".
char* digits_of(char* to, double v) {
  // Whole numbers are printed as integers up to 1e16; nearly all are, and integers are quicker.
  constexpr double kWhole = 1e15;
  if (v > -kWhole && v < kWhole && static_cast<double>(static_cast<std::int64_t>(v)) == v) return digits_of(to, static_cast<std::int64_t>(v));  // -0 is 0
  return fmt::format_to(to, FMT_COMPILE("{}"), v);
}
constexpr std::size_t kMostDigits = 32;
bool is_finite(double v) { return v - v == 0; }

}  // namespace

void append_json(std::string& out, std::int64_t v) {
  std::array<char, kMostDigits> digits{};
  out.append(digits.data(), digits_of(digits.data(), v));
}

void append_json(std::string& out, double v) {
  if (!is_finite(v)) {
    out += "null";
    return;
  }
  std::array<char, kMostDigits> digits{};
  out.append(digits.data(), digits_of(digits.data(), v));
}

void append_json(std::string& out, bool v) { out += v ? "true" : "false"; }

JsonWriter& JsonWriter::value(std::string_view v) {
  if (is_plain(v)) return word(v);
  std::string escaped;
  append_json(escaped, v);
  return raw(escaped);
}
JsonWriter& JsonWriter::value(std::int64_t v) {
  char* to = room(kMostDigits);
  if (!first_) *to++ = ',';
  wrote(digits_of(to, v));
  first_ = false;
  return *this;
}
JsonWriter& JsonWriter::value(double v) {
  if (!is_finite(v)) return null();
  char* to = room(kMostDigits);
  if (!first_) *to++ = ',';
  wrote(digits_of(to, v));
  first_ = false;
  return *this;
}
void JsonWriter::grow(std::size_t n) { out_.resize(size_ + n + 1024); }  // its room doubles by itself; what is cleared in vain is little

}  // namespace gpudget::formats
