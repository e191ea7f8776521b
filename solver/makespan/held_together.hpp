// How long a step that holds several resources from its start on keeps another worker waiting.
#pragma once

#include <cstdint>
#include <vector>

#include "support/checked.hpp"

namespace warpspan::solver {

// A server of a resource that is held from the start of a step on.
struct Stay {
  int64_t cycles = 0;   // at least 0
  int64_t servers = 1;  // of the resource, at least 1
};

// The cycles of the theorem in held_together.cpp, times `unit`: a positive multiple of the servers of all stays, each
// of another resource. At most the sum of cycles / servers.
support::Integer held_together(std::vector<Stay> stays, int64_t unit);

}  // namespace warpspan::solver
