// SPDX-License-Identifier: GPL-3.0-or-later
// Response times of tasks that run kernels on one GPU: what 'warpspan rta' reports.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/reports/response_times/response_report.hpp"
#include "app/requests/kernels/compilation.hpp"
#include "ir/flow.hpp"
#include "solver/response/workload.hpp"
#include "support/diagnostic.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

// Where something stands in the tasks file.
struct TasksPlace {
  support::Location at;
  std::string line;  // the text of that line
};

// A kernel of a file, whose time is its bound.
struct KernelOfFile {
  std::string file, kernel;  // kernel: support::names_symbol
  std::string facts;         // as KernelRequest::facts
  Compilation compilation = {};
  ir::Launch launch;
  timing::Grant assumed;
};

// An operation by its task and its place in the task.
using OperationIndex = std::pair<size_t, size_t>;

struct ResponseRequest {
  std::string name;  // of the tasks file
  // Tasks, and of the GPU what does not come from a machine. An operation of `bounded` is a kernel yet without figures.
  solver::response_times::Workload workload;
  bool has_units = false;  // times are picoseconds; else of a unit without a name
  bool exclusive = false;  // kernels of several streams never run at the same time
  std::string machine;     // as BoundRequest::machine; empty: none
  std::optional<int64_t> multiprocessors;
  std::array<std::optional<int64_t>, solver::response_times::kinds> capacity;  // of a multiprocessor
  std::map<OperationIndex, KernelOfFile> bounded;
  std::vector<std::vector<TasksPlace>> places;  // by task and operation
  TasksPlace gpu, machine_at;                   // of [gpu], and of the machine in it
  int64_t runs = 0;                             // that are searched for slow responses
  bool timeline = false;                        // an error where it is too large
  bool pictures = false;                        // the same, and the slowest runs, as far as they can be drawn
  bool terms = false;                           // what bounds are the sum of
  int64_t memory = 0;                           // bytes
};

// Errors of kernels that cannot be bounded come through as they are; those of what the file asks for are usage errors
// at their places. With an error there are no tasks in the report.
ResponseReport response_times(const ResponseRequest& request);

}  // namespace warpspan::app
