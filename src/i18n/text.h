// Messages in the reader's language. Ids are flat ("verdict.fits"); i18n/messages.h (generated from assets/i18n) has enum class Msg.
// A language is one file assets/i18n/<code>.json (how it writes numbers and money is in it too, ids "number.*") and one name below.
#pragma once
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "i18n/messages.h"  // generated: enum class Msg : std::uint16_t { verdict_fits, … }

namespace gpudget::i18n {

#define GPUDGET_LANGUAGES(X) X(en) X(pt) X(fr)

#define GPUDGET_LANGUAGE_VALUE(code) code,
#define GPUDGET_LANGUAGE_CODE(code) std::string_view(#code),
enum class Language : unsigned char { GPUDGET_LANGUAGES(GPUDGET_LANGUAGE_VALUE) };
inline constexpr std::array kLanguageCodes{GPUDGET_LANGUAGES(GPUDGET_LANGUAGE_CODE)};
#undef GPUDGET_LANGUAGE_VALUE
#undef GPUDGET_LANGUAGE_CODE

std::optional<Language> language(std::string_view code);  // "pt", "pt-BR", "fr_CA" …
std::string_view code(Language l);

// Where a language is not built in (the page has English alone): its texts in the order of Msg, each followed by kBetweenTexts. Until they are brought English
// stands in for them. Whether it is here now: false where the texts are not those of this build. They are copied; what text() gave before stays valid.
inline constexpr char kBetweenTexts = '\x1f';
bool bring(Language l, std::string_view texts);

struct Arg {
  std::string_view name;
  std::string_view value;
};
std::string_view text(Language l, Msg m);                                                   // a message without arguments
std::string_view id(Msg m);                                                                 // "verdict.fits"
std::string format(Language l, Msg m, std::initializer_list<Arg> args);                     // {name} replaced
std::string format(Language l, std::string_view message, std::initializer_list<Arg> args);  // of a text already looked up
// Picks "<x>.one" or "<x>.other" (`m` is either); {n} is the number as written in l.
std::string plural(Language l, Msg m, long long n, std::initializer_list<Arg> args = {});
std::optional<Msg> find(std::string_view id);  // by id, for composed ids ("ledger.weights")
std::string_view text_or(Language l, std::string_view id, std::string_view fallback);

}  // namespace gpudget::i18n
