#include "app/cli/options.hpp"

#include <CLI/CLI.hpp>

#include "app/cli/option_reader.hpp"
#include "app/cli/option_words.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;

constexpr const char* the_commands = "the commands are analyze, string, solve, verify and machines";

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

void add_memory(CLI::App& command, Words& words) {
  add_words(command, "--memory", "SIZE",
            "Most memory for everything, as in 512M; default: 4G, or 3/4 of the machine's if less", words.memory);
}

void add_launch(CLI::App& command, Words& words) {
  add_words(command, "--kernel", "NAME", "Only this kernel, which every file must have", words.kernel);
  add_words(command, "--block", "X[,Y[,Z]]", "Threads of a block; default: the file's .reqntid, else its .maxntid",
            words.block);
  add_words(command, "--grid", "X[,Y[,Z]]", "Blocks of the grid; default: one block, alone on the GPU", words.grid);
  add_words(command, "--arg", "NAME=VALUE",
            "Value of a kernel parameter, by name or index; of its bytes: s+8:4=VALUE; repeatable", words.arguments);
  add_words(command, "--loop-bound", "LABEL=N",
            "The most times the code at the label runs each time its loop is entered; repeatable", words.loop_bounds);
}

CLI::App& add_analyze(CLI::App& app, Words& words) {
  CLI::App& command = *app.add_subcommand("analyze", "Bound the worst-case makespan of each kernel");
  add_files(command, words);
  add_launch(command, words);
  add_words(command, "--machine", "NAME|FILE", "Machine model; default: the one for the file's .target", words.machine);
  add_words(command, "--registers", "N",
            "Registers of a thread, as 'ptxas -v' prints them; default: any number allowed", words.registers);
  add_words(command, "--shared", "BYTES",
            "Shared memory that the launch gives each block beside what the file declares", words.shared);
  add_words(command, "--assume", "NAME[,NAME]",
            "Grant what PTX cannot show: warm-code, keeps-code, keeps-constants, no-spills", words.assume);
  add_words(command, "--time-limit", "SECONDS", "Most time for searches, for all kernels together; default: 10",
            words.time_limit);
  add_words(command, "--format", "text|json", "Form of the report; default: text", words.format);
  add_memory(command, words);
  add_words(command, "--output", "FILE", "Write the report, if there is one, to this file; default: standard output",
            words.output);
  command.footer(
      "Examples:\n"
      "  warpspan analyze samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000\n"
      "  warpspan analyze samples/sfu.ptx --kernel sfu --block 16,16 --grid 64,64 --machine orin\n"
      "  warpspan analyze samples/transpose.ptx --block 32,8 --grid 64,64 --registers 24\n"
      "  warpspan analyze samples/search.ptx --block 128 --loop-bound '$L__BB0_4=20' --format json --output "
      "search.json\n"
      "  nvcc -ptx -arch=sm_80 -o - saxpy.cu | warpspan analyze - --block 256 --grid 4 --arg 3=100000\n");
  return command;
}

