// SPDX-License-Identifier: GPL-3.0-or-later
// Holds kernels against budgets: what 'warpspan check' reports.
//
// Nothing passes that is not known: an entry that names no kernel, a file that cannot be read, a kernel without a safe
// bound of the pipeline model and a limit on registers that no log tells are results of their own, with an error.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/fleet/fleet.hpp"
#include "app/fleet/shard.hpp"
#include "app/reports/check/check_report.hpp"
#include "app/requests/check/baseline.hpp"
#include "app/requests/check/budgets.hpp"
#include "app/requests/expected_time.hpp"
#include "app/requests/kernels/compiled_kernels.hpp"
#include "app/requests/numbers/percent.hpp"
#include "frontend/frontend.hpp"

namespace warpspan::app {

struct CheckRequest {
  std::string name;  // of the budgets file
  std::vector<Budget> budgets;
  std::vector<std::string> files;    // words for input_files: of the budgets that have none
  CompiledKernels compiled;          // what logs tell
  bool unused_fails = false;         // a kernel of the files that no budget is for
  std::optional<Percent> ratchet;    // that a value may be below its limit
  bool for_update = false;           // a budget without a limit is bounded, which is an error else
  bool writes_counts = false;        // for an update: registers and the like become limits, too
  bool wants_figures = false;        // registers and the like, also of what has no limit on them
  std::string source_root;           // as CheckReport has it; files below it are called as seen from there
  std::optional<Baseline> baseline;  // what grew since is told
  std::optional<Percent> growth;     // with it: that a figure may be above the baseline's
  bool brief = false;                // only what is shown without --explain, on no page and in no baseline
  bool with_code = false;            // of kernels that miss something, BoundRequest::with_code
  int64_t memory = 0;                // bytes
  SimulationEffort effort = SimulationEffort::quick;  // of expected times
  const std::atomic<bool>* cancel = nullptr;
  Fleet fleet = {};
};

// What is found of files and kernels, before budgets are held against all of them together: part by part, in whichever
// process or run.
struct CheckParts {
  // File, machine, target, flags and assembler.
  using Reading = std::tuple<std::string, std::string, std::string, std::vector<std::string>, std::vector<std::string>>;
  using Place = std::tuple<size_t, std::string, std::string>;  // the number of the budget, file and kernel
  template <typename T>
  using Found = std::pair<T, RunRecord>;  // and what was read for it

  std::map<std::pair<std::string, std::vector<std::string>>, support::Result<std::vector<std::string>>>
      named;  // files, by folder and words
  std::map<Reading, Found<support::Result<frontend::Contents>>> contents;
  std::map<Place, Found<CheckResult>> kernels;
};

struct Checked {
  CheckReport report;
  std::vector<const Budget*> budgets;  // of CheckRequest, of each result; nullptr: no budget is for it
  std::set<std::string> read;          // the files that were read or looked for
  bool interrupted = false;            // `cancel` became true: the report lacks results
};

// parts: what is known before; what it lacks is found.
Checked check_budgets(const CheckRequest& request, CheckParts parts = {});

// What the files of the shard have. Nothing if `cancel` became true.
std::optional<CheckParts> check_shard(const CheckRequest& request, const Shard& shard);

}  // namespace warpspan::app
