#include "formats/json_text.h"

#include <array>
#include <iterator>

#include <fmt/format.h>

namespace gpudget::formats {

void append_json(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto plain = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != 0x7f; };
  out += '"';
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = start;
    while (end < text.size() && plain(text[end])) ++end;
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
