// A Hugging Face config.json as a ModelSpec, both ways. Each family is read by its own field names, and what a config leaves out is that
// family's default in transformers (configuration_<family>.py), not Llama's. A vision or audio model is read by its text_config.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/scenario.h"
#include "formats/error.h"

namespace gpudget::formats {

inline constexpr std::size_t kMaxConfigBytes = 4 << 20;  // the largest real ones are some 100 kB (long lists of layer types)

struct HfConfig {
  ModelSpec model;                         // source: config; id: _name_or_path where it is a repository's name
  std::optional<DType> quantized_weights;  // of quantization_config: nf4, int4, int8, fp8
  std::vector<std::string> assumed;        // fields left out, read as the family's default: "num_key_value_heads = 8"
};

// An error names the field: "num_hidden_layers: missing", "model_type: unknown family". `path` stands before the field's name.
Result<ModelSpec> read_hf_config(std::string_view text, std::string_view path = {});
// The same with what was quantized and assumed.
Result<HfConfig> inspect_hf_config(std::string_view text, std::string_view path = {});
Result<HfConfig> inspect_hf_object(const nlohmann::json& config, std::string_view path = {});
// The stored weights' type, of a config's quantization_config (bitsandbytes, GPTQ, AWQ, HQQ, fp8, mxfp4, compressed-tensors). Empty: not quantized, or
// in a way that is not known (then noted).
std::optional<DType> quantized_weights(const nlohmann::json& config, std::vector<std::string>& notes);
// The same model as one line of canonical JSON, every field that the reader looks at written out: read(write(m)).architecture == m.architecture.
// Empty where no family's config can say it (a shape put together by hand).
std::string write_hf_config(const ModelSpec& model);
// The model types that are read, sorted.
std::vector<std::string_view> hf_model_types();

// model.safetensors.index.json: the bytes of all tensors as saved.
struct SafetensorsIndex {
  std::int64_t total_size = 0;        // metadata.total_size
  std::int64_t total_parameters = 0;  // metadata.total_parameters, written by newer versions; 0: not there
  std::size_t tensors = 0;            // entries of weight_map
};
inline constexpr std::size_t kMaxIndexBytes = 64 << 20;  // DeepSeek-V3's is 9 MB
Result<SafetensorsIndex> read_safetensors_index(std::string_view text);

}  // namespace gpudget::formats
