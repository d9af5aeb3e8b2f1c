#include "ui/widgets.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "imgui_internal.h"
#include "ui/number_text.h"

namespace gpudget::ui {
namespace {

constexpr float kIconRoom = 24;

std::string with_id(std::string_view label, const char* id) {
  std::string s(label);
  s += "###";
  s += id;
  return s;
}

// An invisible button with its label for the hooks, a focus frame and the hand's cursor.
bool press(std::string_view label, const char* id, ImVec2 size, bool enabled = true) {
  if (!enabled) ImGui::BeginDisabled();
  const bool pressed = ImGui::InvisibleButton(with_id(label, id).c_str(), {std::max(size.x, 1.0F), std::max(size.y, 1.0F)}, ImGuiButtonFlags_EnableNav);
  if (!enabled) ImGui::EndDisabled();
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return pressed && enabled;
}

}  // namespace

void gap(float height) { ImGui::Dummy({0, height}); }

void hairline(const Frame& f) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + kHairline}, f.c.hairline);
  ImGui::Dummy({width, kHairline});
}

void name_item(std::string_view label) {
  [[maybe_unused]] ImGuiContext& g = *ImGui::GetCurrentContext();
  IMGUI_TEST_ENGINE_ITEM_INFO(g.LastItemData.ID, std::string(label).c_str(), g.LastItemData.StatusFlags);
}

void tooltip(const Frame& f, std::string_view text) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_DelayNormal)) tooltip_at_mouse(f, text);
}

void tooltip_at_mouse(const Frame& f, std::string_view text) {
  const ImVec2 size = paragraph_size(f, text, kSmallType, 320);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12, 8});
  if (ImGui::BeginTooltip()) {
    paragraph(f, text, kSmallType, std::max(size.x, 1.0F));
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

int arrow_step() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!ImGui::IsItemFocused() || !g.NavCursorVisible) return 0;
  const int step = ImGui::IsKeyPressed(ImGuiKey_LeftArrow) ? -1 : ImGui::IsKeyPressed(ImGuiKey_RightArrow) ? 1 : 0;
  if (step != 0) ImGui::NavMoveRequestCancel();
  return step;
}

float button_width(const Frame& f, std::string_view label, Icon icon) {
  return std::ceil(width_of(f, label, kBodyType.bold())) + 28 + (icon != Icon::none ? kIconRoom : 0);
}

bool button(const Frame& f, std::string_view label, const char* id, Look look, Icon icon, float width, bool enabled) {
  if (width <= 0) width = button_width(f, label, icon);
  const bool pressed = press(label, id, {width, f.target()}, enabled);
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const bool hot = enabled && (ImGui::IsItemHovered() || ImGui::IsItemActive());
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImU32 ground = look == Look::primary ? (hot ? f.c.accent_hover : f.c.accent)
                 : hot                 ? f.c.field_hover
                 : look == Look::quiet ? f.c.field
                                       : with_alpha(f.c.field, 0);
  ImU32 ink = look == Look::primary ? f.c.on_accent : f.c.text;
  if (!enabled) {
    ground = look == Look::plain ? ground : f.c.field;
    ink = with_alpha(f.c.secondary, 0.6F);
  }
  list->AddRectFilled(a, b, ground, kRadius);
  const Type type = (look == Look::plain ? kBodyType : kBodyType.bold()).in(ink);
  const float inside = width - 28, text_room = inside - (icon != Icon::none ? kIconRoom : 0), text = std::min(width_of(f, label, type), text_room);
  float x = a.x + 14 + std::max(0.0F, (text_room - text) / 2);
  if (icon != Icon::none) {
    draw_icon(list, icon, {x + 8, (a.y + b.y) / 2}, ink);
    x += kIconRoom;
  }
  put_in(f, list, {x, a.y}, {x + text_room + 0.5F, b.y}, label, type);
  return pressed;
}

