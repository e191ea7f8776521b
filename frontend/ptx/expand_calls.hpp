// Calls put in line, so that what follows sees one body without calls.
#pragma once

#include "frontend/ptx/ast.hpp"
#include "support/result.hpp"

namespace warpspan::ptx {

// The body of the entry `function` with the body of each called function in place of its call. The call instruction
// stays, without operands, for its time; a callee's ret becomes a branch to what follows the call. Formal parameters
// become the actual ones. The result's views point into the module's source; it may be lowered with the same module.
// Errors, each at its call: recursion, a target without a body, an indirect call, arguments that do not match, more
// than four million instructions in all.
support::Result<Function> expand_calls(const Module& module, const Function& function);

}  // namespace warpspan::ptx
