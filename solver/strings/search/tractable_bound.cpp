// SPDX-License-Identifier: GPL-3.0-or-later
// The idea is to cut W workers into groups of y that run one after another. But nothing makes the groups wait for each
// other, and workers of a later group can leave an earlier one in a worse state than it could come into by itself. LCL
// with one server a class and four workers: ceil(4 / 2) * T(2) = 8, and a schedule takes 9.
#include "solver/strings/search/tractable_bound.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "solver/makespan/assumptions.hpp"
#include "solver/strings/schedules/deadline.hpp"
#include "solver/strings/schedules/string.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

std::string remark_on(int64_t reach, const Bound* failed) {
  std::string remark =
      "from exact values for up to " + std::to_string(reach) + (reach == 1 ? " worker" : " workers") +
      "; not safe: for LCL with one server a class and four workers the formula gives 8, a schedule takes 9";
  if (failed != nullptr) remark += "; the next one is not known: " + failed->remark;
  return remark;
}

}  // namespace

Bound tractable_bound(const StringProblem& problem, const TractableLimits& limits) {
  const Deadline deadline(limits.search.seconds, limits.search.cancel);
  Bound bound;
  bound.method = "tractable";
  bound.kind = Kind::published;
  bound.assumptions = string_model();
  const auto counts = validate(problem);
  if (!counts) return without_value(std::move(bound), Status::not_applicable, counts.errors().front().message);
  Integer least = Integer(problem.workers) * counts->length;
  int64_t reach = 1;
  int64_t states = 0;
  std::optional<Bound> failed;
  for (int64_t y = 2; y <= problem.workers; ++y) {
    states += most_states(y, counts->length, limits.states);
    if (states > limits.states) break;
    StringProblem smaller = problem;
    smaller.workers = y;
    SearchLimits search = limits.search;
    search.seconds -= deadline.elapsed();
    const Bound exact = exact_search(smaller, search).bound;
    if (!exact.makespan) {
      failed = exact;
      break;
    }
    reach = y;
    const Integer estimate = ceil_divide(Integer(problem.workers), y) * Integer(*exact.makespan);
    if (!estimate.overflowed() && (least.overflowed() || *estimate.value() < *least.value())) least = estimate;
  }
  bound.remark = remark_on(reach, failed ? &*failed : nullptr);
  bound = with_value(std::move(bound), least);
  bound.seconds = deadline.elapsed();
  return bound;
}

}  // namespace warpspan::solver
