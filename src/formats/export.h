// A Scenario as a configuration that a training tool runs. Every option that changes memory is in the output; one that the tool has no word
// for is said in a comment there. Each output carries the estimate and the link to the scenario as a comment.
// One file a tool: export_<tool>.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/estimate.h"
#include "core/names.h"
#include "core/scenario.h"
#include "formats/error.h"

namespace gpudget {

enum class ExportTool : std::uint8_t { trainer, trl, deepspeed, accelerate, torchtune, axolotl, llamafactory };
template <>
struct Names<ExportTool> {
  static constexpr std::array<std::string_view, 7> values{"trainer", "trl", "deepspeed", "accelerate", "torchtune", "axolotl", "llamafactory"};
};

namespace formats {

struct Export {
  std::string file_name;  // "train.py"
  std::string mime;       // "text/x-python"
  std::string text;
};
// `link`: where the scenario can be opened again ("https://…#s=…"); empty: its "#s=…" alone is written.
// An error where the tool cannot do what the scenario asks at all (inference; a model that torchtune has no builder for).
Result<Export> write_export(const Scenario& s, const Estimate& e, ExportTool tool, std::string_view link = {});

}  // namespace formats
}  // namespace gpudget
