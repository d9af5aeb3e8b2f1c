// The controls, all of one family: 32 units high (40 for fingers), ground instead of border, one colour of action. Each reports its
// label to the item hooks and can be reached by keyboard. `id` need only be unique where it stands; labels change with the language.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "ui/frame.h"
#include "ui/icons.h"
#include "ui/text.h"

namespace gpudget::ui {

void gap(float height);
void hairline(const Frame& f);
void name_item(std::string_view label);               // what the item hooks call the item just drawn
void tooltip(const Frame& f, std::string_view text);  // of the item just drawn
// Left and right arrows while the item just drawn has the keyboard: -1 or 1; the focus then stays. 0 otherwise.
int arrow_step();
void tooltip_at_mouse(const Frame& f, std::string_view text);

enum class Look : std::uint8_t { primary, quiet, plain };
bool button(const Frame& f, std::string_view label, const char* id, Look look = Look::quiet, Icon icon = Icon::none, float width = 0, bool enabled = true);
float button_width(const Frame& f, std::string_view label, Icon icon = Icon::none);
bool icon_button(const Frame& f, std::string_view label, const char* id, Icon icon, bool enabled = true);
bool link(const Frame& f, std::string_view label, const char* id, Type type = kBodyType);  // words that act

bool toggle(const Frame& f, std::string_view label, const char* id, bool& on);  // a switch, 40 wide; the label is not drawn
// Choices side by side where they fit in `width`, else a menu. `notes`: a word at the right of each in the menu (may be empty).
bool choose(const Frame& f, std::string_view label, const char* id, std::span<const std::string> names, int& chosen, float width,
            std::span<const std::string> notes = {});
bool segments(const Frame& f, std::string_view label, const char* id, std::span<const std::string> names, int& chosen, float width);
// A field that opens a menu: while it returns true draw the menu's rows, then end_menu().
bool begin_menu(const Frame& f, std::string_view label, const char* id, std::string_view shown, float width, float menu_width = 0, Icon icon = Icon::none);
void end_menu();
// A row of a menu or list: `note` right-aligned, `second` a small second line.
bool menu_row(const Frame& f, std::string_view text, std::string_view id, bool chosen, std::string_view note = {}, std::string_view second = {});

// Numbers. The text is as the language writes it; returns true when it was changed to a number (which may be out of range: the caller checks).
bool number_field(const Frame& f, std::string_view label, const char* id, double& value, bool whole, float width, std::string_view placeholder = {},
                  bool* cleared = nullptr);
// Over the values of `steps`, which grow; a value between two of them stands between them.
bool slider(const Frame& f, std::string_view label, const char* id, double& value, std::span<const double> steps, float width);
bool text_field(const Frame& f, std::string_view label, const char* id, std::string& text, float width, std::string_view placeholder = {},
                Icon icon = Icon::none, float height = 0);

// Text to take away: a click copies it and says so.
void copyable(const Frame& f, std::string_view text, const char* id, Type type = kSmallType, float room = 0);
// A block of code with a button that copies it.
void code_block(const Frame& f, std::string_view code, const char* id, float height = 0);

// A header that folds what follows; `summary` stands at the right while it is closed.
bool fold(const Frame& f, std::string_view title, const char* id, bool& open, std::string_view summary = {});
void heading(const Frame& f, std::string_view text);  // 20 units, with its space above and below
// A share of a whole as a thin bar at `at`.
void share_bar(const Frame& f, ImVec2 at, float width, double share, ImU32 colour);

}  // namespace gpudget::ui
