// Beams of growing width. Narrow ones often reach the bound at once if they follow it, because most states that a good
// bound expects most of do lead there; where the bound is loose, the order among equals decides, so each width is tried
// with several. Each run looks only for something longer than what the ones before have found, and the last is the one
// that leaves nothing out, that reaches what no schedule can exceed, or that the effort does not allow.
#include "solver/guided_search.hpp"

#include "solver/beam.hpp"

namespace warpspan::solver {

namespace {

constexpr size_t wider = 8;
constexpr size_t widest = size_t{1} << 15;
constexpr Ranking rankings[] = {Ranking::bound_and_compact, Ranking::bound_and_convoy, Ranking::time_and_convoy};

int64_t bound_at_start(const GuidedProblem& problem, RemainingBound& bound) {
  std::vector<int64_t> counts(problem.symbols.size());
  counts[0] = problem.workers;
  return bound.cycles_from(counts);
}

}  // namespace

GuidedResult guided_search(const GuidedProblem& problem, RemainingBound& bound, const GuidedTask& task,
                           Deadline& deadline) {
  GuidedResult result;
  const int64_t enough = std::min(task.enough, bound_at_start(problem, bound));
  int64_t best = task.longer_than;
  int64_t effort = task.effort;
  int64_t last_cost = 0;
  for (size_t width = 1; width <= widest; width *= wider) {
    for (const Ranking ranking : rankings) {
      if (best >= enough || last_cost > effort / static_cast<int64_t>(wider)) return result;
      const int64_t before = effort;
      Beam beam(problem, bound, ranking, width);
      const Beam::End end = beam.run(best, effort, deadline);
      if (beam.makespan() > best) {
        best = beam.makespan();
        result.schedule = beam.schedule();
      }
      result.in_time = end != Beam::End::out_of_time;
      if (end != Beam::End::all_done || !beam.has_left_out_any()) return result;
      last_cost = before - effort;
    }
  }
  return result;
}

}  // namespace warpspan::solver
