// SPDX-License-Identifier: GPL-3.0-or-later
// What an instruction word does, apart from what it costs: one Meaning in each row of the opcode tables, and what
// becomes of it with the modifiers and types of a word.
#pragma once

#include "frontend/ptx/forms/form.hpp"
#include "ir/semantics.hpp"

namespace warpspan::ptx {

struct Meaning {
  // What it computes on the types and with the modifiers for which semantics_of lets it stand.
  ir::Computation computation = ir::Computation::unknown;
  bool pure = false;  // ir::Semantics::pure
  ir::Transfer transfer = ir::Transfer::fallthrough;
  bool reads_carry = false;  // Form::reads_carry
};

// The columns of the tables.
inline constexpr Meaning unspecified = {};
inline constexpr Meaning pure = {.pure = true};
inline constexpr Meaning reads_carry = {.reads_carry = true};
constexpr Meaning computes(ir::Computation what) { return {.computation = what, .pure = true}; }
constexpr Meaning accesses(ir::Computation what) { return {.computation = what}; }
constexpr Meaning transfers(ir::Transfer how) {
  return {.computation = how == ir::Transfer::call ? ir::Computation::call : ir::Computation::unknown, .transfer = how};
}

// The semantics of a form whose modifiers, types and vector size are known. On floating-point numbers of 32 and 64 bits
// a computation becomes the one of ir/computations.def that is theirs. Whatever else the word has that may make the
// result another one (saturation, an approximation, halves) makes the computation unknown.
ir::Semantics semantics_of(const Meaning& meaning, const Form& form);

}  // namespace warpspan::ptx
