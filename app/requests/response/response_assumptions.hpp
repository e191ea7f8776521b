// What response times rest on, beside the bounds of kernels.
#pragma once

#include <string>
#include <vector>

#include "app/requests/response/response_times.hpp"

namespace warpspan::app {

// Sentences. whole_gpu: a kernel takes the whole GPU.
std::vector<std::string> assumptions_of(const ResponseRequest& request, bool whole_gpu);

}  // namespace warpspan::app
