#include "formats/formula_text.h"

#include <array>

#include <fmt/format.h>

namespace gpudget::formats {
namespace {

void append_grouped(std::string& out, std::int64_t n) {
  const fmt::format_int digits(n);
  const std::string_view text(digits.data(), digits.size());
  std::array<char, 32> grouped{};
  std::size_t size = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && (text.size() - i) % 3 == 0 && text[i - 1] != '-') grouped[size++] = ' ';
    grouped[size++] = text[i];
  }
  out.append(grouped.data(), size);
}

// In the order of Term. Counts of parameters and elements stand alone, as in the contract's example.
constexpr std::array<i18n::Msg, 15> kTerms{i18n::Msg::term_parameters, i18n::Msg::term_layers, i18n::Msg::term_batch,   i18n::Msg::term_tokens,
                                           i18n::Msg::term_hidden,     i18n::Msg::term_width,  i18n::Msg::term_heads,   i18n::Msg::term_vocab,
                                           i18n::Msg::term_experts,    i18n::Msg::term_rank,   i18n::Msg::term_bytes,   i18n::Msg::term_bits,
                                           i18n::Msg::term_gpus,       i18n::Msg::term_count,  i18n::Msg::term_elements};

}  // namespace

void append_formula(std::string& out, const Formula& formula, i18n::Language language) {
  bool first = true;
  for (const Factor& f : formula.view()) {
    if (first && f.divides) out += '1';
    if (!first || f.divides) out += f.divides ? " ÷ " : " × ";
    first = false;
    append_grouped(out, f.value);
    if (f.term == Term::parameters || f.term == Term::elements || f.term == Term::count) continue;
    out += ' ';
    out += i18n::text(language, kTerms[static_cast<std::size_t>(f.term)]);
  }
}

std::string formula_text(const Formula& formula, i18n::Language language) {
  std::string out;
  append_formula(out, formula, language);
  return out;
}

}  // namespace gpudget::formats
