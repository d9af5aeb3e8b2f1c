#include "formats/one_of.h"

#include <string>

#include <fmt/format.h>

#include "formats/field_json.h"
#include "formats/nearest.h"

namespace gpudget::formats {

tl::unexpected<Error> unknown_name(std::string_view path, std::string_view text, std::span<const std::string_view> known) {
  const std::string_view near = nearest(text, known);
  return tl::unexpected(Error{std::string(path), ErrorId::unknown_name, shortened(text), fmt::format("one of {}", fmt::join(known.begin(), known.end(), ", ")),
                              plausible(text, near) ? std::string(near) : ""});
}

}  // namespace gpudget::formats
