// The command line as plain structures. CLI11 stays in options.cpp.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/cli/option_values.hpp"
#include "app/cli/solve_values.hpp"
#include "ir/flow.hpp"
#include "support/result.hpp"
#include "timing/assumption.hpp"

namespace warpspan::app {

// --help or --version: a text for standard output.
struct PrintText {
  std::string text;
};

// What analyze and string have in common: which kernels, launched how.
struct Input {
  std::vector<std::string> files;  // at least one; "-" is standard input
  std::string kernel;              // only this one; empty: all
  ir::Launch launch;
  int64_t memory = 0;  // bytes for everything
};

struct AnalyzeOptions {
  Input input;
  std::string machine;  // name or file; empty: the default machine of each kernel's .target
  timing::AssumptionSet granted;
  double time_limit = 10;  // seconds, for exact search
  Format format = Format::text;
  std::string output;  // file; empty: standard output
};

struct StringOptions {
  Input input;
  Format format = Format::text;
};

struct MachinesOptions {
  std::string name;    // name or file; empty: list all
  std::string format;  // "text", "toml", "json"; empty: text
  bool check = false;  // what the machine covers and what looks doubtful, instead of its figures
};

struct SolveOptions {
  std::string problem_file;  // empty: none
  int64_t memory = 0;        // bytes for everything
  ProblemSettings settings;  // of the command line; they take the place of the file's
  Format format = Format::text;
  std::string output;       // file; empty: standard output. Ending in .csv or .svg: a table, a picture
  std::string lp;           // file for the integer program; "-": standard output; empty: none
  std::string certificate;  // file for the certificate; "-": standard output; empty: none
};

struct VerifyOptions {
  std::string file;              // "-" is standard input
  std::optional<int64_t> warps;  // at least 2
  Format format = Format::text;
};

using Command = std::variant<PrintText, AnalyzeOptions, StringOptions, SolveOptions, VerifyOptions, MachinesOptions>;

// Errors: usage, all wrong values of a command line at once.
support::Result<Command> parse_command_line(int argc, const char* const* argv);

}  // namespace warpspan::app
