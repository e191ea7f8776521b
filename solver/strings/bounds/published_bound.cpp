// SPDX-License-Identifier: GPL-3.0-or-later
// The formula treats the classes apart: first all workers execute nothing but their symbols of one class, then those of
// the next. With one server for each class it is W * I, which is the list bound: I + (W - 1) * sum of I_k. So it is
// safe there.
//
// With more servers it is not, because workers of the same class need not stay in step. CC with two servers and four
// workers: ceil(4 / 2) * 2 = 4. But the class may execute workers 1 and 2, then 1 and 3, then 2 and 3, which leaves
// worker 4 alone with two symbols: 5 cycles.
#include "solver/strings/bounds/published_bound.hpp"

#include <utility>

#include "solver/makespan/assumptions.hpp"
#include "solver/strings/schedules/string.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

using support::Integer;

Bound published_bound(const StringProblem& problem) {
  Bound bound;
  bound.method = "published";
  bound.kind = Kind::published;
  bound.assumptions = string_model();
  const auto counts = validate(problem);
  if (!counts) return without_value(std::move(bound), Status::not_applicable, counts.errors().front().message);
  Integer makespan;
  bound.safe = true;
  for (size_t k = 0; k < problem.servers.size(); ++k) {
    if (counts->of_class[k] == Integer(0)) continue;
    makespan += ceil_divide(Integer(problem.workers), problem.servers[k]) * counts->of_class[k];
    if (problem.servers[k] > 1) bound.safe = false;
  }
  if (!bound.safe) {
    bound.remark =
        "not safe where a class has two or more servers: for two symbols of a class with two servers and four workers "
        "the "
        "formula gives 4, a schedule takes 5";
  }
  return with_value(std::move(bound), makespan);
}

}  // namespace warpspan::solver
