#include "ui/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "formats/share.h"
#include "ui/actions.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace gpudget::ui {
namespace {

constexpr float kWide = 960, kQuestion = 360, kHeader = 56, kMargin = 24, kTabs = 44;
constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoSavedSettings;
constexpr ImGuiChildFlags kChild = ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding;

struct ViewTab {
  View view;
  void (*draw)(const Frame&);
};
constexpr std::array kViews{ViewTab{View::memory, memory_panel},       ViewTab{View::time, time_panel},        ViewTab{View::plan, plan_panel},
                            ViewTab{View::checklist, checklist_panel}, ViewTab{View::learn, learn_panel},      ViewTab{View::export_view, export_panel},
                            ViewTab{View::compare, compare_panel},     ViewTab{View::accuracy, accuracy_panel}};

std::string_view view_name(const Frame& f, View v) {
  std::string id = "view.";
  id += kViewNames[static_cast<std::size_t>(v)];
  return f.text(id);
}

void set_view(const Frame& f, View v) {
  if (f.s.options.view == v) return;
  f.s.options.view = v;
  f.host.options_changed(f.s.options);
}

std::string share_link(const Frame& f) { return formats::share_link(f.s.scenario, f.host.page_address()); }

// Language, unit, theme, undo and redo, share: the quiet right end of the header.
void tools(const Frame& f, float right, float y) {
  const float box = f.target();
  constexpr std::array<std::string_view, 3> kCodes{"EN", "PT", "FR"};
  const bool share_words = !f.narrow;
  const std::string_view share = f.text(Msg::ui_share);
  const float share_width = share_words ? button_width(f, share, Icon::link) : box, language_width = 64, unit_width = 70;
  std::vector<float> widths{box, box, box, unit_width, box, language_width, share_width};
  if (f.narrow) widths = {box, box, language_width, box};
  float total = 0;
  for (const float w : widths) total += w + 4;
  float x = right - total;
  const auto next = [&](float w) {
    ImGui::SetCursorScreenPos({x, y + (kHeader - box) / 2});
    x += w + 4;
  };
  next(box);
  if (icon_button(f, f.text(Msg::ui_undo), "undo", Icon::undo, f.s.history.can_undo())) undo(f.s);
  if (!f.narrow) {
    next(box);
    if (icon_button(f, f.text(Msg::ui_redo), "redo", Icon::redo, f.s.history.can_redo())) redo(f.s);
    next(box);
    if (icon_button(f, f.text(Msg::ui_reset), "reset", Icon::reset)) reset(f.s);
    next(unit_width);
    const std::array<std::string, 2> units{std::string(f.text("unit.gb")), std::string(f.text("unit.gib"))};
    int unit = f.s.unit == i18n::ByteUnit::gb ? 0 : 1;
    if (begin_menu(f, f.text(Msg::ui_unit), "unit", units[static_cast<std::size_t>(unit)], unit_width, 90)) {
      for (int i = 0; i < 2; ++i)
        if (menu_row(f, units[static_cast<std::size_t>(i)], units[static_cast<std::size_t>(i)], unit == i)) {
          f.s.unit = i == 0 ? i18n::ByteUnit::gb : i18n::ByteUnit::gib;
          ImGui::CloseCurrentPopup();
        }
      end_menu();
    }
  }
  next(box);
  const bool dark = f.s.options.theme == Theme::dark;
  if (icon_button(f, f.text(dark ? Msg::ui_light : Msg::ui_dark), "theme", dark ? Icon::sun : Icon::moon)) {
    f.s.options.theme = dark ? Theme::light : Theme::dark;
    f.host.options_changed(f.s.options);
  }
  next(language_width);
  if (begin_menu(f, f.text(Msg::ui_language), "language", kCodes[static_cast<std::size_t>(f.language)], language_width, 150)) {
    constexpr std::array<std::string_view, 3> kLanguages{"English", "Português", "Français"};
    for (std::size_t i = 0; i < kLanguages.size(); ++i)
      if (menu_row(f, kLanguages[i], kCodes[i], i == static_cast<std::size_t>(f.language))) {
        f.s.options.language = static_cast<i18n::Language>(i);
        f.host.options_changed(f.s.options);
        ImGui::CloseCurrentPopup();
      }
    end_menu();
  }
  next(share_width);
  const bool pressed = share_words ? button(f, share, "share", Look::quiet, Icon::link) : icon_button(f, share, "share", Icon::link);
  if (pressed) {
    f.host.copy(share_link(f));
    f.notice(f.text(Msg::ui_link_copied));
  }
}

void header(const Frame& f, ImVec2 at, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float x = at.x + (f.narrow ? 16 : kMargin);
  // The mark: a bar and its limit.
  const float y = at.y + kHeader / 2;
  list->AddRectFilled({x, y - 7}, {x + 9, y + 7}, f.c.category[0], 2);
  list->AddRectFilled({x + 10, y - 7}, {x + 15, y + 7}, f.c.category[1], 0);
  list->AddRectFilled({x + 18, y - 10}, {x + 20, y + 10}, f.c.text);
  put(f, list, {x + 28, y - 17 * kInterHeight / 2}, "gpudget", {17 * kInterHeight, Weight::semibold, f.c.text});
  tools(f, at.x + width - (f.narrow ? 8 : kMargin - 4), at.y);
  list->AddRectFilled({at.x, at.y + kHeader - 1}, {at.x + width, at.y + kHeader}, f.c.hairline);
}

// The views as words in a row; those that find no room are in a menu at the end.
void tabs(const Frame& f) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, pitch = 26;
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::vector<std::size_t> shown, hidden;
  const std::string_view more = f.text(Msg::ui_more);
  const float more_width = width_of(f, more, kBodyType) + 50;
  float needed = 0;
  for (const ViewTab& t : kViews) needed += width_of(f, view_name(f, t.view), kBodyType.bold()) + pitch;
  float room = width - (needed - pitch > width ? more_width + 8 : 0);
  for (std::size_t i = 0; i < kViews.size(); ++i) {
    const float w = width_of(f, view_name(f, kViews[i].view), kBodyType.bold());
    if (room >= w) {
      shown.push_back(i);
      room -= w + pitch;
    } else {
      room = -1;
      hidden.push_back(i);
    }
  }
  // The view on show is always in the row: the last ones make room for it, whatever its length.
  const auto on_show = std::find_if(hidden.begin(), hidden.end(), [&](std::size_t i) { return kViews[i].view == f.s.options.view; });
  if (on_show != hidden.end()) {
    const std::size_t chosen = *on_show;
    hidden.erase(on_show);
    float free = width - more_width - 8 - width_of(f, view_name(f, kViews[chosen].view), kBodyType.bold());
    for (const std::size_t i : shown) free -= width_of(f, view_name(f, kViews[i].view), kBodyType.bold()) + pitch;
    while (free < 0 && !shown.empty()) {
      free += width_of(f, view_name(f, kViews[shown.back()].view), kBodyType.bold()) + pitch;
      hidden.insert(hidden.begin(), shown.back());
      shown.pop_back();
    }
    shown.push_back(chosen);
  }
  float x = at.x;
  for (const std::size_t i : shown) {
    const View v = kViews[i].view;
    const bool on = v == f.s.options.view;
    const std::string_view label = view_name(f, v);
    const float w = std::ceil(width_of(f, label, kBodyType.bold()));
    ImGui::SetCursorScreenPos({x, at.y});
    std::string id(label);
    id += "###view ";
    id += kViewNames[static_cast<std::size_t>(v)];
    if (ImGui::InvisibleButton(id.c_str(), {w, kTabs}, ImGuiButtonFlags_EnableNav)) set_view(f, v);
    const bool hot = ImGui::IsItemHovered();
    if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    put_in(f, list, {x, at.y}, {x + w + 1, at.y + kTabs}, label, (on ? kBodyType.bold() : kBodyType).in(on || hot ? f.c.text : f.c.secondary));
    if (on) list->AddRectFilled({x, at.y + kTabs - 2}, {x + w, at.y + kTabs}, f.c.accent, 1);
    x += w + pitch;
  }
  if (!hidden.empty()) {
    ImGui::SetCursorScreenPos({at.x + width - more_width, at.y + (kTabs - f.target()) / 2});
    if (begin_menu(f, more, "more views", more, more_width, 200)) {
      for (const std::size_t i : hidden)
        if (menu_row(f, view_name(f, kViews[i].view), kViewNames[static_cast<std::size_t>(kViews[i].view)], kViews[i].view == f.s.options.view)) {
          set_view(f, kViews[i].view);
          ImGui::CloseCurrentPopup();
        }
      end_menu();
    }
  }
  list->AddRectFilled({at.x, at.y + kTabs}, {at.x + width, at.y + kTabs + 1}, f.c.hairline);
  ImGui::SetCursorScreenPos({at.x, at.y + kTabs + 1});
  ImGui::Dummy({width, 0});
}

