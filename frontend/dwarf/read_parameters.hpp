// SPDX-License-Identifier: GPL-3.0-or-later
// parameters.hpp, read with LLVM, in this process.
#pragma once

#include "frontend/dwarf/parameters.hpp"

namespace warpspan::dwarf {

// As find_parameters. Of malformed sections LLVM 19 may read beyond their ends, and end the process: it takes the
// length of a block as it stands, and goes on behind it. What it reads there is told of: nothing comes of it.
std::vector<std::vector<Parameters>> read_parameters(const Sections& sections, const std::vector<Wanted>& wanted);

}  // namespace warpspan::dwarf
