// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the loops that bounds name are the ones that the user means.
#pragma once

#include "app/facts/read_file.hpp"
#include "ir/launch.hpp"

namespace warpspan::app {

// Checks the bounds of a launch against all files that were read with it. Errors and warnings go to the first file that
// they are about.
//
// A bound that names no loop of a chosen kernel is an error, and nothing is reported; in a file of facts it is a
// warning. It is not checked while some kernel that it may be for could not be read, or was refused.
//
// The loops of one label or line of PTX must be one place of the text: the same one in each copy of a function that is
// called. Without a kernel it must be one place in all files; with one, one place in each file, unless its name is a
// pattern with '*'. The loops of a source line must be of one source file, though they may be many: unrolled, copied,
// in several kernels. Otherwise the bound is an error that lists the choices, and no kernel that it named is reported.
void check_loop_bounds(const ir::Launch& launch, const ReadFiles& files);

}  // namespace warpspan::app
