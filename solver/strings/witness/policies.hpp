// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to choose among ready workers: adversaries that make schedules slow, and schedulers as real machines have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "solver/strings/witness/simulation.hpp"

namespace warpspan::solver {

enum class Policy : uint8_t {
  // Adversaries. The convoy lets the least advanced worker of a class execute first, so that all stay at the same
  // symbols and two classes seldom work side by side.
  convoy,
  // The same, but one worker executes only where no other is ready for its class; it executes most of its symbols alone
  // at the end.
  starve_one,
  // A search that extends several schedules at a time, those of which a bound expects most
  // (solver/strings/witness/guided_search.hpp).
  guided,

  // Schedulers. Round-robin, beginning behind the worker that the class executed last (loose round robin).
  loose_round_robin,
  // Workers that executed in the last cycle first, then the others; the older one first, and as all start at once that
  // is the one with the smaller number (Rogers, O'Connor, Aamodt, "Cache-conscious wavefront scheduling", 2012).
  greedy_then_oldest,
  // Groups of 8 workers. Round-robin within a class's active group; when none of it is ready for the class, the next
  // group becomes the active one (Narasiman et al., "Improving GPU performance via large warps and two-level warp
  // scheduling", 2011).
  two_level,
  // Every second slot of a class belongs to worker 0 if it is ready, all other slots to the others round-robin (thesis
  // "Timing analysis of Fermi", section 8: W0 W2 W0 W4 ...).
  variable_rate,
};

// "convoy", "starve-one", "guided", "lrr", "gto", "two-level", "variable-rate"
std::string_view to_string(Policy policy);

// Makes the choices of a policy for workers 0 .. workers - 1 (at most 2^32 - 2 of them) that execute `symbols`, classes
// below `classes`; null for guided, which does not choose cycle by cycle.
std::unique_ptr<Selector> make_selector(Policy policy, size_t workers, const std::vector<int>& symbols, size_t classes);

}  // namespace warpspan::solver
