// A name from outside as a value of an enum; the error says all the names and the nearest.
#pragma once
#include <span>
#include <string_view>

#include "core/names.h"
#include "formats/error.h"

namespace gpudget::formats {

tl::unexpected<Error> unknown_name(std::string_view path, std::string_view text, std::span<const std::string_view> known);

// `path`: what the error calls the argument.
template <class E>
Result<E> one_of(std::string_view path, std::string_view text) {
  if (const auto value = from_name<E>(text)) return *value;
  const auto all = names<E>();
  return unknown_name(path, text, all);
}

}  // namespace gpudget::formats
