// SPDX-License-Identifier: GPL-3.0-or-later
// Which body each block belongs to.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace warpspan::ir {

// By block: the function whose body it is in; no_function for the kernel's own blocks and those that nothing reaches.
std::vector<FunctionId> bodies(const Kernel& kernel);

}  // namespace warpspan::ir
