// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the warps that can issue a scheduler chooses.
#pragma once

#include <algorithm>
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
  struct Place {
    SimulatedWarp* warp = nullptr;
    // What it is to issue, where all but its unit lets it; of an instruction without a constant that stays so.
    const SimulatedCost* prepared = nullptr;
  };
  std::vector<Place> places;       // of its warps, in the order in which they began
  std::vector<double> asked_from;  // of each: it cannot issue before, whatever the scheduler does
  std::vector<size_t> asked;       // the places that are to be asked, the first asked_count of them
  size_t asked_count = 0;
  std::array<double, units_of_scheduler> unit_free{};  // when
  std::array<double, units_of_scheduler> unit_busy{};  // for how long in all
  const SimulatedWarp* last = nullptr;                 // that issued
  uint64_t last_age = 0;
  double next = 0;        // before it nothing can issue
  double idle_until = 0;  // before it none of the places is to be asked, as far as is known

  void add(SimulatedWarp& warp) {
    places.push_back({&warp});
    asked_from.push_back(warp.ready);
    asked.resize(places.size());
    idle_until = std::min(idle_until, warp.ready);
  }
  void remove(size_t place) {
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(place));
    asked_from.erase(asked_from.begin() + static_cast<std::ptrdiff_t>(place));
  }
  // Lists those that are to be asked now. When the next of the others is to be.
  double list_asked(double now) {
    double later = never;
    size_t count = 0;
    const double* from = asked_from.data();
    size_t* const list = asked.data();
    for (size_t place = 0, end = asked_from.size(); place < end; ++place) {
      const bool is_later = from[place] > now;
      list[count] = place;
      count += is_later ? 0 : 1;
      later = std::min(later, is_later ? from[place] : never);
    }
    asked_count = count;
    return later;
  }
  // Whether it chooses `a` rather than `b`.
  bool prefers(SchedulingPolicy policy, const SimulatedWarp& a, const SimulatedWarp& b) const {
    if (policy == SchedulingPolicy::round_robin) {
      const bool a_behind = a.age > last_age, b_behind = b.age > last_age;
      return a_behind != b_behind ? a_behind : a.age < b.age;
    }
    if (&a == last || &b == last) return &a == last;
    return policy == SchedulingPolicy::greedy_then_oldest ? a.age < b.age : a.age > b.age;
  }
};

}  // namespace warpspan::timing
