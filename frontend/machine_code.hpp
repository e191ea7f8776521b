// SPDX-License-Identifier: GPL-3.0-or-later
// From a cubin to kernels with their control flow known: decode, find blocks, lower, lift, apply what the user knows.
#pragma once

#include <string>
#include <vector>

#include "frontend/frontend.hpp"
#include "frontend/object/bytes.hpp"

namespace warpspan::frontend {

// The kernels of a cubin that one of the patterns names, or all if there is no pattern, as read_kernels says of PTX.
// Their lines are those of a listing with one line for each instruction of a kernel's section, and behind the kernels
// of those of functions that they call. Errors besides: instructions and control flow that are not understood; lanes
// that diverge where nothing makes them reconverge.
Reading read_machine_code(const object::Input& cubin, const std::vector<std::string>& patterns,
                          const ir::Launch& launch, const Inquiry& inquiry = {});

}  // namespace warpspan::frontend
