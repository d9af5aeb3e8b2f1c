// What the calls of the command line share. Each call is one file, cli_<call>.cpp, that registers its options with the parser and, when
// chosen, writes its whole answer to `out`; main() prints it once nothing can fail any more, so that an error leaves standard output empty.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/scenario.h"
#include "formats/error.h"
#include "formats/import.h"
#include "i18n/text.h"

namespace gpudget::cli {

// Ends the program with status 2 and "gpudget: error: PATH: WHAT" on standard error.
struct Failure {
  std::string path, what;
};
[[noreturn]] void fail(const formats::Error& error);
template <class T>
T or_fail(formats::Result<T> result) {
  if (!result) fail(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

enum ExitStatus : int { kDone = 0, kNo = 1, kWrong = 2 };

struct Context {
  std::string out;
  std::function<int()> run;                                      // of the chosen call
  std::map<const CLI::Option*, std::vector<std::string>> words;  // what an option takes, for completion
};

// --config, FILE, --set and --gpu: where a Scenario comes from.
struct ScenarioOptions {
  std::string file, gpu;
  std::vector<std::string> configs, settings;
  void add(CLI::App& call, Context& context);
  // The file, standard input or the defaults, with the settings applied in order.
  Scenario read() const;
  Scenario with_settings() const;  // the defaults with --config and the settings, no FILE read

 private:
  void apply(Scenario& s) const;
};
// --lang; else the locale's language where there is a translation, else English.
struct LanguageOption {
  std::string code;
  void add(CLI::App& call, Context& context);
  i18n::Language get() const;
};

inline bool takes_value(const CLI::Option& option) { return option.get_expected_max() > 0; }  // no flag
std::string field_help();                                                                     // every field of a Scenario with what it takes, a line each
std::string read_file(const std::string& name, std::size_t most);                             // "-": standard input
bool output_is_terminal();
formats::Imported import_config_files(const std::vector<std::string>& names, const Scenario& base);  // other tools' files, in cli_import.cpp

// The calls.
void add_estimate(CLI::App& app, Context& context);
void add_plan(CLI::App& app, Context& context);
void add_limit(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_import(CLI::App& app, Context& context);
void add_course(CLI::App& app, Context& context);
void add_list(CLI::App& app, Context& context);
void add_vram(CLI::App& app, Context& context);
void add_validate(CLI::App& app, Context& context);
void add_completion(CLI::App& app, Context& context);
void add_man(CLI::App& app, Context& context);

int run_ndjson(const ScenarioOptions& options, i18n::Language language, bool check);

}  // namespace gpudget::cli
