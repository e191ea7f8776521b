#include "timing/bounds/load_bounds.hpp"

#include <iterator>
#include <limits>
#include <utility>

#include "solver/makespan/assumptions.hpp"
#include "solver/makespan/grid_bound.hpp"
#include "solver/makespan/group_bound.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::timing {

namespace {

using Sharing = ResourceFigures::Sharing;
using support::Integer;

constexpr const char* dealt_in_turn = "The warps of a block are dealt to the schedulers in turn.";
constexpr const char* no_dispatch =
    "A block starts as soon as there is room for it: the machine file has no [dispatch].";

std::string registers_text(int64_t registers) {
  return std::to_string(registers) + (registers == 1 ? " register" : " registers") + " per thread";
}

std::string blocks_text(int64_t blocks) { return std::to_string(blocks) + (blocks == 1 ? " block" : " blocks"); }

// What says how many blocks a multiprocessor holds.
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

// How many warps of those that one multiprocessor has in all may share a copy of the resource with a followed one. A
// scheduler's issue slot is shared by the warps bound to it, every other warp of a block with two schedulers. Where
// warps run one after another, or wait for those of their block, the followed ones may be bound to different ones.
int64_t sharers(const ResourceFigures& resource, const Load& load, const Machine& machine, solver::Meeting meeting) {
  const int64_t bound = (load.warps_per_block + machine.schedulers - 1) / machine.schedulers;
  if (load.cluster > 1) return load.device_warps;  // any of them may come to be where a followed one is
  switch (resource.sharing) {
    case Sharing::scheduler:
      if (load.blocks > load.residency.blocks.least && load.blocks > 1) return load.warps;
      if (meeting == solver::Meeting::in_any_order) return load.warps;
      return meeting == solver::Meeting::never ? load.blocks * bound : load.warps - load.warps_per_block + bound;
    case Sharing::multiprocessor: return load.warps;
    case Sharing::device: return load.device_warps;
  }
  return load.device_warps;
}

int64_t ticks_of(const LoadDemand& demand, size_t resource) {
  return demand.ticks.empty() ? 1 : demand.ticks[resource];
}

std::vector<solver::Resource> resources_of(const Load& load, const Machine& machine, const LoadDemand& demand) {
  std::vector<solver::Resource> resources;
  for (size_t r = 0; r < machine.resources.size(); ++r) {
    const ResourceFigures& figures = machine.resources[r];
    resources.push_back(
        {figures.name, figures.servers, sharers(figures, load, machine, demand.meeting),
         ceil_divide(Integer(demand.in_turn.resources[r]), ticks_of(demand, r)).value().value_or(INT64_MAX)});
  }
  return resources;
}

// What the warps of a launch need, as far as it does not count with what else they hold from the issue on.
std::vector<solver::GridResource> grid_resources(const Machine& machine, const LoadDemand& load,
                                                 const WarpDemand& demand) {
  using Scope = solver::GridResource::Scope;
  std::vector<solver::GridResource> resources;
  solver::GridResource together = {together_names[0], Scope::site, machine.schedulers, 1, demand.together[0]};
  if (machine.schedulers > 1) together.demand_elsewhere = demand.together[1];
  together.name_elsewhere = together_names[1];
  if (demand.piece) together.of_piece = demand.piece->together;
  if (demand.together[0] > 0) resources.push_back(std::move(together));
  for (size_t r = 0; r < machine.resources.size(); ++r) {
    const ResourceFigures& figures = machine.resources[r];
    if (held_together(figures)) continue;
    const int64_t copies = figures.sharing == Sharing::scheduler ? machine.schedulers : 1;
    const Scope scope = figures.sharing == Sharing::device ? Scope::device : Scope::site;
    resources.push_back({figures.name, scope, copies, figures.servers * ticks_of(load, r), demand.resources[r]});
    if (!demand.splits.empty()) resources.back().split = demand.splits[r];
  }
  return resources;
}

// Time runs from the first block's turn where there is a grid. One block alone starts at once.
solver::GridProblem grid_of(const Load& load, const Machine& machine) {
  solver::GridProblem problem;
  problem.workers = load.warps_per_block;
  problem.sites = machine.multiprocessors;
  problem.least_places = load.residency.blocks.least;
  problem.most_places = load.residency.blocks.most;
  problem.dispatch.blocks = load.device_blocks;
  return problem;
}

// Shows the waits as parts of their own, behind the paths, and adds what of them comes once.
solver::Bound with_own_parts(solver::Bound bound, const WarpDemand& demand) {
  if (!bound.makespan) return bound;
  Integer makespan = *bound.makespan;
  const int64_t followed = bound.parts.front().workers;
  auto place = bound.parts.begin();
  for (const OwnWait& wait : demand.waits) {
    makespan += wait.once;
    const int64_t of_paths = followed * wait.each;  // a part of the paths' cycles
    bound.parts.front().cycles -= of_paths;
    bound.parts.front().demand -= wait.each;
    const auto cycles = (Integer(of_paths) + wait.once).value();
    if (!cycles || *cycles == 0) continue;
    const bool each_alike = wait.kind == solver::Part::Kind::failures;
    const int64_t workers = each_alike ? followed : 1;
    place = bound.parts.insert(std::next(place), {wait.kind, {}, *cycles, workers, *cycles / workers, 1});
  }
  return solver::with_value(std::move(bound), makespan);
}

// The smaller one; the second if they are equal.
LoadBound smaller(solver::Bound in_turn, solver::Bound any) {
  LoadBound result;
  const bool first = in_turn.makespan && (!any.makespan || *in_turn.makespan < *any.makespan);
  if (first) result.any_dispatcher = any.makespan;
  result.in_turn = first;
  result.bound = std::move(first ? in_turn : any);
  return result;
}

std::string of_clusters(const Load& load) {
  return "Blocks start in clusters of " + std::to_string(load.cluster) +
         ", and what they hold of any multiprocessor keeps all others waiting: nothing is said of which of them run "
         "at the same time, nor where.";
}

// All resources as one of the device, which is safe wherever the blocks of a cluster are.
LoadBound cluster_bound(const Load& load, const Machine& machine, const LoadDemand& demand) {
  solver::GridProblem problem;
  problem.critical_path = demand.any.critical_path;
  problem.workers = load.warps_per_block * load.cluster;
  problem.dispatch.blocks = load.device_blocks / load.cluster;
  problem.meeting = demand.meeting;
  problem.resources = grid_resources(machine, demand, demand.any);
  for (solver::GridResource& resource : problem.resources) {
    if (resource.split) resource.split->block *= load.cluster;
  }
  if (machine.dispatch) {
    problem.dispatch.latency = machine.dispatch->latency + (load.cluster - 1) * machine.dispatch->interval;
    problem.dispatch.interval = load.cluster * machine.dispatch->interval;
  }
  LoadBound result;
  result.bound = with_own_parts(solver::group_bound(problem), demand.any);
  result.in_turn = false;
  add_assumptions(result.bound, {of_clusters(load)});
  if (!machine.dispatch) result.bound.assumptions.emplace_back(no_dispatch);
  result.resources = resources_of(load, machine, demand);
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
  const auto problem_of = [&](solver::Dealing dealing, const WarpDemand& warp) {
    solver::GridProblem problem = grid_of(load, machine);
    problem.critical_path = warp.critical_path;
    problem.dealing = dealing;
    problem.meeting = demand.meeting;
    if (warp.piece) problem.meetings = warp.piece->meetings;
    problem.resources = grid_resources(machine, demand, warp);
    if (load.grid_given && machine.dispatch) {
      problem.dispatch.latency = machine.dispatch->latency;
      problem.dispatch.interval = machine.dispatch->interval;
    }
    return problem;
  };
  const solver::GridProblem in_turn = problem_of(solver::Dealing::in_turn, demand.in_turn);
  LoadBound result;
  result.bound = with_own_parts(solver::grid_bound(in_turn), demand.in_turn);
  add_assumptions(result.bound, round_robin(load));
  if (load.blocks > 1) add_assumptions(result.bound, room(load));
  if (machine.schedulers > 1) result.bound.assumptions.emplace_back(dealt_in_turn);
  if (load.grid_given) {
    const solver::GridProblem any = problem_of(solver::Dealing::any_site, demand.any);
    solver::Bound grid = with_own_parts(solver::grid_bound(any), demand.any);
    add_assumptions(grid, room(load));
    if (machine.schedulers > 1) grid.assumptions.emplace_back(dealt_in_turn);
    result = smaller(std::move(result.bound), std::move(grid));
    if (!machine.dispatch) result.bound.assumptions.emplace_back(no_dispatch);
  }
  result.resources = resources_of(load, machine, demand);
  return result;
}

LoadBound with_interference(LoadBound bound, const support::Rational& share) {
  const auto longer = [&share](int64_t cycles) {
    const auto whole = ceil_divide(support::WideInteger(cycles) * support::WideInteger(share.denominator),
                                   share.denominator - share.numerator)
                           .value();
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    return whole && *whole <= most ? Integer(static_cast<int64_t>(*whole)) : Integer(most) + 1;
  };
  if (bound.any_dispatcher) bound.any_dispatcher = longer(*bound.any_dispatcher).value();
  if (!bound.bound.makespan) return bound;
  const Integer makespan = longer(*bound.bound.makespan);
  const auto more = (makespan - *bound.bound.makespan).value();
  if (more && *more > 0) bound.bound.parts.push_back({solver::Part::Kind::others, {}, *more, 1, *more, 1});
  bound.bound = solver::with_value(std::move(bound.bound), makespan);
  return bound;
}

solver::Bound string_list_bound(const Load& load, const Machine& machine, solver::PathMaxima maxima) {
  maxima.workers = load.warps;
  maxima.chain = load.blocks;
  solver::Bound round = solver::list_bound(maxima);
  add_assumptions(round, round_robin(load));
  if (!load.grid_given) return round;
  solver::GridProblem problem = grid_of(load, machine);
  problem.critical_path = maxima.length;
  for (size_t k = 0; k < maxima.symbols.size(); ++k) {
    problem.resources.push_back({{}, solver::GridResource::Scope::site, 1, maxima.servers[k], maxima.symbols[k]});
  }
  solver::Bound grid = solver::grid_bound(problem);
  grid.method = round.method;
  grid.parts.clear();
  grid.assumptions = {solver::in_order, solver::work_conserving, solver::greedy_dispatch};
  add_assumptions(grid, room(load));
  return smaller(std::move(round), std::move(grid)).bound;
}

}  // namespace warpspan::timing
