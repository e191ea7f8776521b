// SPDX-License-Identifier: GPL-3.0-or-later
// What one instruction takes, whichever warp executes it: which unit it holds, when its results are there, and what it
// waits for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/execution/machine_detail.hpp"
#include "ir/kernel.hpp"
#include "timing/simulate/figures.hpp"

namespace warpspan::timing {

// Units of a scheduler, each of which executes one instruction after another.
enum class SimulatedUnit : uint8_t {
  none,
  integer,
  multiply,
  half,
  double_precision,
  special,
  matrix,
  uniform,
  memory
};
inline constexpr size_t units_of_scheduler = 9;
std::string_view to_string(SimulatedUnit unit);

inline constexpr size_t machine_scoreboards = 6;
inline constexpr uint8_t no_scoreboard = UINT8_MAX;

struct SimulatedCost {
  SimulatedUnit unit = SimulatedUnit::none;
  double occupied = 0;   // of the unit
  double result = 0;     // until it is there, where a scoreboard tells
  double stall = 1;      // until the warp may issue what stands behind it
  double elsewhere = 0;  // more where it goes on elsewhere, or waits for other lanes
  double port = 1;       // cycles of the multiprocessor's load/store unit, for what asks nothing beyond shared memory
  ir::MachineDetail::Effect effect = ir::MachineDetail::Effect::none;
  ir::ExecutionUnit executes = ir::ExecutionUnit::none;
  bool past_l1 = false, floating_point = false, wraps = false;
  bool swaps = false, repeats = false;  // a compare-and-swap of shared memory; one that code repeats
  bool shared = false;                  // what it asks for is shared memory, as far as is known before
  uint8_t waits = 0;                    // a bit for each scoreboard
  uint8_t written = no_scoreboard;      // counts until the result is there
  uint8_t read = no_scoreboard;         // counts until the operands are read
  uint8_t partly = no_scoreboard;       // it waits until this one counts at most `outstanding`
  uint8_t outstanding = 0;              // the same of Effect::awaits_products
  int64_t constant_line = -1;           // of an operand
  uint32_t place = 0, line_of_code = 0;
};

// By instruction of the kernel. details: of the same instructions.
std::vector<SimulatedCost> simulated_costs(const ir::Kernel& kernel, const std::vector<ir::MachineDetail>& details,
                                           const SimulatedMachine& machine);

}  // namespace warpspan::timing
