// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with an instruction word, and what was perhaps meant.
#pragma once

#include "frontend/ptx/forms/opcode_table.hpp"

namespace warpspan::ptx {

// No row's name begins the word.
UnknownWord unknown_opcode(std::string_view word);

// The row needs one of its continuations, as "mul" does for integers. `offset`: where it should stand.
UnknownWord incomplete_opcode(std::string_view name, size_t offset);

// `offset`: of the dot before the modifier.
UnknownWord unknown_modifier(const OpcodeRow& row, std::string_view modifier, size_t offset);
UnknownWord repeated_modifier(std::string_view modifier, size_t offset);
UnknownWord second_vector_size(std::string_view modifier, size_t offset);
// The word has fewer than the `needed` types.
UnknownWord missing_type(const OpcodeRow& row, size_t needed, size_t offset);
UnknownWord wrong_type(const OpcodeRow& row, Type type, size_t offset);

}  // namespace warpspan::ptx
