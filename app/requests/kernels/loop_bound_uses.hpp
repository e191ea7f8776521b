// Whether the loops that bounds name are the ones that the user means.
#pragma once

#include <vector>

#include "app/requests/kernels/kernel_files.hpp"
#include "ir/flow.hpp"

namespace warpspan::app {

// Judges the bounds of a launch over all files that were read with it. Errors and warnings go to the first file that
// they are about.
//
// A bound that names no loop of a chosen kernel is an error, and nothing is reported; in a file of facts it is a
// warning. It is not judged while some kernel that it may be for could not be read, or was refused.
//
// The loops of one label or line of PTX must be one place of the text: the same one in each copy of a function that is
// called. Without a kernel it must be one place in all files; with one, one place in each file, unless its name is a
// pattern with '*'. The loops of a source line must be of one source file, though they may be many: unrolled, copied,
// in several kernels. Otherwise the bound is an error that lists the choices, and no kernel that it named is reported.
void judge_loop_bounds(const std::vector<ir::LoopBound>& bounds, std::vector<KernelFile>& files);

}  // namespace warpspan::app
