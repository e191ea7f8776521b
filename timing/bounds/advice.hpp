// SPDX-License-Identifier: GPL-3.0-or-later
// What would make a bound smaller, and how much smaller: each change is bounded again, so that what is said is what
// comes out. A change is one of the program or of what is stated of it, never of what is assumed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "solver/makespan/result.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/bounds/attribution.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

struct Advice {
  enum class Kind : uint8_t {
    coalesce,   // lanes that access a few lines instead of many
    conflicts,  // shared memory without bank conflicts
    registers,  // fewer registers, so that more blocks are resident
    serial,     // what some warps of each block do, one block after another
    buffers,    // sizes of arrays that are not stated
  };
  Kind kind = Kind::coalesce;
  std::optional<ir::InstructionId> instruction;  // the first of those that it is about
  std::string what;                              // "32 lines for 128 bytes, coalesced 2"
  std::optional<int64_t> makespan;               // what the bound becomes; nothing if it is not known
  std::optional<int64_t> usual;                  // the same with what is usual on the machine
};

// "coalesce", "bank-conflicts", ...
std::string_view to_string(Advice::Kind kind);

// The instruction that occupies a resource longest in a part of kind "blocks".
struct SerialStep {
  ir::InstructionId instruction = 0;
  int64_t blocks = 0, cycles = 0;  // of one block, rounded up
};

// A launch that was bounded, and what was found.
struct BoundedLaunch {
  const ir::Kernel& kernel;
  const ir::Flow& flow;  // that the bounds are made of
  const ir::Launch& launch;
  const Load& load;
  const Machine& machine;
  const AssumptionSet& assumed;
  const solver::Bound& bound;
  std::optional<int64_t> usual;
  const std::vector<InstructionCost>& costs;
  const std::vector<SerialStep>& serial;
};

inline constexpr size_t most_advice = 5;

// At most so many, the largest gain first; none of less than 2 %.
std::vector<Advice> advise(const BoundedLaunch& launch);

}  // namespace warpspan::timing
