#include "app/analyze_report.hpp"

namespace warpspan::app {

const solver::Bound* headline_bound(const timing::Analysis& analysis) {
  const solver::Bound* smallest = nullptr;
  for (const timing::ModelBound& entry : analysis.bounds) {
    if (entry.model != "pipeline" || !entry.bound.safe || !entry.bound.makespan) continue;
    if (smallest == nullptr || *entry.bound.makespan < *smallest->makespan) smallest = &entry.bound;
  }
  return smallest;
}

}  // namespace warpspan::app
