// SPDX-License-Identifier: GPL-3.0-or-later
// Small kernels and flow facts for tests, written block by block.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::test {

struct BlockSpec {
  std::string symbols;  // of its instructions: L, C, S; B: a barrier; E: the thread ends
  std::vector<ir::BlockId> successors;
  bool divergent = false;
  ir::BlockId post_dominator = ir::no_block;
  ir::LoopId loop = ir::no_loop;
};

struct TestKernel {
  ir::Kernel kernel;
  ir::Flow flow;
};

// Blocks in reverse post-order; loops with their trip counts.
inline TestKernel build_kernel(const std::vector<BlockSpec>& blocks, std::vector<ir::Loop> loops = {}) {
  TestKernel result;
  ir::Kernel& kernel = result.kernel;
  kernel.name = "k";
  using enum ir::OperationKind;
  std::vector<ir::OperationKind> kinds = {load_global, int_add, special};
  const auto synchronises = [](const BlockSpec& block) {
    return block.symbols.find_first_of("BE") != std::string::npos;
  };
  if (std::any_of(blocks.begin(), blocks.end(), synchronises)) kinds.insert(kinds.end(), {barrier, exit});
  for (const ir::OperationKind kind : kinds) {
    ir::Operation operation;
    operation.text = to_string(kind);
    operation.kind = kind;
    kernel.operations.push_back(operation);
  }
  for (ir::BlockId b = 0; b < blocks.size(); ++b) {
    ir::Block block;
    block.first = static_cast<ir::InstructionId>(kernel.instructions.size());
    block.count = static_cast<uint32_t>(blocks[b].symbols.size());
    block.successors = blocks[b].successors;
    block.may_end = block.successors.empty();
    if (block.may_end) block.transfer.kind = ir::Transfer::exit;
    for (const char symbol : blocks[b].symbols) {
      ir::Instruction instruction;
      instruction.operation = static_cast<uint32_t>(std::string("LCSBE").find(symbol));
      kernel.instructions.push_back(instruction);
    }
    kernel.blocks.push_back(block);
    ir::BlockFlow flow;
    flow.divergent = blocks[b].divergent;
    flow.post_dominator = flow.reconvergence = blocks[b].post_dominator;
    flow.loop = blocks[b].loop;
    result.flow.blocks.push_back(flow);
    result.flow.order.push_back(b);
  }
  result.flow.loops = std::move(loops);
  result.flow.transactions.resize(kernel.instructions.size(), 0);
  return result;
}

inline ir::Loop loop(ir::BlockId header, int64_t trip_count, ir::LoopId parent = ir::no_loop) {
  ir::Loop result;
  result.header = header;
  result.trip_count = trip_count;
  result.parent = parent;
  return result;
}

// Gives instruction i the registers it reads and writes.
inline void connect(TestKernel& k, size_t i, std::vector<ir::RegisterId> reads, std::vector<ir::RegisterId> writes) {
  ir::Instruction& instruction = k.kernel.instructions[i];
  instruction.first_register = static_cast<uint32_t>(k.kernel.register_pool.size());
  instruction.reads = static_cast<uint16_t>(reads.size());
  instruction.writes = static_cast<uint16_t>(writes.size());
  for (const ir::RegisterId reg : reads) k.kernel.register_pool.push_back(reg);
  for (const ir::RegisterId reg : writes) k.kernel.register_pool.push_back(reg);
}

}  // namespace warpspan::test
