#include "i18n/text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "i18n/messages_table.h"
#include "i18n/numbers.h"

namespace gpudget::i18n {
namespace {

using Texts = std::array<std::string_view, kMessages>;

void split(const char* text, Texts& into) {
  for (std::string_view& one : into) {
    one = text;
    text += one.size() + 1;
  }
}

struct Tables {
  std::array<Texts, kLanguageCodes.size()> texts;
  std::array<bool, kLanguageCodes.size()> here{};
};
// The generated tables stand in the order of their files' names; the enum in its own.
Tables make_tables() {
  Tables made;
#if GPUDGET_LANGUAGES_LATER  // the page: English alone, the others are files that bring() takes
  split(k_en, made.texts[0]);
  made.here[0] = true;
#else
  for (std::size_t i = 0; i < kLanguageCodes.size(); ++i)
    for (const MessageTable& t : kMessageTables)
      if (t.code == kLanguageCodes[i]) split(t.texts, made.texts[i]), made.here[i] = true;
#endif
  return made;
}
Tables& tables() {
  static Tables all = make_tables();
  return all;
}
const Texts& table(Language l) {
  const Tables& all = tables();
  const auto i = static_cast<std::size_t>(l);
  return all.texts[all.here[i] ? i : 0];
}

const Texts& ids() {
  static Texts texts;
  static const bool made = (split(kMessageIds, texts), true);
  static_cast<void>(made);
  return texts;
}
static_assert(std::size(kMessageTables) == kLanguageCodes.size(), "assets/i18n has a language that text.h does not name, or the other way round");

bool one(Language l, long long n) {
  // English: exactly one. French and Portuguese: nothing and one are singular too.
  return n == 1 || (n == 0 && text(l, Msg::number_zero_is) == "one");
}

}  // namespace

std::optional<Language> language(std::string_view code) {
  std::string lower;
  for (const char c : code.substr(0, code.find_first_of("-_.@"))) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (std::size_t i = 0; i < kLanguageCodes.size(); ++i)
    if (kLanguageCodes[i] == lower) return static_cast<Language>(i);
  return std::nullopt;
}

std::string_view code(Language l) { return kLanguageCodes[static_cast<std::size_t>(l)]; }

bool bring(Language l, std::string_view texts) {
  const auto i = static_cast<std::size_t>(l);
  Tables& all = tables();
  if (all.here[i]) return true;
  Texts read;
  std::size_t at = 0;
  for (std::string_view& one : read) {
    const std::size_t end = texts.find(kBetweenTexts, at);
    if (end == std::string_view::npos) return false;
    one = texts.substr(at, end - at);
    at = end + 1;
  }
  if (at != texts.size()) return false;
  static std::array<std::string, kLanguageCodes.size()> kept;
  kept[i] = texts;
  for (std::string_view& one : read) one = std::string_view(kept[i]).substr(static_cast<std::size_t>(one.data() - texts.data()), one.size());
  all.texts[i] = read;
  all.here[i] = true;
  return true;
}

std::string_view text(Language l, Msg m) { return table(l)[static_cast<std::size_t>(m)]; }

std::string_view id(Msg m) { return ids()[static_cast<std::size_t>(m)]; }

static std::string replace(std::string_view message, const Arg* first, const Arg* last) {
  std::string out;
  out.reserve(message.size() + 16);
  for (std::size_t i = 0; i < message.size(); ++i) {
    const char c = message[i];
    if ((c == '{' || c == '}') && i + 1 < message.size() && message[i + 1] == c) {
      out += c;
      ++i;
      continue;
    }
    const std::size_t end = c == '{' ? message.find('}', i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out += c;
      continue;
    }
    const std::string_view name = message.substr(i + 1, end - i - 1);
    const Arg* arg = std::find_if(first, last, [&](const Arg& a) { return a.name == name; });
    // A placeholder without its argument stays visible: it is a mistake to be seen, not hidden.
    out += arg != last ? arg->value : message.substr(i, end - i + 1);
    i = end;
  }
  return out;
}

std::string format(Language, std::string_view message, std::initializer_list<Arg> args) { return replace(message, args.begin(), args.end()); }

std::string format(Language l, Msg m, std::initializer_list<Arg> args) { return format(l, text(l, m), args); }

std::string plural(Language l, Msg m, long long n, std::initializer_list<Arg> args) {
  const std::string_view whole = id(m);
  std::string half(whole.substr(0, whole.rfind('.')));
  half += one(l, n) ? ".one" : ".other";
  const std::string number = integer(l, n);
  std::vector<Arg> all(args);
  all.push_back({"n", number});
  return replace(text_or(l, half, text(l, m)), all.data(), all.data() + all.size());
}

std::optional<Msg> find(std::string_view id) {
  const Texts& all = ids();
  const auto* at = std::lower_bound(all.data(), all.data() + all.size(), id);
  if (at == all.data() + all.size() || *at != id) return std::nullopt;
  return static_cast<Msg>(at - all.data());
}

std::string_view text_or(Language l, std::string_view id, std::string_view fallback) {
  const auto m = find(id);
  return m ? text(l, *m) : fallback;
}

}  // namespace gpudget::i18n
