#include "app/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <deque>

#include "support/nearest.hpp"

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
};

// A command, its options, and what CLI11 makes of them.
struct Declared {
  OptionSet options;
  Run run;
  CLI::App* parser = nullptr;
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
  declared.run = command.declare(declared.options);
  declared.parser = app.add_subcommand(command.name, command.help);
  for (Option& option : declared.options.options()) add_option(*declared.parser, option);
  declared.parser->footer(command.footer);
}

std::string list_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return "the commands are " + support::enumeration(names);
}

// What CLI11 did not accept, in our words.
Diagnostic not_accepted(const CLI::App& app, const CLI::ParseError& error, const std::vector<Command>& commands) {
  const auto parsed = app.get_subcommands();
  const std::string command = parsed.empty() ? "warpspan" : "warpspan " + parsed.front()->get_name();
  const std::string help = "see '" + command + " --help'";
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    return support::usage_error(error.what(), help);
  }
  const auto words = app.remaining(true);
  const std::string word = words.empty() ? std::string() : words.front();
  if (word.size() > 1 && word.front() == '-') return support::usage_error("unknown option '" + word + "'", help);
  if (parsed.empty()) return support::usage_error("unknown command '" + word + "'", list_of(commands));
  return support::usage_error("unexpected argument '" + word + "'", help);
}

Run print(std::string text) {
  return [text = std::move(text)] { return Outcome{text, {}, {}}; };
}

}  // namespace

Result<Run> parse_command_line(const std::vector<Command>& commands, int argc, const char* const* argv) {
  CLI::App app("warpspan bounds how long GPU kernels can take in the worst case. It reads PTX and needs no GPU.",
               "warpspan");
  app.set_version_flag("--version", "warpspan " WARPSPAN_VERSION);
  app.require_subcommand(0, 1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(
      "Examples:\n  warpspan analyze samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000\n  warpspan analyze "
      "--help\n");
  std::deque<Declared> all;
  for (const Command& command : commands) declare(command, app, all.emplace_back());
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print(app.help());
  } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    return not_accepted(app, error, commands);
  }
  for (Declared& command : all) {
    if (!command.parser->parsed()) continue;
    support::Diagnostics errors = command.options.read();
    if (!errors.empty()) return errors;
    return std::move(command.run);
  }
  return support::usage_error("missing command", list_of(commands) + "; see 'warpspan --help'");
}

}  // namespace warpspan::app
