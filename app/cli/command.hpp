// SPDX-License-Identifier: GPL-3.0-or-later
// What the program knows of a command.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/option_set.hpp"
#include "app/cli/output.hpp"

namespace warpspan::app {

// Does what a command line asks for.
using Run = std::function<Outcome()>;

// Reads the words of a command line: parse_command_line with all commands, for a command that runs others.
using Parse = std::function<support::Result<Run>(const std::vector<std::string>& words)>;

struct Command {
  std::string name;
  std::string help;    // one line
  std::string footer;  // under the options in its help: examples
  // Declares the command's options. The result runs the command with what has been read into them by then.
  std::function<Run(OptionSet& options)> declare;
  // Its JSON of a run that has errors only; without one, errors_document is printed.
  std::function<std::string(const support::Diagnostics& errors)> json_of_errors = {};
  // Called with the words of a run whose options could not be read: what an earlier run left must not stand for it.
  std::function<void(const std::vector<std::string>& words)> abandon = {};
};

}  // namespace warpspan::app
