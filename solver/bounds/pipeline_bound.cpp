// Theorem. Let the followed chain have q workers, all of them among the W_r workers of each resource r. Then the
// makespan is at most
//
//   f(q) = q * CP + sum over r of floor((W_r - q) * Q_r / s_r),
//
// where CP is the critical path, Q_r the demand and s_r the servers of r.
//
// Proof. The chain is the worker that ends last, the one whose end let it start, and so on back to a worker that
// started at once; so exactly one of them, v, is under way in each cycle. Call a cycle blocked if v could go on but
// does not, and let B(t) be the blocked cycles before time t. A step of v that takes place at t has B(t) to show for
// any delay: by induction t <= CP(step) + B(t), where CP(step) is its time on the critical path. For let the step be
// ready at t' <= t, the latest of the times at which the steps it depends on took place plus their latencies. By
// induction t' <= CP(step) + B(t'), shorter latencies only making it smaller (there are no timing anomalies), and the
// cycles from t' to t are all blocked, so t = t' + B(t) - B(t') <= CP(step) + B(t). So the chain takes at most q * CP
// cycles and its blocked cycles.
//
// A blocked cycle is charged to one resource r whose s_r servers are all held by workers other than v. No other worker
// of the chain holds anything then: earlier ones have ended, later ones have not started. The W_r - q workers of r
// outside of the chain hold r for at most (W_r - q) * Q_r server-cycles, so at most floor((W_r - q) * Q_r / s_r) cycles
// are charged to it. QED.
//
// Every worker of the chain has to be one of the W_r, or fewer than q would have to be subtracted. So a resource of
// which there are copies, each for some workers, is to be given with the workers of all its copies as soon as the chain
// can lead from one copy to another; a resource with fewer workers than the chain is refused.
//
// Where a dispatcher hands out blocks of workers, the workers of the chain are of different blocks. In a cycle between
// two of them, or before the first, either the dispatcher is handing out another block, at most (B - q) * i cycles with
// B blocks and an interval i, or the next worker's block has had its turn, at most q * l cycles with a latency l.
//
// How long the chain really is depends on the schedule. f may fall in q: a worker's demand on all resources together
// may exceed its critical path, since it may hold several at a time. Then a shorter chain allows more, so the bound is
// the largest of f(a) .. f(b), a = shortest_chain, b = chain. Let g be f without the floors. g is linear, so g(q) <=
// max(g(a), g(b)) for every q between them. Let m be the number of resources where s_r does not divide Q_r: g exceeds f
// by less than m, or not at all if m = 0. Hence f(q) <= max(f(a), f(b)) + max(0, m - 1) in integers.
#include "solver/bounds/pipeline_bound.hpp"

#include <algorithm>
#include <string>

#include "solver/assumptions.hpp"
#include "solver/bounds/parts.hpp"

namespace warpspan::solver {

namespace {

// Empty if the problem is within its ranges.
std::string fault(const PipelineProblem& problem) {
  if (problem.critical_path < 0) return "the critical path is negative";
  if (problem.shortest_chain < 1) return "the shortest chain is below 1";
  if (problem.chain < problem.shortest_chain) return "the chain is below the shortest chain";
  for (const Resource& resource : problem.resources) {
    const std::string name = "resource '" + resource.name + "'";
    if (resource.servers < 1) return name + " has no server";
    if (resource.demand < 0) return "the demand for " + name + " is negative";
    if (resource.workers < problem.chain) {
      return name + " is shared by " + std::to_string(resource.workers) + " workers, fewer than the " +
             std::to_string(problem.chain) + " of the chain";
    }
  }
  if (!problem.dispatch) return {};
  if (problem.dispatch->latency < 0 || problem.dispatch->interval < 0) return "a time of the dispatcher is negative";
  if (problem.dispatch->blocks < problem.chain) return "there are fewer blocks than workers in the chain";
  return {};
}

PartSum sum_with(const PipelineProblem& problem, int64_t chain) {
  PartSum sum;
  sum.add(Part::Kind::path, {}, chain, problem.critical_path, 1);
  if (problem.dispatch) sum.add(Part::Kind::start, {}, chain, problem.dispatch->latency, 1);
  for (const Resource& resource : problem.resources) {
    sum.add(Part::Kind::resource, resource.name, resource.workers - chain, resource.demand, resource.servers);
  }
  if (problem.dispatch) {
    sum.add(Part::Kind::dispatch, {}, problem.dispatch->blocks - chain, problem.dispatch->interval, 1);
  }
  return sum;
}

// By how much a chain of a length strictly between the shortest and the longest may exceed both.
int64_t bulge(const PipelineProblem& problem) {
  if (problem.chain - problem.shortest_chain < 2) return 0;
  const auto rounded = std::count_if(problem.resources.begin(), problem.resources.end(),
                                     [](const Resource& r) { return r.demand % r.servers != 0; });
  return std::max<int64_t>(0, rounded - 1);
}

}  // namespace

Bound pipeline_bound(const PipelineProblem& problem) {
  Bound bound;
  bound.method = "pipeline";
  bound.kind = Kind::upper;
  bound.safe = true;
  bound.assumptions = {held_by_others, problem.dispatch     ? start_by_turns
                                       : problem.chain == 1 ? start_together
                                                            : start_in_chain};
  if (std::string reason = fault(problem); !reason.empty()) {
    return without_value(std::move(bound), Status::not_applicable, std::move(reason));
  }
  PartSum sum = largest({sum_with(problem, problem.shortest_chain), sum_with(problem, problem.chain)});
  sum.add(Part::Kind::rounding, {}, 1, bulge(problem), 1);
  return std::move(sum).finish(std::move(bound));
}

}  // namespace warpspan::solver
