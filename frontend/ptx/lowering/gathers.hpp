// SPDX-License-Identifier: GPL-3.0-or-later
// Registers that have to be moved so that those of a vector lie side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::ptx {

// By instruction of a body: how many registers of 32 bits, of vectors that it reads, stand in vectors of other
// instructions, or twice in its own, so that they cannot lie in all of them where they are wanted. The assembler moves
// each of them before the instruction at most once. Moves (mov) are left out, as they are such themselves.
std::vector<uint32_t> gathered_registers(const Function& function);

}  // namespace warpspan::ptx
