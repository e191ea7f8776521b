// SPDX-License-Identifier: GPL-3.0-or-later
// Which types and modifiers of an opcode go together: the `forms` of its row, see opcodes/README.md.
#pragma once

#include "frontend/ptx/forms/form.hpp"
#include "frontend/ptx/forms/opcode_table.hpp"

namespace warpspan::ptx {

// What keeps a word, whose modifiers and types are all known to the row, from being one of its forms; an empty message
// if it is one.
UnknownWord check_combination(const OpcodeRow& row, const Form& form);

}  // namespace warpspan::ptx
