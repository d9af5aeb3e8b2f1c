#include "ui/text.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

namespace gpudget::ui {
namespace {

bool collecting = false;
std::vector<TextUse>& uses() {
  static std::vector<TextUse> all;
  return all;
}

ImFont* font(const Frame& f, Weight w) { return w == Weight::semibold ? f.semibold : f.regular; }

constexpr std::string_view kEllipsis = "…";

// A stretch of text of one look that no line break divides. Pieces that stand together without a space make a word.
struct Piece {
  std::string_view text;
  bool bold = false, code = false;
  bool space_before = false, line_before = false;
};

template <class Each>
void for_pieces(std::string_view text, Each each) {
  bool bold = false, code = false, space = false, newline = false;
  std::size_t start = 0;
  const auto end_piece = [&](std::size_t end) {
    if (end > start) {
      each(Piece{text.substr(start, end - start), bold, code, space, newline});
      space = newline = false;
    }
  };
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == '\n') {
      end_piece(i);
      (c == ' ' ? space : newline) = true;
      start = i + 1;
    } else if (c == '*' && i + 1 < text.size() && text[i + 1] == '*') {
      end_piece(i);
      bold = !bold;
      start = i + 2;
      ++i;
    } else if (c == '`') {
      end_piece(i);
      code = !code;
      start = i + 1;
    }
  }
  end_piece(i);
}

// Lays the text out in lines of `room` and calls place(piece, x, line, width) for each piece; returns width and number of lines.
template <class Place>
ImVec2 flow(const Frame& f, std::string_view text, Type type, float room, Place place) {
  const auto measure = [&](const Piece& p) { return width_of(f, p.text, p.bold ? type.bold() : type); };
  const float space = width_of(f, " ", type);
  float x = 0, widest = 0;
  int lines = 0;
  std::vector<std::pair<Piece, float>> word;
  const auto flush = [&] {
    if (word.empty()) return;
    float width = 0;
    for (const auto& [piece, w] : word) width += w;
    const Piece& first = word.front().first;
    float at = x > 0 && first.space_before ? x + space : x;
    if (first.line_before || (x > 0 && at + width > room + 0.5F)) {
      if (lines > 0 || x > 0) ++lines;
      at = 0;
    }
    for (const auto& [piece, w] : word) {
      place(piece, at, lines, w);
      at += w;
    }
    x = at;
    widest = std::max(widest, x);
    word.clear();
  };
  for_pieces(text, [&](const Piece& p) {
    if (p.space_before || p.line_before) flush();
    word.emplace_back(p, measure(p));
  });
  flush();
  return {widest, static_cast<float>(lines + 1)};
}

float pitch(Type type) { return std::round(type.size * (type.size > kSection ? 1.04F : kLine)); }

}  // namespace

void collect_texts(bool on) {
  collecting = on;
  uses().clear();
}
void begin_texts() { uses().clear(); }
std::span<const TextUse> texts() { return uses(); }

float width_of(const Frame& f, std::string_view text, Type type) {
  return font(f, type.weight)->CalcTextSizeA(type.size, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

void put(const Frame& f, ImDrawList* list, ImVec2 at, std::string_view text, Type type, float room) {
  const ImU32 colour = type.colour != 0 ? type.colour : f.c.text;
  const float needed = room > 0 || collecting ? width_of(f, text, type) : 0;
  if (collecting) uses().push_back({std::string(text), at, needed, room, {room > 0 ? std::min(needed, room) : needed, type.size}});
  at = {std::round(at.x), std::round(at.y)};
  if (room > 0 && needed > room + 0.5F) {
    const float left = room - width_of(f, kEllipsis, type);
    std::size_t fit = 0, next = 0;
    for (float x = 0; next < text.size();) {
      std::size_t end = next + 1;
      while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
      x += width_of(f, text.substr(next, end - next), type);
      if (x > left) break;
      fit = next = end;
    }
    std::string cut(text.substr(0, fit));
    cut += kEllipsis;
    list->AddText(font(f, type.weight), type.size, at, colour, cut.data(), cut.data() + cut.size());
    return;
  }
  list->AddText(font(f, type.weight), type.size, at, colour, text.data(), text.data() + text.size());
}

void put_in(const Frame& f, ImDrawList* list, ImVec2 minimum, ImVec2 maximum, std::string_view text, Type type, float align) {
  // A little too long: set a little smaller (to four fifths), before it would be cut.
  const float room = maximum.x - minimum.x, needed = width_of(f, text, type);
  if (needed > room && needed > 0) type.size *= std::max(0.8F, room / needed - 0.002F);
  const float width = std::min(width_of(f, text, type), room);
  put(f, list, {minimum.x + (room - width) * align, (minimum.y + maximum.y - type.size) / 2}, text, type, room);
}

void line(const Frame& f, std::string_view text, Type type, float room) {
  if (room <= 0) room = ImGui::GetContentRegionAvail().x;
  const float height = pitch(type);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  put(f, ImGui::GetWindowDrawList(), {at.x, at.y + (height - type.size) / 2}, text, type, room);
  ImGui::Dummy({std::min(room, width_of(f, text, type)), height});
}

int paragraph_lines(const Frame& f, std::string_view text, Type type, float room) {
  return static_cast<int>(flow(f, text, type, room, [](const Piece&, float, int, float) {}).y);
}

ImVec2 paragraph_size(const Frame& f, std::string_view text, Type type, float room) {
  const ImVec2 size = flow(f, text, type, room, [](const Piece&, float, int, float) {});
  return {size.x, size.y * pitch(type)};
}

void put_paragraph(const Frame& f, ImDrawList* list, ImVec2 at, std::string_view text, Type type, float room, ImU32 bold_colour) {
  const float height = pitch(type), lead = (height - type.size) / 2;
  flow(f, text, type, room, [&](const Piece& p, float x, int row, float width) {
    const ImVec2 where{at.x + x, at.y + static_cast<float>(row) * height + lead};
    if (p.code) list->AddRectFilled({where.x - 2, where.y - 1}, {where.x + width + 2, where.y + type.size + 1}, f.c.field, 3);
    put(f, list, where, p.text, p.bold ? type.bold().in(bold_colour != 0 ? bold_colour : type.colour) : type);
  });
}

void paragraph(const Frame& f, std::string_view text, Type type, float room) {
  if (room <= 0) room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = paragraph_size(f, text, type, room);
  if (ImGui::IsRectVisible(at, {at.x + room, at.y + size.y})) put_paragraph(f, ImGui::GetWindowDrawList(), at, text, type, room);
  ImGui::Dummy(size);
}

}  // namespace gpudget::ui
