// SPDX-License-Identifier: GPL-3.0-or-later
// The string model (docs/model.md): contention for units alone, every instruction taking one cycle of its unit.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/instruction_string.hpp"
#include "ir/kernel.hpp"
#include "solver/makespan/result.hpp"
#include "support/result.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"

namespace warpspan::timing {

struct Limits {
  double seconds = 10;                        // for the search of schedules
  int64_t memory = int64_t{1} << 30;          // bytes
  const std::atomic<bool>* cancel = nullptr;  // ends the search soon after it becomes true
};

// What one warp executes on its worst-case path.
struct WarpString {
  std::array<int64_t, ir::unit_classes> instructions{};  // by UnitClass
  ir::InstructionString string;                          // empty if it is too long to be written down
  ir::InstructionString transformed;                     // for the widths of the machine's units
  std::array<int64_t, ir::unit_classes> servers{};       // of the transformed string
  bool only_one = true;                                  // ir::WorstString::only_one
};

// Requires trip counts for all loops. Errors: unit widths that no string is known for, counts that exceed 64 bits, a
// kernel that never ends.
support::Result<WarpString> warp_string(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine);

struct StringModel {
  std::vector<solver::Bound> bounds;  // the list bound first, which holds for every path
  std::optional<int64_t> witness;     // the longest schedule found, cycles
};

// only_one: no warp executes another string than this one. Errors: those of solver::solve.
support::Result<StringModel> string_model(const WarpString& string, const SymbolTotals& totals, bool only_one,
                                          const Load& load, const Machine& machine, const Limits& limits);

}  // namespace warpspan::timing
