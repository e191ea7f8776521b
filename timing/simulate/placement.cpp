// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/placement.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace warpspan::timing {

Placement place_blocks(const std::vector<double>& times, int64_t multiprocessors, int64_t resident) {
  using Place = std::pair<double, int64_t>;  // when it is free, and which one
  std::priority_queue<Place, std::vector<Place>, std::greater<>> places;
  for (int64_t place = 0; place < multiprocessors * resident; ++place) places.emplace(0, place);
  Placement made;
  made.ends.resize(static_cast<size_t>(multiprocessors));
  for (const double time : times) {
    const auto [free, place] = places.top();
    places.pop();
    const int64_t multiprocessor = place % multiprocessors;
    made.multiprocessors.push_back(multiprocessor);
    double& end = made.ends[static_cast<size_t>(multiprocessor)];
    end = std::max(end, free + time);
    places.emplace(free + time, place);
  }
  return made;
}

}  // namespace warpspan::timing
