// The command line of the program. CLI11 stays in command_line.cpp.
#pragma once

#include <vector>

#include "app/cli/command.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// What the command line asks for, with all options read: one of the commands, --help or --version. Errors: usage, all
// wrong values of a command line at once.
support::Result<Run> parse_command_line(const std::vector<Command>& commands, int argc, const char* const* argv);

}  // namespace warpspan::app
