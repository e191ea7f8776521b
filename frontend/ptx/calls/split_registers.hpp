// SPDX-License-Identifier: GPL-3.0-or-later
// A register of PTX may contain several values, one after another; the assembler tells them apart, and so do the
// analyses.
#pragma once

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::ptx {

// Gives each value that a register contains a register of its own: writes keep one in common where some read may be of
// either, as that behind a guarded write is of the value before it, too. So does the carry flag:
// Instruction::carry_read and carry_written get registers. Vector registers, and those that are parameters or results,
// stay as they are. The first value stays in the register. `function` is an expanded one; bodies that it shares are not
// looked at.
void split_registers(Function& function);

}  // namespace warpspan::ptx
