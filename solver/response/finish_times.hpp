// SPDX-License-Identifier: GPL-3.0-or-later
// When jobs end whose equal pieces share slots in the order of the jobs.
#pragma once

#include <cstdint>
#include <vector>

#include "support/checked.hpp"
#include "support/rational.hpp"
#include "support/result.hpp"

namespace warpspan::solver::response_times {

// `pieces` pieces, each of which holds a slot for `cycles` cycles. All jobs are there from the beginning.
struct Job {
  int64_t cycles = 1;  // at least 1
  int64_t pieces = 1;  // at least 1
};

// The cycle in which each job ends if `slots` slots take the pieces of the first job, then those of the second, and so
// on, each as soon as a slot is free (Paredes Zevallos, AMALTHEA-based GPU response time analysis, algorithm 2, with
// release times of 0). Usage errors: values out of range, more than 10 million rounds of slots, overflow.
support::Result<std::vector<int64_t>> fifo_finish_times(const std::vector<Job>& jobs, int64_t slots);

// The same by the closed form of the same work for jobs whose pieces all take as long (equations 3.12-3.15), as
// printed: published, never safe. It is wrong where a job has exactly as many pieces as slots are free (half a piece
// too late, and the next job may come too early), and where it has a multiple of all slots more (one piece too late):
// with 8 slots and C = 4, jobs of 2, 6 and 2 pieces end at 4, 4, 8, and the formula says 4, 6, 6; a job of 16 pieces
// ends at 8, and it says 12. Errors as above, and pieces that do not take as long.
support::Result<std::vector<support::Rational>> published_finish_times(const std::vector<Job>& jobs, int64_t slots);

// The closed form put right, the same as fifo_finish_times, in one step for each job however many pieces it has.
// Errors: values out of range, pieces that do not take as long, overflow.
support::Result<std::vector<int64_t>> corrected_finish_times(const std::vector<Job>& jobs, int64_t slots);

}  // namespace warpspan::solver::response_times
