// SPDX-License-Identifier: GPL-3.0-or-later
// What blocks of a launch did, held against what its analysis says that they can do at most. Where a run goes beyond
// it, either the analysis is wrong, or what a user stated of the kernel.
//
// A block that was not executed to its end is left out but for single accesses: the blocks that it waits for were not
// there. Nothing is known of a run in which results were taken to be zeros, so none is to be held.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ir/execution/block_execution.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "ir/launch.hpp"
#include "support/checked.hpp"

namespace warpspan::ir {

struct Contradiction {
  enum class Of : uint8_t {
    array,         // bytes of an array, up to the last one that was accessed
    iterations,    // of a loop, by one thread
    executions,    // of a block of the code, by one warp
    warps,         // of a block of threads that execute a block of the code
    blocks,        // of threads that do
    transactions,  // of one access of a warp
    warp_lines,    // different lines of memory, of all that a warp accesses with an instruction
    block_lines,   // likewise of a block of threads
    span,          // bytes of an object up to the last one that an instruction accesses
  };
  Of of = Of::iterations;
  InstructionId instruction = 0;  // the access, or the last one of the block or of the header of the loop
  LoopId loop = no_loop;          // iterations
  std::string array = {};         // array, span
  int64_t proven = 0, happened = 0;
};

class ContradictionSearch {
 public:
  // All must live as long. arrays: as the execution has them.
  ContradictionSearch(const Kernel& kernel, const Flow& flow, const Launch& launch,
                      const std::vector<BlockExecution::Array>& arrays);

  void hold(const BlockTrace& block);

  // The worst of each kind and place, in the order of the code. Where arrays are too small, it is these alone: what
  // is beyond them, other facts need not know.
  std::vector<Contradiction> found();

 private:
  using Lanes = std::array<int64_t, warp_lanes>;
  // An array that is as large as a user says, or an object that spans are of.
  struct Region {
    std::string name;
    uint64_t begin = 0;
    std::optional<int64_t> bytes;
  };

  InstructionId last_of(BlockId block) const;
  void find_places();
  void find_regions(const Launch& launch, const std::vector<BlockExecution::Array>& arrays);
  void follow(const WarpTrace& warp);
  void come_to(BlockId block, uint32_t lanes);
  void iterate(LoopId loop, BlockId from, uint32_t lanes);
  void hold_accesses(const WarpTrace& warp);
  void hold_access(const WarpTrace& warp, const TracedStep& step);
  void hold_places(const WarpTrace& warp, const TracedStep& step);
  void hold_executions();
  void hold_blocks();
  void note(const Contradiction& contradiction);
  std::vector<support::Integer> proven_executions(const std::vector<BlockId>& blocks) const;

  const Kernel& kernel_;
  const Flow& flow_;
  std::vector<BlockId> ends_;             // by instruction: the block that ends with it
  std::vector<BlockId> same_;             // by block: the first one whose last instruction is a copy of the same
  std::vector<bool> is_copied_;           // by instruction: others are copies of the same
  std::vector<int64_t> most_iterations_;  // by loop, at most; 0: it is not known in iterations
  std::vector<const Access*> accesses_;   // by instruction
  std::vector<Region> regions_;           // by ascending begin
  std::vector<const Region*> objects_;    // by ObjectId
  // Of the warp that is followed.
  std::vector<Lanes> begun_;  // by loop
  std::array<BlockId, warp_lanes> at_{};
  std::vector<int64_t> executed_;  // by block
  std::map<InstructionId, std::vector<uint64_t>> warp_lines_;
  // Of the block of threads, and of all.
  std::vector<int64_t> warps_;  // by block: that executed it
  std::map<InstructionId, std::vector<uint64_t>> block_lines_;
  std::vector<int64_t> most_executed_;  // by block, of a warp
  std::vector<int64_t> in_blocks_;      // by block: blocks of threads in which some warp executed it
  std::map<std::tuple<Contradiction::Of, InstructionId, std::string>, Contradiction> found_;
};

}  // namespace warpspan::ir
