// SPDX-License-Identifier: GPL-3.0-or-later
// Completions of shells: commands, options, the words that an option takes, and files.
#pragma once

#include <string>
#include <vector>

#include "app/cli/described_command.hpp"

namespace warpspan::app {

std::vector<std::string> shells();  // "bash", "zsh", "fish"

// A script for one of them: bash sources it, zsh has it as _warpspan in its $fpath, fish as warpspan.fish.
std::string completions(const std::string& shell, const std::vector<DescribedCommand>& commands);

}  // namespace warpspan::app
