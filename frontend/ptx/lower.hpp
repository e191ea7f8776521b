// From syntax to the kernel that timing sees.
#pragma once

#include "frontend/ptx/ast.hpp"
#include "ir/kernel.hpp"

namespace warpspan::ptx {

// The kernel of an entry whose calls are expanded: instruction i of the kernel is instruction i of `function`. Blocks
// begin at labels that something branches to and end at branches, returns and exits, guarded or not. Memory
// instructions get the worst number of transactions, 32. Registers keep their ids. Cannot fail on a module that was
// parsed without errors.
ir::Kernel lower(const Module& module, const Function& function);

}  // namespace warpspan::ptx
