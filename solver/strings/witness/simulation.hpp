// SPDX-License-Identifier: GPL-3.0-or-later
// One schedule of a string problem, cycle by cycle, as a policy chooses among the ready workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/strings/schedules/deadline.hpp"
#include "solver/strings/schedules/schedule.hpp"

namespace warpspan::solver {

// Which of the workers that are ready for a class execute. How many is not decided by a policy.
class Selector {
 public:
  virtual ~Selector() = default;

  // The worker is ready for class k from the next cycle on (from the first one: the workers come in order). Its next
  // symbol stands at the position.
  virtual void arrive(size_t worker, size_t position, size_t k) = 0;

  // The worker that class k executes next in this cycle; the selector forgets it. Asked for only if there is one.
  virtual size_t take(size_t k) = 0;

  // All classes have executed what they execute in this cycle; the workers that have not finished arrive next.
  virtual void end_cycle() {}
};

// Fills `schedule` with as many rows as workers (at least 1), executing `symbols` (not empty, each with an entry in
// `servers`, at least 1 each). False if the time was up before; the schedule is of no use then. Needs memory for
// workers * symbols numbers.
bool simulate(const std::vector<int>& symbols, size_t workers, const std::vector<int64_t>& servers, Selector& selector,
              Deadline& deadline, Schedule& schedule);

}  // namespace warpspan::solver
