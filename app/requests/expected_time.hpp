// SPDX-License-Identifier: GPL-3.0-or-later
// How long a launch probably takes, for any report on it: by a simulation, or else by a formula.
#pragma once

#include <functional>

#include "app/reports/expected_time.hpp"
#include "frontend/frontend.hpp"
#include "ir/execution/block_execution.hpp"
#include "timing/analysis.hpp"
#include "timing/simulate/simulate.hpp"

namespace warpspan::app {

// How much is simulated.
enum class SimulationEffort : uint8_t {
  never,
  quick,  // so few instructions that an analysis takes hardly longer
  full,   // as 'warpspan simulate' does
};

ir::ExecutionOptions execution_of(SimulationEffort effort);
timing::SimulationLimits limits_of(SimulationEffort effort);

// trace: of a block, as what the kernel is executed on gives it, with these options. The kernel must live as long.
timing::SimulatedLaunch simulated_launch(const frontend::AnalyzedKernel& analyzed, const timing::Load& load,
                                         std::function<ir::BlockTrace(int64_t)> trace, ir::ExecutionOptions options);

// What a simulation of so much tells.
ExpectedTime expected_by(const timing::Simulation& simulation, const timing::Machine& machine, SimulationEffort effort);

// Of a kernel that was analyzed. Nothing where the cycles exceed 2^63-1. A simulation that fails, or that could not be
// ended, is why the formula is used. No bound rests on it, and it depends on no clock.
std::optional<ExpectedTime> expected_time(const frontend::AnalyzedKernel& analyzed, const timing::Analysis& analysis,
                                          const timing::Machine& machine, SimulationEffort effort);

// The same by the formula alone.
std::optional<ExpectedTime> estimated_time(const frontend::AnalyzedKernel& analyzed, const timing::Analysis& analysis,
                                           const timing::Machine& machine, std::string not_simulated);

}  // namespace warpspan::app
