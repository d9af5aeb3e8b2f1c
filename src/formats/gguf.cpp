#include "formats/gguf.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/units.h"
#include "formats/field_json.h"

namespace gpudget::formats {
namespace {

using nlohmann::json;
using std::string_view;

enum : std::uint32_t { kString = 8, kArray = 9 };
constexpr std::array<std::uint8_t, 13> kSizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};  // of a value by its type
constexpr std::size_t kMostText = 4096, kMostNumbers = 4096, kMostKey = 65'535;

// How a tensor type packs its elements, and what comes nearest to it here.
struct StoredType {
  std::uint32_t id;
  string_view name;
  std::int64_t elements, bytes;  // of a block
  DType nearest;
};
constexpr StoredType kStored[] = {
    {0, "F32", 1, 4, DType::fp32},         {1, "F16", 1, 2, DType::fp16},        {30, "BF16", 1, 2, DType::bf16},       {8, "Q8_0", 32, 34, DType::int8},
    {9, "Q8_1", 32, 36, DType::int8},      {15, "Q8_K", 256, 292, DType::int8},  {14, "Q6_K", 256, 210, DType::int8},   {6, "Q5_0", 32, 22, DType::int8},
    {7, "Q5_1", 32, 24, DType::int8},      {13, "Q5_K", 256, 176, DType::int8},  {2, "Q4_0", 32, 18, DType::int4},      {3, "Q4_1", 32, 20, DType::int4},
    {12, "Q4_K", 256, 144, DType::int4},   {20, "IQ4_NL", 32, 18, DType::int4},  {23, "IQ4_XS", 256, 136, DType::int4}, {39, "MXFP4", 32, 17, DType::int4},
    {11, "Q3_K", 256, 110, DType::int4},   {21, "IQ3_S", 256, 110, DType::int4}, {18, "IQ3_XXS", 256, 98, DType::int4}, {10, "Q2_K", 256, 84, DType::int4},
    {16, "IQ2_XXS", 256, 66, DType::int4}, {17, "IQ2_XS", 256, 74, DType::int4}, {22, "IQ2_S", 256, 82, DType::int4},   {19, "IQ1_S", 256, 50, DType::int4},
    {29, "IQ1_M", 256, 56, DType::int4},   {34, "TQ1_0", 256, 54, DType::int4},  {35, "TQ2_0", 256, 66, DType::int4},
};

// The bytes of a stream in order; the first thing that is wrong stays.
class Stream {
 public:
  explicit Stream(const GgufPull& pull) : pull_(pull) {}
  bool ok() const { return !error_; }
  Error take_error() { return std::move(*error_); }
  void fail(std::string path, ErrorId id, std::string got, std::string accepted) {
    if (!error_) error_ = Error{std::move(path), id, std::move(got), std::move(accepted), {}};
  }

  bool read(char* to, std::size_t size) {
    while (size > 0) {
      if (!ok() || !fill()) return false;
      const std::size_t n = std::min(size, end_ - start_);
      if (to != nullptr) std::memcpy(to, buffer_.data() + start_, n), to += n;
      start_ += n;
      size -= n;
    }
    return ok();
  }
  void skip(std::uint64_t size) {
    if (size > static_cast<std::uint64_t>(kMaxGgufHeader)) return fail("header", ErrorId::too_large, fmt::format("{} bytes", size), limit());
    read(nullptr, static_cast<std::size_t>(size));
  }
  template <class T>
  T number() {
    static_assert(std::endian::native == std::endian::little);
    T v{};
    std::array<char, sizeof(T)> bytes{};
    if (read(bytes.data(), bytes.size())) std::memcpy(&v, bytes.data(), sizeof(T));
    return v;
  }
  // At most `most` bytes are kept, the rest is passed over.
  std::string text(std::size_t most) {
    const auto size = number<std::uint64_t>();
    std::string out(ok() ? static_cast<std::size_t>(std::min<std::uint64_t>(size, most)) : 0, '\0');
    read(out.data(), out.size());
    skip(size - out.size());
    return ok() ? out : std::string();
  }

 private:
  static std::string limit() { return fmt::format("a header of at most {} bytes", kMaxGgufHeader); }
  bool fill() {
    if (start_ < end_) return true;
    start_ = 0;
    end_ = std::min(pull_(buffer_.data(), buffer_.size()), buffer_.size());
    total_ += static_cast<std::int64_t>(end_);
    if (end_ == 0) fail("header", ErrorId::unreadable, "GGUF: it ends too early", "the whole header");
    if (total_ > kMaxGgufHeader + static_cast<std::int64_t>(buffer_.size())) fail("header", ErrorId::too_large, "GGUF", limit());
    return ok();
  }

