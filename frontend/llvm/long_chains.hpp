// Keeps LLVM's recursive analyses from running out of stack.
#pragma once

#include <llvm/IR/Function.h>

namespace warpspan::lift {

// Scalar evolution follows values to the values they are computed from by recursion. Wherever that could go deeper than
// a few hundred steps, the value passes through a call of kind same, which stops it.
void cut_long_chains(llvm::Function& function);

}  // namespace warpspan::lift
