#include "formats/yaml_reader.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#if GPUDGET_YAML
#include <yaml.h>
#endif

#include "formats/json_reader.h"

namespace gpudget::formats {

#if GPUDGET_YAML
namespace {

using nlohmann::json;
using std::string_view;

string_view view_of(const yaml_char_t* text, std::size_t size) { return {reinterpret_cast<const char*>(text), size}; }

// A plain scalar by its form. Numbers are read by the JSON library.
json plain_scalar(string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return nullptr;
  for (const string_view yes : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
    if (text == yes) return true;
  for (const string_view no : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})
    if (text == no) return false;
  const char first = text.front();
  if (first == '-' || (first >= '0' && first <= '9')) {
    json number = json::parse(text, nullptr, false);
    if (number.is_number()) return number;
  }
  return std::string(text);
}

// Builds the value from the library's events on an explicit stack; stops at the first thing that is wrong.
class Builder {
 public:
  // False: stop, there is an error or the document is done.
  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_STREAM_START_EVENT: return true;
      case YAML_DOCUMENT_START_EVENT: return ++documents_ == 1 || fail(ErrorId::unreadable, "a second document", "one YAML document");
      case YAML_DOCUMENT_END_EVENT: return true;
      case YAML_STREAM_END_EVENT: return false;
      case YAML_ALIAS_EVENT: return alias(std::string(reinterpret_cast<const char*>(event.data.alias.anchor)));
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event.data.scalar;
        const string_view text = view_of(scalar.value, scalar.length);
        return put(scalar.style == YAML_PLAIN_SCALAR_STYLE ? plain_scalar(text) : json(std::string(text)), text, name_of(scalar.anchor));
      }
      case YAML_MAPPING_START_EVENT: return open(json::object(), name_of(event.data.mapping_start.anchor));
      case YAML_SEQUENCE_START_EVENT: return open(json::array(), name_of(event.data.sequence_start.anchor));
      case YAML_MAPPING_END_EVENT:
      case YAML_SEQUENCE_END_EVENT: return close();
      default: return true;
    }
  }
  bool failed() const { return failed_; }
  json take_value() { return std::move(root_); }
  Error take_error() { return std::move(error_); }

 private:
  struct Level {
    json value;
    std::string key, anchor;
    bool has_key = false;
    std::size_t nodes = 0;  // when it was opened
  };
  struct Anchor {
    json value;
    std::size_t nodes;
  };

  static std::string name_of(const yaml_char_t* anchor) { return anchor == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(anchor)); }
  bool fail(ErrorId id, std::string got, std::string accepted) {
    error_ = {path(), id, std::move(got), std::move(accepted), {}};
    failed_ = true;
    return false;
  }
  std::string path() const {
    std::string out;
    for (std::size_t i = 0; i < stack_.size() && i < 3 && stack_[i].has_key; ++i) out += (i == 0 ? "" : ".") + stack_[i].key;
    return out.size() > 120 ? std::string() : out;
  }
  bool count(std::size_t nodes) {
    nodes_ += nodes;
    return nodes_ <= kMaxYamlNodes || fail(ErrorId::too_large, "too many values", fmt::format("at most {} values", kMaxYamlNodes));
  }
  bool put(json&& v, string_view text, const std::string& anchor, std::size_t nodes = 1) {
    if (!count(nodes)) return false;
    if (!anchor.empty()) anchors_.insert_or_assign(anchor, Anchor{v, nodes});
    if (stack_.empty()) {
      root_ = std::move(v);
      return true;
    }
    Level& level = stack_.back();
    if (level.value.is_array()) {
      level.value.push_back(std::move(v));
    } else if (!level.has_key) {
      if (v.is_structured()) return fail(ErrorId::unreadable, "a key that is not text", "keys of text");
      level.key = std::string(text);
      level.has_key = true;
      if (level.value.contains(level.key)) return fail(ErrorId::duplicate_key, level.key, "each field once");
    } else {
      level.value[level.key] = std::move(v);
      level.has_key = false;
    }
    return true;
  }
  bool open(json&& v, std::string anchor) {
    if (stack_.size() >= static_cast<std::size_t>(kMaxJsonDepth)) return fail(ErrorId::too_deep, {}, fmt::format("at most {} levels", kMaxJsonDepth));
    if (!stack_.empty() && stack_.back().value.is_object() && !stack_.back().has_key)
      return fail(ErrorId::unreadable, "a key that is not text", "keys of text");
    stack_.push_back({std::move(v), {}, std::move(anchor), false, nodes_});
    return true;
  }
  bool close() {
    Level done = std::move(stack_.back());
    stack_.pop_back();
    const std::size_t nodes = nodes_ - done.nodes;
    nodes_ = done.nodes;  // put counts them again
    return put(std::move(done.value), {}, done.anchor, nodes + 1);
  }
  bool alias(const std::string& name) {
    const auto it = anchors_.find(name);
    if (it == anchors_.end()) return fail(ErrorId::unreadable, fmt::format("the alias *{}", name.substr(0, 40)), "an anchor before it");
    const string_view text = it->second.value.is_string() ? string_view(it->second.value.get_ref<const std::string&>()) : string_view();
    if (nodes_ + it->second.nodes > kMaxYamlNodes) return count(it->second.nodes);  // refused before it is copied
    return put(json(it->second.value), std::string(text), {}, it->second.nodes);
  }

  std::vector<Level> stack_;
  std::map<std::string, Anchor> anchors_;
  json root_;
  Error error_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
  bool failed_ = false;
};

// The library's parser, freed whatever happens.
struct Parser {
  yaml_parser_t parser{};
  bool ready;
  explicit Parser(string_view text) : ready(yaml_parser_initialize(&parser) != 0) {
    if (!ready) return;
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() {
    if (ready) yaml_parser_delete(&parser);
  }
};

}  // namespace

bool reads_yaml() { return true; }

Result<json> parse_yaml(string_view text) {
  if (text.size() > kMaxYamlBytes)
    return tl::unexpected(Error{{}, ErrorId::too_large, fmt::format("{} bytes", text.size()), fmt::format("at most {} bytes", kMaxYamlBytes), {}});
  Parser p(text);
  if (!p.ready) return tl::unexpected(Error{{}, ErrorId::unreadable, "YAML: no memory", {}, {}});
  Builder builder;
  bool more = true;
  while (more) {
    yaml_event_t event;
    if (yaml_parser_parse(&p.parser, &event) == 0) {
      const char* problem = p.parser.problem == nullptr ? "it cannot be read" : p.parser.problem;
      return tl::unexpected(Error{{},
                                  ErrorId::unreadable,
                                  fmt::format("YAML: {}, line {}, column {}", problem, p.parser.problem_mark.line + 1, p.parser.problem_mark.column + 1),
                                  {},
                                  {}});
    }
    more = builder.take(event);
    yaml_event_delete(&event);
  }
  if (builder.failed()) return tl::unexpected(builder.take_error());
  return builder.take_value();
}

#else

bool reads_yaml() { return false; }

Result<nlohmann::json> parse_yaml(std::string_view text) {
  // The page and the JavaScript module bring YAML as JSON (web/yaml/yaml.js): also what is no object, for the caller to refuse.
  auto value = parse_json(text, kMaxYamlBytes);
  if (value) return value;
  return tl::unexpected(Error{{}, ErrorId::unreadable, "YAML, which this build does not read", "the same settings as JSON", {}});
}

#endif

}  // namespace gpudget::formats
