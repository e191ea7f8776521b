// Which kernels of files have the same bound.
#pragma once

#include <string>
#include <vector>

#include "app/requests/response/response_times.hpp"

namespace warpspan::app {

using KernelKey = std::vector<std::string>;

// All that decides the bound of a kernel on a machine; where the tasks file says it is no part of it. Kernels whose
// files, facts and values are the same have the same key.
KernelKey key_of(const KernelOfFile& kernel);

}  // namespace warpspan::app
