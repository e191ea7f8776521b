// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels of several cubins are the same.
#pragma once

#include <string>

#include "frontend/object/cubin.hpp"

namespace warpspan::object {

// A text that two kernels share if they have one name, and nothing that is read of them differs: architecture, code,
// figures, attributes, constants, and the same of all functions that their relocations lead to. Lines may differ.
std::string identity_of(const Cubin& cubin, const Function& kernel);

}  // namespace warpspan::object
