#include "timing/load_bounds.hpp"

#include <iterator>
#include <utility>

#include "solver/assumptions.hpp"
#include "solver/bounds/grid_bound.hpp"
#include "solver/bounds/pipeline_bound.hpp"
#include "timing/assumption.hpp"

namespace warpspan::timing {

namespace {

using Sharing = ResourceFigures::Sharing;
using support::Integer;

constexpr const char* dealt_in_turn = "The warps of a block are dealt to the schedulers in turn.";
constexpr const char* no_dispatch =
    "A block starts as soon as there is room for it: the machine file has no [dispatch].";

// Time runs from the first block's turn where there is a grid. One block alone starts at once.
std::optional<solver::Dispatch> dispatch_of(const Load& load, const Machine& machine) {
  if (!load.grid_given || !machine.dispatch) return std::nullopt;
  return solver::Dispatch{load.device_blocks, machine.dispatch->latency, machine.dispatch->interval};
}

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

// A scheduler's issue slot is shared by the warps bound to it, every other warp of a block with two schedulers. Where
// warps run one after another, the followed ones may be bound to different schedulers, so that all warps count.
int64_t sharers(const ResourceFigures& resource, const Load& load, const Machine& machine) {
  switch (resource.sharing) {
    case Sharing::scheduler:
      return load.blocks > 1 ? load.warps : (load.warps + machine.schedulers - 1) / machine.schedulers;
    case Sharing::multiprocessor: return load.warps;
    case Sharing::device: return load.device_warps;
  }
  return load.device_warps;
}

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

}  // namespace

std::vector<std::string> round_robin(const Load& load) {
  if (!load.grid_given) return {"One block, alone on the device (give --grid for more)."};
  if (load.blocks == 1) return {"Blocks are dealt round-robin: at most one runs on a multiprocessor."};
  return {"Blocks are dealt round-robin: at most " + std::to_string(load.blocks) +
          " run on a multiprocessor, in any order, together or one after another."};
}

LoadBound pipeline_bound(const Load& load, const Machine& machine, const LoadDemand& demand) {
  solver::PipelineProblem in_turn;
  in_turn.critical_path = demand.in_turn.critical_path;
  in_turn.chain = load.blocks;
  in_turn.dispatch = dispatch_of(load, machine);
  solver::GridProblem any = grid_of(load, machine);
  any.critical_path = demand.any.critical_path;
  any.meet = demand.meets;
  if (in_turn.dispatch) any.dispatch = *in_turn.dispatch;
  for (size_t r = 0; r < machine.resources.size(); ++r) {
    const ResourceFigures& figures = machine.resources[r];
    const int64_t servers = figures.servers * (demand.ticks.empty() ? 1 : demand.ticks[r]);
    in_turn.resources.push_back({figures.name, servers, sharers(figures, load, machine), demand.in_turn.resources[r]});
    const bool device = figures.sharing == Sharing::device;
    any.resources.push_back(
        {figures.name, device ? solver::GridResource::Scope::device : solver::GridResource::Scope::site,
         figures.sharing == Sharing::scheduler ? machine.schedulers : 1, servers, demand.any.resources[r]});
  }
  LoadBound result;
  result.bound = with_own_parts(solver::pipeline_bound(in_turn), demand.in_turn);
  add_assumptions(result.bound, round_robin(load));
  if (machine.schedulers > 1 && load.blocks == 1) result.bound.assumptions.emplace_back(dealt_in_turn);
  if (load.grid_given) {
    solver::Bound grid = with_own_parts(solver::grid_bound(any), demand.any);
    add_assumptions(grid, room(load));
    if (machine.schedulers > 1) grid.assumptions.emplace_back(dealt_in_turn);
    result = smaller(std::move(result.bound), std::move(grid));
    if (!machine.dispatch) result.bound.assumptions.emplace_back(no_dispatch);
  }
  result.resources = std::move(in_turn.resources);
  return result;
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
