// SPDX-License-Identifier: GPL-3.0-or-later
// How long a launch takes with the figures that its bound counts with: one multiprocessor, whose instructions all have
// their longest latencies and hold units for as long as the bound says, under several orders in which warps are issued.
// The slowest of these runs tells how much of a bound is the figures' and how much its own.
//
// It proves nothing: other multiprocessors are taken to ask for as much of what the device has at the same time, just
// before this one, as far as so many blocks of the grid may. Left out, each of which only makes it shorter: lines of
// code and constants that are replaced, sleeps, attempts that fail because of others, requests that wait behind the
// issue. So a run that is longer than the bound of the same assumptions is a defect of either.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/execution/machine_detail.hpp"
#include "ir/execution/trace.hpp"
#include "ir/flow.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/simulate/simulate.hpp"

namespace warpspan::timing {

// Which of the warps that can issue a scheduler chooses.
enum class IssueOrder : uint8_t {
  greedy_then_youngest,
  greedy_then_oldest,
  round_robin,
  youngest,        // the one that began last
  starved,         // the first one of a block only where no other can
  least_advanced,  // the one that has executed least
  most_advanced,
};
inline constexpr size_t issue_orders = 7;
std::string_view to_string(IssueOrder order);  // "least-advanced"

struct SlowestRun {
  std::array<int64_t, issue_orders>
      cycles{};  // by IssueOrder; of all blocks of the multiprocessor, perhaps extrapolated
  IssueOrder slowest = IssueOrder::greedy_then_youngest;
  int64_t analysed = 0;  // cycles of the longest one as far as it was followed, which a bound must cover
  int64_t blocks = 0, simulated_blocks = 0;
  std::optional<int64_t> bound;  // of the launch, under the same assumptions

  int64_t usual() const { return cycles[static_cast<size_t>(IssueOrder::greedy_then_youngest)]; }
  int64_t longest() const { return cycles[static_cast<size_t>(slowest)]; }
};

struct SlowestLimits {
  double instructions = 2e5;  // of warps that are followed, about, in each order
};

// flow: with trip counts for all loops. Errors: those of the bound.
support::Result<SlowestRun> slowest_run(const SimulatedLaunch& launch, const ir::Flow& flow, const Machine& machine,
                                        const AssumptionSet& assumed, const SlowestLimits& limits = {});

}  // namespace warpspan::timing
