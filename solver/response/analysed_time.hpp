// SPDX-License-Identifier: GPL-3.0-or-later
// How long a stream takes for given jobs of its tasks if given jobs of the others may run meanwhile.
#pragma once

#include <functional>
#include <map>

#include "solver/response/longest_wait.hpp"
#include "solver/response/response_bound.hpp"

namespace warpspan::solver::response_times {

inline constexpr int64_t unlimited = INT64_MAX;

// By task, how many jobs: of those of the stream, that are analysed; of the others, that may run meanwhile. `unlimited`
// where that is unknown.
struct JobCounts {
  std::function<int64_t(size_t)> analysed;
  std::function<int64_t(size_t)> interfering;
};

class AnalysedTime {
 public:
  // A workload without errors, which must outlive this.
  explicit AnalysedTime(const Workload& workload);

  // The sum G of the theorem in analysed_time.cpp for the stream of a task, which never falls where a count rises;
  // nothing if it is infinite or overflows. Its parts go to `terms` if that is not null, in the order of reasons and
  // tasks.
  std::optional<int64_t> most(size_t task, const JobCounts& jobs, std::vector<Term>* terms = nullptr) const;

  // The tasks whose jobs are analysed with those of a task: of its stream, or all if the NULL stream is `legacy`.
  const std::vector<size_t>& analysed_with(size_t task) const;
  // The stream of a task, counted from 0.
  size_t stream_of(size_t task) const { return stream_of_[task]; }

 private:
  struct Stream {
    int64_t priority = 0;
    std::vector<size_t> tasks;
    std::vector<size_t> kernels;                                    // of all its tasks, into kernels_
    std::array<std::vector<std::pair<int64_t, size_t>>, 2> copies;  // by engine: time and task, the longest first
  };
  // What is true of kernels of a priority and above: nothing if they always find room.
  struct Level {
    std::optional<Fullness> fullness;
  };
  struct Step;

  const Workload& workload_;
  std::vector<Stream> streams_;
  std::vector<size_t> all_tasks_;
  std::vector<size_t> stream_of_;    // by task
  std::vector<Kernel> kernels_;      // of all tasks, one task after another
  std::vector<size_t> task_of_;      // by kernel
  std::vector<int64_t> resident_;    // by kernel: as many of its blocks run at once at most
  std::map<int64_t, Level> levels_;  // by priority
};

}  // namespace warpspan::solver::response_times
