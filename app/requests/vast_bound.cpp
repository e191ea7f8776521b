// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/vast_bound.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "app/facts/spelling.hpp"
#include "app/reports/names.hpp"
#include "app/reports/readable.hpp"
#include "frontend/reading/loop_bounds.hpp"
#include "support/checked.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Integer;

int64_t trips_of(const ir::Loop& loop) { return loop.trip_count.value_or(1); }

// By loop: the product of its trip count and those of the loops around it.
std::vector<int64_t> nested_trips(const std::vector<ir::Loop>& loops) {
  std::vector<int64_t> trips;
  for (const ir::Loop& loop : loops) {
    const int64_t around = loop.parent == ir::no_loop ? 1 : trips[loop.parent];
    trips.push_back((Integer(around) * Integer(trips_of(loop))).value().value_or(std::numeric_limits<int64_t>::max()));
  }
  return trips;
}

// The most counted one of the innermost loop that runs most often and those around it.
const ir::Loop& most_counted(const std::vector<ir::Loop>& loops) {
  const std::vector<int64_t> trips = nested_trips(loops);
  size_t most = static_cast<size_t>(std::max_element(trips.begin(), trips.end()) - trips.begin());
  for (ir::LoopId around = loops[most].parent; around != ir::no_loop; around = loops[around].parent) {
    if (trips_of(loops[around]) >= trips_of(loops[most])) most = around;
  }
  return loops[most];
}

}  // namespace

std::optional<support::Diagnostic> vast_bound(const KernelReport& report) {
  const solver::Bound* bound = headline_bound(report.analysis);
  if (bound == nullptr || *bound->makespan <= most_believable_cycles || report.loops.empty()) return {};
  const ir::Loop& loop = most_counted(report.loops);
  if (trips_of(loop) == 1) return {};
  support::Diagnostic warning;
  warning.severity = support::Severity::warning;
  warning.location = {report.file, loop.line, 0};
  warning.message = "the bound of kernel " + support::quoted_symbol(report.name) + " is over 10^12 cycles: its loop " +
                    frontend::loop_name(loop) + " is counted with " + thousands(trips_of(loop)) +
                    " iterations each time it is entered (" + std::string(to_string(loop.source)) + ")";
  warning.help = loop.source == ir::TripCountSource::user
                     ? "the number was given; if the loop runs less often, give a smaller one"
                     : spelled("if it runs less often, say so: " + frontend::loop_bound_option(loop));
  return warning;
}

}  // namespace warpspan::app
