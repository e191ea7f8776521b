// SPDX-License-Identifier: GPL-3.0-or-later
// The steps from a module's bytes to PTX, as LLVM does them. It may abort or never end: to_ptx runs it in a worker.
#pragma once

#include <string>
#include <string_view>

#include "frontend/llvm_ir/flags.hpp"
#include "support/result.hpp"

namespace warpspan::llvm_ir {

// Errors as those of to_ptx; their lines are of `text`, and they name no file.
support::Result<std::string> run_backend(const std::string& text, const Flags& flags);

}  // namespace warpspan::llvm_ir
