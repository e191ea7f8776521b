// SPDX-License-Identifier: GPL-3.0-or-later
// Any version of ptxas, where one is at hand.
#pragma once

#include <string>

#include "tests/machine_code/timing/kernels.hpp"

namespace warpspan::machine_code {

// Whether the program can be started.
bool is_at_hand(const std::string& assembler);

// The bytes of a cubin; empty if it is refused. level: "-O3".
std::string assembled(const std::string& assembler, const TimedKernel& kernel, int architecture,
                      const std::string& level);

}  // namespace warpspan::machine_code