  const GgufPull& pull_;
  std::vector<char> buffer_ = std::vector<char>(1 << 16);
  std::size_t start_ = 0, end_ = 0;
  std::int64_t total_ = 0;
  std::optional<Error> error_;
};

json scalar(Stream& in, std::uint32_t type) {
  switch (type) {
    case 0: return in.number<std::uint8_t>();
    case 1: return in.number<std::int8_t>();
    case 2: return in.number<std::uint16_t>();
    case 3: return in.number<std::int16_t>();
    case 4: return in.number<std::uint32_t>();
    case 5: return in.number<std::int32_t>();
    case 6: return static_cast<double>(in.number<float>());
    case 7: return in.number<std::uint8_t>() != 0;
    case 10: return in.number<std::uint64_t>();
    case 11: return in.number<std::int64_t>();
    case 12: return in.number<double>();
    default: return nullptr;
  }
}

// A list: its numbers where they are few, else how many there are.
json list(Stream& in, const std::string& path) {
  const auto type = in.number<std::uint32_t>();
  const auto count = in.number<std::uint64_t>();
  if (!in.ok()) return nullptr;
  if (type >= kSizes.size() || type == kArray || count > static_cast<std::uint64_t>(kMaxGgufHeader)) {
    in.fail(path, ErrorId::unreadable, fmt::format("GGUF: a list of {} values of type {}", count, type), {});
    return nullptr;
  }
  if (type == kString) {
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) in.text(0);
    return json{{"count", count}};
  }
  if (count > kMostNumbers) {
    in.skip(count * kSizes[type]);
    return json{{"count", count}};
  }
  json out = json::array();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) out.push_back(scalar(in, type));
  return out;
}

struct Tensors {
  std::int64_t parameters = 0, bytes = 0, vocabulary = 0;
  bool output = false, query_bias = false;
  std::map<std::uint32_t, std::int64_t> by_type;  // bytes
};

void read_tensor(Stream& in, Tensors& t) {
  const std::string name = in.text(64);
  const auto dimensions = in.number<std::uint32_t>();
  if (in.ok() && dimensions > 8) return in.fail("tensors", ErrorId::unreadable, fmt::format("GGUF: a tensor of {} dimensions", dimensions), {});
  std::int64_t elements = 1, last = 0;
  for (std::uint32_t i = 0; i < dimensions && in.ok(); ++i) {
    const auto n = in.number<std::uint64_t>();
    if (n > static_cast<std::uint64_t>(kMaxBytes)) return in.fail("tensors", ErrorId::out_of_range, fmt::format("{}", n), "a dimension of a tensor");
    last = static_cast<std::int64_t>(n);
    elements = saturating_multiply(elements, last);
  }
  const auto type = in.number<std::uint32_t>();
  in.number<std::uint64_t>();  // where its data are
  if (!in.ok()) return;
  t.parameters = saturating_add(t.parameters, elements);
  t.output = t.output || name == "output.weight";
  t.query_bias = t.query_bias || name == "blk.0.attn_q.bias";
  if (name == "token_embd.weight") t.vocabulary = last;
  for (const StoredType& s : kStored)
    if (s.id == type) {
      const std::int64_t size = saturating_multiply(ceil_divide(elements, s.elements), s.bytes);
      t.bytes = saturating_add(t.bytes, size);
      t.by_type[type] = saturating_add(t.by_type[type], size);
    }
}

// llama.cpp's name for an architecture, and the model_type whose config.json says the same.
struct ArchitectureName {
  string_view gguf, model_type;
};
constexpr ArchitectureName kArchitectures[] = {{"llama", "llama"},        {"qwen2", "qwen2"}, {"qwen2moe", "qwen2_moe"}, {"qwen3", "qwen3"},
                                               {"qwen3moe", "qwen3_moe"}, {"gemma", "gemma"}, {"gemma2", "gemma2"},      {"gemma3", "gemma3_text"},
                                               {"phi3", "phi3"},          {"olmo2", "olmo2"}, {"granite", "granite"},    {"starcoder2", "starcoder2"},
                                               {"smollm3", "smollm3"},    {"glm4", "glm4"},   {"mistral", "mistral"},    {"gpt-oss", "gpt_oss"}};
