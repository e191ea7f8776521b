// SPDX-License-Identifier: GPL-3.0-or-later
// Calls inlined, so that what follows sees bodies without calls, save those of functions that calls share.
#pragma once

#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/syntax/ast.hpp"
#include "support/result.hpp"

namespace warpspan::ptx {

// The body of the entry `function` with the body of each called function in place of its call, except those that are
// shared (call_graph.hpp).
//
// The call instruction of a copy stays, without operands, for its time; a callee's ret becomes a branch to what follows
// the call. Formal parameters become the actual ones.
//
// A call of a shared function stays too and says which body it runs. Its operands are the variables and registers that
// it passes, read, and those that it gets back, written; what the function does to them and to memory is not told.
// Registers that are passed are copied first and results copied back after it, as they are around a copy. The bodies
// are in `shared` of the result, with registers, labels and all of their own; in them formal parameters have any value.
//
// A call of a function without a body stays as well and says which (Function::outside), with operands of the same kind.
//
// The system's report of a failed assertion (__assertfail) ends the thread, as a trap does.
//
// Of all registers only those that are named anywhere are left, and each value of one gets a register of its own
// (split_registers.hpp). A guarded call is a branch around the call. The
// result's views point into the module's source; it may be lowered with the same module. Errors, each at its call:
// recursion, a target without a body or a time, an indirect call, arguments that do not match, more than four million
// instructions in all.
support::Result<Function> expand_calls(const Module& module, const Function& function, const SharingLimits& limits = {},
                                       const CallFacts& facts = {});

}  // namespace warpspan::ptx
