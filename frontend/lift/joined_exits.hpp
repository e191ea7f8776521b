// What loops leave behind that some ways pass by, as the remainder of an unrolled one.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Function.h>

namespace warpspan::lift {

// Replaces integer phis behind loops by what they are on all ways, computed before the loops. Returns whether there was
// one. The theorem and its proof are in joined_exits.cpp.
bool settle_joined_exits(llvm::Function& function, llvm::TargetLibraryInfo& library);

}  // namespace warpspan::lift
