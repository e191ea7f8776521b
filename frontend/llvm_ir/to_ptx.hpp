// SPDX-License-Identifier: GPL-3.0-or-later
// LLVM IR, as text or bitcode, to PTX with LLVM's own NVPTX backend. Nothing is written to files, and no tool is run.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "frontend/llvm_ir/flags.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::llvm_ir {

struct Limits {
  double seconds = 120;
  int64_t memory = int64_t{4} << 30;          // bytes
  const std::atomic<bool>* cancel = nullptr;  // ends the work soon after it becomes true; may be null
};

// The PTX of a module: its text, or its bitcode if it begins as bitcode does. Errors: what LLVM's reader, its verifier
// or its backend refuses, with the line where it is known; a module for another triple or data layout than those of
// NVPTX; a module that does not say its target, or several, where the flags do not either; a target that this LLVM does
// not know. A module that LLVM dies of, or takes more than the limits for, is an error like any other.
support::Result<std::string> to_ptx(const support::SourceFile& module, const Flags& flags, const Limits& limits);

}  // namespace warpspan::llvm_ir
