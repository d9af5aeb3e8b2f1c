#include "formats/local_fit.h"

#include "i18n/numbers.h"

namespace gpudget::formats {

LocalFit local_fit(Bytes needs, Bytes total, std::optional<Bytes> free) {
  if (needs > total) return LocalFit::over;
  if (!free) return LocalFit::unknown;
  return needs <= *free ? LocalFit::now : LocalFit::total;
}

std::string local_fit_text(Bytes needs, Bytes total, std::optional<Bytes> free, i18n::Language language) {
  const auto say = [language](i18n::Msg message, Bytes size) { return i18n::format(language, message, {{"size", i18n::size(language, size)}}); };
  switch (local_fit(needs, total, free)) {
    case LocalFit::now: return say(i18n::Msg::local_fits_now, *free - needs);
    case LocalFit::total: return say(i18n::Msg::local_fits_total, needs - *free);
    case LocalFit::unknown: return say(i18n::Msg::local_fits_unknown, total - needs);
    case LocalFit::over: break;
  }
  return say(i18n::Msg::local_over, needs - total);
}

}  // namespace gpudget::formats
