// Whether the functions that times or depths are given for are called.
#pragma once

#include <vector>

#include "app/requests/kernels/kernel_files.hpp"
#include "ir/flow.hpp"

namespace warpspan::app {

// A time of a function that no chosen kernel, of those that it is for, calls without a body is an error in an option,
// which leaves no kernel, and a warning in a file. They stand among the errors of the first file.
void judge_call_costs(const std::vector<ir::CallCost>& costs, std::vector<KernelFile>& files);

// The same of a depth of a function that none of them calls recursively.
void judge_recursions(const std::vector<ir::Recursion>& recursions, std::vector<KernelFile>& files);

}  // namespace warpspan::app
