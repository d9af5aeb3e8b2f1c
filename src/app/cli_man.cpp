// gpudget man: the manual page in troff, from the same description as --help and the schema: gpudget man | man -l -
#include <utility>

#include <fmt/format.h>

#include "app/cli.h"
#include "formats/field_json.h"
#include "formats/schema.h"

namespace gpudget::cli {
namespace {

// A text that troff shows as it is.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-')
      out += "\\-";
    else if (c == '\\')
      out += "\\e";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '.' && (out.empty() || out.back() == '\n'))
      out += "\\&.";
    else
      out += c;
  }
  return out;
}

std::string page(const CLI::App& app) {
  std::string out = fmt::format(".TH GPUDGET 1 \"\" \"gpudget {}\" \"User Commands\"\n.SH NAME\ngpudget \\- {}\n.SH SYNOPSIS\n", GPUDGET_VERSION,
                                plain(app.get_description()));
  bool first = true;
  for (const CLI::App* call : app.get_subcommands(nullptr)) {
    out += fmt::format("{}.B gpudget {}\n", std::exchange(first, false) ? "" : ".br\n", call->get_name());
    for (const CLI::Option* option : call->get_options())
      if (option->get_positional())
        out += fmt::format("{}{}{}\n", option->get_required() ? "" : "[", plain(option->get_name(true)), option->get_required() ? "" : "]");
    out += "[options]\n";
  }
  out += ".SH CALLS\n";
  for (const CLI::App* call : app.get_subcommands(nullptr)) {
    out += fmt::format(".SS gpudget {}\n{}.\n", call->get_name(), plain(call->get_description()));
    for (const CLI::Option* option : call->get_options()) {
      const std::string name = option->get_positional() ? option->get_name(true) : "--" + option->get_lnames().front();
      out += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", plain(name), !option->get_positional() && takes_value(*option) ? " \\fIVALUE\\fR" : "",
                         plain(option->get_description()));
    }
  }
  out += ".SH SCENARIO\nA Scenario is a JSON object; what it leaves out takes its default. The same fields are \\-\\-set's.\n";
  const Scenario defaults = formats::default_scenario();
  for (const formats::Field& f : formats::fields()) {
    std::string standard;
    formats::append_value(standard, f, f.get(defaults));
    out += fmt::format(".TP\n\\fB{}\\fR\n{}; default {}\n", plain(f.path), plain(formats::accepted(f)), plain(standard));
  }
  return out + R"man(.SH EXIT STATUS
0: done. 1: \-\-check and it does not fit, or a plan or a limit without an answer. 2: the input or the call is wrong; standard error says
"gpudget: error: PATH: what is wrong (what would do)".
.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
no colours, also on a terminal
.TP
\fBLC_ALL\fR, \fBLC_MESSAGES\fR, \fBLANG\fR
the language, where \-\-lang does not name one: en, pt or fr
.SH EXAMPLES
.nf
gpudget estimate \-\-set method=qlora \-\-set gpu=rtx\-4090
gpudget plan \-\-set model=meta\-llama/Llama\-3.1\-8B \-\-max\-gpus 8 \-\-deadline 24h
gpudget limit \-\-of max_length \-\-set method=lora
gpudget export \-\-to trl scenario.json > train.py
.fi
)man";
}

}  // namespace

void add_man(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("man", "the manual page: gpudget man | man -l -");
  call->callback([&app, &context] {
    context.run = [&app, &context] {
      context.out = page(app);
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