void view(const Frame& f) {
  ImGui::PushID(static_cast<int>(f.s.options.view));
  for (const ViewTab& t : kViews)
    if (t.view == f.s.options.view) t.draw(f);
  ImGui::PopID();
}

// An embed shows the one view that it asked for: no tabs, and at its end the way to the whole program with this scenario.
void open_whole(const Frame& f) {
  if (!f.s.options.embed || !f.s.options.links) return;
  const std::string_view words = f.text(Msg::ui_open_in_gpudget);
  const float width = ImGui::GetContentRegionAvail().x;
  hairline(f);
  gap(10);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, width - width_of(f, words, kSmallType)));
  if (link(f, words, "open", kSmallType)) f.host.open_link(share_link(f));
  gap(12);
}

// A link, a file or the host that could not be read: what was wrong, above everything, until it is dismissed.
void outside_error(const Frame& f) {
  if (!f.s.error || !f.s.error->from_outside) return;
  const float width = ImGui::GetContentRegionAvail().x;
  std::string words = f.s.error->source.empty() ? std::string() : "**" + f.s.error->source + "**  ";
  if (!f.s.error->error.path.empty()) words += f.s.error->error.path + std::string(f.text(Msg::word_colon));
  words += error_text(f, f.s.error->error);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = paragraph_size(f, words, kBodyType, width - 80);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + size.y + 20}, mix(f.c.page, f.c.over, 0.10F), kRadius);
  draw_icon(list, Icon::warning, {at.x + 20, at.y + 20}, f.c.over_text);
  put_paragraph(f, list, {at.x + 38, at.y + 10}, words, kBodyType.in(f.c.over_text), width - 80);
  ImGui::SetCursorScreenPos({at.x + width - f.target() - 4, at.y + (size.y + 20 - f.target()) / 2});
  if (icon_button(f, f.text(Msg::ui_dismiss), "dismiss", Icon::cross)) dismiss_error(f.s);
  ImGui::SetCursorScreenPos({at.x, at.y + size.y + 20});
  gap(16);
}

