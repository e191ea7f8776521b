// SPDX-License-Identifier: GPL-3.0-or-later
// Where lines of PTX stand in machine code that was made of it, and in the PTX itself, as kernels of ir.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::beside {

struct Place {
  ir::BlockId block = ir::no_block;
  ir::InstructionId instruction = ir::no_instruction;
};

// Whether a thread has a choice at the end of a block.
bool decides(const ir::Block& block);

// Accesses that are compared: of global and shared memory, each lane by itself.
bool is_compared(const ir::Operation& operation);
// Whether they do the same to as many bytes.
bool are_alike(const ir::Operation& a, const ir::Operation& b);

// A kernel's instructions by line. Blocks that no thread comes to are left out.
class Places {
 public:
  // By instruction of the kernel, its line; 0: not known.
  Places(const ir::Kernel& kernel, const ir::Flow& flow, std::vector<uint32_t> lines);

  // In ascending order.
  std::span<const Place> at(uint32_t line) const;
  uint32_t line(ir::InstructionId instruction) const { return lines_[instruction]; }
  const ir::Operation& operation(ir::InstructionId i) const { return kernel.operation(kernel.instructions[i]); }
  // Of the branch that a block ends with.
  uint32_t line_of_end(ir::BlockId block) const;
  // Whether a block that decides ends there.
  bool decides_at(uint32_t line) const;

  // The innermost loop of a block is the loop, or is in it.
  bool is_in(ir::BlockId block, ir::LoopId loop) const;
  // A loop is the other one, or in it.
  bool is_inside(ir::LoopId loop, ir::LoopId other) const;
  // Whether threads may leave the loop at the end of a block in it.
  bool leaves(ir::BlockId block, ir::LoopId loop) const;
  const std::vector<ir::BlockId>& blocks_of(ir::LoopId loop) const { return blocks_[loop]; }

  const ir::Kernel& kernel;
  const ir::Flow& flow;

 private:
  std::vector<uint32_t> lines_;
  std::map<uint32_t, std::vector<Place>> places_;
  std::vector<std::vector<ir::BlockId>> blocks_;  // by loop, with those of loops inside
};

// The accesses of the PTX that are compared and that none of the machine code at their line is like.
std::vector<ir::InstructionId> vanished_accesses(const Places& code, const Places& ptx);

// The lines of the file that was read.
std::vector<uint32_t> own_lines(const ir::Kernel& kernel);

}  // namespace warpspan::beside
