#include "formats/share.h"

#include <fmt/format.h>

#include "formats/url_state.h"

namespace gpudget::formats {

std::string share_link(const Scenario& s, std::string_view page) { return fmt::format("{}#s={}", page, write_url_state(s)); }

std::string embed_snippet(const Scenario& s, i18n::Language language, std::string_view page) {
  return fmt::format(
      "<iframe src=\"{}?embed=1&lang={}&view=memory#s={}\"\n  title=\"gpudget\" loading=\"lazy\" width=\"100%\" height=\"560\" "
      "allow=\"clipboard-write\" style=\"border:0\"></iframe>",
      page, i18n::code(language), write_url_state(s));
}

}  // namespace gpudget::formats
