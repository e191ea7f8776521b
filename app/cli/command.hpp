// What the program knows of a command.
#pragma once

#include <functional>
#include <string>

#include "app/cli/option_set.hpp"
#include "app/cli/output.hpp"

namespace warpspan::app {

// Does what a command line asks for.
using Run = std::function<Outcome()>;

struct Command {
  std::string name;
  std::string help;    // one line
  std::string footer;  // under the options in its help: examples
  // Declares the command's options. The result runs the command with what has been read into them by then.
  std::function<Run(OptionSet& options)> declare;
};

}  // namespace warpspan::app
