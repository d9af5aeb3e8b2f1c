// Other tools' files as a Scenario: what each says is read into the Scenario's fields, what it leaves open is assumed and said, what has no part
// in the estimate is listed as ignored. Several files of one run combine (config.json + adapter_config.json + ds_config.json), whatever their order.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.h"
#include "core/scenario.h"
#include "formats/error.h"

namespace gpudget::formats {

enum class ImportKind : std::uint8_t {
  scenario,
  model_config,       // Hugging Face's config.json
  safetensors_index,  // model.safetensors.index.json
  gguf,               // a GGUF file, its header
  adapter,            // PEFT's adapter_config.json
  training_arguments,
  deepspeed,
  accelerate,
  axolotl,
  llamafactory,
  torchtune
};
inline constexpr std::size_t kImportKinds = 11;

struct GgufHeader;
struct ImportSource {
  std::string_view name, text;         // the text may be the beginning of a GGUF file: its header is enough
  const GgufHeader* header = nullptr;  // or a GGUF header read before
};
struct ImportedFile {
  std::string name;
  ImportKind kind{};
  std::vector<std::string> read;     // "lora_r: lora.r = 16"
  std::vector<std::string> assumed;  // "lora.adapter_dtype = fp32: peft raises adapters to it"
  std::vector<std::string> ignored;  // names of what has no part in the estimate, or is not modelled
};
struct Imported {
  Scenario scenario;
  std::vector<ImportedFile> files;  // in the order given
};

inline constexpr std::size_t kMaxImportBytes = 64 << 20;  // a safetensors index, a GGUF header; the others are refused above 4 MiB

// Starts from `base`. An error names the field in that file's own words, or the file where nothing in it is known.
Result<Imported> import_files(std::span<const ImportSource> files, const Scenario& base);
Result<Imported> import_file(std::string_view name, std::string_view text, const Scenario& base);
// What kind of file this is by its content. An error where it cannot be told: not JSON, YAML or GGUF.
Result<ImportKind> import_kind(std::string_view name, std::string_view text);
std::string write_import(const Imported& imported);         // {"scenario": {…}, "files": [write_imported_file, …]}
std::string write_imported_file(const ImportedFile& file);  // {"name", "kind", "read", "assumed", "ignored"}
std::string_view without_reason(std::string_view assumed);  // "lora.adapter_dtype = fp32": field and value alone, the same in every language

}  // namespace gpudget::formats

namespace gpudget {
template <>
struct Names<formats::ImportKind> {
  static constexpr std::array<std::string_view, formats::kImportKinds> values{"scenario",       "config.json",        "safetensors_index", "gguf",
                                                                              "adapter_config", "training_arguments", "deepspeed",         "accelerate",
                                                                              "axolotl",        "llamafactory",       "torchtune"};
};
}  // namespace gpudget
