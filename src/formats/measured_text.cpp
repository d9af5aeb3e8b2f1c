#include "formats/measured_text.h"

#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

namespace gpudget::formats {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array<Unit, 17> kUnits{{{"b", 1},
                                       {"o", 1},
                                       {"kib", 1024},
                                       {"mib", 1048576},
                                       {"gib", 1073741824},
                                       {"kio", 1024},
                                       {"mio", 1048576},
                                       {"gio", 1073741824},
                                       {"kb", 1e3},
                                       {"mb", 1e6},
                                       {"gb", 1e9},
                                       {"ko", 1e3},
                                       {"mo", 1e6},
                                       {"go", 1e9},
                                       {"bytes", 1},
                                       {"octets", 1},
                                       {"g", 1e9}}};

struct Number {
  Bytes size;
  std::string before;  // the words between the last number and this one, in lower case
};

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::vector<Number> numbers(std::string_view text) {
  std::vector<Number> all;
  std::string before;
  for (std::size_t i = 0; i < text.size();) {
    if (!digit(text[i]) || (i > 0 && (letter(text[i - 1]) || text[i - 1] == '_'))) {
      before += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
      ++i;
      continue;
    }
    std::string figure;
    for (; i < text.size() && (digit(text[i]) || ((text[i] == '.' || text[i] == ',') && i + 1 < text.size() && digit(text[i + 1]))); ++i)
      figure += text[i] == ',' ? '.' : text[i];
    double value = std::strtod(figure.c_str(), nullptr);
    std::size_t at = i;
    while (at < text.size() && text[at] == ' ') ++at;
    std::string unit;
    for (std::size_t j = at; j < text.size() && letter(text[j]); ++j) unit += static_cast<char>(std::tolower(static_cast<unsigned char>(text[j])));
    double scale = value < 1e5 ? 1e9 : 1;
    for (const Unit& u : kUnits)
      if (unit == u.name) {
        scale = u.bytes;
        i = at + unit.size();
      }
    value *= scale;
    if (value > 0 && value < 9e15) all.push_back({bytes(static_cast<std::int64_t>(value)), before});
    before.clear();
  }
  return all;
}

bool says(const Number& n, std::initializer_list<std::string_view> words) {
  for (const std::string_view w : words)
    if (n.before.find(w) != std::string::npos) return true;
  return false;
}

}  // namespace

MeasuredText read_measured(std::string_view text) {
  MeasuredText out;
  const std::vector<Number> all = numbers(text);
  bool named = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Number& n = all[i];
    if (says(n, {"held", "reserved"})) {
      out.reserved = n.size;
    } else if (says(n, {"peak", "max_memory_allocated"})) {
      out.allocated = n.size;
    } else if (says(n, {"nvidia", "device", "used"})) {
      out.device = n.size;
    } else if (i + 1 < all.size() && all[i + 1].before.find('/') != std::string::npos) {
      out.device = n.size;  // "used / total"
    } else {
      continue;
    }
    named = true;
  }
  if (!named && all.size() == 3) {
    out.allocated = all[1].size;
    out.reserved = all[2].size;
  }
  return out;
}

}  // namespace gpudget::formats
