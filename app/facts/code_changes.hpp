// SPDX-License-Identifier: GPL-3.0-or-later
// How the code of a kernel differs from the one that facts were written for.
#pragma once

#include <string>
#include <vector>

#include "app/facts/facts_file.hpp"
#include "ir/kernel_code.hpp"

namespace warpspan::app {

// In words, each change by itself: "it has 140 instructions, not 134", "the loop $L__BB0_2 moved from k.cu:12 to
// k.cu:14". Empty if nothing of what the facts remember has changed.
std::vector<std::string> code_changes(const ExpectedCode& expected, const ir::KernelCode& code);

}  // namespace warpspan::app
