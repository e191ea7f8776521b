// SPDX-License-Identifier: GPL-3.0-or-later
// How often lanes turn in loops: once more for a lane that comes to the header from inside.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/reference/interpreter/control_graph.hpp"
#include "tests/reference/interpreter/divergence.hpp"

namespace warpspan::reference {

inline constexpr unsigned lanes_of_warp = 32;

// Of the lanes of one warp.
class Turns {
 public:
  explicit Turns(const std::vector<NaturalLoop>& loops) : loops_(&loops), turns_(loops.size()) {
    previous_.fill(nowhere);
  }

  // Lanes come to a step. `most`: by loop, the most turns of a lane each time it is entered.
  void visit(uint32_t step, LaneSet lanes, std::vector<int64_t>& most) {
    for (size_t i = 0; i < loops_->size(); ++i) {
      const NaturalLoop& loop = (*loops_)[i];
      if (loop.header != step) continue;
      for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        const bool inside = previous_[lane] != nowhere && loop.body[previous_[lane]];
        turns_[i][lane] = inside ? turns_[i][lane] + 1 : 1;
        most[i] = std::max(most[i], turns_[i][lane]);
      }
    }
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
      if ((lanes >> lane & 1) != 0) previous_[lane] = step;
    }
  }

 private:
  const std::vector<NaturalLoop>* loops_;
  std::array<uint32_t, lanes_of_warp> previous_{};         // step, by lane
  std::vector<std::array<int64_t, lanes_of_warp>> turns_;  // by loop
};

}  // namespace warpspan::reference