bool icon_button(const Frame& f, std::string_view label, const char* id, Icon icon, bool enabled) {
  const bool pressed = press(label, id, {f.target(), f.target()}, enabled);
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (enabled && (ImGui::IsItemHovered() || ImGui::IsItemActive())) list->AddRectFilled(a, b, f.c.field, kRadius);
  draw_icon(list, icon, {(a.x + b.x) / 2, (a.y + b.y) / 2}, enabled ? f.c.text : with_alpha(f.c.secondary, 0.45F));
  tooltip(f, label);
  return pressed;
}

bool link(const Frame& f, std::string_view label, const char* id, Type type) {
  const float width = std::min(width_of(f, label, type), ImGui::GetContentRegionAvail().x);
  const float height = std::max(24.0F, std::round(type.size * kLine));
  const bool pressed = press(label, id, {width, height});
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  put_in(f, list, a, {a.x + width + 1, b.y}, label, type.in(f.c.accent_text));
  if (ImGui::IsItemHovered()) {
    const float y = std::round((a.y + b.y + type.size) / 2) - 1;
    list->AddRectFilled({a.x, y}, {a.x + width, y + 1}, f.c.accent_text);
  }
  return pressed;
}

bool toggle(const Frame& f, std::string_view label, const char* id, bool& on) {
  const float height = std::max(24.0F, f.target() - 8);
  const bool pressed = press(label, id, {40, height});
  if (pressed) on = !on;
  [[maybe_unused]] ImGuiContext& g = *ImGui::GetCurrentContext();
  IMGUI_TEST_ENGINE_ITEM_INFO(g.LastItemData.ID, std::string(label).c_str(),
                              g.LastItemData.StatusFlags | ImGuiItemStatusFlags_Checkable | (on ? ImGuiItemStatusFlags_Checked : 0));
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const float y = (a.y + b.y) / 2, r = 10;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({a.x + 2, y - r}, {a.x + 38, y + r}, on ? f.c.accent : f.c.edge, r);
  list->AddCircleFilled({on ? a.x + 28 : a.x + 12, y}, r - 3, on ? f.c.on_accent : f.c.page, 24);
  return pressed;
}

bool segments(const Frame& f, std::string_view label, const char* id, std::span<const std::string> names, int& chosen, float width) {
  if (names.empty()) return false;
  const float height = f.target(), inset = 3;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, f.c.field, kRadius + 2);
  // Each as wide as its word needs, the rest shared.
  float needed = 0;
  std::vector<float> widths;
  for (const std::string& n : names) {
    widths.push_back(width_of(f, n, kBodyType.bold()));
    needed += widths.back();
  }
  const float extra = (width - needed) / static_cast<float>(names.size());
  bool changed = false;
  float x = at.x;
  ImGui::PushID(id);
  ImGui::BeginGroup();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const float w = widths[i] + extra;
    ImGui::SetCursorScreenPos({x, at.y});
    std::string name(label);
    name += f.text(Msg::word_colon);
    name += names[i];
    const bool is = static_cast<int>(i) == chosen;
    if (press(name, std::to_string(i).c_str(), {w, height}) && !is) {
      chosen = static_cast<int>(i);
      changed = true;
    }
    [[maybe_unused]] ImGuiContext& g = *ImGui::GetCurrentContext();
    IMGUI_TEST_ENGINE_ITEM_INFO(g.LastItemData.ID, name.c_str(),
                                g.LastItemData.StatusFlags | ImGuiItemStatusFlags_Checkable | (is ? ImGuiItemStatusFlags_Checked : 0));
    const ImVec2 a{x + inset, at.y + inset}, b{x + w - inset, at.y + height - inset};
    if (is) {
      list->AddRectFilled({a.x, a.y + 1}, {b.x, b.y + 1.5F}, with_alpha(IM_COL32(0, 0, 0, 255), 0.10F), kRadius);
      list->AddRectFilled(a, b, f.c.raised, kRadius);
    } else if (ImGui::IsItemHovered()) {
      list->AddRectFilled(a, b, f.c.field_hover, kRadius);
    }
    put_in(f, list, {x, at.y}, {x + w, at.y + height}, names[i], (is ? kBodyType.bold() : kBodyType).in(is ? f.c.text : f.c.secondary), 0.5F);
    x += w;
  }
  ImGui::EndGroup();
  ImGui::PopID();
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  ImGui::Dummy({width, 0});
  return changed;
}

