// Text as the interface sets it: four sizes, two weights, lines at 1.45. All text on screen is drawn here, so that a test can compare
// what each text needs with what it has.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "ui/frame.h"

namespace gpudget::ui {

enum class Weight : std::uint8_t { regular, semibold };
struct Type {
  float size = kBody;
  Weight weight = Weight::regular;
  ImU32 colour = 0;  // 0: the text colour
  constexpr Type bold() const { return {size, Weight::semibold, colour}; }
  constexpr Type in(ImU32 c) const { return {size, weight, c}; }
};
inline constexpr Type kBodyType{kBody, Weight::regular, 0}, kSmallType{kSmall, Weight::regular, 0}, kSectionType{kSection, Weight::semibold, 0};

float width_of(const Frame& f, std::string_view text, Type type);
// One line with its top left corner at `at`; longer than `room`: cut with an ellipsis (room 0: not limited).
void put(const Frame& f, ImDrawList* list, ImVec2 at, std::string_view text, Type type, float room = 0);
// Vertically centred in the box; `align` 0 left, 0.5 centre, 1 right.
void put_in(const Frame& f, ImDrawList* list, ImVec2 minimum, ImVec2 maximum, std::string_view text, Type type, float align = 0);

// Items of the layout. Wrapped text breaks at spaces; **bold** and `code` are marked in the text.
void line(const Frame& f, std::string_view text, Type type = kBodyType, float room = 0);
void paragraph(const Frame& f, std::string_view text, Type type = kBodyType, float room = 0);
int paragraph_lines(const Frame& f, std::string_view text, Type type, float room);
ImVec2 paragraph_size(const Frame& f, std::string_view text, Type type, float room);
void put_paragraph(const Frame& f, ImDrawList* list, ImVec2 at, std::string_view text, Type type, float room, ImU32 bold_colour = 0);

struct TextUse {  // one text of the frame, when collected
  std::string text;
  ImVec2 at;
  float width = 0, room = 0;  // needed, given (0: not limited)
  ImVec2 size;
};
void collect_texts(bool on);
void begin_texts();
std::span<const TextUse> texts();

}  // namespace gpudget::ui
