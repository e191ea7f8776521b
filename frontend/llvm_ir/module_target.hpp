// SPDX-License-Identifier: GPL-3.0-or-later
// What a module of LLVM IR says of the GPU that it is for.
#pragma once

#include <string>

#include "frontend/llvm_ir/flags.hpp"
#include "support/result.hpp"

namespace llvm {
class Module;
}

namespace warpspan::llvm_ir {

struct Target {
  std::string name;      // "sm_80"
  std::string features;  // "+ptx75", as LLVM takes them; empty: its own choice
};

// Of the flags, else of the functions that the module defines. Errors: a triple of no NVIDIA GPU; functions that say
// nothing, or different things.
support::Result<Target> target_of(const llvm::Module& module, const Flags& flags);

}  // namespace warpspan::llvm_ir
