// SPDX-License-Identifier: GPL-3.0-or-later
// Recursion of a known depth as calls that are not recursive.
//
// A depth is a fact of the user: at most so many activations of a function are on a thread's stack at the same time.
// Functions that call one another in cycles, a strongly connected component of the call graph, then become copies for
// levels 0, 1, ..., as many as the sum of the depths of the component's functions. A call from level l to a function
// with a depth goes to its copy of level l + 1, to one without to its copy of level l; calls from elsewhere are calls
// from level 0. What a copy calls beyond the last level only returns.
//
// Theorem. What a thread executes is what it executes with these copies in place of the functions.
// Proof. The copy of level l is executed with at least l activations of functions with a depth on the stack: each call
// of one adds one to both. So at the last level there are as many as may be, and a call to beyond would be one too
// many: no thread makes it. QED
//
// Each copy has local variables and parameters of its own, as each activation has; variables of other spaces are one.
// The functions save registers (saved_registers.hpp), and their calls stay calls (Instruction::stays_call).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"
#include "support/result.hpp"

namespace warpspan::ptx {

using Depths = std::map<uint32_t, int64_t>;  // at least 1, by index into Module::functions

struct RecursiveFunction {
  uint32_t function = none;  // index into Module::functions
  bool lacks_depth = false;  // with depths of all of these, each cycle has a function with one
};

// The functions that the entry reaches by calls and that can call themselves, directly or not, in the order of the
// calls.
std::vector<RecursiveFunction> recursive_functions(const Module& module, const Function& entry, const Depths& depths);

// The module for this entry, which has its index there too; nothing if it needs no change, because no function that it
// calls is recursive and has a depth. Cycles without a depth stay. Errors: more than four million instructions.
support::Result<std::optional<Module>> without_recursion(const Module& module, const Function& entry,
                                                         const Depths& depths);

}  // namespace warpspan::ptx
