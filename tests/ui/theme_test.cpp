#include <doctest/doctest.h>

#include "ui/theme.h"

using namespace gpudget;
using namespace gpudget::ui;

TEST_CASE("contrast follows WCAG: black on white is 21") {
  CHECK(contrast(IM_COL32(0, 0, 0, 255), IM_COL32(255, 255, 255, 255)) == doctest::Approx(21));
  CHECK(contrast(IM_COL32(119, 119, 119, 255), IM_COL32(255, 255, 255, 255)) == doctest::Approx(4.48).epsilon(0.01));
}

TEST_CASE("text is at least 4.5:1 on every ground it stands on, marks at least 3:1") {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const Tokens& t = tokens(theme);
    CAPTURE(static_cast<int>(theme));
    for (const ImU32 ground : {t.page, t.panel, t.field, t.field_hover, t.accent_wash}) CHECK(contrast(t.text, ground) >= 4.5);
    for (const ImU32 ground : {t.page, t.panel, t.field, t.accent_wash}) CHECK(contrast(t.secondary, ground) >= 4.5);
    CHECK(contrast(t.text, t.raised) >= 4.5);
    CHECK(contrast(t.on_accent, t.accent) >= 4.5);
    CHECK(contrast(t.on_accent, t.accent_hover) >= 4.5);
    for (const ImU32 ink : {t.accent_text, t.fits_text, t.tight_text, t.over_text})
      for (const ImU32 ground : {t.page, t.panel}) CHECK(contrast(ink, ground) >= 4.5);
    for (const ImU32 mark : {t.fits, t.tight, t.over, t.edge, t.accent}) CHECK(contrast(mark, t.page) >= 3.0);
    for (std::size_t i = 0; i < kCategories; ++i) {
      CAPTURE(i);
      CHECK(contrast(t.category_edge[i], t.page) >= 3.0);
      CHECK(contrast(t.on_category[i], t.category[i]) >= 4.5);
    }
  }
}
