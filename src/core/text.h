// A short text with a fixed capacity, for names inside plain values: no heap, compares by content.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace gpudget {

template <std::size_t N>
class Text {
 public:
  constexpr Text() = default;
  // Takes the first N bytes of a longer text; callers that accept outside text check `fits` first.
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a Text wherever one is asked for
  constexpr Text(std::string_view s) : size_(static_cast<unsigned char>(s.size() < N ? s.size() : N)) {
    for (std::size_t i = 0; i < size_; ++i) data_[i] = s[i];
  }
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Text(const char* s) : Text(std::string_view(s)) {}
  static constexpr bool fits(std::string_view s) { return s.size() <= N; }
  constexpr std::string_view view() const { return {data_.data(), size_}; }
  constexpr bool empty() const { return size_ == 0; }
  friend constexpr bool operator==(const Text& a, const Text& b) { return a.view() == b.view(); }

 private:
  static_assert(N < 256);
  std::array<char, N> data_{};
  unsigned char size_ = 0;
};

}  // namespace gpudget
