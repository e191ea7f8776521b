// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/response/response_assumptions.hpp"

#include <set>

namespace warpspan::app {

namespace {

namespace rt = solver::response_times;

// Which kinds of work there are, and in which streams.
struct Work {
  bool given = false;  // some time is that of the tasks file
  std::set<int64_t> copies, bounded;
};

Work work_of(const ResponseRequest& request) {
  Work work;
  for (size_t task = 0; task < request.workload.tasks.size(); ++task) {
    const rt::Task& own = request.workload.tasks[task];
    for (size_t i = 0; i < own.operations.size(); ++i) {
      const bool is_bounded = request.bounded.contains({task, i});
      if (is_bounded) work.bounded.insert(own.stream);
      if (std::holds_alternative<rt::Copy>(own.operations[i])) work.copies.insert(own.stream);
      work.given = work.given || !is_bounded;
    }
  }
  return work;
}

// Whether a copy may run beside a kernel of a file.
bool copies_beside(const Work& work) {
  if (work.copies.empty() || work.bounded.empty()) return false;
  std::set<int64_t> all = work.copies;
  all.insert(work.bounded.begin(), work.bounded.end());
  return all.size() > 1;
}

// Of the order in which a GPU takes work, which was found on one board.
std::string order_assumption(const std::string& machine) {
  std::string text =
      "the GPU takes kernels and copies in the order that docs/response-times.md tells, as found on the Jetson TX2";
  if (machine != "tx2") {
    text += "; no source known here saw these rules hold on " +
            (machine.empty() ? std::string("another board") : "a board of the machine '" + machine + "'");
  }
  return text;
}

}  // namespace

std::vector<std::string> assumptions_of(const ResponseRequest& request, const std::string& machine, bool whole_gpu) {
  const Work work = work_of(request);
  std::vector<std::string> all;
  if (work.given) {
    all.emplace_back(
        "no block and no copy whose time the tasks file gives takes longer than that, whatever runs beside it");
  }
  all.emplace_back("a task releases jobs no sooner than its period after one another, and one job if it has none");
  all.push_back(order_assumption(machine));
  all.emplace_back("what launches cost on the host and on the way to the GPU, and synchronization, is part of no time");
  if (whole_gpu && request.exclusive) {
    all.emplace_back(
        "kernels of different streams never run at the same time: the application sees to that, and lets those that "
        "wait start by priority, then in the order in which they came to the head of their streams");
  }
  if (copies_beside(work)) {
    all.emplace_back("copies that run beside a kernel do not slow it down: its bound is for the kernel alone");
  }
  if (!request.bounded.empty()) {
    all.emplace_back(
        "a kernel of a file finds the GPU as its bound has it: lines that earlier kernels and copies have modified in "
        "the L2 cache are written back by then, or that costs nothing");
  }
  return all;
}

}  // namespace warpspan::app