bool choose(const Frame& f, std::string_view label, const char* id, std::span<const std::string> names, int& chosen, float width,
            std::span<const std::string> notes) {
  float needed = 0;
  for (const std::string& n : names) needed += width_of(f, n, kBodyType.bold()) + 14;
  if (needed <= width && names.size() <= 4) return segments(f, label, id, names, chosen, width);
  bool changed = false;
  const std::string_view shown =
      chosen >= 0 && static_cast<std::size_t>(chosen) < names.size() ? std::string_view(names[static_cast<std::size_t>(chosen)]) : "";
  float menu = width;
  for (std::size_t i = 0; i < names.size(); ++i)
    menu = std::max(menu, width_of(f, names[i], kBodyType) + 56 + (i < notes.size() ? width_of(f, notes[i], kSmallType) + 16 : 0));
  if (begin_menu(f, label, id, shown, width, menu)) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      if (menu_row(f, names[i], "row", static_cast<int>(i) == chosen, i < notes.size() ? std::string_view(notes[i]) : std::string_view())) {
        changed = chosen != static_cast<int>(i);
        chosen = static_cast<int>(i);
        ImGui::CloseCurrentPopup();
      }
      ImGui::PopID();
    }
    end_menu();
  }
  return changed;
}

bool begin_menu(const Frame& f, std::string_view label, const char* id, std::string_view shown, float width, float menu_width, Icon icon) {
  const bool pressed = press(label, id, {width, f.target()});
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImRect box = g.LastItemData.Rect;
  const ImGuiID popup = ImHashStr("##menu", 0, g.LastItemData.ID);
  bool open = ImGui::IsPopupOpen(popup, ImGuiPopupFlags_None);
  IMGUI_TEST_ENGINE_ITEM_INFO(g.LastItemData.ID, std::string(label).c_str(),
                              g.LastItemData.StatusFlags | ImGuiItemStatusFlags_Openable | (open ? ImGuiItemStatusFlags_Opened : 0));
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(box.Min, box.Max, ImGui::IsItemHovered() || open ? f.c.field_hover : f.c.field, kRadius);
  float x = box.Min.x + 12;
  if (icon != Icon::none) {
    draw_icon(list, icon, {x + 8, box.GetCenter().y}, f.c.secondary);
    x += kIconRoom;
  }
  put_in(f, list, {x, box.Min.y}, {box.Max.x - 30, box.Max.y}, shown, kBodyType);
  draw_icon(list, Icon::chevron_down, {box.Max.x - 17, box.GetCenter().y}, f.c.secondary, 14);
  const bool asked = f.s.open_menu == id;  // by a key
  if (asked) f.s.open_menu.clear();
  if ((pressed || asked) && !open) {
    ImGui::OpenPopupEx(popup, ImGuiPopupFlags_None);
    open = true;
  }
  if (!open) return false;
  const float w = std::min(std::max(width, menu_width), ImGui::GetIO().DisplaySize.x - 16);
  ImGui::SetNextWindowSizeConstraints({w, 0}, {w, std::max(160.0F, std::min(440.0F, ImGui::GetIO().DisplaySize.y - 32))});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {6, 6});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {6, 6});
  const bool shown_popup = ImGui::BeginComboPopup(popup, box, ImGuiComboFlags_HeightLargest);
  ImGui::PopStyleVar(2);
  return shown_popup;
}

void end_menu() { ImGui::EndCombo(); }

