// A scenario to pass on: the link that opens it and the frame that shows it in another page.
#pragma once
#include <string>
#include <string_view>

#include "core/scenario.h"
#include "i18n/text.h"

namespace gpudget::formats {
// `page`: the address of the page without query and hash.
std::string share_link(const Scenario& s, std::string_view page);
std::string embed_snippet(const Scenario& s, i18n::Language language, std::string_view page);
}  // namespace gpudget::formats