// Another tool's file was opened: what of it was read, assumed and ignored, by the names of its fields and ours.
void imported_file(const Frame& f) {
  if (!f.s.imported) return;
  const formats::ImportedFile& file = *f.s.imported;
  const auto count = [&f](const std::vector<std::string>& lines) { return f.integer(static_cast<std::int64_t>(lines.size())); };
  const std::string summary = f.format(Msg::import_counts, {{"read", count(file.read)}, {"assumed", count(file.assumed)}, {"ignored", count(file.ignored)}});
  bool dismissed = false;
  gap(4);
  if (fold(f, file.name.empty() ? f.text(Msg::page_pasted) : std::string_view(file.name), "imported", f.s.imported_open, summary)) {
    const auto list = [&f](Msg title, const std::vector<std::string>& lines, bool reasons) {
      if (lines.empty()) return;
      std::string words;
      for (const std::string& l : lines) words.append(words.empty() ? "" : "; ").append(reasons ? std::string_view(l) : formats::without_reason(l));
      paragraph(f, f.text(title), kSmallType.bold());
      paragraph(f, words, kSmallType.in(f.c.secondary));
      gap(8);
    };
    list(Msg::import_read, file.read, true);
    list(Msg::import_assumed, file.assumed, false);
    list(Msg::import_ignored, file.ignored, false);
    dismissed = button(f, f.text(Msg::ui_close), "close import");
    gap(8);
  }
  hairline(f);
  if (dismissed) dismiss_import(f.s);
}

