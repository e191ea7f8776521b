// SPDX-License-Identifier: GPL-3.0-or-later
// A group of blocks is handed out when all of them find room at the same time, so that slots stay free while groups
// wait, and how many is unknown as long as it is unknown which slots belong to one group. All that is asked of the
// dispatcher: while a group waits, another one runs or is being handed out.
//
// Theorem. Let G groups of n workers be handed out so, l cycles at most from a group's dispatch slot to the start of
// each of its workers, i at most until the next one's. Let each worker need CP cycles at most alone, with what the path
// terms have of it, and occupy a copy of resource r, wherever that is, for at most Q_r server-cycles, s_r being the
// servers of a copy; let O be what the path terms have once. Then the makespan is at most
//
//   G (q CP + l) + O + (G - 1) i + sum over r of floor(G n Q_r / s_r),
//
// where q is 1 if no workers of a group wait for one another, or if they do in order, and else n. If some steps are
// taken by part of the workers of a group only, which occupy r with them for X_r at most in all, a worker with its
// others for U_r, then floor(G (n U_r + X_r) / s_r) may stand for r.
//
// Proof. Let t be the time of the last group's dispatch slot. Before t analyse a group that runs until it ends, then
// another one that runs, until t; no group is analysed twice, so there are at most G - 1. From t on analyse the group
// that ends last, which may have been analysed before t: then it counts as the same, as its time before t and from t on
// is a part of its time. No worker is analysed before t while no group runs, and then one is being handed out: at most
// i cycles for each of G - 1, or l cycles until the workers have started.
// To analyse a group means what it does for a block in grid_bound.cpp. By the lemma there, the analysed worker is not
// blocked in q CP cycles of a group's time at most: if workers wait for one another in order, the analysed intervals
// make up one program; in whichever order, let v be in each cycle any worker of the group that does not wait for
// others, and each of n workers goes on in at most CP cycles. In each other cycle all s_r servers of a copy of some
// resource r are occupied by other workers: s_r of the server-cycles for which all workers occupy copies of r, G n Q_r
// at most, or G n U_r and G X_r. No server-cycle is charged twice, as it is one of one cycle and of one copy. QED
//
// Sync points within sync points. Let the workers of a group be those of several blocks, and let there be sync points
// of all workers of a group, which all of them pass in the same order, and, between two of these, sync points of the
// workers of one block. Let any path from one sync point of the group to the next one be such that the workers of a
// block pass theirs in order on it, and let all paths from a sync point of the group to the next one begin and end
// alike: any of them may be taken by a worker after any path before. Then the workers wait for one another in order.
// Proof. Analysed from the end of a worker back, the analysed one changes at a sync point of a block to a worker of the
// same block, so that between two sync points of the group intervals of one block are analysed, which make up one path.
// These paths, one after another, are a program that a worker could have. QED Where a worker that waits at a sync point
// has signalled its arrival before, the analysed interval of the last one to arrive ends with that, and what stands
// between arriving and waiting is left out, which makes no program longer.
#include "solver/makespan/group_bound.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "solver/makespan/assumptions.hpp"
#include "solver/makespan/part_sum.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

// Empty if the problem is within its ranges.
std::string fault(const GridProblem& problem) {
  const Dispatch& dispatch = problem.dispatch;
  if (problem.critical_path < 0) return "the critical path is negative";
  if (problem.has_negative_term()) return "a term of the path is negative";
  if (problem.workers < 1) return "a group has no worker";
  if (dispatch.blocks < 1) return "there is no group";
  if (dispatch.latency < 0 || dispatch.interval < 0) return "a time of the dispatcher is negative";
  for (const GridResource& resource : problem.resources) {
    const std::string name = "resource '" + resource.name + "'";
    if (resource.servers < 1) return name + " has no server";
    if (resource.demand.worker < 0) return "the demand for " + name + " is negative";
    if (!resource.demand.has_valid_partial()) {
      return "the partial demand for " + name + " is negative or more than all of it";
    }
  }
  return {};
}

void add_resource(const GridResource& resource, Integer groups, Integer workers, PartSum& sum) {
  const ResourceDemand& demand = resource.demand;
  const auto is_less = [&](const ResourceDemand::Partial& partial) {
    return (workers * (Integer(demand.worker) - partial.each) - groups * partial.block).is_at_least(1);
  };
  if (demand.partial && is_less(*demand.partial)) {
    sum.add_partial(resource.name, workers, groups, *demand.partial, resource.servers);
  } else {
    sum.add(Part::Kind::resource, resource.name, workers, demand.worker, resource.servers);
  }
}

}  // namespace

Bound group_bound(const GridProblem& problem) {
  Bound bound;
  bound.method = "grid";
  bound.kind = Kind::upper;
  bound.safe = true;
  bound.assumptions = {occupied_by_others, groups_one_at_least};
  if (std::string reason = fault(problem); !reason.empty()) {
    return without_value(std::move(bound), Status::not_applicable, std::move(reason));
  }
  const Integer groups = problem.dispatch.blocks;
  const int64_t analysed = problem.sync.order == SyncOrder::in_any_order ? problem.workers : 1;
  PartSum sum;
  sum.add_paths(problem, groups * analysed);
  sum.add(Part::Kind::start, {}, groups, problem.dispatch.latency, 1);
  for (const GridResource& resource : problem.resources) add_resource(resource, groups, groups * problem.workers, sum);
  sum.add(Part::Kind::dispatch, {}, groups - 1, problem.dispatch.interval, 1);
  return std::move(sum).finish(std::move(bound));
}

}  // namespace warpspan::solver