bool menu_row(const Frame& f, std::string_view text, std::string_view id, bool chosen, std::string_view note, std::string_view second) {
  const float width = ImGui::GetContentRegionAvail().x, height = second.empty() ? f.target() : std::max(f.target(), 46.0F);
  const bool pressed = press(text, std::string(id).c_str(), {width, height});
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  if (!ImGui::IsRectVisible(a, b)) return pressed;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (chosen)
    list->AddRectFilled(a, b, f.c.accent_wash, kRadius);
  else if (ImGui::IsItemHovered() || ImGui::IsItemFocused())
    list->AddRectFilled(a, b, f.c.field, kRadius);
  const Type small = kSmallType.in(f.c.secondary);
  const float note_width = note.empty() ? 0 : width_of(f, note, small) + 12, end = b.x - 10 - note_width;
  const Type type = chosen ? kBodyType.bold() : kBodyType;
  if (second.empty()) {
    put_in(f, list, {a.x + 10, a.y}, {end, b.y}, text, type);
  } else {
    put(f, list, {a.x + 10, a.y + 5}, text, type, end - a.x - 10);
    put(f, list, {a.x + 10, a.y + 25}, second, small, b.x - a.x - 20);
  }
  if (!note.empty()) put(f, list, {b.x - 10 - width_of(f, note, small), second.empty() ? (a.y + b.y - small.size) / 2 : a.y + 6}, note, small);
  return pressed;
}

bool number_field(const Frame& f, std::string_view label, const char* id, double& value, bool whole, float width, std::string_view placeholder, bool* cleared) {
  char buffer[48] = "";
  const ImGuiID item = ImGui::GetID(id);
  const bool active = ImGui::GetActiveID() == item;
  const bool empty = std::isnan(value);
  const std::string shown = empty ? std::string() : active ? plain_number(value) : number_text(f.language, value, whole);
  std::strncpy(buffer, shown.c_str(), sizeof buffer - 1);
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {10, (f.target() - kBody) / 2});
  const bool changed = ImGui::InputTextWithHint((std::string("##") + id).c_str(), std::string(placeholder).c_str(), buffer, sizeof buffer,
                                                ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CharsDecimal);
  ImGui::PopStyleVar();
  [[maybe_unused]] ImGuiContext& g = *ImGui::GetCurrentContext();
  IMGUI_TEST_ENGINE_ITEM_INFO(g.LastItemData.ID, std::string(label).c_str(), g.LastItemData.StatusFlags | ImGuiItemStatusFlags_Inputable);
  if (!changed) return false;
  if (buffer[0] == 0) {
    if (cleared != nullptr) *cleared = true;
    return false;
  }
  const auto read = read_number(buffer, whole);
  if (!read) return false;
  value = *read;
  return true;
}

