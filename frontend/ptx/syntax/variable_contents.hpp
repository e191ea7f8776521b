// SPDX-License-Identifier: GPL-3.0-or-later
// What variables in global and constant memory contain, as far as the file tells.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"
#include "frontend/ptx/syntax/lexer.hpp"

namespace warpspan::ptx {

// Sets Variable::stored_at of the variables in global memory; `initial_names`: the tokens of initialisers that are
// names. What may happen to an address after it went into memory or to a function is not analysed: that is as a store.
// Constant memory cannot be stored to.
void find_stores(Module& module, const std::vector<Token>& initial_names);

// The index of the variable in global or constant memory of that name; nothing if there is none, or another one of
// that name in a function.
std::optional<uint32_t> find_variable(const Module& module, std::string_view name);

// The bytes that a variable starts with; nothing if no initialiser tells, or one that contains more than a plain list
// of integers, or of floating-point numbers that are written as their bits.
std::optional<std::vector<uint8_t>> initial_bytes(const Module& module, const Variable& variable);

}  // namespace warpspan::ptx
