// SPDX-License-Identifier: GPL-3.0-or-later
// The manual page of the program, warpspan(1).
#pragma once

#include <string>
#include <vector>

#include "app/cli/described_command.hpp"

namespace warpspan::app {

// For man: all commands, with their options and examples.
std::string man_page(const std::vector<DescribedCommand>& commands);

}  // namespace warpspan::app