bool slider(const Frame& f, std::string_view label, const char* id, double& value, std::span<const double> steps, float width) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  if (window->SkipItems || steps.size() < 2) return false;
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiID item = window->GetID(id);
  const float height = f.s.options.coarse_pointer ? 40.0F : 24.0F, radius = f.s.options.coarse_pointer ? 11.0F : 8.0F;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImRect box(at, {at.x + width, at.y + height});
  ImGui::ItemSize(box);
  if (!ImGui::ItemAdd(box, item)) return false;
  const bool hovered = ImGui::ItemHoverable(box, item, g.LastItemData.ItemFlags);
  const bool clicked = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left, ImGuiInputFlags_None, item);
  if (clicked || g.NavActivateId == item) {
    if (clicked) ImGui::SetKeyOwner(ImGuiKey_MouseLeft, item);
    ImGui::SetActiveID(item, window);
    ImGui::SetFocusID(item, window);
    ImGui::FocusWindow(window);
    g.ActiveIdUsingNavDirMask |= (1U << ImGuiDir_Left) | (1U << ImGuiDir_Right);
  }
  // Where the value stands among the steps, and the nearest of them.
  const std::size_t last = steps.size() - 1;
  double place = 0;
  if (value >= steps[last]) {
    place = static_cast<double>(last);
  } else if (value > steps[0]) {
    std::size_t i = 0;
    while (i + 1 < last && steps[i + 1] <= value) ++i;
    place = static_cast<double>(i) + (value - steps[i]) / (steps[i + 1] - steps[i]);
  }
  int index = static_cast<int>(std::lround(place));
  const int before = index, end = static_cast<int>(last), begin = 0;
  ImRect grab;
  const bool moved = ImGui::SliderBehavior(box, item, ImGuiDataType_S32, &index, &begin, &end, "%d", ImGuiSliderFlags_None, &grab);
  if (moved) ImGui::MarkItemEdited(item);
  if (hovered || g.ActiveId == item) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImGui::RenderNavCursor(box, item);
  IMGUI_TEST_ENGINE_ITEM_INFO(item, std::string(label).c_str(), g.LastItemData.StatusFlags);
  if (moved && index != before) {
    value = steps[static_cast<std::size_t>(index)];
    place = index;
  }
  const float from = box.Min.x + radius, room = width - 2 * radius, y = box.GetCenter().y;
  const float x = from + room * static_cast<float>(place / static_cast<double>(last));
  ImDrawList* list = window->DrawList;
  list->AddRectFilled({from, y - 2}, {from + room, y + 2}, mix(f.c.field_hover, f.c.edge, 0.35F), 2);
  list->AddRectFilled({from, y - 2}, {x, y + 2}, f.c.accent, 2);
  list->AddCircleFilled({x, y}, radius, f.c.accent, 32);
  list->AddCircleFilled({x, y}, radius - (hovered || g.ActiveId == item ? 4.0F : 3.0F), f.c.on_accent, 32);
  return moved && index != before;
}

bool text_field(const Frame& f, std::string_view label, const char* id, std::string& text, float width, std::string_view placeholder, Icon icon, float height) {
  struct Grow {
    static int call(ImGuiInputTextCallbackData* data) {
      if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        auto* s = static_cast<std::string*>(data->UserData);
        s->resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = s->data();
      }
      return 0;
    }
  };
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {icon != Icon::none ? 34.0F : 10.0F, (f.target() - kBody) / 2});
  bool changed = false;
  const std::string name = std::string("##") + id, hint(placeholder);
  if (height > 0) {
    changed = ImGui::InputTextMultiline(name.c_str(), text.data(), text.capacity() + 1, {width, height}, ImGuiInputTextFlags_CallbackResize, Grow::call, &text);
  } else {
    ImGui::SetNextItemWidth(width);
    changed = ImGui::InputTextWithHint(name.c_str(), hint.c_str(), text.data(), text.capacity() + 1, ImGuiInputTextFlags_CallbackResize, Grow::call, &text);
  }
  ImGui::PopStyleVar();
  name_item(label);
  if (icon != Icon::none) draw_icon(ImGui::GetWindowDrawList(), icon, {at.x + 18, at.y + f.target() / 2}, f.c.secondary);
  return changed;
}

void copyable(const Frame& f, std::string_view text, const char* id, Type type, float room) {
  if (room <= 0) room = ImGui::GetContentRegionAvail().x;
  const ImVec2 size = paragraph_size(f, text, type, room - 20);
  const float height = std::max(24.0F, size.y);
  const bool pressed = press(text, id, {std::min(size.x + 20, room), height});
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  if (hot) list->AddRectFilled({a.x - 4, a.y}, {b.x + 2, b.y}, f.c.field, 4);
  put_paragraph(f, list, {a.x, a.y + (height - size.y) / 2}, text, type, room - 20);
  if (hot) draw_icon(list, Icon::copy, {b.x - 9, (a.y + b.y) / 2}, f.c.secondary, 13);
  if (pressed) f.copy(text);
}

