// SPDX-License-Identifier: GPL-3.0-or-later
// Beams of growing width. Narrow ones often reach the bound at once if they follow it, because most states that a good
// bound expects most of do lead there; where the bound is loose, the order among equals decides, so each width is tried
// with several. Each run looks only for something longer than what the ones before have found, and the last is the one
// that leaves nothing out, that reaches what no schedule can exceed, or that the effort does not allow.
#include "solver/strings/witness/guided_search.hpp"

#include <algorithm>

#include "solver/strings/search/remaining_bound.hpp"
#include "solver/strings/witness/beam.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

constexpr Ranking rankings[] = {Ranking::bound_and_compact, Ranking::bound_and_convoy, Ranking::time_and_convoy};
constexpr size_t wider = 8;
constexpr size_t widest = size_t{1} << 15;

// Whether the narrowest beam, which looks at all positions once for each step of a schedule at least, may be
// affordable.
bool is_affordable(const GuidedProblem& problem, int64_t effort) {
  int64_t at_once = 0;
  for (const int64_t servers : problem.servers) {
    at_once = std::min(problem.workers, at_once + std::min(problem.workers, servers));
  }
  const auto length = static_cast<int64_t>(problem.symbols.size());
  const auto least = (floor_divide(Integer(problem.workers) * length, at_once) * length).value();
  return least && *least <= effort;
}

// After one with beams that cost as much as that, if there is to be another iteration.
std::optional<size_t> next_width(size_t width, int64_t cost, int64_t effort) {
  const auto affordable = static_cast<size_t>(effort / (cost * static_cast<int64_t>(std::size(rankings))));
  if (width >= widest || affordable < 2) return std::nullopt;
  return width * std::min(wider, affordable);
}

int64_t bound_at_start(const GuidedProblem& problem, RemainingBound& bound) {
  std::vector<int64_t> counts(problem.symbols.size());
  counts[0] = problem.workers;
  return bound.cycles_from(counts);
}

}  // namespace

GuidedResult guided_search(const GuidedProblem& problem, const Certificate* guide, const GuidedTask& task,
                           Deadline& deadline) {
  GuidedResult result;
  if (!is_affordable(problem, task.effort)) return result;
  auto made = RemainingBound::make(problem.symbols, problem.workers, problem.servers, guide);
  if (!made) made = RemainingBound::make(problem.symbols, problem.workers, problem.servers);
  if (!made) return result;  // bounds exceed 64 bits
  RemainingBound& bound = *made;
  const int64_t enough = std::min(task.enough, bound_at_start(problem, bound));
  int64_t best = task.longer_than;
  int64_t effort = task.effort;
  for (std::optional<size_t> width = 1; width;) {
    int64_t cost = 1;
    for (const Ranking ranking : rankings) {
      if (best >= enough) return result;
      const int64_t before = effort;
      Beam beam(problem, bound, ranking, *width);
      const Beam::End end = beam.run(best, effort, deadline);
      if (beam.makespan() > best) {
        best = beam.makespan();
        result.schedule = beam.schedule();
      }
      result.in_time = end != Beam::End::out_of_time;
      if (end != Beam::End::all_done || !beam.has_left_out_any()) return result;
      cost = std::max(cost, before - effort);
    }
    width = next_width(*width, cost, effort);
  }
  return result;
}

}  // namespace warpspan::solver
