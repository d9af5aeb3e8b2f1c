// What every panel is given for one frame: the state, the place, the language, the look; and the short names of the formatters.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "i18n/numbers.h"
#include "i18n/text.h"
#include "imgui.h"
#include "ui/state.h"
#include "ui/theme.h"

namespace gpudget::ui {

using i18n::Msg;

struct Frame {
  State& s;
  Host& host;
  const Tokens& c;
  ImFont* regular;
  ImFont* semibold;
  i18n::Language language;
  double now;            // seconds
  double* until;         // frames are wanted until then
  bool narrow = false;   // one column
  bool compact = false;  // little height: the verdict is small

  std::string_view text(Msg m) const { return i18n::text(language, m); }
  std::string_view text(std::string_view id) const { return i18n::text_or(language, id, id); }
  std::string format(Msg m, std::initializer_list<i18n::Arg> args) const { return i18n::format(language, m, args); }
  std::string size(Bytes b) const { return i18n::size(language, b, s.unit); }
  std::string size_both(Bytes b) const;  // GB, GiB and exact, for a tooltip
  std::string integer(std::int64_t n) const { return i18n::integer(language, n); }
  std::string money(Usd v) const { return i18n::money(language, v); }
  std::string duration(Seconds v) const { return i18n::duration(language, v); }
  std::string percent(double ratio, int digits = 0) const { return i18n::percent(language, ratio, digits); }
  std::string rate(TokensPerSecond v) const { return i18n::rate(language, v); }

  float target() const { return s.options.coarse_pointer ? 40.0F : 32.0F; }  // height of controls
  void keep_drawing(double seconds) const;                                   // motion: frames until now + seconds
  void notice(std::string_view words) const;                                 // said at the bottom for two seconds
  void copy(std::string_view what) const;                                    // to the clipboard, and says so
};

}  // namespace gpudget::ui
