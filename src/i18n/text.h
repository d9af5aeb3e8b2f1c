// Messages in the reader's language. Ids are flat ("verdict.fits"); i18n/messages.h (generated from assets/i18n) has enum class Msg.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "i18n/messages.h"  // generated: enum class Msg : std::uint16_t { verdict_fits, … }

namespace gpudget::i18n {

enum class Language : unsigned char { en, pt, fr };
std::optional<Language> language(std::string_view code);   // "pt", "pt-BR", "fr_CA" …
std::string_view code(Language l);

struct Arg {
  std::string_view name;
  std::string_view value;
};
std::string_view text(Language l, Msg m);                                      // a message without arguments
std::string format(Language l, Msg m, std::initializer_list<Arg> args);        // {name} replaced
std::string plural(Language l, Msg m, long long n, std::initializer_list<Arg> args = {});  // picks one/other; {n} is the number as written in l
std::optional<Msg> find(std::string_view id);                                  // by id, for composed ids ("ledger.weights")
std::string_view text_or(Language l, std::string_view id, std::string_view fallback);

}  // namespace gpudget::i18n
