// Everything warpspan says about one kernel on one machine under one launch.
#pragma once

#include <array>
#include <atomic>
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
#include "timing/load.hpp"
#include "timing/machine/model.hpp"
#include "timing/one_warp.hpp"

namespace warpspan::timing {

struct ModelBound {
  std::string model;  // "string" or "pipeline"
  solver::Bound bound;
};

struct Analysis {
  Load load;
  std::array<int64_t, ir::unit_classes> instructions{};  // of one warp on its worst path, by UnitClass
  ir::InstructionString string;                          // of that path; empty if it is too long to be written down
  ir::InstructionString transformed;                     // for the widths of the machine's units
  std::array<int64_t, ir::unit_classes> servers{};       // of the transformed string
  bool only_one_string = true;                           // ir::WorstString::only_one
  size_t raw_edges = 0;
  int64_t best = 0, average = 0, worst = 0;  // one warp alone, all code at hand, cycles
  std::vector<ClockReading> clock_readings;
  std::optional<FetchCost> fetch;  // nothing if the machine has no figures of it
  // What the warps of a multiprocessor compete for, per warp, where blocks are dealt round-robin.
  std::vector<solver::Resource> resources;
  std::optional<int64_t> any_dispatcher;     // LoadBound::any_dispatcher of the pipeline bound
  std::vector<ModelBound> bounds;            // a fixed order: pipeline first, then the string model's
  std::optional<int64_t> witness;            // the longest schedule found in the string model, cycles
  std::vector<std::string> assumed_figures;  // instruction words of the kernel whose figures nobody measured
};

struct Limits {
  double seconds = 10;                        // for the search of schedules
  int64_t memory = int64_t{1} << 30;          // bytes
  const std::atomic<bool>* cancel = nullptr;  // ends the search soon after it becomes true
};

// Requires trip counts for all loops. A result that rests on something granted says so. Errors: those of load_of,
// one_warp_time; totals that overflow 64 bits.
support::Result<Analysis> analyse(const ir::Kernel& kernel, const ir::Flow& flow, const ir::Launch& launch,
                                  const Machine& machine, const AssumptionSet& granted, const Limits& limits);

}  // namespace warpspan::timing
