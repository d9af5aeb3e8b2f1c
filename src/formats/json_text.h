// JSON as text, written left to right: exact integers, shortest doubles, the same bytes on every platform (fmt, no locale, no libm).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/names.h"

namespace gpudget::formats {

void append_json(std::string& out, std::string_view text);  // quoted and escaped; `text` is UTF-8
void append_json(std::string& out, std::int64_t v);
void append_json(std::string& out, double v);  // not finite: null
void append_json(std::string& out, bool v);
void append_json(std::string& out, const char* text) = delete;

// Objects and arrays with their commas. key() and the values go where the cursor stands; open/close pairs are the caller's.
class JsonWriter {
 public:
  JsonWriter() = default;
  explicit JsonWriter(std::string begun) : out_(std::move(begun)), size_(out_.size()) {}  // goes on where a text ends: one buffer for many answers
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  ~JsonWriter() = default;

  JsonWriter& open(char bracket) {  // '{' or '['
    char* to = room(2);
    if (!first_) *to++ = ',';
    *to++ = bracket;
    wrote(to);
    first_ = true;
    return *this;
  }
  JsonWriter& close(char bracket) {
    char* const to = room(1);
    *to = bracket;
    wrote(to + 1);
    first_ = false;
    return *this;
  }
  JsonWriter& key(std::string_view k) {  // a word of ours: letters, digits, _ and .
    char* to = room(k.size() + 4);
    if (!first_) *to++ = ',';
    to = quoted(to, k);
    *to++ = ':';
    wrote(to);
    first_ = true;
    return *this;
  }
  JsonWriter& word(std::string_view v) {  // a value that is a word of ours
    char* to = room(v.size() + 3);
    if (!first_) *to++ = ',';
    wrote(quoted(to, v));
    first_ = false;
    return *this;
  }
  JsonWriter& value(std::string_view v);  // UTF-8
  JsonWriter& value(std::int64_t v);
  JsonWriter& value(double v);  // not finite: null
  JsonWriter& value(bool v) { return raw(v ? "true" : "false"); }
  JsonWriter& value(const char* v) { return value(std::string_view(v)); }
  JsonWriter& null() { return raw("null"); }
  JsonWriter& raw(std::string_view json) {  // a value that is JSON already
    char* to = room(json.size() + 1);
    if (!first_) *to++ = ',';
    if (!json.empty()) std::memcpy(to, json.data(), json.size());
    wrote(to + json.size());
    first_ = false;
    return *this;
  }
  template <class V>
  JsonWriter& field(std::string_view k, V v) {
    key(k);
    if constexpr (std::is_enum_v<V>)
      return word(name(v));
    else
      return value(v);
  }
  std::string_view text() const { return {out_.data(), size_}; }
  std::string take() {
    out_.resize(size_);
    size_ = 0;
    return std::move(out_);
  }

 private:
  static char* quoted(char* to, std::string_view text) {
    *to++ = '"';
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    to += text.size();
    *to++ = '"';
    return to;
  }
  char* room(std::size_t n) {
    if (out_.size() - size_ < n) grow(n);
    return out_.data() + size_;
  }
  void grow(std::size_t n);
  void wrote(const char* end) { size_ = static_cast<std::size_t>(end - out_.data()); }

  std::string out_;  // longer than what is written: its first size_ bytes are
  std::size_t size_ = 0;
  bool first_ = true;
};

}  // namespace gpudget::formats
