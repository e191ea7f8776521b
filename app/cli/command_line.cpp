// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <filesystem>

#include "app/cli/described_command.hpp"
#include "app/reports/exit_status.hpp"
#include "app/reports/readable.hpp"
#include "support/nearest.hpp"
#include "support/shell_quote.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;

// CLI11 would write "..." behind every option that is a vector.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string value = option->get_type_name();
    return option->get_positional() || value.empty() ? CLI::Formatter::make_option_opts(option) : " " + value;
  }
  // CLI11 moves what follows a line end to the column of the description.
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = wrap("", option->get_description(), widest_line - get_column_width());
    text.pop_back();
    return text;
  }

 private:
  static constexpr size_t widest_line = 120;
};

// A command, its options, and what CLI11 makes of them.
struct Declared {
  OptionSet options;
  Run run;
  CLI::App* parser = nullptr;
  Colour colour = Colour::automatic;  // read for its errors: what is chosen has to hold before
};

void add_option(CLI::App& parser, Option& option) {
  switch (option.kind) {
    case Option::Kind::positional: parser.add_option(option.name, option.words, option.help)->type_name(""); return;
    case Option::Kind::flag: parser.add_flag(option.name, option.given, option.help); return;
    case Option::Kind::value:
      parser.add_option(option.name, option.words, option.help)->type_name(option.value)->allow_extra_args(false);
      return;
  }
}

void declare(const Command& command, CLI::App& app, Declared& declared) {
  declared.run = declare_options(command, declared.options, declared.colour);
  declared.parser = app.add_subcommand(command.name, command.help);
  for (Option& option : declared.options.options()) add_option(*declared.parser, option);
  declared.parser->footer(command.footer + std::string("\n") + exit_statuses);
}

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

std::string list_of(const std::vector<Command>& commands) {
  return "the commands are " + support::enumeration(names_of(commands));
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known, size_t forgiven) {
  const std::string_view meant = support::nearest(word, {known.begin(), known.end()}, forgiven);
  return meant.empty() ? "" : "did you mean '" + std::string(meant) + "'? ";
}

Diagnostic unknown_command(const std::string& word, const std::vector<Command>& commands) {
  if (std::filesystem::exists(std::filesystem::symlink_status(word))) {
    return support::usage_error("'" + word + "' is no command", "a command comes first: warpspan analyze " +
                                                                    support::shell_quoted(word) +
                                                                    " --block 256, or one of 'warpspan --help'");
  }
  return support::usage_error("unknown command '" + word + "'",
                              suggestion(word, names_of(commands), 2) + list_of(commands));
}

Diagnostic unknown_option(const std::string& word, const OptionSet* options, const std::string& help) {
  const std::string name = word.substr(0, word.find('='));
  if (options != nullptr && options->instead().contains(name)) {
    return support::usage_error("unknown option '" + name + "'", options->instead().at(name));
  }
  std::vector<std::string> known = {"--help"};
  if (options == nullptr) known.emplace_back("--version");
  for (const Option& option : options == nullptr ? std::deque<Option>() : options->options()) {
    if (option.kind != Option::Kind::positional) known.push_back(option.name);
  }
  const auto begins_so = [&name](const std::string& option) { return option.starts_with("-" + name); };
  const auto longer = std::find_if(known.begin(), known.end(), begins_so);
  const bool is_letter = name.size() == 2 && longer != known.end();
  return support::usage_error("unknown option '" + name + "'",
                              (is_letter ? "did you mean '" + *longer + "'? " : suggestion(name, known, 2)) + help);
}

