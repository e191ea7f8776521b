// SPDX-License-Identifier: GPL-3.0-or-later
// Why warps did not issue, by the instruction that they were to issue next.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/kernel.hpp"

namespace warpspan::timing {

enum class Stall : uint8_t {
  fixed,         // the stall count of the instruction before
  branch,        // control went elsewhere, or waited for other lanes of the warp
  memory,        // a scoreboard: what an access beyond shared memory brings
  shared,        // a scoreboard: what shared memory brings, a shuffle among it
  result,        // a scoreboard: another result
  operands,      // a scoreboard: operands that are not yet read
  copies,        // copies to shared memory that are not yet done
  barrier,       // of the block
  fence,         // what was written is not yet seen by others
  code,          // the instruction is not yet there
  constant,      // a constant that is its operand is not yet there
  unit,          // its unit is taken
  memory_queue,  // the way to the load/store units is full
  not_selected,  // the scheduler issued another warp's
};
inline constexpr size_t stalls = 14;
std::string_view to_string(Stall stall);    // "not_selected"
std::string_view description(Stall stall);  // "another warp was chosen"

// Of all warps together, in cycles of a warp.
struct InstructionStalls {
  double issued = 0;  // how often
  std::array<double, stalls> cycles{};
  // Which instruction had the scoreboard that was waited for, and for how long.
  std::vector<std::pair<ir::InstructionId, double>> awaited;

  double sum() const;
};

// Adds up waiting of warps one cause after another.
class StallAccount {
 public:
  explicit StallAccount(size_t instructions) : rows_(instructions) {}

  void issue(ir::InstructionId instruction) { rows_[instruction].issued += 1; }
  // The warp, which has waited for something until `charged`, waits to issue `next` for this until `until`.
  void charge(ir::InstructionId next, double& charged, double until, Stall why,
              ir::InstructionId awaited = ir::no_instruction);

  std::vector<InstructionStalls> take() { return std::move(rows_); }

 private:
  std::vector<InstructionStalls> rows_;
};

}  // namespace warpspan::timing
