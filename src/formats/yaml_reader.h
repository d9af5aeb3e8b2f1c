// YAML as a JSON value, through libyaml: one document of mappings with text keys, sequences and scalars, with the same caps as the JSON reader
// (size, depth, duplicate keys). Plain scalars are read as YAML 1.1 readers such as PyYAML do for what configurations hold: null, true/yes/on,
// numbers, else text. Aliases are refused where they would blow up the document. The page and the JavaScript module have web/yaml/yaml.js in its place, by
// the same rules: it hands YAML over as JSON.
#pragma once
#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

#include "formats/error.h"

namespace gpudget::formats {

inline constexpr std::size_t kMaxYamlBytes = 1 << 20, kMaxYamlNodes = 100'000;

bool reads_yaml();  // whether this build has the library
Result<nlohmann::json> parse_yaml(std::string_view text);

}  // namespace gpudget::formats
