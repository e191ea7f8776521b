// SPDX-License-Identifier: GPL-3.0-or-later
// What a machine instruction is to a simulation of its time, besides what its operation tells (ir/kernel.hpp).
#pragma once

#include <cstdint>
#include <optional>

namespace warpspan::ir {

// What executes it, as far as the time it takes differs.
enum class ExecutionUnit : uint8_t {
  none,  // it is issued, and that is all
  integer,
  multiply,       // of integers
  wide_multiply,  // with a result of 64 bits, or the upper half of one
  single_precision,
  half_precision,
  double_precision,
  special,
  conversion,
  wide_conversion,  // from 64 bits
  warp_reduction,
  matrix,
  double_matrix,
  group_matrix,  // of a warp group, which goes on meanwhile
  uniform,
  uniform_constant,  // a load of a constant into a uniform register
  constant,          // into registers of lanes
  memory,
  shuffle,
  match_any,
  match_all,
};

struct MachineDetail {
  enum class Effect : uint8_t {
    none,
    block_fence,     // the warp goes on when others of its block see what it wrote
    device_fence,    // others of the device
    system_fence,    // the host and other devices too
    commits_copies,  // its scoreboard counts until the copies before it are done
    commits_bulk_copies,
    commits_products,  // of a warp group: this one and those before it
    awaits_products,   // it waits until at most `outstanding` of these are not done
    awaits_copies,     // it waits until a scoreboard counts at most `outstanding`
    joins,             // it waits for other lanes of the warp
    leaves,            // a call, a return or an indirect branch
  };
  uint32_t place = 0;  // which instruction of the code it is, those of functions that the kernel calls included
  ExecutionUnit unit = ExecutionUnit::none;
  Effect effect = Effect::none;
  // Where it reads a constant as an operand, at a place that no register has a part in: bank * 2^32 + byte.
  std::optional<int64_t> constant = std::nullopt;
  uint8_t depth = 0;            // matrix, double_matrix: registers of its first factor; group_matrix: columns in eights
  uint8_t scoreboard = 0;       // awaits_copies: which
  uint8_t outstanding = 0;      // awaits_copies, awaits_products
  bool floating_point = false;  // an atomic of floating-point numbers
  bool wraps = false;           // an atomic without a result that counts up or down, and begins anew at a limit
  bool past_l1 = false;         // an access that sees what other multiprocessors write meanwhile
  bool repeated_swap = false;   // a compare-and-swap of shared memory that tells whether it swapped; code repeats it
};

}  // namespace warpspan::ir
