// A Scenario as a configuration that a training tool runs. Every option of the Scenario that changes memory is in the output; one that the
// tool has no word for is said in a comment. Each output carries a comment with the estimate and the link to the scenario.
// JSON has no comments: deepspeed's are members of "_gpudget", which DeepSpeed does not read.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/estimate.h"
#include "core/names.h"

namespace gpudget::formats {

enum class ExportTool : std::uint8_t { trainer, trl, deepspeed, accelerate, torchtune, axolotl, llamafactory };
inline constexpr std::size_t kExportTools = 7;

struct ExportedFile {
  std::string name;                        // "train.py", "ds_config.json"
  std::string mime;                        // "text/x-python", "application/json", "application/yaml"
  std::string text;                        // ends with a line break
  std::string command;                     // how to start it on the scenario's GPUs; one line a command
  std::vector<std::string> left_out = {};  // the Scenario's fields that the file does not say; its comment says each
};
// `link` is the address of the page without "#s=…"; empty: the scenario stands as JSON instead.
ExportedFile export_config(ExportTool tool, const Scenario& s, const Estimate& e, std::string_view link = {});

}  // namespace gpudget::formats

namespace gpudget {
template <>
struct Names<formats::ExportTool> {
  static constexpr std::array<std::string_view, formats::kExportTools> values{"trainer",   "trl",     "deepspeed",   "accelerate",
                                                                              "torchtune", "axolotl", "llamafactory"};
};
}  // namespace gpudget
