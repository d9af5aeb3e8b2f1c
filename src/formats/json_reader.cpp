#include "formats/json_reader.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace gpudget::formats {
namespace {

using nlohmann::json;

// Builds the value on an explicit stack; stops at the first thing that is wrong.
class Builder {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  bool null() { return put(json(nullptr)); }
  bool boolean(bool v) { return put(json(v)); }
  bool number_integer(std::int64_t v) { return put(json(v)); }
  bool number_unsigned(std::uint64_t v) { return put(json(v)); }
  bool number_float(double v, const std::string&) { return put(json(v)); }
  bool string(std::string& v) { return put(json(std::move(v))); }
  bool binary(json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(json::object()); }
  bool start_array(std::size_t) { return open(json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& k) {
    Level& level = stack_.back();
    if (level.value.contains(k)) {
      error_ = {path_of(k), ErrorId::duplicate_key, k, "each field once", {}};
      return false;
    }
    level.key = std::move(k);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& e) {
    constexpr int kNumberOverflow = 406;
    if (e.id == kNumberOverflow) {
      const std::string_view key = stack_.empty() ? std::string_view() : std::string_view(stack_.back().key);
      error_ = {path_of(key), ErrorId::out_of_range, token.substr(0, 40), "a number that fits 64 bits", {}};
      return false;
    }
    std::size_t line = 1, column = 1;
    const std::size_t end = position == 0 ? 0 : position - 1;
    for (std::size_t i = 0; i < end && i < text_.size(); ++i) {
      column = text_[i] == '\n' ? 1 : column + 1;
      line += text_[i] == '\n' ? 1U : 0U;
    }
    const std::string where = end >= text_.size() ? std::string("it ends too early") : fmt::format("line {}, column {}", line, column);
    error_ = {path_of({}), ErrorId::not_json, where, "a JSON object", {}};
    return false;
  }

  json take() { return std::move(root_); }
  Error take_error() { return std::move(error_); }

 private:
  struct Level {
    json value;
    std::string key;
  };

  bool put(json&& v) {
    if (stack_.empty()) {
      root_ = std::move(v);
      return true;
    }
    Level& level = stack_.back();
    if (level.value.is_array())
      level.value.push_back(std::move(v));
    else
      level.value[level.key] = std::move(v);
    return true;
  }
  bool open(json&& v) {
    if (stack_.size() >= static_cast<std::size_t>(kMaxJsonDepth)) {
      error_ = {path_of({}), ErrorId::too_deep, {}, fmt::format("at most {} levels", kMaxJsonDepth), {}};
      return false;
    }
    stack_.push_back({std::move(v), {}});
    return true;
  }
  bool close() {
    json done = std::move(stack_.back().value);
    stack_.pop_back();
    return put(std::move(done));
  }
  // The path of the place being read, so that an error in a long text can be found; at most three levels, more is noise.
  std::string path_of(std::string_view last) const {
    std::string path;
    for (std::size_t i = 0; i < stack_.size() && i < 3; ++i) {
      const std::string_view step = i + 1 == stack_.size() ? last : std::string_view(stack_[i].key);
      if (step.empty()) break;
      if (!path.empty()) path += '.';
      path += step;
    }
    return path.size() > 120 ? std::string() : path;
  }

  std::string_view text_;
  std::vector<Level> stack_;
  json root_;
  Error error_;
};

}  // namespace

Result<json> parse_json(std::string_view text, std::size_t max_bytes) {
  if (text.size() > max_bytes)
    return tl::unexpected(Error{{}, ErrorId::too_large, fmt::format("{} bytes", text.size()), fmt::format("at most {} bytes", max_bytes), {}});
  Builder builder(text);
  if (!json::sax_parse(text.begin(), text.end(), &builder)) return tl::unexpected(builder.take_error());
  return builder.take();
}

}  // namespace gpudget::formats