// Metadata keys after the architecture's name, and config.json's fields.
struct KeyName {
  string_view gguf, config;
};
constexpr KeyName kKeys[] = {{"embedding_length", "hidden_size"},
                             {"block_count", "num_hidden_layers"},
                             {"feed_forward_length", "intermediate_size"},
                             {"attention.head_count", "num_attention_heads"},
                             {"attention.head_count_kv", "num_key_value_heads"},
                             {"attention.key_length", "head_dim"},
                             {"context_length", "max_position_embeddings"},
                             {"vocab_size", "vocab_size"},
                             {"attention.sliding_window", "sliding_window"},
                             {"expert_used_count", "num_experts_per_tok"},
                             {"expert_feed_forward_length", "moe_intermediate_size"},
                             {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"}};

Result<json> config_of(const std::map<std::string, json>& fields, const Tensors& tensors) {
  const auto find = [&](const std::string& key) -> const json* {
    const auto it = fields.find(key);
    return it == fields.end() ? nullptr : &it->second;
  };
  const json* architecture = find("general.architecture");
  if (architecture == nullptr || !architecture->is_string())
    return tl::unexpected(Error{"general.architecture", ErrorId::missing_field, {}, "the model's family: llama, qwen3 …", {}});
  const auto& name = architecture->get_ref<const std::string&>();
  string_view type;
  std::string known;
  for (const ArchitectureName& a : kArchitectures) {
    if (name == a.gguf) type = a.model_type;
    known += fmt::format("{}{}", known.empty() ? "one of " : ", ", a.gguf);
  }
  if (type.empty()) return tl::unexpected(Error{"general.architecture", ErrorId::unknown_family, shortened(name), known, {}});
  json config = json::object();
  for (const KeyName& k : kKeys) {
    const std::string path = fmt::format("{}.{}", name, k.gguf);
    const json* v = find(path);
    if (v == nullptr) continue;
    const json* value = v;
    if (v->is_array()) {  // one a layer
      if (v->empty()) continue;
      for (const json& each : *v)
        if (each != v->front()) return tl::unexpected(Error{path, ErrorId::out_of_range, "layers of different sizes", "layers that are alike", {}});
      value = &v->front();
    }
    if (!value->is_number_integer()) return tl::unexpected(Error{path, ErrorId::wrong_type, described(*value), "a whole number", {}});
    config[std::string(k.config)] = *value;
  }
  if (tensors.vocabulary > 0) config["vocab_size"] = tensors.vocabulary;
  if (!config.contains("vocab_size"))
    if (const json* tokens = find("tokenizer.ggml.tokens"); tokens != nullptr && tokens->is_object()) config["vocab_size"] = (*tokens)["count"];
  const json* experts = find(name + ".expert_count");
  if (experts != nullptr && experts->is_number_integer() && *experts != 0) {
    if (type == "llama") type = "mixtral";
    config[type == "mixtral" || type == "gpt_oss" ? "num_local_experts" : "num_experts"] = *experts;
  }
  if (type == "qwen2_moe" && config.contains("intermediate_size") && !config.contains("moe_intermediate_size"))
    config["moe_intermediate_size"] = config["intermediate_size"];
  if (type == "llama" && tensors.query_bias) config["attention_bias"] = true;
  if (tensors.parameters > 0) config["tie_word_embeddings"] = !tensors.output;
  config["model_type"] = std::string(type);
  return config;
}

}  // namespace

bool is_gguf(string_view beginning) { return beginning.starts_with("GGUF"); }

Result<GgufHeader> read_gguf(const GgufPull& pull) {
  Stream in(pull);
  std::array<char, 4> magic{};
  in.read(magic.data(), magic.size());
  if (in.ok() && !is_gguf({magic.data(), magic.size()})) in.fail("header", ErrorId::unreadable, "it does not start with GGUF", "a GGUF file");
  const auto version = in.number<std::uint32_t>();
  if (in.ok() && version != 2 && version != 3) in.fail("version", ErrorId::out_of_range, fmt::format("{}", version), "GGUF version 2 or 3");
  const auto tensors = in.number<std::uint64_t>(), count = in.number<std::uint64_t>();
  if (in.ok() && tensors > static_cast<std::uint64_t>(kMaxGgufTensors))
    in.fail("tensor_count", ErrorId::out_of_range, fmt::format("{}", tensors), fmt::format("at most {}", kMaxGgufTensors));
  if (in.ok() && count > static_cast<std::uint64_t>(kMaxGgufFields))
    in.fail("metadata_kv_count", ErrorId::out_of_range, fmt::format("{}", count), fmt::format("at most {}", kMaxGgufFields));
  std::map<std::string, json> fields;
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    const std::string key = in.text(kMostKey);
    const auto type = in.number<std::uint32_t>();
    if (!in.ok()) break;
    json value;
    if (type == kString)
      value = in.text(kMostText);
    else if (type == kArray)
      value = list(in, shortened(key));
    else if (type < kSizes.size())
      value = scalar(in, type);
    else
      in.fail(shortened(key), ErrorId::unreadable, fmt::format("GGUF: a value of type {}", type), {});
    // The tokenizer's and the author's fields say nothing here.
    if (in.ok() && (key == "general.architecture" || key == "tokenizer.ggml.tokens" || (!key.starts_with("general.") && !key.starts_with("tokenizer."))))
      fields.insert_or_assign(key, std::move(value));
  }
  Tensors read;
  for (std::uint64_t i = 0; i < tensors && in.ok(); ++i) read_tensor(in, read);
  if (!in.ok()) return tl::unexpected(in.take_error());
  auto config = config_of(fields, read);
  if (!config) return tl::unexpected(std::move(config.error()));
  GgufHeader out;
  out.config = std::move(*config);
  out.parameters = read.parameters;
  out.bytes = read.bytes;
  std::int64_t most = 0;
  for (const StoredType& s : kStored)
    if (const auto it = read.by_type.find(s.id); it != read.by_type.end() && it->second > most) {
      most = it->second;
      out.weights = s.nearest;
      out.stored = s.name;
    }
  return out;
}

Result<GgufHeader> read_gguf(string_view file) {
  return read_gguf([&file](char* to, std::size_t size) {
    const std::size_t n = std::min(size, file.size());
    std::memcpy(to, file.data(), n);
    file.remove_prefix(n);
    return n;
  });
}

}  // namespace gpudget::formats
