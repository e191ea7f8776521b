// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a parsed module back as PTX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::test {

// All that a module holds, in one block a function. What the parser does not keep is left out: linkage, attributes, the
// columns of .loc, parts of registers in video instructions, the number of a special register, prototypes of calls.
std::string print(const ptx::Module& module);

// The instruction without its guard and labels, for messages too.
std::string print(const ptx::Module& module, uint32_t function, const ptx::Instruction& instruction);

// The tokens of what stands behind '=' of a variable.
std::vector<std::string> initial_tokens(const ptx::Module& module, const ptx::Variable& variable);

}  // namespace warpspan::test
