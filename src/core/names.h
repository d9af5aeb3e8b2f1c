// Enumerations with the names that JSON, the command line and the URL use. Each enum specialises kNames<E> with one name a value,
// in order; the schema, the readers and the hints all take names from here.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace gpudget {

template <class E>
struct Names;  // specialised beside each enum: static constexpr std::array<std::string_view, n> values;

template <class E>
constexpr std::string_view name(E e) {
  return Names<E>::values[static_cast<std::size_t>(e)];
}
template <class E>
constexpr std::optional<E> from_name(std::string_view s) {
  for (std::size_t i = 0; i < Names<E>::values.size(); ++i)
    if (Names<E>::values[i] == s) return static_cast<E>(i);
  return std::nullopt;
}
template <class E>
constexpr std::span<const std::string_view> names() {
  return Names<E>::values;
}

}  // namespace gpudget
