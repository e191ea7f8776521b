// SPDX-License-Identifier: GPL-3.0-or-later
// How many registers an operand is, where bits of the word decide.
#pragma once

#include "frontend/sass/words/opcode_table.hpp"

namespace warpspan::sass {

// At least 1. The shapes of matrices were observed; NAK has them as well.
uint8_t operand_width(const OperandPattern& pattern, const Word& word, int architecture);

}  // namespace warpspan::sass
