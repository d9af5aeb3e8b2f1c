// Host program of the build: turns assets/i18n/*.json (id -> text, one file a language) into messages.h (the ids) and messages_table.h (the
// texts, included by i18n/text.cpp alone); and texts-<code>.txt, a language's texts in the order of the ids, for the page.
//   messages_to_cpp ASSETS_I18N_FOLDER OUTPUT_FOLDER
// Fails, naming file and id, where a language lacks an id or has one too many, where the placeholders {x} of a message differ between
// languages, where a plural lacks its other half, or where a text is empty. en.json is the reference.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace {

using Messages = std::map<std::string, std::string>;
int failures = 0;

void fail(const std::string& what) {
  std::cerr << "messages_to_cpp: error: " << what << '\n';
  ++failures;
}

Messages read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::set<std::string> seen;
  const auto notice_twice = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    if (depth == 1 && event == nlohmann::json::parse_event_t::key && !seen.insert(parsed.get<std::string>()).second)
      fail(file.filename().string() + ": '" + parsed.get<std::string>() + "' stands there twice");
    return true;
  };
  const auto json = nlohmann::json::parse(text, notice_twice, false);
  Messages messages;
  if (!json.is_object()) {
    fail(file.string() + ": not a JSON object of id to text");
    return messages;
  }
  for (const auto& [id, value] : json.items()) {
    if (!value.is_string() || value.get<std::string>().empty())
      fail(file.filename().string() + ": '" + id + "' is not a text");
    else
      messages[id] = value.get<std::string>();
  }
  return messages;
}

// The names between braces. A text that needs a brace itself writes {{ or }}.
std::multiset<std::string> placeholders(const std::string& where, const std::string& text) {
  std::multiset<std::string> names;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{' && text[i] != '}') continue;
    if (i + 1 < text.size() && text[i + 1] == text[i]) {
      ++i;
      continue;
    }
    const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
    const std::string name = end == std::string::npos ? "" : text.substr(i + 1, end - i - 1);
    if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
      fail(where + ": a brace that is no {placeholder}; write {{ or }} for the sign itself");
      return names;
    }
    names.insert(name);
    i = end;
  }
  return names;
}

std::string identifier(const std::string& id) {
  std::string name = id;
  for (char& c : name)
    if (c == '.' || c == '-') c = '_';
  return name;
}

bool valid_id(const std::string& id) {
  if (id.find('.') == std::string::npos || id.front() < 'a' || id.front() > 'z') return false;  // the dot keeps C++'s keywords out
  return std::all_of(id.begin(), id.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-'; });
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\0') {
      out += "\\0";  // the last of its literal: no digit can follow
    } else if (c == '?') {
      out += "\\?";  // no trigraphs
    } else {
      out += c;
    }
  }
  return out + '"';
}

void write(const std::filesystem::path& file, const std::string& text) {
  if (!(std::ofstream(file, std::ios::binary) << text)) fail("cannot write " + file.string());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: messages_to_cpp ASSETS_I18N_FOLDER OUTPUT_FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const std::filesystem::path output = argv[2];

  std::map<std::string, Messages> languages;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") languages[entry.path().stem().string()] = read(entry.path());
  if (languages.count("en") == 0) {
    std::cerr << "messages_to_cpp: error: " << folder << " has no en.json\n";
    return 1;
  }
  const Messages& reference = languages["en"];

  std::map<std::string, std::string> identifiers;
  for (const auto& [id, text] : reference) {
    if (!valid_id(id)) fail("'" + id + "' is not an id: words of letters, digits, _ and - joined by dots");
    const auto [other, fresh] = identifiers.emplace(identifier(id), id);
    if (!fresh) fail("'" + id + "' and '" + other->second + "' give the same name in C++");
    for (const auto& [half, whole] : {std::pair<std::string, std::string>{".one", ".other"}, {".other", ".one"}})
      if (id.size() > half.size() && id.ends_with(half) && reference.count(id.substr(0, id.size() - half.size()) + whole) == 0)
        fail("'" + id + "' lacks its plural half '" + id.substr(0, id.size() - half.size()) + whole + "'");
  }
  for (const auto& [code, messages] : languages) {
    for (const auto& [id, text] : reference) {
      const auto found = messages.find(id);
      if (found == messages.end()) {
        fail(code + ".json lacks '" + id + "' (en: " + text + ")");
        continue;
      }
      auto expected = placeholders("en.json '" + id + "'", text);
      auto got = placeholders(code + ".json '" + id + "'", found->second);
      // A sentence may name an argument twice; a "one" may leave {n} out ("um token").
      std::set<std::string> a(expected.begin(), expected.end());
      std::set<std::string> b(got.begin(), got.end());
      if (id.ends_with(".one")) a.erase("n"), b.erase("n");
      if (a != b) fail(code + ".json '" + id + "': its {placeholders} are not those of en.json (en: " + text + ")");
    }
    for (const auto& [id, text] : messages)
      if (reference.count(id) == 0) fail(code + ".json has '" + id + "', which en.json has not");
  }
  if (failures != 0) return 1;

  std::ostringstream header;
  header << "// Made by messages_to_cpp from assets/i18n: do not edit.\n#pragma once\n#include <cstddef>\n#include <cstdint>\n\n"
         << "namespace gpudget::i18n {\n\nenum class Msg : std::uint16_t {\n";
  std::vector<std::string> ids;
  for (const auto& [id, text] : reference) ids.push_back(id);
  for (const std::string& id : ids) header << "  " << identifier(id) << ",  // " << id << '\n';
  header << "};\ninline constexpr std::size_t kMessages = " << ids.size() << ";\n\n"
         << "}  // namespace gpudget::i18n\n";

  std::ostringstream source;
  source << "// Made by messages_to_cpp from assets/i18n: do not edit.\n#pragma once\n#include <string_view>\n\n#include \"i18n/messages.h\"\n\n"
         << "namespace gpudget::i18n {\n\n"
         << "// Texts one after the other, each with its closing zero, in the order of Msg: a table of pointers would be a quarter of the page's data.\n"
         << "struct MessageTable {\n  std::string_view code;  // the file's name: \"pt\"\n  const char* texts;      // kMessages of them\n};\n"
         << "inline constexpr char kMessageIds[] =\n";
  for (const std::string& id : ids) source << "  " << literal(id + '\0') << "\n";
  source << "  ;\n\n";
  for (const auto& [code, messages] : languages) {
    source << "inline constexpr char k_" << code << "[] =\n";
    for (const std::string& id : ids) source << "  " << literal(messages.at(id) + '\0') << "\n";
    source << "  ;\n\n";
  }
  source << "inline constexpr MessageTable kMessageTables[] = {\n";
  for (const auto& [code, messages] : languages) source << "  {\"" << code << "\", k_" << code << "},\n";
  source << "};\n\n}  // namespace gpudget::i18n\n";

  std::filesystem::create_directories(output);
  write(output / "messages.h", header.str());
  write(output / "messages_table.h", source.str());
  for (const auto& [code, messages] : languages) {  // for i18n::bring
    std::string texts;
    for (const std::string& id : ids) texts += messages.at(id) + '\x1f';
    write(output / ("texts-" + code + ".txt"), texts);
  }
  return failures == 0 ? 0 : 1;
}
