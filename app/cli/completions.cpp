// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completions.hpp"

#include <map>
#include <set>

#include "app/reports/readable.hpp"

namespace warpspan::app {

namespace {

using Commands = std::vector<DescribedCommand>;

std::string in_words(const std::vector<std::string>& words) { return joined(words, " "); }

std::vector<std::string> names_of(const Commands& commands) {
  std::vector<std::string> names;
  for (const DescribedCommand& command : commands) names.push_back(command.name);
  return names;
}

bool is_named(const Option& option) { return option.kind != Option::Kind::positional; }

// Before the first of its characters that end a clause: "Form of the report".
std::string clause_of(const std::string& help) { return help.substr(0, help.find_first_of(":;,.(")); }

// For a word in '...': what would end it is left out, and what `special` names is escaped.
std::string quoted(const std::string& text, const std::string& special = {}) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') continue;
    if (special.find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

// What completes the value of an option: its words, "/" for a file, nothing.
std::string completed_by(const Option& option) { return in_words(choices(option)) + (takes_file(option) ? "/" : ""); }

// Patterns of "COMMAND OPTION" by what completes the value: "*' --arg'" where it is the same in all commands.
std::map<std::string, std::string> patterns_by_words(const Commands& commands) {
  std::map<std::string, std::set<std::string>> words_of;  // by option
  std::map<std::string, std::set<std::string>> patterns;
  const auto each_value = [&commands](const auto& use) {
    for (const DescribedCommand& command : commands) {
      for (const Option& option : command.options) {
        if (option.kind == Option::Kind::value) use(command, option);
      }
    }
  };
  each_value([&](const auto&, const Option& option) { words_of[option.name].insert(completed_by(option)); });
  each_value([&](const DescribedCommand& command, const Option& option) {
    const bool same = words_of[option.name].size() == 1;
    patterns[completed_by(option)].insert(same ? "*' " + option.name + "'"
                                               : "'" + command.name + " " + option.name + "'");
  });
  std::map<std::string, std::string> joined;
  for (const auto& [words, each] : patterns) {
    for (const std::string& pattern : each) joined[words] += (joined[words].empty() ? "" : "|") + pattern;
  }
  return joined;
}

std::string bash(const Commands& commands) {
  std::string options;  // of each command
  for (const DescribedCommand& command : commands) {
    std::vector<std::string> names = {"--help"};
    for (const Option& option : command.options) {
      if (is_named(option)) names.push_back(option.name);
    }
    options += "    " + command.name + ") words='" + in_words(names) + "' ;;\n";
  }
  std::string text =
      "# Completions of warpspan for bash.\n"
      "_warpspan() {\n"
      "  local current=\"$2\" before=\"$3\" command=\"${COMP_WORDS[1]}\" words=''\n"
      "  COMPREPLY=()\n"
      "  if [[ $COMP_CWORD -eq 1 || ($COMP_CWORD -eq 2 && $command == help) ]]; then\n"
      "    COMPREPLY=($(compgen -W '" +
      in_words(names_of(commands)) +
      " help --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  if [[ $before == = && $COMP_CWORD -gt 2 ]]; then before=\"${COMP_WORDS[COMP_CWORD-2]}\"; fi\n"
      "  if [[ $current == = ]]; then before=\"${COMP_WORDS[COMP_CWORD-1]}\" current=''; fi\n"
      "  case \"$command $before\" in\n";
  for (const auto& [completed, pattern] : patterns_by_words(commands)) {
    text += "    " + pattern + ")\n";
    if (completed == "/") {
      text += "      compopt -o filenames\n      COMPREPLY=($(compgen -f -- \"$current\"))\n";
    } else if (!completed.empty()) {
      text += "      COMPREPLY=($(compgen -W '" + completed + "' -- \"$current\"))\n";
    }
    text += "      return ;;\n";
  }
  return text +
         "  esac\n"
         "  if [[ $current != -* ]]; then\n"
         "    compopt -o filenames\n"
         "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"$command\" in\n" +
         options +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -F _warpspan warpspan\n";
}

// One argument of _arguments.
std::string zsh_argument(const Option& option) {
  const std::string help = quoted(clause_of(option.help), "[]\\");
  if (!is_named(option)) return "'*:" + quoted(option.name, ":") + ":_files'";
  const std::string name = (option.repeatable ? "*" : "") + option.name;
  if (option.kind == Option::Kind::flag) return "'" + name + "[" + help + "]'";
  const std::string words = in_words(choices(option));
  const std::string action = !words.empty() ? "(" + words + ")" : takes_file(option) ? "_files" : " ";
  return "'" + name + "=[" + help + "]:" + quoted(option.value, ":\\") + ":" + action + "'";
}

std::string zsh(const Commands& commands) {
  std::string text =
      "#compdef warpspan\n"
      "# Completions of warpspan for zsh.\n"
      "_warpspan() {\n"
      "  if ((CURRENT == 2)); then\n"
      "    local -a commands=(\n";
  for (const DescribedCommand& command : commands) {
    text += "      '" + command.name + ":" + quoted(command.help, ":\\") + "'\n";
  }
  text +=
      "    )\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n";
  for (const DescribedCommand& command : commands) {
    text += "    " + command.name + ")\n      _arguments";
    for (const Option& option : command.options) text += " \\\n        " + zsh_argument(option);
    text += " \\\n        '--help[Print the help of the command]' ;;\n";
  }
  return text +
         "  esac\n"
         "}\n"
         "_warpspan \"$@\"\n";
}

std::string fish(const Commands& commands) {
  std::string text = "# Completions of warpspan for fish.\n";
  for (const DescribedCommand& command : commands) {
    text += "complete -c warpspan -n __fish_use_subcommand -f -a " + command.name + " -d '" +
            quoted(command.help, "\\") + "'\n";
  }
  for (const DescribedCommand& command : commands) {
    for (const Option& option : command.options) {
      if (!is_named(option)) continue;
      text += "complete -c warpspan -n '__fish_seen_subcommand_from " + command.name + "' -l " + option.name.substr(2);
      const std::string words = in_words(choices(option));
      if (option.kind != Option::Kind::flag)
        text += !words.empty() ? " -x -a '" + words + "'" : takes_file(option) ? " -r -F" : " -x";
      text += " -d '" + quoted(clause_of(option.help), "\\") + "'\n";
    }
  }
  return text;
}

}  // namespace

std::vector<std::string> shells() { return {"bash", "zsh", "fish"}; }

std::string completions(const std::string& shell, const Commands& commands) {
  return shell == "bash" ? bash(commands) : shell == "zsh" ? zsh(commands) : fish(commands);
}

}  // namespace warpspan::app
