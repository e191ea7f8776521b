// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/analyze_report.hpp"

#include <algorithm>

#include "app/reports/exit_status.hpp"
#include "app/reports/readable.hpp"

namespace warpspan::app {

namespace {

const solver::Bound* smallest_safe(const timing::Analysis& analysis, const char* model) {
  const solver::Bound* smallest = nullptr;
  for (const timing::ModelBound& entry : analysis.bounds) {
    if (entry.model != model || !entry.bound.safe || !entry.bound.makespan) continue;
    if (smallest == nullptr || *entry.bound.makespan < *smallest->makespan) smallest = &entry.bound;
  }
  return smallest;
}

}  // namespace

std::optional<Largest> largest_bound(const AnalyzeReport& report) {
  if (report.kernels.empty() || !report.failed.empty() || exit_status(report.errors) != ExitStatus::done) return {};
  Largest largest;
  for (const KernelReport& kernel : report.kernels) {
    const solver::Bound* bound = headline_bound(kernel.analysis);
    if (bound == nullptr) return {};
    const auto time = picoseconds(bound->makespan.value(), kernel.machine.clock_khz);
    if (!time) return {};
    largest.cycles = std::max(largest.cycles, *bound->makespan);
    largest.picoseconds = std::max(largest.picoseconds, *time);
  }
  return largest;
}

const solver::Bound* headline_bound(const timing::Analysis& analysis) { return smallest_safe(analysis, "pipeline"); }

Bracket string_bracket(const timing::Analysis& analysis) {
  const solver::Bound* upper = smallest_safe(analysis, "string");
  return {analysis.witness, upper == nullptr ? std::nullopt : upper->makespan};
}

}  // namespace warpspan::app
