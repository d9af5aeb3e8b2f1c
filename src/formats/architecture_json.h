// An Architecture as JSON, field by field and exactly: how a model that came from a config.json travels in a Scenario's JSON and in links.
// Only what differs from an empty Architecture is written. (Reading foreign config.json files is hf_config's.)
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/architecture.h"
#include "formats/error.h"

namespace gpudget::formats {

std::string write_architecture(const Architecture& a);
// `path` is what errors name before the field ("model.config.architecture").
Result<Architecture> read_architecture(const nlohmann::json& object, std::string_view path);

}  // namespace gpudget::formats
