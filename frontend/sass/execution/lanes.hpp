// SPDX-License-Identifier: GPL-3.0-or-later
// Values of the 32 lanes of a warp, which instructions work on side by side.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace warpspan::execution {

inline constexpr unsigned warp_lanes = 32;

using LaneSet = uint32_t;  // bit i: lane i
inline constexpr LaneSet all_lanes = UINT32_MAX;

template <typename Value>
struct alignas(64) Lanes {
  std::array<Value, warp_lanes> lane;
  Value& operator[](unsigned i) { return lane[i]; }
  const Value& operator[](unsigned i) const { return lane[i]; }
};
using Words = Lanes<uint32_t>;
using Longs = Lanes<uint64_t>;

template <typename Do>
void for_each_lane(LaneSet lanes, const Do& act) {
  for (; lanes != 0; lanes &= lanes - 1) act(static_cast<unsigned>(std::countr_zero(lanes)));
}

inline unsigned first_lane(LaneSet lanes) { return static_cast<unsigned>(std::countr_zero(lanes)) % warp_lanes; }

// Those of which it is true.
template <typename Condition>
LaneSet lanes_with(const Condition& condition) {
  static_assert(std::endian::native == std::endian::little);
  constexpr unsigned bytes = 8;
  constexpr uint64_t gather = 0x0102040810204080;  // bit 56 + i of the product is byte i, where all bytes are 0 or 1
  std::array<uint8_t, warp_lanes> flags;
  for (unsigned i = 0; i < warp_lanes; ++i) flags[i] = condition(i) ? 1 : 0;
  LaneSet lanes = 0;
  for (unsigned first = 0; first < warp_lanes; first += bytes) {
    uint64_t eight = 0;
    std::memcpy(&eight, flags.data() + first, bytes);
    lanes |= static_cast<LaneSet>(eight * gather >> 56) << first;
  }
  return lanes;
}

}  // namespace warpspan::execution
