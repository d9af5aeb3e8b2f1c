// One description of a family's config fields for both directions: each call reads the field from a config into the variable, or writes the
// variable as that field. For hf_config.cpp and hf_families.cpp alone.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/architecture.h"
#include "formats/error.h"

namespace gpudget::formats {

struct HfRange {
  std::int64_t low = 1, high = kMaxWidth;
};

class HfFields {
 public:
  // Reads `config`; `complete`: a field without which there is no model is an error where it is missing. A text_config inside a model of text and
  // images leaves out whatever is its family's default, so there nothing is required.
  HfFields(const nlohmann::json& config, std::string_view path, bool complete) : config_(&config), path_(path), complete_(complete) {}
  HfFields() = default;  // writes

  bool reading() const { return config_ != nullptr; }
  bool failed() const { return error_.has_value(); }
  void fail(std::string_view name, ErrorId id, std::string got, std::string accepted);

  // A whole number from `low` to `high`. `fallback`: the family's default. `required`: the model is unknown without it. `others`: the names that
  // older files use. JSON null is the same as leaving the field out.
  using Range = HfRange;
  void integer(std::string_view name, std::int64_t& v, std::int64_t fallback, Range range = {}, std::initializer_list<std::string_view> others = {});
  void required(std::string_view name, std::int64_t& v, std::int64_t fallback, Range range = {}, std::initializer_list<std::string_view> others = {});
  // null means "not there" and is read as 0, unlike a missing field, which is the family's default.
  void integer_or_none(std::string_view name, std::int64_t& v, std::int64_t fallback, Range range = {});
  void flag(std::string_view name, bool& v, bool fallback, std::initializer_list<std::string_view> others = {});
  void share(std::string_view name, double& v, double fallback, std::initializer_list<std::string_view> others = {});  // 0 to 1
  void number(std::string_view name, double& v, double fallback);                                                      // any finite one
  void activation(std::string_view name, Activation& v, Activation fallback, std::initializer_list<std::string_view> others = {});
  void text(std::string_view name, std::string_view v);  // writing only

  // Reading: the field where it is there and not null. Writing: nullptr.
  const nlohmann::json* find(std::string_view name) const;
  bool is_null(std::string_view name) const;
  // A field of an object inside ("attn_config"), reading only.
  const nlohmann::json* find(std::string_view object, std::string_view name) const;
  void note(std::string text) { notes_.push_back(std::move(text)); }

  std::string field_path(std::string_view name) const;
  Error take_error() { return std::move(*error_); }
  std::vector<std::string> take_notes() { return std::move(notes_); }
  std::string written() const;  // one JSON object

 private:
  const nlohmann::json* find_any(std::string_view name, std::initializer_list<std::string_view> others, std::string_view* found = nullptr) const;
  void read_integer(const nlohmann::json& json, std::string_view name, std::int64_t& v, Range range);
  void begin(std::string_view name);  // writing: the comma and the key

  const nlohmann::json* config_ = nullptr;
  std::string path_;
  bool complete_ = true;
  std::optional<Error> error_;
  std::vector<std::string> notes_;
  std::string out_;
};

// One model_type: what it is by default and how its config is read and written.
struct HfFamily {
  struct Defaults {
    std::int64_t vocab = 0, hidden = 0, intermediate = 0, layers = 0, heads = 0;
    std::int64_t kv_heads = 0;  // 0: as many as heads
    std::int64_t head_dim = 0;  // 0: hidden / heads
    std::int64_t context = 0;
    bool tie = false;
    Activation activation = Activation::silu;
  };
  std::string_view model_type;
  Family family;
  Defaults defaults;
  void (*shape)(HfFields& f, Architecture& a, const HfFamily& row);
};
const HfFamily* find_hf_family(std::string_view model_type);
const HfFamily* hf_family_at(std::size_t i);  // nullptr past the last

}  // namespace gpudget::formats
