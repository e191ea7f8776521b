// SPDX-License-Identifier: GPL-3.0-or-later
// What is written of a kernel.
#pragma once

#include "frontend/ptx/syntax/ast.hpp"
#include "ir/kernel_code.hpp"

namespace warpspan::frontend {

// Of an entry of the module, without its loops. launch: what is known of recursive functions.
ir::KernelCode code_of(const ptx::Module& module, const ptx::Function& entry, const ir::Launch& launch,
                       bool with_fingerprint);

}  // namespace warpspan::frontend
