// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the warps that can issue a scheduler chooses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "timing/simulate/warps.hpp"

namespace warpspan::timing {

enum class SchedulingPolicy : uint8_t {
  greedy_then_youngest,  // the warp that issued last, else the one that began last
  greedy_then_oldest,    // the warp that issued last, else the one that began first
  round_robin,           // the one behind the warp that issued last
};
inline constexpr size_t scheduling_policies = 3;
std::string_view to_string(SchedulingPolicy policy);  // "round-robin"

struct Scheduler {
  std::vector<SimulatedWarp*> warps;                   // in the order in which they began
  std::array<double, units_of_scheduler> unit_free{};  // when
  std::array<double, units_of_scheduler> unit_busy{};  // for how long in all
  const SimulatedWarp* last = nullptr;                 // that issued
  uint64_t last_age = 0;
  double next = 0;  // before it nothing can issue

  // Whether it chooses `a` rather than `b`.
  bool prefers(SchedulingPolicy policy, const SimulatedWarp& a, const SimulatedWarp& b) const;
};

}  // namespace warpspan::timing
