// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the tables that say what operands and modifiers an opcode has: reading them. The notation is that of
// opcodes/README.md.
#pragma once

#include <string>

#include "frontend/sass/words/opcode_table.hpp"

namespace warpspan::sass {

// Fills operands and modifiers from their texts. Returns what is wrong with them, or nothing.
std::string compile(Opcode& opcode);

// The name of a modifier in the tables, and how its values are printed, separated by blanks.
std::string_view name_of(Modifier modifier);
std::string_view values_of(Modifier modifier);

}  // namespace warpspan::sass
