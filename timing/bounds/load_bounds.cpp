// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/bounds/load_bounds.hpp"

#include <limits>
#include <utility>

#include "solver/makespan/assumptions.hpp"
#include "solver/makespan/grid_bound.hpp"
#include "solver/makespan/group_bound.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/costs/waits_once.hpp"

namespace warpspan::timing {

namespace {

using Sharing = ResourceFigures::Sharing;
using support::Integer;

constexpr const char* dealt_round_robin = "The warps of a block are dealt to the schedulers round-robin.";
constexpr const char* no_dispatch =
    "A block starts as soon as there is room for it: the machine file has no [dispatch].";

std::string registers_text(int64_t registers) {
  return std::to_string(registers) + (registers == 1 ? " register" : " registers") + " per thread";
}

std::string blocks_text(int64_t blocks) { return std::to_string(blocks) + (blocks == 1 ? " block" : " blocks"); }

// How many blocks a multiprocessor has room for.
std::vector<std::string> room(const Load& load) {
  const BlockNeeds& needs = load.needs;
  const Residency& resident = load.residency;
  std::vector<std::string> sentences = {
      "A multiprocessor has room for at least " + blocks_text(resident.blocks.least) + " with " +
      registers_text(needs.registers.most) + " (" + needs.registers_from + ") and " +
      std::to_string(needs.shared_bytes.most) + " bytes of shared memory per block, and for at most " +
      std::to_string(resident.blocks.most) + " with " + registers_text(needs.registers.least) + " and " +
      std::to_string(needs.shared_bytes.least) + " bytes."};
  if (resident.needs_shared_setting) {
    sentences.emplace_back(
        "The driver sets a multiprocessor to as much shared memory as its blocks can use, as it does by default.");
  }
  return sentences;
}

// How many warps of those that one multiprocessor has in all may share a copy of the resource with an analysed one. A
// scheduler's issue slot is shared by the warps bound to it, every other warp of a block with two schedulers. Where
// warps run one after another, or wait for those of their block, the analysed ones may be bound to different ones.
int64_t sharers(const ResourceFigures& resource, const Load& load, const Machine& machine, solver::SyncOrder sync) {
  const int64_t bound = (load.warps_per_block + machine.schedulers - 1) / machine.schedulers;
  if (load.cluster > 1) return load.device_warps;  // any of them may come to be where an analysed one is
  switch (resource.sharing) {
    case Sharing::scheduler:
      if (load.blocks > load.residency.blocks.least && load.blocks > 1) return load.warps;
      if (sync == solver::SyncOrder::in_any_order) return load.warps;
      return sync == solver::SyncOrder::never ? load.blocks * bound : load.warps - load.warps_per_block + bound;
    case Sharing::multiprocessor: return load.warps;
    case Sharing::device: return load.device_warps;
  }
  return load.device_warps;
}

std::vector<solver::Resource> resources_of(const Load& load, const Machine& machine, const Demand& demand) {
  std::vector<solver::Resource> resources;
  for (size_t r = 0; r < machine.resources.size(); ++r) {
    const ResourceFigures& figures = machine.resources[r];
    resources.push_back(
        {figures.name, figures.servers, sharers(figures, load, machine, demand.sync.order),
         ceil_divide(Integer(demand.resources[r].worker), demand.ticks_of(r)).value().value_or(INT64_MAX)});
  }
  return resources;
}

// What counts jointly as one resource of each scheduler, and the others as themselves.
std::vector<solver::GridResource> grid_resources(const Machine& machine, const Demand& demand) {
  using Scope = solver::GridResource::Scope;
  std::vector<solver::GridResource> resources;
  solver::GridResource joint = {joint_names[0], Scope::site, machine.schedulers, 1,
                                demand.joint_cycles(Interference::same_scheduler)};
  if (machine.schedulers > 1) joint.demand_elsewhere = demand.joint_cycles(Interference::other_scheduler).worker;
  joint.name_elsewhere = joint_names[1];
  if (joint.demand.worker > 0) resources.push_back(std::move(joint));
  for (size_t r = 0; r < machine.resources.size(); ++r) {
    const ResourceFigures& figures = machine.resources[r];
    if (counts_jointly(figures)) continue;
    const int64_t copies = figures.sharing == Sharing::scheduler ? machine.schedulers : 1;
    const Scope scope = figures.sharing == Sharing::device ? Scope::device : Scope::site;
    resources.push_back({figures.name, scope, copies, figures.servers * demand.ticks_of(r), demand.resources[r]});
  }
  return resources;
}

// The warps, without a launch.
solver::GridProblem warp_problem(const Machine& machine, const Demand& demand) {
  solver::GridProblem problem;
  problem.critical_path = demand.critical_path;
  problem.path_terms = demand.path_terms;
  problem.sync = demand.sync;
  problem.resources = grid_resources(machine, demand);
  return problem;
}

void set_launch(const Load& load, const Machine& machine, solver::GridProblem& problem) {
  problem.workers = load.warps_per_block;
  problem.sites = machine.multiprocessors;
  problem.least_slots = load.residency.blocks.least;
  problem.most_slots = load.residency.blocks.most;
  problem.dispatch.blocks = load.device_blocks;
}

// Time runs from the dispatch of the first block where there is a grid. One block alone starts at once.
solver::GridProblem grid_problem(const Load& load, const Machine& machine, const Demand& demand,
                                 solver::Dealing dealing) {
  solver::GridProblem problem = warp_problem(machine, demand);
  set_launch(load, machine, problem);
  problem.dealing = dealing;
  if (load.grid_given && machine.dispatch) {
    problem.dispatch.latency = machine.dispatch->latency;
    problem.dispatch.interval = machine.dispatch->interval_of(load.warps_per_block);
  }
  return problem;
}

// The smaller one; the second if they are equal.
LoadBound smaller(solver::Bound round_robin, solver::Bound any) {
  LoadBound result;
  const bool first = round_robin.makespan && (!any.makespan || *round_robin.makespan < *any.makespan);
  if (first) result.any_dispatcher = any.makespan;
  result.round_robin = first;
  result.bound = std::move(first ? round_robin : any);
  return result;
}

std::string of_clusters(const Load& load) {
  return "Blocks start in clusters of " + std::to_string(load.cluster) +
         ", and what they hold of any multiprocessor keeps all others waiting: nothing is said of which of them run "
         "at the same time, nor where.";
}

// All resources as one of the device, which is safe wherever the blocks of a cluster are.
LoadBound cluster_bound(const Load& load, const Machine& machine, const LoadDemand& demand) {
  solver::GridProblem problem = warp_problem(machine, demand.any);
  problem.workers = load.warps_per_block * load.cluster;
  problem.dispatch.blocks = load.device_blocks / load.cluster;
  for (solver::GridResource& resource : problem.resources) {
    if (resource.demand.partial) resource.demand.partial->block *= load.cluster;
  }
  if (machine.dispatch) {
    const int64_t interval = machine.dispatch->interval_of(load.warps_per_block);
    problem.dispatch.latency = machine.dispatch->latency + (load.cluster - 1) * interval;
    problem.dispatch.interval = load.cluster * interval;
  }
  LoadBound result;
  result.bound = solver::group_bound(problem);
  result.round_robin = false;
  add_assumptions(result.bound, {of_clusters(load)});
  if (!machine.dispatch) result.bound.assumptions.emplace_back(no_dispatch);
  result.resources = resources_of(load, machine, demand.round_robin);
  return result;
}

}  // namespace

std::vector<std::string> round_robin(const Load& load) {
  if (!load.grid_given) return {"One block, alone on the device (give --grid for more)."};
  if (load.blocks == 1) return {"Blocks are dealt round-robin: at most one runs on a multiprocessor."};
  return {"Blocks are dealt round-robin: at most " + std::to_string(load.blocks) +
          " run on a multiprocessor, in any order, together or one after another."};
}

LoadBound pipeline_bound(const Load& load, const Machine& machine, const LoadDemand& demand) {
  if (load.cluster > 1) return cluster_bound(load, machine, demand);
  LoadBound result;
  result.bound = solver::grid_bound(grid_problem(load, machine, demand.round_robin, solver::Dealing::round_robin));
  add_assumptions(result.bound, round_robin(load));
  if (load.blocks > 1) add_assumptions(result.bound, room(load));
  if (machine.schedulers > 1) result.bound.assumptions.emplace_back(dealt_round_robin);
  if (load.grid_given) {
    solver::Bound grid = solver::grid_bound(grid_problem(load, machine, demand.any, solver::Dealing::any_site));
    add_assumptions(grid, room(load));
    if (machine.schedulers > 1) grid.assumptions.emplace_back(dealt_round_robin);
    result = smaller(std::move(result.bound), std::move(grid));
    if (!machine.dispatch) result.bound.assumptions.emplace_back(no_dispatch);
  }
  result.resources = resources_of(load, machine, demand.round_robin);
  return result;
}

namespace {

// longer: what a number of cycles becomes, of which the difference is a part.
template <typename Longer>
LoadBound with_longer(LoadBound bound, solver::Part::Kind kind, const Longer& longer) {
  if (bound.any_dispatcher) bound.any_dispatcher = longer(*bound.any_dispatcher).value();
  if (!bound.bound.makespan) return bound;
  const Integer makespan = longer(*bound.bound.makespan);
  const auto more = (makespan - *bound.bound.makespan).value();
  if (more && *more > 0) bound.bound.parts.push_back({kind, {}, *more, 1, *more, 1});
  bound.bound = solver::with_value(std::move(bound.bound), makespan);
  return bound;
}

}  // namespace

LoadBound with_interference(LoadBound bound, const support::Rational& share) {
  return with_longer(std::move(bound), solver::Part::Kind::others, [&share](int64_t cycles) {
    const auto whole = ceil_divide(support::WideInteger(cycles) * support::WideInteger(share.denominator),
                                   share.denominator - share.numerator)
                           .value();
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    return whole && *whole <= most ? Integer(static_cast<int64_t>(*whole)) : Integer(most) + 1;
  });
}

LoadBound with_refreshes(LoadBound bound, const RefreshFigures& refresh) {
  return with_longer(std::move(bound), solver::Part::Kind::refreshes,
                     [&refresh](int64_t cycles) { return with_refreshes(Integer(cycles), refresh); });
}

solver::Bound string_list_bound(const Load& load, const Machine& machine, solver::PathMaxima maxima) {
  maxima.workers = load.warps;
  maxima.chain = load.blocks;
  solver::Bound round = solver::list_bound(maxima);
  add_assumptions(round, round_robin(load));
  if (!load.grid_given) return round;
  solver::GridProblem problem;
  set_launch(load, machine, problem);
  problem.critical_path = maxima.length;
  for (size_t k = 0; k < maxima.symbols.size(); ++k) {
    problem.resources.push_back({{}, solver::GridResource::Scope::site, 1, maxima.servers[k], {maxima.symbols[k]}});
  }
  solver::Bound grid = solver::grid_bound(problem);
  grid.method = round.method;
  grid.parts.clear();
  grid.assumptions = {solver::in_order, solver::work_conserving, solver::greedy_dispatch};
  add_assumptions(grid, room(load));
  return smaller(std::move(round), std::move(grid)).bound;
}

}  // namespace warpspan::timing
