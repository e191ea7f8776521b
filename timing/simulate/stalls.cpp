// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/stalls.hpp"

#include <algorithm>
#include <numeric>

namespace warpspan::timing {

namespace {

struct Words {
  std::string_view name, what;
};
constexpr Words words[stalls] = {
    {"fixed", "the instruction before it takes a fixed time"},
    {"branch", "control went elsewhere"},
    {"memory", "a result from memory"},
    {"shared", "a result from shared memory, or a shuffle"},
    {"result", "another result"},
    {"operands", "operands that are still to be read"},
    {"copies", "copies to shared memory"},
    {"barrier", "other warps of the block"},
    {"fence", "that others see what was written"},
    {"code", "its own code"},
    {"constant", "a constant"},
    {"unit", "its unit was taken"},
    {"memory_queue", "the load/store units were behind"},
    {"not_selected", "another warp was chosen"},
};

}  // namespace

std::string_view to_string(Stall stall) { return words[static_cast<size_t>(stall)].name; }
std::string_view description(Stall stall) { return words[static_cast<size_t>(stall)].what; }

double InstructionStalls::sum() const { return std::accumulate(cycles.begin(), cycles.end(), 0.0); }

void StallAccount::charge(ir::InstructionId next, double& charged, double until, Stall why, ir::InstructionId awaited) {
  if (until <= charged) return;
  InstructionStalls& row = rows_[next];
  row.cycles[static_cast<size_t>(why)] += until - charged;
  if (awaited != ir::no_instruction) {
    const auto known = std::find_if(row.awaited.begin(), row.awaited.end(),
                                    [awaited](const auto& one) { return one.first == awaited; });
    if (known == row.awaited.end()) {
      row.awaited.emplace_back(awaited, until - charged);
    } else {
      known->second += until - charged;
    }
  }
  charged = until;
}

}  // namespace warpspan::timing
