// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/scheduler.hpp"

namespace warpspan::timing {

std::string_view to_string(SchedulingPolicy policy) {
  static constexpr std::string_view names[scheduling_policies] = {"greedy-then-youngest", "greedy-then-oldest",
                                                                  "round-robin"};
  return names[static_cast<size_t>(policy)];
}

bool Scheduler::prefers(SchedulingPolicy policy, const SimulatedWarp& a, const SimulatedWarp& b) const {
  if (policy == SchedulingPolicy::round_robin) {
    const bool a_behind = a.age > last_age, b_behind = b.age > last_age;
    return a_behind != b_behind ? a_behind : a.age < b.age;
  }
  if (&a == last || &b == last) return &a == last;
  return policy == SchedulingPolicy::greedy_then_oldest ? a.age < b.age : a.age > b.age;
}

}  // namespace warpspan::timing
