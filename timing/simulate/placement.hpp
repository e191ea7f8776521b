// SPDX-License-Identifier: GPL-3.0-or-later
// Which blocks each multiprocessor has, if blocks take these times: they begin in their order, the first ones on one
// multiprocessor after another, and then each in the place of the first that ends.
#pragma once

#include <cstdint>
#include <vector>

namespace warpspan::timing {

struct Placement {
  std::vector<int64_t> multiprocessors;  // by block
  std::vector<double> ends;              // by multiprocessor: of its last block
};

// times: by block. resident: blocks that a multiprocessor has at a time.
Placement place_blocks(const std::vector<double>& times, int64_t multiprocessors, int64_t resident);

}  // namespace warpspan::timing
