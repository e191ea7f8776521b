// The bounds that depend on how blocks come to multiprocessors: the smaller of one for blocks that are dealt
// round-robin and one for any greedy dispatcher.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "solver/strings/bounds/list_bound.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"
#include "timing/warp/together.hpp"

namespace warpspan::timing {

// Of a bound: what the warps that it follows wait for beside their path, where everything is at hand.
struct OwnWait {
  solver::Part::Kind kind = solver::Part::Kind::code;
  int64_t each = 0;  // cycles of the critical path that belong to it
  int64_t once = 0;  // cycles to add to the bound, whoever is followed
};

// What one warp needs at most, and what a bound that follows it needs once.
struct WarpDemand {
  int64_t critical_path = 0;       // cycles
  std::vector<int64_t> resources;  // ticks, by Machine::resources
  // By Neighbour, cycles: what of them it holds from its instructions' issue on (ContendedDemand::together).
  std::array<int64_t, neighbours> together = {};
  // By resource, ticks: what of them only some warps of a block hold (ContendedDemand::splits); empty if there is none.
  std::vector<std::optional<solver::GridResource::Split>> splits = {};
  std::optional<PieceDemand> piece = std::nullopt;  // ContendedDemand::piece
  std::vector<OwnWait> waits = {};                  // in the order of a breakdown; each kind once
};

// The same for each of the two bounds, which follow different warps.
struct LoadDemand {
  WarpDemand in_turn;                                // blocks are dealt round-robin
  WarpDemand any;                                    // any greedy dispatcher
  solver::Meeting meeting = solver::Meeting::never;  // of the warps of a block
  std::vector<int64_t> ticks = {};                   // Costs::ticks
};

struct LoadBound {
  solver::Bound bound;
  bool in_turn = true;  // the bound is the one for blocks that are dealt round-robin
  // What the bound would be for any greedy dispatcher, where the smaller one needs blocks to be dealt round-robin.
  std::optional<int64_t> any_dispatcher;
  std::vector<solver::Resource> resources;  // of one multiprocessor, where blocks are dealt round-robin
};

// Whether the machine file's dispatcher is part of the result, and whose rule it follows, is among the assumptions.
LoadBound pipeline_bound(const Load& load, const Machine& machine, const LoadDemand& demand);

// The bound where others that use the memory keep the kernel's requests waiting for at most this share of the time that
// it runs, at least 0 and below 1.
//
// Theorem. T <= T0 / (1 - share), T0 being the bound without them. Proof. Each cycle of those that the bound follows is
// charged to their paths or to a wait. Those in which they wait for others' requests are at most share * T; the rest is
// at most T0, since a request that the memory serves for others is one more that holds it. So T <= T0 + share * T. QED.
LoadBound with_interference(LoadBound bound, const support::Rational& share);

// The same for the string model, in which everything takes one cycle and blocks start in no time. maxima: of one warp;
// workers and chain are filled in here.
solver::Bound string_list_bound(const Load& load, const Machine& machine, solver::PathMaxima maxima);

// The assumptions of results for blocks that are dealt round-robin.
std::vector<std::string> round_robin(const Load& load);

}  // namespace warpspan::timing
