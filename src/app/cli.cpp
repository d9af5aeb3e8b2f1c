// gpudget on the command line: parses the call, runs it, prints the answer. Exit status: 0 done, 1 the answer is no, 2 the input or the call is wrong.
#include <cstdio>

#include <fmt/format.h>

#include "app/cli.h"
#include "formats/field_json.h"
#include "formats/nearest.h"

namespace {

using namespace gpudget;

// CLI11's help without the lists of what excludes what.
class Help : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (!cli::takes_value(*option)) return {};
    return option->get_positional() ? "" : " " + std::string(option->get_required() ? "(required)" : "VALUE");
  }
  std::string make_description(const CLI::App* app) const override {
    const std::string text = app->get_description();
    return text + (text.ends_with('?') ? "\n" : ".\n");
  }
};

int complain(const std::string& path, const std::string& what) {
  fmt::print(stderr, "gpudget: error: {}: {}\n", path.empty() ? "input" : path, what);
  return cli::kWrong;
}

// The first word that is no option: the call that was meant.
std::string first_word(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (argv[i][0] != '-') return argv[i];
  return {};
}

// What was wrong with the call, and where the help is: CLI11's sentence in our format, but for a call that there is none of.
int complain_of_call(const CLI::App& app, const CLI::ParseError& error, const std::string& word) {
  const auto chosen = app.get_subcommands();
  const std::string call = chosen.empty() ? std::string() : chosen.front()->get_name();
  std::string what = error.what();
  while (!what.empty() && (what.back() == '\n' || what.back() == '.')) what.pop_back();
  for (char& c : what)
    if (c == '\n') c = ' ';
  if (call.empty() && !word.empty()) {
    std::vector<std::string_view> calls;
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands(nullptr)) names.push_back(sub->get_name());
    for (const std::string& n : names) calls.emplace_back(n);
    const std::string_view near = formats::nearest(word, calls);
    return complain("call", fmt::format("'{}' is no call (one of {}{})", formats::shortened(word), fmt::join(calls.begin(), calls.end(), ", "),
                                        plausible(word, near) ? fmt::format("; did you mean '{}'?", near) : ""));
  }
  if (call.empty()) what = "none given";
  return complain(call.empty() ? "call" : call, fmt::format("{} (see `gpudget{}{} --help`)", what, call.empty() ? "" : " ", call));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Will this fine-tune fit, how long will it take, what will it cost, and what should change?", "gpudget");
  app.set_version_flag("--version", std::string("gpudget ") + GPUDGET_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<Help>());
  app.get_formatter()->column_width(34);
  cli::Context context;
  cli::add_estimate(app, context);
  cli::add_plan(app, context);
  cli::add_limit(app, context);
  cli::add_export(app, context);
  cli::add_import(app, context);
  cli::add_course(app, context);
  cli::add_list(app, context);
  cli::add_vram(app, context);
  cli::add_validate(app, context);
  cli::add_completion(app, context);
  cli::add_man(app, context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain_of_call(app, error, first_word(argc, argv));
  }
  try {
    const int status = context.run ? context.run() : cli::kDone;
    const bool written = std::fwrite(context.out.data(), 1, context.out.size(), stdout) == context.out.size() && std::fflush(stdout) == 0;
    return written ? status : complain("standard output", "could not be written (a place with room)");
  } catch (const cli::Failure& failure) {
    return complain(failure.path, failure.what);
  }
}
