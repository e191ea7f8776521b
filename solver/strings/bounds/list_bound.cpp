// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let W workers execute strings of at most I symbols, at most I_k of class k, where class k has s_k servers
// and is work-conserving. Let at most q workers form the chain: the one that finishes last, the one whose end let it
// start, and so on back to a worker that started at once. Then the makespan is at most
//
//   q * I + sum over k of floor((W - q) * I_k / s_k).
//
// Proof. Let the chain have p <= q workers. They run one after another, so exactly one of them, v, is under way in each
// cycle. In at most p * I cycles v executes. In any other cycle the next symbol of v, of class k say, is not executed;
// as the class is work-conserving, s_k workers execute class k, and all of them are outside of the chain. With a_k
// class-k symbols executed outside of the chain, at most floor(a_k / s_k) cycles are of that kind, and the makespan is
// at most
//
//   p * I + sum over k of floor(a_k / s_k).
//
// If p < q, take any q - p workers out of those outside. With b_k their class-k symbols, a_k - b_k <= (W - q) * I_k and
// floor(a_k / s_k) <= floor((a_k - b_k) / s_k) + b_k, because s_k >= 1; and the sum of b_k over all classes is the sum
// of their lengths, at most (q - p) * I. So the bound for p is at most the one for q, which is the theorem.
//
// With q = 1 and equal strings this is Graham's argument for list scheduling. For a single class with one server it is
// exact (W * I); it is exact too for two symbols of a class with two servers and four workers (2 + 3 = 5), where the
// published bound is 4.
#include "solver/strings/bounds/list_bound.hpp"

#include <algorithm>
#include <string>

#include "solver/makespan/assumptions.hpp"
#include "solver/strings/schedules/string.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

Bound upper_bound() {
  Bound bound;
  bound.method = "list";
  bound.kind = Kind::upper;
  bound.safe = true;
  return bound;
}

bool all_at_least(const std::vector<int64_t>& values, int64_t least) {
  return std::all_of(values.begin(), values.end(), [=](int64_t value) { return value >= least; });
}

// Empty if the maxima are within their ranges.
std::string fault(const PathMaxima& maxima) {
  if (maxima.symbols.size() != maxima.servers.size()) return "classes with symbols and classes with servers differ";
  if (maxima.length < 0 || !all_at_least(maxima.symbols, 0)) return "a number of symbols is negative";
  if (!all_at_least(maxima.servers, 1)) return "a class has no server";
  if (maxima.workers < 1) return "there is no worker";
  if (maxima.chain < 1 || maxima.chain > maxima.workers) return "the chain is not between 1 and the number of workers";
  return {};
}

}  // namespace

Bound list_bound(const StringProblem& problem) {
  Bound bound = upper_bound();
  bound.assumptions = string_model();
  const auto counts = validate(problem);
  if (!counts) return without_value(std::move(bound), Status::not_applicable, counts.errors().front().message);
  Integer makespan = counts->length;
  for (size_t k = 0; k < problem.servers.size(); ++k) {
    makespan += floor_divide(Integer(problem.workers - 1) * counts->of_class[k], problem.servers[k]);
  }
  return with_value(std::move(bound), makespan);
}

Bound list_bound(const PathMaxima& maxima) {
  Bound bound = upper_bound();
  bound.assumptions = {in_order, work_conserving, maxima.chain == 1 ? start_at_once : start_in_chain};
  if (std::string reason = fault(maxima); !reason.empty()) {
    return without_value(std::move(bound), Status::not_applicable, std::move(reason));
  }
  Integer makespan = Integer(maxima.chain) * maxima.length;
  for (size_t k = 0; k < maxima.servers.size(); ++k) {
    makespan += floor_divide(Integer(maxima.workers - maxima.chain) * maxima.symbols[k], maxima.servers[k]);
  }
  return with_value(std::move(bound), makespan);
}

}  // namespace warpspan::solver
