#include "app/options.hpp"

#include <CLI/CLI.hpp>
#include <set>

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;
using support::Result;

// The words of the command line before they are read. Options that may be given once are vectors too, so that a second
// one is seen.
struct Words {
  std::vector<std::string> files, kernel, machine, block, grid, arguments, loop_bounds, time_limit, format, output;
};

// CLI11 would write "..." behind every option that is a vector.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string value = option->get_type_name();
    return option->get_positional() || value.empty() ? CLI::Formatter::make_option_opts(option) : " " + value;
  }
};

void add_words(CLI::App& command, const char* option, const char* value, const char* help,
               std::vector<std::string>& words) {
  command.add_option(option, words, help)->type_name(value)->allow_extra_args(false);
}

void add_files(CLI::App& command, Words& words) {
  command.add_option("FILE", words.files, "PTX files; - is standard input")->type_name("");
}

void add_launch(CLI::App& command, Words& words) {
  add_words(command, "--kernel", "NAME", "Only this kernel, which every file must have", words.kernel);
  add_words(command, "--block", "X[,Y[,Z]]", "Threads of a block; default: the file's .reqntid, else its .maxntid",
            words.block);
  add_words(command, "--grid", "X[,Y[,Z]]", "Blocks of the grid; default: one block, alone on the GPU", words.grid);
  add_words(command, "--arg", "NAME=VALUE", "Value of a kernel parameter, by name or index; repeatable",
            words.arguments);
  add_words(command, "--loop-bound", "LABEL=N",
            "The most times the code at the label runs each time its loop is entered; repeatable", words.loop_bounds);
}

CLI::App& add_analyze(CLI::App& app, Words& words) {
  CLI::App& command = *app.add_subcommand("analyze", "Bound the worst-case makespan of each kernel");
  add_files(command, words);
  add_launch(command, words);
  add_words(command, "--machine", "NAME|FILE", "Machine model; default: the one for the file's .target", words.machine);
  add_words(command, "--time-limit", "SECONDS", "Most time for exact search; default: 10", words.time_limit);
  add_words(command, "--format", "text|json", "Form of the report; default: text", words.format);
  add_words(command, "--output", "FILE", "Write the report to this file; default: standard output", words.output);
  command.footer(
      "Examples:\n"
      "  warpspan analyze samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000\n"
      "  warpspan analyze samples/sfu.ptx --kernel sfu --block 16,16 --grid 64,64 --machine orin\n"
      "  warpspan analyze samples/search.ptx --block 128 --loop-bound '$L__BB0_4=20' --format json --output "
      "search.json\n"
      "  nvcc -ptx -arch=sm_80 -o - saxpy.cu | warpspan analyze - --block 256 --grid 4 --arg 3=100000\n");
  return command;
}

CLI::App& add_string(CLI::App& app, Words& words) {
  CLI::App& command = *app.add_subcommand("string", "Print the instruction string of each kernel");
  add_files(command, words);
  add_launch(command, words);
  add_words(command, "--format", "text|json", "Form of the output; default: text", words.format);
  command.footer(
      "In C(L2C)^64L a number after a symbol repeats it and (...)^n repeats a group. L is a load or store, C work of "
      "the\n"
      "cores, S work of the special function units.\n"
      "\nExamples:\n"
      "  warpspan string samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000\n"
      "  warpspan string a.ptx b.ptx --block 16,16 --format json\n");
  return command;
}

CLI::App& add_machines(CLI::App& app, Words& words) {
  CLI::App& command = *app.add_subcommand("machines", "List the machine models, or show one with all its figures");
  command.add_option("NAME", words.machine, "A machine's name, or a machine file")->type_name("");
  command.footer(
      "Examples:\n"
      "  warpspan machines\n"
      "  warpspan machines fermi\n"
      "  warpspan machines ./my-board.toml\n");
  return command;
}

// Reads words into options and collects the errors of all of them.
class Reader {
 public:
  explicit Reader(const Words& words) : words_(words) {}

  Input input() {
    Input input{words_.files, once("--kernel", words_.kernel), {}};
    if (input.files.empty()) {
      errors_.push_back(support::usage_error("no file is given", "give at least one file, or - for standard input"));
    }
    input.launch.block = extent("--block", words_.block);
    input.launch.grid = extent("--grid", words_.grid);
    check_threads(input.launch);
    std::set<std::string> seen;
    for (const std::string& text : words_.arguments) {
      keep(parse_argument("--arg", text), [&](const ir::Argument& argument) {
        if (!seen.insert(argument.parameter).second) twice("--arg " + argument.parameter);
        input.launch.arguments.push_back(argument);
      });
    }
    seen.clear();
    for (const std::string& text : words_.loop_bounds) {
      keep(parse_loop_bound("--loop-bound", text), [&](const ir::LoopBound& bound) {
        if (!seen.insert(bound.label).second) twice("--loop-bound " + bound.label);
        input.launch.loop_bounds.push_back(bound);
      });
    }
    return input;
  }

