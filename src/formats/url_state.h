// "#s=": the scenario in a link: "1" (version), then the compact JSON of what differs from the defaults, deflate-free base64url.
// A link made today opens in later versions; a broken one is an error that says so.
#pragma once
#include <string>
#include <string_view>

#include "core/scenario.h"
#include "formats/error.h"

namespace gpudget::formats {
std::string write_url_state(const Scenario& s);
Result<Scenario> read_url_state(std::string_view state);
}  // namespace gpudget::formats
