// The parts of a Scenario that are looked up or built rather than just set: the model, the GPU, LoRA's target modules, the price.
// Text is a name, or compact JSON where the schema allows an object or a list. text -> value -> text is exact for every value made here.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/scenario.h"
#include "formats/error.h"

namespace gpudget::formats {

// A catalog id, {"config": {…}}, {"params": "7B"} or {"params": 7000000000}.
Result<ModelSpec> model_from_text(std::string_view text);
std::string model_to_text(const ModelSpec& model);
// The type of the weights that the config's quantization_config says; empty where it says none or the text is no config. fp8 is read as int8: a byte each.
std::optional<DType> quantized_weights_of(std::string_view model_text);

// A catalog id, or an object: name, memory_gib, bf16_tflops and memory_bandwidth_gb_s, the other figures of Gpu where known.
Result<Gpu> gpu_from_text(std::string_view text);
std::string gpu_to_text(const Gpu& gpu);

// "all-linear", "attention", or a JSON list of module names.
Result<TargetModules> modules_from_text(std::string_view text);
std::string modules_to_text(const TargetModules& modules);

Result<void> check_provider(std::string_view name);
// Looks the GPU hour's price up again after the GPU, the provider or the market changed.
void resolve_quote(Scenario& s);

// "7B", "1.5b", "350M", "6738415616": parameters; empty where the text is no size. At most one decimal point; exact in integers.
std::optional<std::int64_t> parse_size(std::string_view text);

}  // namespace gpudget::formats