CLI::App& add_string(CLI::App& app, Words& words) {
  CLI::App& command = *app.add_subcommand("string", "Print the instruction string of each kernel");
  add_files(command, words);
  add_launch(command, words);
  add_memory(command, words);
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

void add_problem(CLI::App& command, Words& words) {
  command
      .add_option("PROBLEM.toml", words.files, "A problem file; options given beside it take the place of what it says")
      ->type_name("");
  add_words(command, "--string", "S", "Instruction string, such as LLCLL or C(L2C)^64L", words.string);
  add_words(command, "--warps", "N", "Number of warps: 4; or several: 1,2,8 or 1..48", words.warps);
  add_words(command, "--sigma", "L=1,C=1/2,S=1",
            "Warps that each class executes in a cycle, 1/n or a whole number; default: 1", words.sigma);
  add_words(command, "--method", "M[,M...]",
            "witness, exact, certificate, list, ilp-count, ilp, ilp-long, published (with tractable and raravi), "
            "tractable, raravi or all; default: all but the three integer programs, which can take long",
            words.methods);
  add_words(command, "--time-limit", "SECONDS", "Most time for each number of warps; default: 10", words.time_limit);
  add_words(command, "--horizon", "safe|published", "Cycles that the published integer program spans; default: safe",
            words.horizon);
  command.add_flag("--schedule", words.schedule, "Draw the longest schedule found");
  add_words(command, "--target", "N", "Estimate T(N) from the numbers of warps of a sweep; default: its largest",
            words.target);
}

CLI::App& add_solve(CLI::App& app, Words& words) {
  CLI::App& command = *app.add_subcommand("solve", "Bound the worst-case makespan of an instruction string");
  add_problem(command, words);
  add_memory(command, words);
  add_words(command, "--lp", "FILE", "Write the integer program in CPLEX LP format; - is standard output", words.lp);
  add_words(command, "--certificate", "FILE", "Write the certificate, for 'warpspan verify'", words.certificate);
  add_words(command, "--format", "text|json", "Form of the report; default: text", words.format);
  add_words(command, "--output", "FILE",
            "Write the report to this file; a name that ends in .csv gets a table, one in .svg a picture",
            words.output);
  command.footer(
      "Exit status: 0 if there is a safe upper bound or every method gave its answer, 3 if not. Ctrl-C ends the "
      "search\n"
      "and reports what is known by then, with status 130 if that is no safe upper bound or numbers of warps are left\n"
      "out; a second Ctrl-C ends the program at once.\n"
      "\nExamples:\n"
      "  warpspan solve --string LLCLL --warps 4 --schedule\n"
      "  warpspan solve --string LCLCL --sigma L=1/2,C=1 --warps 1..48 --output sweep.svg\n"
      "  warpspan solve --string 'C(L2C)^20L' --sigma C=2 --warps 48 --certificate proof.json\n"
      "  warpspan solve --string LLCLL --warps 3 --method ilp-count --time-limit 60 --lp count.lp\n"
      "  warpspan solve samples/llcll.toml --format json\n");
  return command;
}

CLI::App& add_verify(CLI::App& app, Words& words) {
  CLI::App& command = *app.add_subcommand("verify", "Check a certificate, without solving anything");
  command.add_option("CERTIFICATE.json", words.files, "What 'warpspan solve' wrote with --certificate")->type_name("");
  add_words(command, "--warps", "N", "Also print the bound for this number of warps, from 2", words.warps);
  add_words(command, "--format", "text|json", "Form of the report; default: text", words.format);
  command.footer(
      "Examples:\n"
      "  warpspan solve --string LLCLL --warps 4 --certificate proof.json\n"
      "  warpspan verify proof.json --warps 600\n");
  return command;
}

CLI::App& add_machines(CLI::App& app, Words& words) {
  CLI::App& command = *app.add_subcommand("machines", "List the machine models, or show one with all its figures");
  command.add_option("NAME", words.machine, "A machine's name, or a machine file")->type_name("");
  add_words(command, "--format", "text|toml|json", "Form of its figures; default: text", words.format);
  command.add_flag("--check", words.check, "Tell what it covers and what looks doubtful");
  command.footer(
      "Examples:\n"
      "  warpspan machines\n"
      "  warpspan machines fermi\n"
      "  warpspan machines ampere --format toml\n"
      "  warpspan machines ./my-board.toml --check\n");
  return command;
}

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
    return support::usage_error("unknown command '" + word + "'", the_commands);
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
  const CLI::App& solve = add_solve(app, words);
  const CLI::App& verify = add_verify(app, words);
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
  OptionReader reader(words);
  if (analyze.parsed()) return reader.finish(reader.analyze());
  if (string.parsed()) return reader.finish(reader.string());
  if (solve.parsed()) return reader.finish(reader.solve());
  if (verify.parsed()) return reader.finish(reader.verify());
  if (machines.parsed()) return reader.finish(reader.machines());
  return support::usage_error("no command is given", std::string(the_commands) + "; see 'warpspan --help'");
}

}  // namespace warpspan::app
