// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/scheduler.hpp"

namespace warpspan::timing {

std::string_view to_string(SchedulingPolicy policy) {
  static constexpr std::string_view names[scheduling_policies] = {"greedy-then-youngest", "greedy-then-oldest",
                                                                  "round-robin"};
  return names[static_cast<size_t>(policy)];
}

}  // namespace warpspan::timing
