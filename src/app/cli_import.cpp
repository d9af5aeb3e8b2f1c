// gpudget import: other tools' files as a Scenario, with what was read, assumed and ignored. ScenarioOptions' --config reads the same files.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "app/cli.h"
#include "formats/gguf.h"
#include "formats/import.h"
#include "formats/scenario_json.h"
#include "formats/schema.h"

namespace gpudget::cli {
namespace {

// A GGUF file's header, read as a stream: the rest of the file is not touched. Empty: another kind of file, or a pipe, which can be read only once.
std::optional<formats::GgufHeader> gguf_header(const std::string& name) {
  std::error_code error;
  if (name == "-" || std::filesystem::is_fifo(name, error)) return std::nullopt;
  struct Close {
    void operator()(std::FILE* f) const { (void)std::fclose(f); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(name.c_str(), "rb"));
  if (!file) throw Failure{name, fmt::format("{} (a file that can be read, or - for standard input)", std::strerror(errno))};
  std::array<char, 4> magic{};
  if (std::fread(magic.data(), 1, magic.size(), file.get()) != magic.size() || !formats::is_gguf({magic.data(), magic.size()})) return std::nullopt;
  std::rewind(file.get());
  auto header = formats::read_gguf([&file](char* to, std::size_t size) { return std::fread(to, 1, size, file.get()); });
  if (!header) throw Failure{header.error().path, header.error().message()};
  return std::move(*header);
}

std::string listed(std::string_view title, const std::vector<std::string>& list) {
  if (list.empty()) return {};
  std::string out = fmt::format("  {}:\n", title);
  for (const std::string& line : list) out += fmt::format("    {}\n", line);
  return out;
}

}  // namespace

formats::Imported import_config_files(const std::vector<std::string>& names, const Scenario& base) {
  std::deque<std::string> texts;
  std::deque<formats::GgufHeader> headers;
  std::vector<formats::ImportSource> sources;
  for (const std::string& name : names) {
    if (auto header = gguf_header(name)) {
      headers.push_back(std::move(*header));
      sources.push_back({name, {}, &headers.back()});
    } else {
      texts.push_back(read_file(name, formats::kMaxImportBytes));
      sources.push_back({name == "-" ? std::string_view("standard input") : std::string_view(name), texts.back(), nullptr});
    }
  }
  return or_fail(formats::import_files(sources, base));
}

void add_import(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand(
      "import",
      "other tools' files as a Scenario: config.json, adapter_config.json, TrainingArguments, DeepSpeed, accelerate, Axolotl, LLaMA-Factory, torchtune, GGUF");
  struct Options {
    std::vector<std::string> files, settings;
    bool json = false, scenario = false;
  };
  auto options = std::make_shared<Options>();
  call->add_option("FILE", options->files, "files of one run, together, in any order; -: standard input")->required();
  CLI::Option* json = call->add_flag("--json", options->json, "the Scenario and the lists of what was read, assumed and ignored, as JSON");
  call->add_flag("--scenario", options->scenario, "the Scenario alone, as JSON: for `gpudget estimate`")->excludes(json);
  call->callback([options, &context] {
    context.run = [options, &context] {
      const formats::Imported imported = import_config_files(options->files, formats::default_scenario());
      if (options->json) {
        context.out = formats::write_import(imported) + "\n";
      } else if (options->scenario) {
        context.out = formats::write_scenario(imported.scenario) + "\n";
      } else {
        for (const formats::ImportedFile& file : imported.files)
          context.out += fmt::format("{} ({})\n", file.name, name(file.kind)) + listed("read", file.read) + listed("assumed", file.assumed) +
                         listed("ignored", file.ignored);
        context.out += formats::write_scenario_compact(imported.scenario) + "\n";
      }
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
