// One step towards response bounds: the bound of a task from bounds of all tasks.
#pragma once

#include <map>

#include "solver/response_times/longest_wait.hpp"
#include "solver/response_times/response_bound.hpp"

namespace warpspan::solver::response_times {

// By task; nothing: there is no bound.
using Bounds = std::vector<std::optional<int64_t>>;

class Recurrence {
 public:
  // A workload without errors, which must outlive this.
  explicit Recurrence(const Workload& workload);

  // F_i of the theorem in recurrence.cpp, which never falls where bounds rise; nothing if it is infinite or overflows.
  std::optional<int64_t> next(size_t task, const Bounds& bounds) const { return next(task, bounds, nullptr); }
  // The same as a sum, in the order of reasons and tasks.
  std::vector<Term> terms(size_t task, const Bounds& bounds) const;

  const std::vector<size_t>& stream_of() const { return stream_of_; }

 private:
  struct Stream {
    int64_t priority = 0;
    std::vector<size_t> tasks;
    std::vector<size_t> kernels;                                    // of all its tasks, into kernels_
    std::array<std::vector<std::pair<int64_t, size_t>>, 2> copies;  // by engine: time and task, the longest first
  };
  // What holds of kernels of a priority and above: nothing if they always find room.
  struct Level {
    std::optional<Fullness> fullness;
  };
  struct Step;

  std::optional<int64_t> next(size_t task, const Bounds& bounds, std::vector<Term>* terms) const;

  const Workload& workload_;
  std::vector<Stream> streams_;
  std::vector<size_t> stream_of_;    // by task
  std::vector<Kernel> kernels_;      // of all tasks, one task after another
  std::vector<size_t> task_of_;      // by kernel
  std::vector<int64_t> resident_;    // by kernel: as many of its blocks run at once at most
  std::map<int64_t, Level> levels_;  // by priority
};

}  // namespace warpspan::solver::response_times
