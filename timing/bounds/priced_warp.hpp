// SPDX-License-Identifier: GPL-3.0-or-later
// A warp whose instructions have their costs in a scenario.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/checked.hpp"
#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/costs/constant_reads.hpp"
#include "timing/costs/costed_kernel.hpp"
#include "timing/costs/fair_share.hpp"
#include "timing/costs/memory_model.hpp"
#include "timing/warp/one_warp.hpp"

namespace warpspan::timing {

// What is assumed of a warp's instructions.
struct Scenario {
  AssumptionSet accesses;        // that memory_service() looks at: those about accesses
  Order order = Order::given;    // in which machine instructions are executed
  Persistence cached;            // what a line of is read once
  Joined joined = Joined::none;  // parts that are charged as one, under `fair-share`

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

struct PricedWarp {
  Scenario scenario;
  MemoryService code;
  Costs costs;
  std::vector<ir::InstructionId> origins;  // ConstantReads::origins
  int64_t worst = 0;                       // cycles of one warp alone, first misses left out
  int64_t first_misses = 0;                // cycles for the lines of data that it waits for once: Persistence::by_warps

  CostedKernel costed(const Machine& machine) const { return {code.kernel, code.flow, costs, machine}; }
};

// code: of the kernel, of which the footprint is. last: what this has made of the same code and the same Persistence,
// or nothing; returned if the scenario changes none of it. Errors: an operation without figures, totals that exceed 64
// bits, a kernel that never ends.
support::Result<std::shared_ptr<const PricedWarp>> price_warp(const ir::Kernel& kernel, const ConstantReads& code,
                                                              const Footprint& footprint, const Machine& machine,
                                                              const Scenario& scenario,
                                                              std::shared_ptr<const PricedWarp> last);

// The same warp where parts are joined (fair_share.hpp). It has none so far. last: as above. Errors: totals that exceed
// 64 bits.
support::Result<std::shared_ptr<const PricedWarp>> join_parts(const PricedWarp& warp, Joined joined,
                                                              const Footprint& footprint, const Machine& machine,
                                                              std::shared_ptr<const PricedWarp> last);

// The figures of an operation of the warp's code that no cache helps.
OperationFigures missed_figures(const PricedWarp& warp, size_t operation, const Machine& machine);

// The sentences that its costs rest on.
std::vector<std::string> assumptions_of(const PricedWarp& warp, const ConstantReads& code);

}  // namespace warpspan::timing
