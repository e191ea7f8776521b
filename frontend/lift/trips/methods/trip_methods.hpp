// SPDX-License-Identifier: GPL-3.0-or-later
// The methods that count how often loops run, each for a kind of loop, and what they may use.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "frontend/lift/accesses/contenders.hpp"
#include "frontend/lift/trips/guards/loop_context.hpp"
#include "frontend/lift/trips/methods/trip_counts.hpp"
#include "frontend/lift/trips/methods/trip_simulation.hpp"
#include "ir/flow.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// Where the loops of a function stand in the facts.
using LoopIds = llvm::DenseMap<const llvm::Loop*, ir::LoopId>;
// Values at the headers of loops, and numbers that they stay among.
using CounterRanges = llvm::DenseMap<const llvm::Value*, llvm::ConstantRange>;

struct TripContext : LoopContext {
  const ir::Program& program;
  const ir::Body& body;
  const ir::Launch& launch;
  const ir::Flow& flow;  // loops around this one are there
  const LoopIds& ids;
  TripCounts& counts;
  TripSimulation& simulation;
  CounterRanges& counter_ranges;  // of the loops so far; `ranges` uses them
  int64_t& range_budget;          // evaluations of instructions that are left, for all loops of the body
  const CasRetries& retried;      // in the stage `retrying`: of all loops without a trip count
};

// When a method is asked.
enum class TripStage : uint8_t {
  closed_form,  // of every loop. If that is exact, and not so high that no thread is likely to enter, no other is asked
  simulated,    // of every other loop. A loop is counted if one of these two stages has found a count
  bounding,     // of all these loops too: the smallest bound is taken
  waiting,      // of those that are not counted; the first bound that is found ends the search
  following,    // as well, and of counted loops that shift a number, as scalar evolution counts these bit by bit
  last,         // of those without any bound; the first one ends the search
  retrying,     // of those without any bound, when all loops of the body have been looked at
};

struct TripMethod {
  std::string_view name;  // its function is trips_by_NAME
  ir::TripCountSource source = ir::TripCountSource::none;
  TripStage stage = TripStage::closed_form;
  std::string_view loops;  // which it recognises
  std::optional<Trips> (*count)(const TripContext& context) = nullptr;
};

// In the order in which they are asked.
std::span<const TripMethod> trip_methods();

// Nothing if the loop is of another kind.
#define TRIP_METHOD(name, source, stage, loops) std::optional<Trips> trips_by_##name(const TripContext& context);
#include "ir/trip_methods.def"

}  // namespace warpspan::lift