// What CLI11 did not accept, in our words.
Diagnostic not_accepted(const CLI::App& app, const CLI::ParseError& error, const std::vector<Command>& commands,
                        const std::deque<Declared>& all) {
  const auto parsed = app.get_subcommands();
  const auto is_parsed = [](const Declared& command) { return command.parser->parsed(); };
  const auto declared = std::find_if(all.begin(), all.end(), is_parsed);
  const std::string command = parsed.empty() ? "warpspan" : "warpspan " + parsed.front()->get_name();
  const std::string help = "see '" + command + " --help'";
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    return support::usage_error(error.what(), help);
  }
  const auto words = app.remaining(true);
  const std::string word = words.empty() ? std::string() : words.front();
  if (word.size() > 1 && word.front() == '-') {
    return unknown_option(word, declared == all.end() ? nullptr : &declared->options, help);
  }
  if (parsed.empty()) return unknown_command(word, commands);
  return support::usage_error("unexpected argument '" + word + "'", help);
}

// Takes the words behind "--" off, which are no options: CLI11 forgets that once a word that is none has been seen.
std::vector<std::string> take_arguments(std::vector<std::string>& words) {
  const auto mark = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> arguments(mark == words.end() ? mark : mark + 1, words.end());
  words.erase(mark, words.end());
  return arguments;
}

// Gives a command what stood behind "--".
std::optional<Diagnostic> add_arguments(OptionSet& options, const std::vector<std::string>& arguments) {
  for (Option& option : options.options()) {
    if (option.kind != Option::Kind::positional) continue;
    option.words.insert(option.words.end(), arguments.begin(), arguments.end());
    return std::nullopt;
  }
  if (arguments.empty()) return std::nullopt;
  return support::usage_error("unexpected argument '" + arguments.front() + "'", "the command takes options only");
}

Run print(std::string text) {
  return [text = std::move(text)] { return Outcome{text, {}, {}}; };
}

// "help" and "help COMMAND" as options.
Result<std::vector<std::string>> without_help_command(const std::vector<std::string>& words,
                                                      const std::vector<Command>& commands) {
  if (words.empty() || words.front() != "help") return words;
  if (words.size() == 1) return std::vector<std::string>{"--help"};
  const std::vector<std::string> names = names_of(commands);
  if (std::find(names.begin(), names.end(), words[1]) == names.end()) return unknown_command(words[1], commands);
  if (words.size() > 2) return support::usage_error("unexpected argument '" + words[2] + "'", "see 'warpspan help'");
  return std::vector<std::string>{words[1], "--help"};
}

}  // namespace

Result<Run> parse_command_line(const std::vector<Command>& commands, const std::vector<std::string>& given) {
  auto words = without_help_command(given, commands);
  if (!words) return words.errors();
  CLI::App app("warpspan bounds how long GPU kernels can take in the worst case. It reads PTX and needs no GPU.",
               "warpspan");
  app.set_version_flag("-V,--version", "warpspan " WARPSPAN_VERSION);
  app.require_subcommand(0, 1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(
      std::string("'warpspan help COMMAND' tells the options of a command. A word @FILE stands for the words of a "
                  "file.\n\nExamples:\n  warpspan analyze samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000\n"
                  "  warpspan analyze --help\n\nWhat the words mean: docs/glossary.md. An installation "
                  "has docs and samples in share/doc/warpspan.\n\n") +
      exit_statuses);
  std::deque<Declared> all;
  for (const Command& command : commands) declare(command, app, all.emplace_back());
  const std::vector<std::string> arguments = take_arguments(*words);
  try {
    std::reverse(words->begin(), words->end());  // as CLI11 takes them
    app.parse(std::move(*words));
  } catch (const CLI::CallForHelp&) {
    return print(app.help());
  } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    return not_accepted(app, error, commands, all);
  }
  for (Declared& command : all) {
    if (!command.parser->parsed()) continue;
    if (auto error = add_arguments(command.options, arguments)) return *error;
    support::Diagnostics errors = command.options.read();
    if (!errors.empty()) return errors;
    return std::move(command.run);
  }
  return support::usage_error("missing command", list_of(commands) + "; see 'warpspan --help'");
}

std::optional<std::string> value_in(const std::vector<std::string>& words, const std::string& option) {
  std::optional<std::string> value;
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == option && i + 1 < words.size()) value = words[i + 1];
    if (words[i].starts_with(option + "=")) value = words[i].substr(option.size() + 1);
  }
  return value;
}

}  // namespace warpspan::app
