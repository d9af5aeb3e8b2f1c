// What the fuzz targets have in common: a condition that must hold, whatever the input.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

inline void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}
inline std::string_view as_text(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }
