// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/values/lane_steps.hpp"

#include <algorithm>
#include <bit>

#include "ir/sizes.hpp"

namespace warpspan::lift {

namespace {

uint64_t size_of(int64_t a) { return a < 0 ? -static_cast<uint64_t>(a) : static_cast<uint64_t>(a); }

}  // namespace

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
