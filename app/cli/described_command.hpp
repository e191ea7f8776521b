// SPDX-License-Identifier: GPL-3.0-or-later
// What can be said of a command without running it: for its help, the manual page and completions.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/terminal.hpp"

namespace warpspan::app {

struct DescribedCommand {
  std::string name;
  std::string help;    // one line
  std::string footer;  // examples
  std::deque<Option> options;
};

// Commands that tell of all, themselves among them.
using AllCommands = std::vector<Command> (*)();

// Declares the options of a command, and those that every command has.
Run declare_options(const Command& command, OptionSet& options, Colour& colour);

std::vector<DescribedCommand> described(const std::vector<Command>& commands);

// The words of which an option's value is one: of "text|json" two; none where it may be anything else.
std::vector<std::string> choices(const Option& option);

// Whether its value, or what is given without an option, is a file.
bool takes_file(const Option& option);

}  // namespace warpspan::app
