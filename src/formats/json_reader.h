// Text from outside as a JSON value, with what nlohmann's parser leaves open decided: a size cap before anything is read, a depth cap,
// duplicate keys are errors (the plain parser keeps the last one silently), and an error says line and column.
#pragma once
#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

#include "formats/error.h"

namespace gpudget::formats {

inline constexpr int kMaxJsonDepth = 64;

// UTF-8 JSON of at most `max_bytes`; no comments, no NaN or Infinity, nothing after the value.
Result<nlohmann::json> parse_json(std::string_view text, std::size_t max_bytes);

}  // namespace gpudget::formats
