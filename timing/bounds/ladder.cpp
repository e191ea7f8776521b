// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/bounds/ladder.hpp"

namespace warpspan::timing {

namespace {

// What the row does for this kernel.
std::string what(const RungRow& row, const PipelineRun& run) {
  const AccessCounts& accesses = run.needs->warp->code.accesses;
  const Subject subject = subject_of(row.assumption);
  std::string words(row.words);
  if (subject != Subject::accesses && subject != Subject::caches) return words;
  return words + ": " + std::to_string(accesses.of(row.assumption)) + " of " + std::to_string(accesses.all) +
         (accesses.all == 1 ? " access" : " accesses");
}

}  // namespace

support::Result<std::vector<Rung>> ladder(PipelineRuns& runs) {
  AssumptionSet assumed;
  const auto least = runs.smallest_bound(assumed);
  if (!least) return least.errors();
  std::vector<Rung> rungs = {{std::nullopt, least->model.bound.makespan, "nothing is assumed of addresses or caches"}};
  for (const RungRow& row : rung_rows()) {
    assumed.assume(row.assumption);
    const auto run = runs.smallest_bound(assumed);
    if (!run) return run.errors();
    const auto makespan = run->model.bound.makespan;
    const auto& last = rungs.back().makespan;
    if (makespan && (!last || *makespan < *last)) rungs.push_back({row.assumption, makespan, what(row, *run)});
  }
  return rungs;
}

}  // namespace warpspan::timing
