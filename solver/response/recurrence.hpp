// SPDX-License-Identifier: GPL-3.0-or-later
// One step towards response bounds: the bound of a task from bounds of all tasks.
#pragma once

#include "solver/response/analysed_time.hpp"

namespace warpspan::solver::response_times {

// By task; nothing: there is no bound.
using Bounds = std::vector<std::optional<int64_t>>;

class Recurrence {
 public:
  // A workload without errors, which must outlive this. No time above `most` is looked at.
  Recurrence(const Workload& workload, int64_t most)
      : workload_(workload), time_(workload), most_(most), endless_(workload.tasks.size(), false) {}

  // F_i of the theorem in recurrence.cpp, which never falls where bounds rise; nothing if it is infinite or overflows.
  // Bounds must not fall from one call to the next.
  std::optional<int64_t> next(size_t task, const Bounds& bounds) { return next(task, bounds, nullptr); }
  // The same as a sum, in the order of reasons and tasks.
  std::vector<Term> terms(size_t task, const Bounds& bounds);

  size_t stream_of(size_t task) const { return time_.stream_of(task); }

 private:
  struct BusyPeriod;

  std::optional<int64_t> next(size_t task, const Bounds& bounds, std::vector<Term>* terms);
  std::optional<int64_t> from_release(size_t task, const Bounds& bounds, std::vector<Term>* terms);
  std::optional<int64_t> from_busy_period(size_t task, const Bounds& bounds, std::vector<Term>* terms);

  const Workload& workload_;
  AnalysedTime time_;
  int64_t most_;
  std::vector<bool> endless_;  // by task: B is infinite
};

}  // namespace warpspan::solver::response_times
