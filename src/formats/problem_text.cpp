#include "formats/problem_text.h"

#include <fmt/format.h>

#include "i18n/numbers.h"

namespace gpudget::formats {

std::string problem_text(const Problem& p, i18n::Language language) {
  const std::string id = fmt::format("problem.{}", name(p.id));
  const auto message = i18n::find(id);
  if (!message) return std::string(name(p.id));
  const std::string a = i18n::integer(language, p.a), b = i18n::integer(language, p.b);
  return i18n::format(language, *message, {{"a", a}, {"b", b}});
}

}  // namespace gpudget::formats
