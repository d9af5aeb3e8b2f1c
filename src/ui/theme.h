// The look as tokens: every colour and size that the interface draws with, for light and dark. Sizes are layout units (CSS pixels).
// Contrast is checked in tests/ui/theme_test.cpp: text at least 4.5:1 on every ground it stands on, marks at least 3:1.
#pragma once
#include <array>
#include <cstdint>

#include "core/ledger.h"
#include "imgui.h"
#include "ui/ui.h"

namespace gpudget::ui {

// What ImGui calls a font's size is the height from ascender to descender: for Inter 1.21 times the size that typographers and CSS mean.
inline constexpr float kInterHeight = 1.21F;
inline constexpr float kBody = 15 * kInterHeight, kSmall = 13 * kInterHeight, kSection = 20 * kInterHeight, kVerdict = 34 * kInterHeight;
inline constexpr float kLine = 1.45F / kInterHeight;  // pitch of lines in a paragraph, in font heights
inline constexpr float kGrid = 8, kRadius = 6, kHairline = 1;

struct Tokens {
  ImU32 page, panel;                      // the answer's ground; the question's
  ImU32 raised;                           // menus, cards of choices that are on
  ImU32 hairline, edge;                   // between things; around fields (3:1)
  ImU32 text, secondary;                  // 4.5:1 on page, panel, field and raised
  ImU32 field, field_hover;               // ground of controls
  ImU32 accent, accent_hover, on_accent;  // the one colour of action
  ImU32 accent_text;                      // links and values on page and panel
  ImU32 accent_wash;                      // ground of what is chosen
  ImU32 fits, tight, over;                // marks
  ImU32 fits_text, tight_text, over_text;
  std::array<ImU32, kCategories> category, category_edge, on_category;  // fill, outline (3:1 on page), text on the fill
};
const Tokens& tokens(Theme theme);
void apply_style(Theme theme, bool coarse_pointer);  // to ImGui's style of the current context

double contrast(ImU32 a, ImU32 b);            // WCAG 2.2, 1 to 21
ImU32 with_alpha(ImU32 colour, float alpha);  // 0 to 1
ImU32 mix(ImU32 a, ImU32 b, float t);         // 0: a

}  // namespace gpudget::ui
