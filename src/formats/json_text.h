// JSON as text, written left to right: exact integers, shortest doubles, the same bytes on every platform (fmt, no locale, no libm).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace gpudget::formats {

void append_json(std::string& out, std::string_view text);  // quoted and escaped; `text` is UTF-8
void append_json(std::string& out, std::int64_t v);
void append_json(std::string& out, double v);  // not finite: null
void append_json(std::string& out, bool v);
void append_json(std::string& out, const char* text) = delete;
void append_key(std::string& out, bool comma, std::string_view key);  // ,"key": of a word that needs no escaping

// Objects and arrays with their commas. key() and the values go where the cursor stands; open/close pairs are the caller's.
class JsonWriter {
 public:
  JsonWriter& open(char bracket) {  // '{' or '['
    separate();
    out_ += bracket;
    first_ = true;
    return *this;
  }
  JsonWriter& close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
  }
  JsonWriter& key(std::string_view k) {  // a word of ours: letters, digits, _ and .
    append_key(out_, !first_, k);
    first_ = true;
    return *this;
  }
  JsonWriter& value(std::string_view v) { return put(v); }
  JsonWriter& value(std::int64_t v) { return put(v); }
  JsonWriter& value(double v) { return put(v); }
  JsonWriter& value(bool v) { return put(v); }
  JsonWriter& value(const char* v) { return put(std::string_view(v)); }
  JsonWriter& null() { return raw("null"); }
  JsonWriter& raw(std::string_view json) {  // a value that is JSON already
    separate();
    out_ += json;
    first_ = false;
    return *this;
  }
  template <class V>
  JsonWriter& field(std::string_view k, V v) {
    return key(k).value(v);
  }
  std::string& text() { return out_; }
  std::string take() { return std::move(out_); }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  template <class V>
  JsonWriter& put(V v) {
    separate();
    append_json(out_, v);
    return *this;
  }
  std::string out_;
  bool first_ = true;
};

}  // namespace gpudget::formats
