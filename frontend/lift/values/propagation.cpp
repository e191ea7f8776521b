// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/values/propagation.hpp"

namespace warpspan::lift {

std::unique_ptr<llvm::SCCPSolver> propagated(llvm::Function& function, const llvm::TargetLibraryInfo& library) {
  auto solver = std::make_unique<llvm::SCCPSolver>(
      function.getDataLayout(),
      [&library](llvm::Function&) noexcept -> const llvm::TargetLibraryInfo& { return library; },
      function.getContext());
  solver->markBlockExecutable(&function.getEntryBlock());
  solver->solve();
  while (solver->resolvedUndefsIn(function)) solver->solve();
  return solver;
}

}  // namespace warpspan::lift
