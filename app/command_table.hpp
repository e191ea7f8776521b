// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of warpspan.
#pragma once

#include <vector>

#include "app/cli/command.hpp"

namespace warpspan::app {

// In the order of 'warpspan --help'.
std::vector<Command> all_commands();

}  // namespace warpspan::app
