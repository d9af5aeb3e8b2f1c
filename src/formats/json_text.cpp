#include "formats/json_text.h"

#include <array>
#include <cstring>
#include <iterator>

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

void append_key(std::string& out, bool comma, std::string_view key) {
  const std::size_t at = out.size(), before = comma ? 2 : 1;
  out.resize(at + before + key.size() + 2);
  char* to = out.data() + at;
  if (comma) *to++ = ',';
  *to++ = '"';
  if (!key.empty()) std::memcpy(to, key.data(), key.size());
  to[key.size()] = '"';
  to[key.size() + 1] = ':';
}

void append_json(std::string& out, std::int64_t v) {
  const fmt::format_int digits(v);
  out.append(digits.data(), digits.size());
}

void append_json(std::string& out, double v) {
  if (!(v - v == 0)) {  // NaN and infinities
    out += "null";
    return;
  }
  std::array<char, 32> buffer{};
  const auto end = fmt::format_to_n(buffer.data(), buffer.size(), "{}", v == 0 ? 0.0 : v).out;  // -0 prints as 0
  out.append(buffer.data(), end);
}

void append_json(std::string& out, bool v) { out += v ? "true" : "false"; }

}  // namespace gpudget::formats
