// What loops leave behind, where it is known before they run.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Function.h>

namespace warpspan::lift {

// Uses, outside of a loop, of what is computed inside become constants where every thread that leaves the loop brings
// the same constant along. Returns whether there are any.
bool settle_exit_values(llvm::Function& function, llvm::TargetLibraryInfo& library);

}  // namespace warpspan::lift
