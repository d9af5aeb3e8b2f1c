// Any text as a config.json and as a safetensors index: an error, or a model whose parameters are counted and that comes back from its own JSON.
#include "core/parameters.h"
#include "formats/hf_config.h"
#include "formats/resolve.h"
#include "fuzz.h"

using namespace gpudget;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text(data, size);
  if (const auto index = formats::read_safetensors_index(text)) must(index->total_size > 0, "an index has a size");
  const auto config = formats::inspect_hf_config(text);
  if (!config) {
    must(!config.error().message().empty() && config.error().message().size() < 4000, "an error says what is wrong, shortly");
    return 0;
  }
  const ParameterCount count = count_parameters(config->model.architecture);
  must(count.total >= 0 && count.active <= count.total, "active <= total");
  const auto back = formats::model_from_text(formats::model_to_text(config->model));
  must(back && *back == config->model, "a model comes back from its own JSON");
  return 0;
}
