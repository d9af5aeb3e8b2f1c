#include "ui/frame.h"

#include <algorithm>

namespace gpudget::ui {

namespace {
constexpr double kNoticeSeconds = 2;
}

std::string Frame::size_both(Bytes b) const {
  return i18n::size(language, b, i18n::ByteUnit::gb) + "  ·  " + i18n::size(language, b, i18n::ByteUnit::gib) + "\n" + i18n::size_exact(language, b);
}

void Frame::keep_drawing(double seconds) const { *until = std::max(*until, now + seconds); }

void Frame::notice(std::string_view words) const {
  s.notice = words;
  s.notice_until = now + kNoticeSeconds;
  keep_drawing(kNoticeSeconds);
}

void Frame::copy(std::string_view what) const {
  host.copy(what);
  notice(text(Msg::ui_copied));
}

}  // namespace gpudget::ui
