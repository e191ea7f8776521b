// SPDX-License-Identifier: GPL-3.0-or-later
// Calls through registers of which the instructions before them tell what they may call: functions of the system, whose
// code is in no file and whose addresses are constants that are filled in when the file is loaded
// (Code::function_addresses), and functions of the kernel's section that pointers lead to (Code::pointed_functions).
#pragma once

#include <string>
#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/words/code.hpp"

namespace warpspan::sass {

// Adds those calls to Code::outside_calls and to Code::pointer_calls.
void find_outside_calls(Code& code);

// Of these the functions that are not in the file and that the kernel may call, in the order of the calls; but for
// reports of failed assertions. Errors: as find_blocks, whatever is known of their times.
support::Result<std::vector<std::string>> outside_functions(const Code& code);
// The same, of its blocks.
std::vector<std::string> outside_functions(const Code& code, const std::vector<CodeBlock>& blocks);

}  // namespace warpspan::sass
