// gpudget on the command line: parses the call, runs it, prints the answer. Exit status: 0 done, 1 the answer is no, 2 the input or the call is wrong.
#include <cstdio>

#include <fmt/format.h>

#include "app/cli.h"

namespace {

using namespace gpudget;

int complain(const std::string& path, const std::string& what) {
  fmt::print(stderr, "gpudget: error: {}: {}\n", path.empty() ? "input" : path, what);
  return cli::kWrong;
}

// CLI11's sentence in our format: what was wrong with the call, and where the help is.
int complain_of_call(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string call = chosen.empty() ? std::string() : chosen.front()->get_name();
  std::string what = error.what();
  while (!what.empty() && (what.back() == '\n' || what.back() == '.')) what.pop_back();
  for (char& c : what)
    if (c == '\n') c = ' ';
  return complain(call.empty() ? "call" : call, fmt::format("{} (see `gpudget{}{} --help`)", what, call.empty() ? "" : " ", call));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Will this fine-tune fit, how long will it take, what will it cost, and what should change?", "gpudget");
  app.set_version_flag("--version", std::string("gpudget ") + GPUDGET_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  cli::Context context;
  cli::add_estimate(app, context);
  cli::add_plan(app, context);
  cli::add_limit(app, context);
  cli::add_export(app, context);
  cli::add_course(app, context);
  cli::add_list(app, context);
  cli::add_vram(app, context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain_of_call(app, error);
  }
  try {
    const int status = context.run ? context.run() : cli::kDone;
    const bool written = std::fwrite(context.out.data(), 1, context.out.size(), stdout) == context.out.size() && std::fflush(stdout) == 0;
    return written ? status : complain("standard output", "could not be written (a place with room)");
  } catch (const cli::Failure& failure) {
    return complain(failure.path, failure.what);
  }
}