float wide(const Frame& f, ImVec2 at, ImVec2 size) {
  const float top = f.s.options.embed ? 0 : kHeader;
  const bool question = f.s.options.controls != Controls::none;
  const float left = question ? kQuestion : 0;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float asked = 0, answered = 0;
  if (question) {
    ImGui::SetCursorScreenPos({at.x, at.y + top});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {kMargin, 20});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, f.c.panel);
    if (ImGui::BeginChild("question", {left, size.y - top}, kChild, kFlags)) {
      question_panel(f);
      asked = ImGui::GetCursorPosY() + 20;
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    list->AddRectFilled({at.x + left - 1, at.y + top}, {at.x + left, at.y + size.y}, f.c.hairline);
  }
  // The verdict stays; the view beneath it scrolls. Both end at the same right edge, however wide the screen. The verdict may reach down to the end, so that a
  // line more or less moves the view in the same frame.
  const float margin = 32, inner = std::min(size.x - left - 2 * margin, 1120.0F);
  const float x = at.x + left + margin;
  const float first = at.y + top + (f.compact ? 14.0F : 26.0F);
  float under = first;
  ImGui::SetCursorScreenPos({x, first});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  if (ImGui::BeginChild("verdict", {inner, std::max(40.0F, at.y + size.y - first)}, kChild,
                        kFlags | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
    outside_error(f);
    verdict_panel(f);
    gap(f.compact ? 0.0F : 8.0F);
    if (!f.s.options.embed) tabs(f);
    under = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::SetCursorScreenPos({x - 8, under});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {8, 0});
  if (ImGui::BeginChild("view", {size.x - left - margin + 8, std::max(40.0F, at.y + size.y - under)}, kChild, kFlags)) {
    ImGui::BeginChild("column", {inner, 0}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AutoResizeY, kFlags);
    imported_file(f);
    view(f);
    open_whole(f);
    ImGui::EndChild();
    answered = ImGui::GetCursorPosY();
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return std::max(top + asked, under - at.y + answered);
}

float narrow(const Frame& f, ImVec2 at, ImVec2 size) {
  const float top = f.s.options.embed ? 0 : kHeader, margin = size.x < 480 ? 16 : kMargin, strip = 62;
  ImGui::SetCursorScreenPos({at.x, at.y + top});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, 16});
  float content = 0, scrolled = 0, past = 0;
  if (ImGui::BeginChild("column", {size.x, size.y - top}, kChild, kFlags)) {
    outside_error(f);
    const float start = ImGui::GetCursorPosY();
    verdict_panel(f);
    past = start + (ImGui::GetCursorPosY() - start) / 2;
    gap(16);
    if (f.s.options.controls != Controls::none) {
      question_panel(f);
      hairline(f);
      gap(16);
    }
    if (!f.s.options.embed) tabs(f);
    imported_file(f);
    view(f);
    open_whole(f);
    content = top + ImGui::GetCursorPosY() + 16;
    scrolled = ImGui::GetScrollY();
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  // Once the verdict has gone up, its short form stays on top. Drawn after the question: it shows the answer of this frame.
  if (scrolled > past) {
    ImGui::SetCursorScreenPos({at.x, at.y + top});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, 9});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, f.c.page);
    if (ImGui::BeginChild("strip", {size.x, strip}, kChild, kFlags | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
      verdict_strip(f);
      ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + top + strip - 1}, {at.x + size.x, at.y + top + strip}, f.c.hairline);
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
  }
  return content;
}

void notice(const Frame& f, ImVec2 at, ImVec2 size) {
  if (f.now >= f.s.notice_until || f.s.notice.empty()) return;
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const float w = width_of(f, f.s.notice, kBodyType) + 56, h = 40;
  const ImVec2 p{at.x + (size.x - w) / 2, at.y + size.y - h - 24};
  list->AddRectFilled(p, {p.x + w, p.y + h}, f.c.text, h / 2);
  draw_icon(list, Icon::check, {p.x + 24, p.y + h / 2}, f.c.page);
  put_in(f, list, {p.x + 40, p.y}, {p.x + w - 12, p.y + h}, f.s.notice, kBodyType.in(f.c.page));
}

void keys(const Frame& f) {
  if (f.s.show_keys) {
    ImGui::OpenPopup("keys");
    f.s.show_keys = false;
  }
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {24, 20});
  if (ImGui::BeginPopup("keys")) {
    struct Key {
      std::string_view keys;
      Msg what;
    };
    constexpr std::array<Key, 8> kKeys{{{"Tab  ↑ ↓ ← →", Msg::keys_move},
                                        {"Enter", Msg::keys_act},
                                        {"Esc", Msg::keys_leave},
                                        {"/", Msg::keys_model},
                                        {"Ctrl+V", Msg::keys_paste},
                                        {"Ctrl+Z", Msg::ui_undo},
                                        {"Ctrl+Shift+Z", Msg::ui_redo},
                                        {"?", Msg::keys_this}}};
    line(f, f.text(Msg::ui_keys), kSectionType, 320);
    gap(8);
    for (const Key& k : kKeys) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      put_in(f, ImGui::GetWindowDrawList(), at, {at.x + 130, at.y + 28}, k.keys, kBodyType.bold());
      put_in(f, ImGui::GetWindowDrawList(), {at.x + 130, at.y}, {at.x + 340, at.y + 28}, f.text(k.what), kBodyType);
      ImGui::Dummy({340, 28});
    }
    gap(10);
    if (button(f, f.text(Msg::ui_close), "close")) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

float draw_surface(Frame& f) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 at = viewport->Pos, size = viewport->Size;
  f.narrow = size.x < kWide;
  f.compact = !f.narrow && size.y < 760;
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  constexpr ImGuiWindowFlags kSurface = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
  float content = size.y;
  ImGui::PushFont(f.regular, kBody);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  const bool shown = ImGui::Begin("gpudget", nullptr, kSurface);
  ImGui::PopStyleVar();
  if (shown) {
    if (!f.s.options.embed) header(f, at, size.x);  // first also for the keyboard
    content = f.narrow ? narrow(f, at, size) : wide(f, at, size);
  }
  keys(f);
  ImGui::End();
  ImGui::PopFont();
  notice(f, at, size);
  return content;
}

}  // namespace gpudget::ui
