// SPDX-License-Identifier: GPL-3.0-or-later
// What response times rest on, beside the bounds of kernels.
#pragma once

#include <string>
#include <vector>

#include "app/requests/response/response_times.hpp"

namespace warpspan::app {

// Sentences. machine: its name, empty if none is given; whole_gpu: a kernel takes the whole GPU.
std::vector<std::string> assumptions_of(const ResponseRequest& request, const std::string& machine, bool whole_gpu);

}  // namespace warpspan::app
