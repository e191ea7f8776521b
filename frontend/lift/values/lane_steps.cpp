// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/values/lane_steps.hpp"

#include <algorithm>
#include <bit>

#include "frontend/lift/values/integers.hpp"
#include "ir/sizes.hpp"

namespace warpspan::lift {

unsigned LaneCuts::runs() const {
  unsigned most = 0;
  for (const uint32_t places : known) most = std::max(most, static_cast<unsigned>(std::popcount(places)));
  for (const auto& [key, count] : unknown) most += std::min<unsigned>(count, ir::warp_lanes);
  return 1 + most;
}

void LaneCuts::add(const LaneCuts& other) {
  if (known.empty()) known.resize(other.known.size());
  for (size_t warp = 0; warp < other.known.size(); ++warp) known[warp] |= other.known[warp];
  for (const auto& [key, count] : other.unknown) {
    unsigned& own = unknown[key];
    own = std::max(own, count);
  }
}

uint64_t LaneSteps::widest() const { return std::max(size_of(least), size_of(most)); }

}  // namespace warpspan::lift
