// The header of a GGUF file (llama.cpp's format, versions 2 and 3): its metadata and the list of its tensors, never the tensors' data. Read as a
// stream, in memory that does not grow with the file: long lists (the tokenizer's) are passed over.
// Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/scenario.h"
#include "formats/error.h"

namespace gpudget::formats {

// Gives up to `size` bytes of the file, in order; 0: its end.
using GgufPull = std::function<std::size_t(char* to, std::size_t size)>;

struct GgufHeader {
  nlohmann::json config;        // what a config.json of this model would say
  std::int64_t parameters = 0;  // elements of all tensors
  std::int64_t bytes = 0;       // of all tensors as stored; types that are not known count as none
  DType weights = DType::fp16;  // the type that most bytes have, as the nearest one of ours
  std::string_view stored;      // its name in GGUF ("Q4_K"); empty: not known
};

inline constexpr std::int64_t kMaxGgufHeader = std::int64_t{256} << 20, kMaxGgufTensors = 1'000'000, kMaxGgufFields = 65'536;

bool is_gguf(std::string_view beginning);
Result<GgufHeader> read_gguf(const GgufPull& pull);
Result<GgufHeader> read_gguf(std::string_view file);

}  // namespace gpudget::formats
