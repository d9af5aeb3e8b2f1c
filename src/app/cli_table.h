// Tables and marks for a terminal: columns as wide as their content, the last text column cut to the terminal's width, colours only where
// standard output is a terminal and NO_COLOR is not set.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace gpudget::cli {

enum class Colour : unsigned char { plain, bold, dim, green, amber, red };
std::string coloured(std::string_view text, Colour colour);  // as it is where colours are off
std::size_t display_width(std::string_view utf8);            // columns; every character here takes one, combining marks none
std::size_t terminal_width();                                // 0: not a terminal, nothing is cut

class Table {
 public:
  explicit Table(std::vector<std::string> headers, std::vector<bool> right = {});
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  std::string text(std::string_view indent = "") const;

 private:
  std::vector<std::string> headers_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gpudget::cli
