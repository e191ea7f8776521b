// SPDX-License-Identifier: GPL-3.0-or-later
// Everything warpspan finds out about one kernel on one machine under one launch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/instruction_string.hpp"
#include "ir/kernel.hpp"
#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/bounds/advice.hpp"
#include "timing/bounds/attribution.hpp"
#include "timing/bounds/ladder.hpp"
#include "timing/costs/fetch.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/strings/string_model.hpp"
#include "timing/warp/one_warp.hpp"

namespace warpspan::timing {

struct ModelBound {
  std::string model;  // "string" or "pipeline"
  solver::Bound bound;
};

struct Analysis {
  Load load;
  ir::Flow flow;                                         // as given, with the lines of bulk copies as transactions
  std::array<int64_t, ir::unit_classes> instructions{};  // WarpString::instructions
  ir::InstructionString string;                          // WarpString::string
  ir::InstructionString transformed;                     // WarpString::transformed
  std::array<int64_t, ir::unit_classes> servers{};       // WarpString::servers
  bool only_one_string = true;                           // WarpString::only_one
  size_t raw_edges = 0;
  int64_t best = 0, average = 0, worst = 0;  // one warp alone, warm instruction cache, cycles
  std::vector<ClockReading> clock_readings;
  std::optional<FetchCost> fetch;  // nothing if the machine has no figures of it
  // What the warps of a multiprocessor compete for, per warp, where blocks are dealt round-robin.
  std::vector<solver::Resource> resources;
  std::optional<int64_t> any_dispatcher;  // LoadBound::any_dispatcher of the pipeline bound
  std::vector<ModelBound> bounds;         // a fixed order: pipeline first, then the string model's, if asked for
  std::optional<int64_t> witness;         // the longest schedule found in the string model, cycles
  // Attribution::costs of the pipeline bound: what they leave of it no instruction has. Empty if telling them apart
  // exceeds 64 bits, or the memory that it is worth.
  std::vector<InstructionCost> costs;
  // From nothing assumed to all that helps, none larger than the one before it; rungs that change nothing are left out.
  std::vector<Rung> ladder;
  // The bound with what is usual on the machine, whatever is assumed; nothing where its file backs nothing, or if it
  // has no value. The first rung is the one that holds whatever the device does.
  std::optional<int64_t> usual;
  std::vector<Advice> advice;                // where it was asked for
  std::vector<std::string> assumed_figures;  // instruction words of the kernel whose figures nobody measured
};

// with_advice: each change is bounded again, some of the time that the analysis takes. string_limits: of the string
// model, which is left out where there are none. Requires trip counts for all loops. A result that rests on an
// assumption states it. Errors: those of the passes, such as a block that does not fit the machine, an operation
// without figures, a kernel that may spill; totals that exceed 64 bits; a kernel without instructions.
support::Result<Analysis> analyze(const ir::Kernel& kernel, const ir::Flow& flow, const ir::Launch& launch,
                                  const Machine& machine, const AssumptionSet& assumed,
                                  const std::optional<Limits>& string_limits, bool with_advice = false);

}  // namespace warpspan::timing
