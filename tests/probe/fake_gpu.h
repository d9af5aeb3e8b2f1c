// What the fake drivers pretend, chosen by FAKE_GPU: the two libraries answer from here.
#pragma once
#include <cstdlib>
#include <string>

namespace fake {

inline std::string scenario() {
  const char* value = std::getenv("FAKE_GPU");
  return value ? value : "one_24g";
}
inline bool is(const char* name) { return scenario() == name; }
inline constexpr unsigned long long kGiB = 1ULL << 30;

inline int devices() {
  if (is("zero_devices")) return 0;
  if (is("eight")) return 8;
  if (is("two_mixed_order") || is("lost")) return 2;
  return 1;
}

}  // namespace fake
