// SPDX-License-Identifier: GPL-3.0-or-later
// What is one number wherever it is calculated, and which blocks control comes to, by LLVM's sparse conditional
// propagation of constants.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/SCCPSolver.h>

#include <memory>

namespace warpspan::lift {

// Solved. The library lives longer.
std::unique_ptr<llvm::SCCPSolver> propagated(llvm::Function& function, const llvm::TargetLibraryInfo& library);

}  // namespace warpspan::lift
