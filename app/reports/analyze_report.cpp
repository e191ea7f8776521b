#include "app/reports/analyze_report.hpp"

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

const solver::Bound* headline_bound(const timing::Analysis& analysis) { return smallest_safe(analysis, "pipeline"); }

Bracket string_bracket(const timing::Analysis& analysis) {
  const solver::Bound* upper = smallest_safe(analysis, "string");
  return {analysis.witness, upper == nullptr ? std::nullopt : upper->makespan};
}

}  // namespace warpspan::app
