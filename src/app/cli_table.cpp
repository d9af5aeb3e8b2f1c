#include "app/cli_table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "app/cli.h"

namespace gpudget::cli {
namespace {

bool colours_on() {
  static const bool on = [] {
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return output_is_terminal() && (no_color == nullptr || *no_color == '\0') && term != nullptr && std::string_view(term) != "dumb";
  }();
  return on;
}

// The escape sequence that starts at text[i], or 0 bytes.
std::size_t escape_length(std::string_view text, std::size_t i) {
  if (text[i] != '\x1b') return 0;
  const std::size_t end = text.find('m', i);
  return end == std::string_view::npos ? text.size() - i : end - i + 1;
}

// The first `columns` columns, with an ellipsis where something was cut. Keeps escape sequences whole.
std::string cut(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::string out;
  std::size_t width = 0, i = 0;
  bool styled = false;
  while (i < text.size()) {
    if (const std::size_t n = escape_length(text, i); n > 0) {
      out += text.substr(i, n);
      styled = true;
      i += n;
      continue;
    }
    std::size_t n = 1;
    while (i + n < text.size() && (static_cast<unsigned char>(text[i + n]) & 0xC0U) == 0x80U) ++n;
    if (width + 1 >= columns) break;
    out += text.substr(i, n);
    ++width;
    i += n;
  }
  out += "…";
  if (styled) out += "\x1b[0m";
  return out;
}

}  // namespace

std::string coloured(std::string_view text, Colour colour) {
  constexpr std::string_view kCodes[] = {"", "1", "2", "32", "33", "31"};
  if (!colours_on() || colour == Colour::plain) return std::string(text);
  return "\x1b[" + std::string(kCodes[static_cast<std::size_t>(colour)]) + "m" + std::string(text) + "\x1b[0m";
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t n = escape_length(text, i); n > 0) {
      i += n;
      continue;
    }
    width += (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U ? 1U : 0U;
    ++i;
  }
  return width;
}

std::size_t terminal_width() {
  static const std::size_t width = []() -> std::size_t {
    if (!output_is_terminal()) return 0;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
  }();
  return width;
}

Table::Table(std::vector<std::string> headers, std::vector<bool> right) : headers_(std::move(headers)), right_(std::move(right)) {
  right_.resize(headers_.size(), false);
}

std::string Table::text(std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (const std::string& h : headers_) widths.push_back(display_width(h));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  const std::size_t limit = terminal_width();
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells, bool header) {
    std::string text(indent);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string cell = i < cells.size() ? cells[i] : std::string();
      const std::size_t pad = widths[i] - display_width(cell);
      if (i > 0) text += "  ";
      if (right_[i]) text.append(pad, ' ');
      text += header ? coloured(cell, Colour::dim) : cell;
      if (!right_[i] && i + 1 < widths.size()) text.append(pad, ' ');
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    out += limit > 0 ? cut(text, limit) : text;
    out += '\n';
  };
  if (std::any_of(headers_.begin(), headers_.end(), [](const std::string& h) { return !h.empty(); })) line(headers_, true);
  for (const auto& row : rows_) line(row, false);
  return out;
}

}  // namespace gpudget::cli
