// Scenario as JSON (contract), both ways. Reading starts from `base` (the defaults, or the current scenario for a partial set) and changes
// nothing on error. read(write(s)) == s for every valid s.
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/scenario.h"
#include "formats/error.h"

namespace gpudget::formats {

inline constexpr std::size_t kMaxScenarioBytes = 4 << 20;

Result<Scenario> read_scenario(std::string_view json, const Scenario& base);
Result<Scenario> read_scenario_object(const nlohmann::json& object, const Scenario& base);  // the same once it is parsed
std::string write_scenario(const Scenario& s);                                              // every field
std::string write_scenario_compact(const Scenario& s);                                      // only what differs from the defaults
std::string write_difference(const Scenario& from, const Scenario& to);  // the partial scenario that turns `from` into `to`: a scenario_patch

}  // namespace gpudget::formats
