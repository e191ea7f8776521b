// SPDX-License-Identifier: GPL-3.0-or-later
// How long a step that occupies several resources from its start on keeps another worker waiting.
#pragma once

#include <cstdint>
#include <vector>

#include "support/checked.hpp"

namespace warpspan::solver {

// For how long a step occupies a server of a resource, from its start on.
struct Occupancy {
  int64_t cycles = 0;   // at least 0
  int64_t servers = 1;  // of the resource, at least 1
};

// The cycles of the theorem in joint_occupancy.cpp, times `unit`: a positive multiple of the servers of all of them,
// each of another resource. At most the sum of cycles / servers.
support::Integer joint_occupancy(std::vector<Occupancy> step, int64_t unit);

}  // namespace warpspan::solver
