// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan rta' has found: the one object that both the text and the JSON are made from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/reports/run_record.hpp"
#include "solver/response/response_bound.hpp"
#include "solver/response/simulation.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// What a multiprocessor has, by kind.
inline constexpr std::array<const char*, solver::response_times::kinds> kind_words = {
    "blocks", "threads", "bytes of shared memory", "registers"};

enum class TaskVerdict : uint8_t { meets, may_miss, misses, bounded, no_bound };

// A kernel of a file, as it was bounded.
struct BoundedOperation {
  size_t operation = 0;  // of its task
  std::string file, kernel;
  int64_t cycles = 0;
};

// A run, or what is seen of it.
struct Timeline {
  std::vector<solver::response_times::Release> releases;
  solver::response_times::Run run;
};

// The slowest response that was found of a task.
struct SlowestRun {
  Timeline timeline;  // with the blocks near that of the job
  size_t job = 0;     // whose response it is
};

struct TaskResponse {
  std::optional<int64_t> bound;
  std::optional<int64_t> slowest;  // of a run that was found; nothing where none was sought
  TaskVerdict verdict = TaskVerdict::no_bound;
  std::string reason;  // of no_bound
  solver::response_times::Utilisation utilisation;
  std::vector<solver::response_times::Term> terms;  // that the bound is the sum of
  std::vector<BoundedOperation> bounded;
  std::optional<SlowestRun> slowest_run;  // where it is asked for
};

struct ResponseReport {
  std::string file;        // the tasks file
  std::string machine;     // its name; empty: none is given
  bool has_units = false;  // times are picoseconds; else of a unit without a name
  bool whole_gpu = false;  // a kernel takes the whole GPU, as one block of one multiprocessor
  // As it was solved; empty after an error.
  solver::response_times::Workload workload;
  std::vector<TaskResponse> tasks;                  // by task
  solver::response_times::Utilisation utilisation;  // of all tasks
  int64_t runs = 0;                                 // that were tried
  std::optional<Timeline> timeline;                 // in which everything takes its most time
  std::vector<std::string> not_drawn;               // sentences: runs that are asked for and are not there
  std::vector<std::string> assumptions;             // sentences; those of bounds of kernels come last, with their names
  size_t own_assumptions = 0;                       // how many come before them
  support::Diagnostics errors;
  RunRecord run = {};  // response_times knows no command, no arguments and no tasks file
};

// What is shown of a run around a job, from its release to its end: an eighth more on both sides, from 0.
std::pair<int64_t, int64_t> shown_around(const std::pair<int64_t, int64_t>& job);

// Whether all deadlines are met for sure.
bool all_meet(const ResponseReport& report);

// "meets", "may-miss", ...
const char* to_string(TaskVerdict verdict);

}  // namespace warpspan::app
