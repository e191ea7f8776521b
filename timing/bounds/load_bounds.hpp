// SPDX-License-Identifier: GPL-3.0-or-later
// The bounds that depend on how blocks come to multiprocessors: the smaller of one for blocks that are dealt
// round-robin and one for any greedy dispatcher.
#pragma once

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

namespace warpspan::timing {

// What each of the two bounds counts, which analyse different warps.
struct LoadDemand {
  Demand round_robin;  // blocks are dealt round-robin
  Demand any;          // any greedy dispatcher
};

struct LoadBound {
  solver::Bound bound;
  bool round_robin = true;  // the bound is the one for blocks that are dealt round-robin
  // What the bound would be for any greedy dispatcher, where the smaller one needs blocks to be dealt round-robin.
  std::optional<int64_t> any_dispatcher;
  std::vector<solver::Resource> resources;  // of one multiprocessor, where blocks are dealt round-robin
};

// Whether the machine file's dispatcher is part of the result, and whose rule it follows, is among the assumptions.
LoadBound pipeline_bound(const Load& load, const Machine& machine, const LoadDemand& demand);

// The bound where others that use the memory keep the kernel's requests waiting for at most this share of the time that
// it runs, at least 0 and below 1.
//
// Theorem. T <= T0 / (1 - share), T0 being the bound without them. Proof. Each cycle of the analysed warps is
// charged to their paths or to a wait. Those in which they wait for others' requests are at most share * T; the rest is
// at most T0, since a request that the memory serves for others is one more that occupies it. So T <= T0 + share * T.
// QED.
LoadBound with_interference(LoadBound bound, const support::Rational& share);

// A bound of latencies without waits for refreshes, with these: the theorem of costs/waits_once.cpp.
LoadBound with_refreshes(LoadBound bound, const RefreshFigures& refresh);

// The same for the string model, in which everything takes one cycle and blocks start in no time. maxima: of one warp;
// workers and chain are filled in here.
solver::Bound string_list_bound(const Load& load, const Machine& machine, solver::PathMaxima maxima);

// The assumptions of results for blocks that are dealt round-robin.
std::vector<std::string> round_robin(const Load& load);

}  // namespace warpspan::timing
