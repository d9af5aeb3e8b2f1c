// gpudget completion bash|zsh|fish: the shell's completions, from the same description as --help.
#include <fmt/format.h>

#include "app/cli.h"

namespace gpudget::cli {
namespace {

// A word in single quotes, for all three shells' rules at once: no word of ours holds a quote or a backslash, texts have theirs replaced.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("’") : c == '\\' ? std::string("/") : std::string(1, c);
  return out + "'";
}

struct Word {
  std::string name;  // "--set", "--json"; empty: what stands without a name
  std::string help;
  std::vector<std::string> values;
  bool takes_value = false;
};
struct Call {
  std::string name, help;
  std::vector<Word> words;
};

std::vector<Call> calls_of(const CLI::App& app, const Context& context) {
  std::vector<Call> calls;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    Call call{sub->get_name(), sub->get_description(), {}};
    for (const CLI::Option* option : sub->get_options()) {
      const auto values = context.words.find(option);
      call.words.push_back({option->get_positional() ? std::string() : "--" + option->get_lnames().front(), option->get_description(),
                            values == context.words.end() ? std::vector<std::string>() : values->second, takes_value(*option)});
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string bash(const std::vector<Call>& calls) {
  std::string out = R"(# gpudget's completions for bash: source <(gpudget completion bash)
_gpudget() {
  local word=${COMP_WORDS[COMP_CWORD]} before= call= i
  [ "$COMP_CWORD" -lt 1 ] || before=${COMP_WORDS[COMP_CWORD - 1]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in -*) ;; *) call=${COMP_WORDS[i]} && break ;; esac
  done
  COMPREPLY=()
  case $call,$before in
)";
  for (const Call& call : calls)
    for (const Word& word : call.words)
      if (!word.name.empty() && word.takes_value) {
        const bool paths = word.name == "--set";
        out += fmt::format("    {},{}) ", call.name, word.name);
        if (word.values.empty())
          out += "COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n";
        else
          out += fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\")){}; return ;;\n", in_quotes(joined(word.values)),
                             paths ? "; compopt -o nospace 2>/dev/null" : "");
      }
  out += "  esac\n  case $call in\n";
  std::string names;
  for (const Call& call : calls) {
    std::string words, values;
    bool file = false;
    for (const Word& word : call.words) {
      if (!word.name.empty()) words += (words.empty() ? "" : " ") + word.name;
      if (word.name.empty() && word.values.empty()) file = true;
      if (word.name.empty()) values += joined(word.values);
    }
    names += (names.empty() ? "" : " ") + call.name;
    out += fmt::format(
        "    {})\n      case $word in\n        -*) COMPREPLY=($(compgen -W {} -- \"$word\")) ;;\n        *) COMPREPLY=($(compgen {} -- \"$word\")) ;;\n      "
        "esac ;;\n",
        call.name, in_quotes(words), file ? "-f" : "-W " + in_quotes(values));
  }
  out += fmt::format("    *) COMPREPLY=($(compgen -W {} -- \"$word\")) ;;\n  esac\n}}\ncomplete -F _gpudget gpudget\n", in_quotes(names + " --help --version"));
  return out;
}

std::string zsh(const std::vector<Call>& calls) {
  // Inside _arguments' texts brackets and colons have a meaning of their own.
  const auto plain = [](std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '[' || c == '{' ? '(' : c == ']' || c == '}' ? ')' : c == ':' || c == '\'' || c == '"' || c == '\\' ? ' ' : c;
    return out;
  };
  std::string out =
      "#compdef gpudget\n# gpudget's completions for zsh: gpudget completion zsh > \"${fpath[1]}/_gpudget\"\n_gpudget() {\n  local -a calls\n  calls=(\n";
  for (const Call& call : calls) out += fmt::format("    '{}:{}'\n", call.name, plain(call.help));
  out +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe call calls\n    _values option --help --version\n    return\n  fi\n  local call=${words[2]}\n  shift "
      "words\n  ((CURRENT--))\n  case $call in\n";
  for (const Call& call : calls) {
    out += fmt::format("    {})\n      _arguments", call.name);
    int place = 0;
    for (const Word& word : call.words) {
      const std::string action = !word.takes_value ? "" : word.values.empty() ? ":value:_files" : fmt::format(":value:({})", joined(word.values));
      if (word.name.empty())
        out += fmt::format(" \\\n        '{}:{}:{}'", ++place, plain(word.help).substr(0, 30),
                           word.values.empty() ? "_files" : fmt::format("({})", joined(word.values)));
      else
        out += fmt::format(" \\\n        '{}{}[{}]{}'", word.name == "--set" ? "*" : "", word.name, plain(word.help), action);
    }
    out += " ;;\n";
  }
  return out + "  esac\n}\n_gpudget \"$@\"\n";
}

std::string fish(const std::vector<Call>& calls) {
  std::string out = "# gpudget's completions for fish: gpudget completion fish > ~/.config/fish/completions/gpudget.fish\n";
  std::string names;
  for (const Call& call : calls) names += (names.empty() ? "" : " ") + call.name;
  for (const Call& call : calls)
    out += fmt::format("complete -c gpudget -f -n 'not __fish_seen_subcommand_from {}' -a {} -d {}\n", names, call.name, in_quotes(call.help));
  for (const Call& call : calls)
    for (const Word& word : call.words) {
      const std::string when = fmt::format("complete -c gpudget -n '__fish_seen_subcommand_from {}'", call.name);
      if (word.name.empty())
        out += word.values.empty() ? fmt::format("{} -F\n", when) : fmt::format("{} -f -a {}\n", when, in_quotes(joined(word.values)));
      else
        out += fmt::format("{} -l {}{} -d {}\n", when, word.name.substr(2),
                           !word.takes_value     ? ""
                           : word.values.empty() ? " -r"
                                                 : " -x -a " + in_quotes(joined(word.values)),
                           in_quotes(word.help));
    }
  return out;
}

}  // namespace

void add_completion(CLI::App& app, Context& context) {
  CLI::App* call = app.add_subcommand("completion", "completions for a shell: bash, zsh or fish");
  auto shell = std::make_shared<std::string>();
  context.words[call->add_option("SHELL", *shell, "bash, zsh or fish")->required()] = {"bash", "zsh", "fish"};
  call->callback([shell, &app, &context] {
    context.run = [shell, &app, &context] {
      const auto calls = calls_of(app, context);
      if (*shell != "bash" && *shell != "zsh" && *shell != "fish") throw Failure{"SHELL", fmt::format("'{}' is not known (one of bash, zsh, fish)", *shell)};
      context.out = *shell == "bash" ? bash(calls) : *shell == "zsh" ? zsh(calls) : fish(calls);
      return int{kDone};
    };
  });
}

}  // namespace gpudget::cli
