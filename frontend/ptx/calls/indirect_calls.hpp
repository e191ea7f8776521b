// SPDX-License-Identifier: GPL-3.0-or-later
// Indirect calls as what they are: one of several direct calls.
//
// The targets of a call are the functions of its .calltargets list. Where it has a .callprototype, they are those whose
// addresses the file takes, in instructions or in what its variables begin with, and whose results and parameters have
// the sizes of what the call passes and gets back: that addresses come from nowhere else is an assumption
// (Function::pointed).
//
// The call becomes comparisons of the address with each target but the last, and a direct call behind each. Lanes with
// different addresses so diverge, and reconverge behind the call; lanes with one address take one path. Nothing is
// lost: PTX ISA 9.0, 9.7.12.5 leaves a call of an address that is not in the list, or of another kind of function,
// undefined.
//
// A function that is called so cannot be inlined by the assembler, and saves registers (saved_registers.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::ptx {

// An indirect call as the file has it. Functions are indices into Module::functions.
struct IndirectCall {
  uint32_t caller = none;
  uint32_t first_line = 0, end_line = 0;  // where it begins, and where the instruction behind it does
  std::vector<uint32_t> targets;          // ascending; empty: not known
};

// Indirect calls without a target stay. Returns all of them, as they were.
std::vector<IndirectCall> make_calls_direct(Module& module);

}  // namespace warpspan::ptx
