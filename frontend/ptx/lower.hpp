// From syntax to the kernel that timing sees.
#pragma once

#include "frontend/ptx/ast.hpp"
#include "ir/kernel.hpp"

namespace warpspan::ptx {

// The kernel of an entry whose calls are expanded. Its own blocks, instructions and registers come first: instruction i
// and register i of `function` are those of the kernel. Behind them come those of each shared body, in order. Blocks
// begin at labels that something branches to and end at branches, returns and exits, guarded or not, and at calls of
// shared bodies. Memory instructions get the worst number of transactions, 32. Cannot fail on a module that was parsed
// without errors.
ir::Kernel lower(const Module& module, const Function& function);

// The same for the function's own body, without those that it shares: callees are indices into function.shared of the
// expanded kernel that the body belongs to.
ir::Kernel lower_body(const Module& module, const Function& function);

}  // namespace warpspan::ptx
