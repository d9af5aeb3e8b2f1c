#include "formats/url_state.h"

#include <array>

#include <fmt/format.h>

#include "formats/field_json.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"

namespace gpudget::formats {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() * 4 + 2) / 3);
  unsigned bits = 0, held = 0;
  for (const char c : bytes) {
    held = held << 8U | static_cast<unsigned char>(c);
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      out += kAlphabet[held >> bits & 63U];
    }
    held &= (1U << bits) - 1;
  }
  if (bits > 0) out += kAlphabet[held << (6 - bits) & 63U];
  return out;
}

// Strict: no padding, no other characters, no leftover bits, so that each state has one spelling.
bool decode(std::string_view text, std::string& out) {
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    const std::size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) return false;
    held = held << 6U | static_cast<unsigned>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(held >> bits & 255U);
    }
    held &= (1U << bits) - 1;
  }
  return bits < 6 && held == 0;
}

}  // namespace

std::string write_url_state(const Scenario& s) { return "1" + encode(write_scenario_compact(s)); }

Result<Scenario> read_url_state(std::string_view state) {
  if (state.size() > kMaxScenarioBytes)
    return tl::unexpected(Error{"s", ErrorId::too_large, fmt::format("{} bytes", state.size()), fmt::format("at most {} bytes", kMaxScenarioBytes), {}});
  if (state.empty()) return tl::unexpected(Error{"s", ErrorId::bad_link, {}, "the whole link, as it was copied", {}});
  if (state.front() != '1')
    return tl::unexpected(Error{"s", ErrorId::bad_version, shortened(state.substr(0, 1)), "1; reload the page for a newer gpudget", {}});
  std::string json;
  if (!decode(state.substr(1), json)) return tl::unexpected(Error{"s", ErrorId::bad_link, {}, "the whole link, as it was copied", {}});
  auto s = read_scenario(json, default_scenario());
  // Damage shows as text that is no JSON; a name that is not known is said as it is.
  if (!s && s.error().id == ErrorId::not_json) return tl::unexpected(Error{"s", ErrorId::bad_link, {}, "the whole link, as it was copied", {}});
  return s;
}

}  // namespace gpudget::formats