  AnalyzeOptions analyze() {
    AnalyzeOptions options;
    options.input = input();
    options.machine = once("--machine", words_.machine);
    options.output = once("--output", words_.output);
    options.format = format();
    if (!words_.time_limit.empty()) {
      keep(parse_seconds("--time-limit", once("--time-limit", words_.time_limit)),
           [&](double seconds) { options.time_limit = seconds; });
    }
    return options;
  }

  StringOptions string() { return {input(), format()}; }

  MachinesOptions machines() {
    if (words_.machine.size() > 1) errors_.push_back(support::usage_error("give one machine at a time"));
    return {words_.machine.empty() ? std::string() : words_.machine.front()};
  }

  // The command, or the errors on the way to it.
  Result<Command> finish(Command command) const {
    if (!errors_.empty()) return errors_;
    return command;
  }

 private:
  void twice(const std::string& option) { errors_.push_back(support::usage_error(option + ": given twice")); }

  std::string once(const std::string& option, const std::vector<std::string>& values) {
    if (values.size() > 1) twice(option);
    if (!values.empty() && values.front().empty()) {
      errors_.push_back(support::usage_error(option + ": expected a value, got an empty one"));
    }
    return values.empty() ? std::string() : values.front();
  }

  template <typename T, typename Use>
  void keep(const Result<T>& result, const Use& use) {
    if (result) {
      use(*result);
    } else {
      errors_.insert(errors_.end(), result.errors().begin(), result.errors().end());
    }
  }

  std::optional<ir::Extent> extent(const std::string& option, const std::vector<std::string>& values) {
    std::optional<ir::Extent> extent;
    if (values.size() > 1) twice(option);
    if (!values.empty()) keep(parse_extent(option, values.front()), [&](const ir::Extent& e) { extent = e; });
    return extent;
  }

  // No GPU is near this; the limit keeps products of extents far from overflow.
  void check_threads(const ir::Launch& launch) {
    if (!launch.block) return;
    const int64_t plane = launch.block->x * launch.block->y;  // below 2^62
    if (plane > INT32_MAX || plane * launch.block->z > INT32_MAX) {
      errors_.push_back(support::usage_error("--block: more than 2147483647 threads in a block"));
    }
  }

  Format format() {
    Format format = Format::text;
    if (words_.format.size() > 1) twice("--format");
    if (!words_.format.empty()) {
      keep(parse_format("--format", words_.format.front()), [&](Format f) { format = f; });
    }
    return format;
  }

  const Words& words_;
  Diagnostics errors_;
};

// What CLI11 did not accept, in our words.
Diagnostic not_accepted(const CLI::App& app, const CLI::ParseError& error) {
  const auto commands = app.get_subcommands();
  const std::string command = commands.empty() ? "warpspan" : "warpspan " + commands.front()->get_name();
  const std::string help = "see '" + command + " --help'";
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    return support::usage_error(error.what(), help);
  }
  const auto words = app.remaining(true);
  const std::string word = words.empty() ? std::string() : words.front();
  if (word.size() > 1 && word.front() == '-') return support::usage_error("unknown option '" + word + "'", help);
  if (commands.empty()) {
    return support::usage_error("unknown command '" + word + "'", "the commands are analyze, string and machines");
  }
  return support::usage_error("unexpected argument '" + word + "'", help);
}

}  // namespace

Result<Command> parse_command_line(int argc, const char* const* argv) {
  CLI::App app("warpspan bounds how long GPU kernels can take in the worst case. It reads PTX and needs no GPU.",
               "warpspan");
  app.set_version_flag("--version", "warpspan " WARPSPAN_VERSION);
  app.require_subcommand(0, 1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(
      "Examples:\n  warpspan analyze samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000\n  warpspan analyze "
      "--help\n");
  Words words;
  const CLI::App& analyze = add_analyze(app, words);
  const CLI::App& string = add_string(app, words);
  const CLI::App& machines = add_machines(app, words);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Command(PrintText{app.help()});
  } catch (const CLI::CallForVersion& version) {
    return Command(PrintText{std::string(version.what()) + "\n"});
  } catch (const CLI::ParseError& error) {
    return not_accepted(app, error);
  }
  Reader reader(words);
  if (analyze.parsed()) return reader.finish(reader.analyze());
  if (string.parsed()) return reader.finish(reader.string());
  if (machines.parsed()) return reader.finish(reader.machines());
  return support::usage_error("no command is given",
                              "the commands are analyze, string and machines; see 'warpspan --help'");
}

}  // namespace warpspan::app
