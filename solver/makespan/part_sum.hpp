// SPDX-License-Identifier: GPL-3.0-or-later
// The sum of the parts of an upper bound.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

class PartSum {
 public:
  // Adds floor(workers * demand / servers) cycles. A part that nobody waits for is left out of the list.
  void add(Part::Kind kind, std::string name, support::Integer workers, support::Integer demand, int64_t servers) {
    add(kind, std::move(name), floor_divide(workers * demand, servers), workers, demand, servers);
  }

  // Adds floor((workers * partial.each + blocks * partial.block) / servers) cycles, as a part for each of the two. That
  // of the blocks is never left out: it says what the other one counts.
  void add_partial(const std::string& name, support::Integer workers, support::Integer blocks,
                   const ResourceDemand::Partial& partial, int64_t servers) {
    const support::Integer all = workers * partial.each + blocks * partial.block;
    const support::Integer of_workers = floor_divide(workers * partial.each, servers);
    add(Part::Kind::resource, name, of_workers, workers, partial.each, servers);
    add(Part::Kind::blocks, name, floor_divide(all, servers) - of_workers, blocks, partial.block, servers);
  }

  // Adds the paths of so many workers, one after another. A term whose cycles are of no step is one sum.
  void add_paths(const GridProblem& problem, support::Integer workers) {
    add(Part::Kind::path, {}, workers, problem.critical_path, 1);
    for (const PathTerm& term : problem.path_terms) {
      const support::Integer cycles = workers * term.each + term.once;
      const bool is_sum = term.once != 0 || row_of(term.kind).charged == Part::Charged::nothing;
      add(term.kind, {}, cycles, is_sum ? 1 : workers, is_sum ? cycles : term.each, 1);
    }
  }

  support::Integer total() const { return total_; }

  // The bound with the sum as its value.
  Bound finish(Bound bound) && {
    bound = with_value(std::move(bound), total_);
    if (bound.makespan) bound.parts = std::move(parts_);
    return bound;
  }

 private:
  void add(Part::Kind kind, std::string name, support::Integer cycles, support::Integer workers,
           support::Integer demand, int64_t servers) {
    total_ += cycles;
    const auto count = workers.value(), each = demand.value(), sum = cycles.value();
    const bool stays = kind == Part::Kind::path || kind == Part::Kind::blocks;
    if (!count || !each || !sum || (!stays && (*count == 0 || *each == 0))) return;
    parts_.push_back({kind, std::move(name), *sum, *count, *each, servers});
  }

  support::Integer total_;
  std::vector<Part> parts_;
};

// The sum with the largest total; overflowed if any is, because that one might have been the largest. sums: not empty.
inline PartSum largest(std::vector<PartSum> sums) {
  PartSum* most = &sums.front();
  for (PartSum& sum : sums) {
    if (sum.total().overflowed()) return std::move(sum);
    if (*sum.total().value() > *most->total().value()) most = &sum;
  }
  return std::move(*most);
}

// The sum with the smaller total; the first if they are equal, or the second overflowed.
inline PartSum smaller(PartSum a, PartSum b) {
  if (b.total().overflowed()) return a;
  return a.total().overflowed() || *b.total().value() < *a.total().value() ? b : a;
}

}  // namespace warpspan::solver
