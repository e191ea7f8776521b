// Everything warpspan says about one kernel on one machine under one launch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/instruction_string.hpp"
#include "ir/kernel.hpp"
#include "solver/problem.hpp"
#include "solver/result.hpp"
#include "support/result.hpp"
#include "timing/assumption.hpp"
#include "timing/fetch.hpp"
#include "timing/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/one_warp.hpp"
#include "timing/string_model.hpp"

namespace warpspan::timing {

struct ModelBound {
  std::string model;  // "string" or "pipeline"
  solver::Bound bound;
};

// What one instruction of the kernel has in the pipeline bound: the cycles for which it is what the warps that the
// bound follows wait for, and those for which other warps keep a resource with it.
struct InstructionCost {
  ir::InstructionId instruction = 0;
  int64_t executions = 0;  // by one warp, on the path with the most cycles
  int64_t own = 0;         // cycles of the bound, of its part "path"
  int64_t others = 0;      // cycles of the bound, of its parts "resource"
  std::string resource;    // the one with most of `others`; empty if there are none

  int64_t cycles() const { return own + others; }
};

struct Analysis {
  Load load;
  std::array<int64_t, ir::unit_classes> instructions{};  // WarpString::instructions
  ir::InstructionString string;                          // WarpString::string
  ir::InstructionString transformed;                     // WarpString::transformed
  std::array<int64_t, ir::unit_classes> servers{};       // WarpString::servers
  bool only_one_string = true;                           // WarpString::only_one
  size_t raw_edges = 0;
  int64_t best = 0, average = 0, worst = 0;  // one warp alone, all code at hand, cycles
  std::vector<ClockReading> clock_readings;
  std::optional<FetchCost> fetch;  // nothing if the machine has no figures of it
  // What the warps of a multiprocessor compete for, per warp, where blocks are dealt round-robin.
  std::vector<solver::Resource> resources;
  std::optional<int64_t> any_dispatcher;  // LoadBound::any_dispatcher of the pipeline bound
  std::vector<ModelBound> bounds;         // a fixed order: pipeline first, then the string model's, if asked for
  std::optional<int64_t> witness;         // the longest schedule found in the string model, cycles
  // Ascending instructions, those without cycles left out. Together with the parts of the bound that no instruction has
  // (code, dispatch and the like) they add up to it.
  std::vector<InstructionCost> costs;
  std::vector<std::string> assumed_figures;  // instruction words of the kernel whose figures nobody measured
};

// string_limits: of the string model, which is left out where there are none. Requires trip counts for all loops. A
// result that rests on something granted says so. Errors: those of the passes, such as a block that does not fit the
// machine, an operation without figures, a kernel that may spill; totals that exceed 64 bits; a kernel without
// instructions.
support::Result<Analysis> analyze(const ir::Kernel& kernel, const ir::Flow& flow, const ir::Launch& launch,
                                  const Machine& machine, const AssumptionSet& granted,
                                  const std::optional<Limits>& string_limits);

}  // namespace warpspan::timing
