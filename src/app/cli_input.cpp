// Where a Scenario comes from: a file, standard input or the defaults, then --set.
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "app/cli.h"
#include "catalog/catalog.h"
#include "catalog/local_gpu.h"
#include "formats/field_json.h"
#include "formats/resolve.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"
#include "probe/probe.h"

namespace gpudget::cli {
namespace {

// A terminal or a device such as /dev/null has nothing to say; a pipe, a file or a socket has.
bool input_is_piped() {
  struct stat s {};
  return fstat(STDIN_FILENO, &s) == 0 && (S_ISFIFO(s.st_mode) || S_ISREG(s.st_mode) || S_ISSOCK(s.st_mode));
}

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// --set gpu=local: the memory of the largest GPU of this computer. Its speed comes from the catalog where the name is known there.
Gpu local_gpu() {
  const probe::Report report = probe::read();
  const probe::Gpu* largest = nullptr;
  for (const probe::Gpu& gpu : report.gpus)
    if (largest == nullptr || gpu.total > largest->total) largest = &gpu;
  if (largest == nullptr) throw Failure{"gpu", fmt::format("no local GPU: {} (a catalog id, see `gpudget list gpus`)", report.note)};
  return catalog::local_gpu(largest->name, largest->total);
}

}  // namespace

void fail(const formats::Error& error) { throw Failure{error.path, error.message()}; }

bool output_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

std::string read_file(const std::string& name, std::size_t most) {
  const std::string path = name == "-" ? "standard input" : name;
  struct Close {
    void operator()(std::FILE* f) const {
      if (f != stdin) (void)std::fclose(f);
    }
  };
  const std::unique_ptr<std::FILE, Close> file(name == "-" ? stdin : std::fopen(name.c_str(), "rb"));
  if (!file) throw Failure{path, fmt::format("{} (a file that can be read, or - for standard input)", std::strerror(errno))};
  std::string text;
  std::array<char, 65536> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    text.append(buffer.data(), n);
    if (text.size() > most) throw Failure{path, fmt::format("too large (at most {} bytes)", most)};
  }
  if (std::ferror(file.get()) != 0) throw Failure{path, fmt::format("{} (a file that can be read, or - for standard input)", std::strerror(errno))};
  return text;
}

void ScenarioOptions::add(CLI::App& call, Context& context) {
  call.add_option("FILE", file, "a Scenario as JSON; - or piped input: standard input; none on a terminal: the defaults");
  call.add_option("--config", configs, "another tool's file, read before FILE as `gpudget import` does: config.json, adapter_config.json … (may be repeated)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::Option* set = call.add_option("--set", settings, "path=value: a JSON value or a bare word, as in --set method=qlora --set lora.r=8 (may be repeated)")
                         ->expected(1)
                         ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  for (const formats::Field& field : formats::fields()) context.words[set].push_back(std::string(field.path) + "=");
  CLI::Option* option = call.add_option("--gpu", gpu, "a catalog id, or local: the largest GPU of this computer; as --set gpu=");
  for (const Gpu& each : catalog::gpus()) context.words[option].emplace_back(each.id.view());
  context.words[option].emplace_back("local");
}

void ScenarioOptions::apply(Scenario& s) const {
  const auto set = [&](std::string_view path, std::string_view value) {
    if (path == "gpu" && value == "local") {
      s.gpu = local_gpu();
      formats::resolve_quote(s);
    } else {
      or_fail(formats::set_field_text(s, path, value));
    }
  };
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Failure{"--set", fmt::format("'{}' has no value (path=value, as in --set method=qlora)", formats::shortened(setting))};
    set(std::string_view(setting).substr(0, equals), std::string_view(setting).substr(equals + 1));
  }
  if (!gpu.empty()) set("gpu", gpu);
}

Scenario ScenarioOptions::with_settings() const {
  Scenario s = configs.empty() ? formats::default_scenario() : import_config_files(configs, formats::default_scenario()).scenario;
  apply(s);
  return s;
}

Scenario ScenarioOptions::read() const {
  Scenario s = configs.empty() ? formats::default_scenario() : import_config_files(configs, formats::default_scenario()).scenario;
  if (!file.empty() || input_is_piped()) {
    const std::string text = read_file(file.empty() ? "-" : file, formats::kMaxScenarioBytes);
    if (!(file.empty() && blank(text))) {
      auto read = formats::read_scenario(text, s);
      if (!read && read.error().path.empty()) read.error().path = file.empty() || file == "-" ? "standard input" : file;
      if (!read && read.error().id == formats::ErrorId::unknown_field && text.find("\"model_type\"") != std::string::npos)
        throw Failure{read.error().path, R"(unknown field (this looks like a model's config.json: --config FILE, or {"model": {"config": …}}))"};
      s = or_fail(std::move(read));
    }
  }
  apply(s);
  return s;
}

// The schema's rows as text: what --set and a Scenario's JSON take.
std::string field_help() {
  std::string out = "Fields, for --set and in the Scenario's JSON (default):\n";
  const Scenario defaults = formats::default_scenario();
  for (const formats::Field& f : formats::fields()) {
    std::string standard;
    formats::append_value(standard, f, f.get(defaults));
    out += fmt::format("  {:<32}{} ({})\n", f.path, formats::accepted(f), standard);
  }
  return out;
}

void LanguageOption::add(CLI::App& call, Context& context) { context.words[call.add_option("--lang", code, "en, pt or fr")] = {"en", "pt", "fr"}; }

i18n::Language LanguageOption::get() const {
  if (!code.empty()) {
    const auto language = i18n::language(code);
    if (!language) throw Failure{"--lang", fmt::format("'{}' is not known (one of en, pt, fr)", code)};
    return *language;
  }
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return i18n::language(value).value_or(i18n::Language::en);
  }
  return i18n::Language::en;
}

}  // namespace gpudget::cli