void code_block(const Frame& f, std::string_view code, const char* id, float height) {
  ImGui::PushID(id);
  const float width = ImGui::GetContentRegionAvail().x, pad = 14, pitch = std::round(kSmall * kLine);
  float lines = 1;
  for (const char c : code)
    if (c == '\n') ++lines;
  if (!code.empty() && code.back() == '\n') --lines;
  const float natural = lines * pitch + 2 * pad;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, f.c.panel);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, kRadius);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::BeginChild("code", {width, height > 0 ? std::min(height, natural) : natural},
                        ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened,
                        ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoSavedSettings)) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float y = start.y, widest = 0;
    for (std::size_t from = 0; from < code.size();) {
      const std::size_t end = std::min(code.find('\n', from), code.size());
      const std::string_view row = code.substr(from, end - from);
      // Leading blanks are kept: the code's shape is half its meaning. Inter's blank is narrow, so indentation is set at twice its width.
      const std::size_t blanks = std::min(row.find_first_not_of(' '), row.size());
      const float indent = static_cast<float>(blanks) * kSmall * 0.5F;
      if (ImGui::IsRectVisible({start.x, y}, {start.x + 1, y + pitch}))
        put(f, list, {start.x + indent, y + (pitch - kSmall) / 2}, row.substr(blanks), kSmallType);
      widest = std::max(widest, indent + width_of(f, row.substr(blanks), kSmallType));
      y += pitch;
      from = end + 1;
    }
    ImGui::Dummy({widest, y - start.y});
    // Inside the child, which takes the pointer; over the corner, whatever is scrolled beneath.
    const float box = f.target();
    const ImVec2 corner{at.x + width - box - 22, at.y + std::min(6.0F, (natural - box) / 2)};
    list->AddRectFilled(corner, {corner.x + box, corner.y + box}, f.c.panel, kRadius);
    ImGui::SetCursorScreenPos(corner);
    if (icon_button(f, f.text(Msg::ui_copy), "copy", Icon::copy)) f.copy(code);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  ImGui::PopID();
}

bool fold(const Frame& f, std::string_view title, const char* id, bool& open, std::string_view summary) {
  const float width = ImGui::GetContentRegionAvail().x, height = std::max(f.target(), 44.0F);
  const bool pressed = press(title, id, {width, height});
  if (pressed) open = !open;
  [[maybe_unused]] ImGuiContext& g = *ImGui::GetCurrentContext();
  IMGUI_TEST_ENGINE_ITEM_INFO(g.LastItemData.ID, std::string(title).c_str(),
                              g.LastItemData.StatusFlags | ImGuiItemStatusFlags_Openable | (open ? ImGuiItemStatusFlags_Opened : 0));
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) list->AddRectFilled({a.x - 8, a.y + 4}, {b.x + 8, b.y - 4}, with_alpha(f.c.field, 0.7F), kRadius);
  const Type type = kBodyType.bold();
  put_in(f, list, a, {b.x - 24, b.y}, title, type);
  const float taken = width_of(f, title, type) + 16;
  draw_icon(list, open ? Icon::chevron_up : Icon::chevron_down, {b.x - 8, (a.y + b.y) / 2}, f.c.secondary, 14);
  if (!open && !summary.empty() && b.x - 24 - a.x - taken >= 60) put_in(f, list, {a.x + taken, a.y}, {b.x - 24, b.y}, summary, kSmallType.in(f.c.secondary), 1);
  return open;
}

void heading(const Frame& f, std::string_view text) {
  gap(28);
  paragraph(f, text, kSectionType);
  gap(10);
}

void share_bar(const Frame& f, ImVec2 at, float width, double share, ImU32 colour) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + 4}, f.c.field, 2);
  const float filled = width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  if (filled > 0) list->AddRectFilled(at, {at.x + std::max(2.0F, filled), at.y + 4}, colour, 2);
}

}  // namespace gpudget::ui
