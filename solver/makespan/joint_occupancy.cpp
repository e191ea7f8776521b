// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let each step x of a worker occupy one server of each resource r of a set for h(x, r) cycles from its start
// on, and let r have s(r) servers. Let cycle number o = 0, 1, ... of x count w(x, o) = max of 1 / s(r) over the r with
// h(x, r) > o, and x the sum V(x) of them. Then the cycles in which all servers of some r of the set are occupied by
// steps of a set X are at most the sum of V(x) over X.
//
// Proof. In such a cycle s(r) steps of X occupy r, as each occupies one server of it. The cycle is number o of each of
// these steps, with h(x, r) > o, so w(x, o) >= 1 / s(r), and those of all of them make 1 at least. As a step starts
// once, each pair (x, o) is one cycle, and is counted in no other. QED.
//
// So what other workers occupy jointly costs the analysed one their V, and not the sum of h / s over the resources.
// Where X has workers x that share all of the set with the analysed one, and others that share only a part of it with
// it, those count only the resources of that part: the pairs at a cycle still make 1. As the parts of one cycle may be
// of both kinds, what each kind makes is rounded up, to the worker, before cycles are counted.
//
// An occupancy that begins later than its step (a request that waits for memory) would be in the way at another time
// than number o says, so it is none of the set. Nor is what a step occupies again later: that counts as a step of its
// own.
#include "solver/makespan/joint_occupancy.hpp"

#include <algorithm>

namespace warpspan::solver {

using support::Integer;

support::Integer joint_occupancy(std::vector<Occupancy> step, int64_t unit) {
  // From the resource with the fewest servers on: cycles that one before has not counted are worth less.
  std::sort(step.begin(), step.end(), [](const Occupancy& a, const Occupancy& b) { return a.servers < b.servers; });
  Integer sum;
  int64_t counted = 0;
  for (const Occupancy& occupancy : step) {
    if (occupancy.cycles <= counted) continue;
    sum += Integer(occupancy.cycles - counted) * (unit / occupancy.servers);
    counted = occupancy.cycles;
  }
  return sum;
}

}  // namespace warpspan::solver
