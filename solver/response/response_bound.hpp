// SPDX-License-Identifier: GPL-3.0-or-later
// A safe bound of the worst response time of each task, from its most times only: every block and copy may take less,
// go to any multiprocessor with room for it, and jobs may come later than a period after one another, with any offsets.
#pragma once

#include "solver/response/utilisation.hpp"
#include "solver/response/workload.hpp"
#include "support/result.hpp"

namespace warpspan::solver::response_times {

enum class Verdict : uint8_t {
  meets_deadline,
  may_miss,
  bounded,   // there is no deadline
  no_bound,  // `reason` states why
};

struct ResponseBound {
  std::optional<int64_t> response;  // from a job's release to its end; rounded up
  Verdict verdict = Verdict::no_bound;
  std::string reason;  // of no_bound
  Utilisation utilisation;
};

struct Responses {
  std::vector<ResponseBound> tasks;
  Utilisation utilisation;  // of all tasks
};

// Why a part of a response may pass: its own blocks and copies run to their end; blocks of the same kernel run first;
// jobs ahead of it in its stream do; kernels of streams of larger, equal or smaller priority occupy the GPU; copies of
// other streams their engine. What all of that takes from a time on at which the stream was empty is more than the
// response by the time from then to the job's release, which is the only part below 0.
enum class Reason : uint8_t {
  own,
  own_blocks,
  ahead,
  larger_priority,
  equal_priority,
  smaller_priority,
  copies,
  released_later
};

struct Term {
  size_t task = 0;  // whose work it is
  Reason reason = Reason::own;
  int64_t time = 0;  // never 0
};

// Of a workload that bounds are found for.
inline constexpr size_t most_tasks = 4096;
inline constexpr size_t most_operations = 100'000;

// Bounds for each task, by the theorem in response_bound.cpp. Errors: the workload's, more than 4096 tasks, more than
// 100,000 operations.
support::Result<Responses> response_bounds(const Workload& workload);

// What the bound of a task is the sum of, in the order of reasons and tasks; empty if it has none. `responses` are
// those of the same workload.
std::vector<Term> terms_of(const Workload& workload, const Responses& responses, size_t task);

}  // namespace warpspan::solver::response_times
