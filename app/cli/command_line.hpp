// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of the program. CLI11 stays in command_line.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// What the words after the program's name ask for, with all options read: one of the commands, or help. "help" and
// "help COMMAND" are "--help" and "COMMAND --help". Errors: usage, all wrong values of a command line at once.
support::Result<Run> parse_command_line(const std::vector<Command>& commands, const std::vector<std::string>& words);

// The value that the words give an option, the last one if there are several, as far as that can be told without
// knowing the command. For what an error of the command line itself has to heed.
std::optional<std::string> value_in(const std::vector<std::string>& words, const std::string& option);

}  // namespace warpspan::app
