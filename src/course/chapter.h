// The chapter as a list of sections, each a list of blocks, for views that draw it and for text that prints it. No text here: a section's
// heading is "learn.<section>.title", its paragraphs and bullets "learn.<section>.<block>". Tables and demonstrations are named.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace gpudget::course {

enum class BlockKind : std::uint8_t {
  paragraph,
  bullet,
  formula,  // one line of mathematics, message "learn.<section>.<id>"
  table,    // formats::course_sheet(language, id)
  code,     // the text code(id), the same in every language
  demo      // interactive where the view can: "formula", "worked_7b", "reductions", "zero_stages", "profiling", "checklist", "quiz"
};
struct Block {
  BlockKind kind{};
  std::string_view id;
};
struct Section {
  std::string_view id;
  std::span<const Block> blocks;
};
std::span<const Section> chapter();
std::string_view code(std::string_view id);  // "profiling", "estimate_memory", "accumulation"; empty for an unknown one

}  // namespace gpudget::course
