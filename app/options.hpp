// The command line as plain structures. CLI11 stays in options.cpp.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "app/option_values.hpp"
#include "ir/flow.hpp"
#include "support/result.hpp"

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
};

struct AnalyzeOptions {
  Input input;
  std::string machine;     // name or file; empty: the default machine of each kernel's .target
  double time_limit = 10;  // seconds, for exact search
  Format format = Format::text;
  std::string output;  // file; empty: standard output
};

struct StringOptions {
  Input input;
  Format format = Format::text;
};

struct MachinesOptions {
  std::string name;  // name or file; empty: list all
};

using Command = std::variant<PrintText, AnalyzeOptions, StringOptions, MachinesOptions>;

// Errors: usage, all wrong values of a command line at once.
support::Result<Command> parse_command_line(int argc, const char* const* argv);

}  // namespace warpspan::app
