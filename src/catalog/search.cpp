// The order in which a search's matches are shown.
#include <array>

#include "catalog/catalog.h"

namespace gpudget::catalog {
namespace {

constexpr std::size_t kMaxWords = 8;

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
constexpr bool is_separator(char c) { return !is_digit(c) && !is_letter(c) && c != '.'; }

// Words of a query: cut at separators, and where letters meet digits ("llama3" is "llama" and "3"), so that spacing does not matter.
// A unit stays with its number ("7b", "80gb").
struct Words {
  std::array<std::string_view, kMaxWords> items{};
  std::size_t size = 0;
};
Words words_of(std::string_view query) {
  Words words;
  std::size_t i = 0;
  while (i < query.size() && words.size < kMaxWords) {
    while (i < query.size() && is_separator(query[i])) ++i;
    std::size_t end = i;
    while (end < query.size() && !is_separator(query[end]) && !(end > i && is_letter(query[end - 1]) && is_digit(query[end]))) ++end;
    if (end > i) words.items[words.size++] = query.substr(i, end - i);
    i = end;
  }
  return words;
}

bool equal_at(std::string_view text, std::size_t at, std::string_view word) {
  if (at + word.size() > text.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower(text[at + i]) != lower(word[i])) return false;
  return true;
}

// How well a word is found in a text: 0 not at all, 1 inside a word, 2 at the start of one, 3 a whole word or the number of a size ("7" in "7B").
int found(std::string_view text, std::string_view word) {
  int best = 0;
  for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
    if (!equal_at(text, at, word)) continue;
    const char before = at == 0 ? ' ' : text[at - 1];
    const std::size_t end = at + word.size();
    const char after = end < text.size() ? text[end] : ' ';
    const bool number = is_digit(word.front());
    // "1" is not found in "11B" or "4.1", "5" not in "2.5".
    if (number && (is_digit(before) || (before == '.' && at > 1 && is_digit(text[at - 2])))) continue;
    if (number && is_digit(word.back()) && is_digit(after)) continue;
    const bool starts = is_separator(before) || (number ? !is_digit(before) : !is_letter(before));
    const bool ends = is_separator(after) || (number ? !is_digit(after) && after != '.' : !is_letter(after));
    int score = starts ? 2 : 1;
    if (starts && ends) score = 3;
    best = score > best ? score : best;
  }
  return best;
}

// "7" or "7b" against a size in parameters: a typed number names a model by its rounded size.
bool names_size(std::string_view word, std::int64_t parameters) {
  std::int64_t thousandths = 0, scale = 1000;
  bool point = false;
  std::size_t i = 0;
  for (; i < word.size() && (is_digit(word[i]) || (word[i] == '.' && !point)); ++i) {
    if (word[i] == '.') {
      point = true;
    } else if (!point) {
      thousandths = thousandths * 10 + (word[i] - '0') * 1000;
      if (thousandths > 1'000'000'000) return false;
    } else {
      scale /= 10;
      thousandths += (word[i] - '0') * scale;
    }
  }
  if (thousandths == 0) return false;
  const std::string_view unit = word.substr(i);
  std::int64_t factor = 1'000'000;  // of a thousandth: billions unless said otherwise
  if (unit.size() == 1 && lower(unit[0]) == 'm')
    factor = 1'000;
  else if (!unit.empty() && !(unit.size() == 1 && lower(unit[0]) == 'b'))
    return false;
  const std::int64_t size = thousandths * factor;
  return parameters * 20 >= size * 17 && parameters * 20 <= size * 23;  // within 15 %
}

int score_model(const ModelSpec& m, const Words& words) {
  int total = 0;
  for (std::size_t i = 0; i < words.size; ++i) {
    const std::string_view word = words.items[i];
    const int in_name = found(m.name.view(), word), in_id = found(m.id.view(), word);
    int score = 4 * (in_name > in_id ? in_name : in_id);
    if (is_digit(word.front()) && names_size(word, m.published_parameters)) score += 3;
    if (score == 0) return 0;
    total += score;
  }
  return total;
}

int score_gpu(const Gpu& g, const Words& words) {
  int total = 0;
  for (std::size_t i = 0; i < words.size; ++i) {
    const int in_name = found(g.name.view(), words.items[i]), in_id = found(g.id.view(), words.items[i]);
    const int score = in_name > in_id ? in_name : in_id;
    if (score == 0) return 0;
    total += score;
  }
  return total;
}

// The rows with a score, best first, equal ones in the table's order: a small insertion sort into the caller's memory, no heap.
template <class T, class Score>
std::size_t ranked(std::span<const T> rows, std::span<const T*> out, Score score) {
  std::size_t size = 0;
  for (const T& row : rows) {
    const int s = score(row);
    if (s == 0) continue;
    std::size_t at = size;
    while (at > 0 && score(*out[at - 1]) < s) --at;
    if (at == out.size()) continue;
    if (size < out.size()) ++size;
    for (std::size_t i = size - 1; i > at; --i) out[i] = out[i - 1];
    out[at] = &row;
  }
  return size;
}

}  // namespace

std::size_t search_models(std::string_view query, std::span<const ModelSpec*> out) {
  const Words words = words_of(query);
  return ranked<ModelSpec>(models(), out, [&](const ModelSpec& m) { return words.size == 0 ? 1 : score_model(m, words); });
}
std::size_t search_gpus(std::string_view query, std::span<const Gpu*> out) {
  const Words words = words_of(query);
  return ranked<Gpu>(gpus(), out, [&](const Gpu& g) { return words.size == 0 ? 1 : score_gpu(g, words); });
}

}  // namespace gpudget::catalog
