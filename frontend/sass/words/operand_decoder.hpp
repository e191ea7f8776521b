// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of an instruction, by the patterns of its row.
#pragma once

#include "frontend/sass/words/instruction.hpp"

namespace warpspan::sass {

// Fills the operands of an instruction whose opcode, word, offset and modifiers are set.
void decode_operands(Instruction& instruction, int architecture);

}  // namespace warpspan::sass
