// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/estimate/loaded_values.hpp"

#include <algorithm>

namespace warpspan::timing {

namespace {

bool brings_values(const ir::Operation& operation) {
  using enum ir::OperationKind;
  const ir::AccessClass access = ir::access_class(operation);
  if (operation.kind == shuffle || operation.kind == vote || operation.kind == warp_reduce) return true;
  if (operation.space == ir::MemorySpace::parameter || operation.space == ir::MemorySpace::constant) return false;
  return access == ir::AccessClass::load || access == ir::AccessClass::atomic;
}

// Goes through the kernel until nothing more is found.
class Search {
 public:
  Search(const ir::Kernel& kernel, const ir::Flow& flow)
      : kernel_(kernel), flow_(flow), found_{std::vector<bool>(kernel.registers), {}} {
    found_.blocks.resize(kernel.blocks.size());
  }

  LoadedValues run() {
    do {
      is_more_ = false;
      for (const ir::BlockId block : flow_.order) visit(block);
    } while (is_more_);
    return std::move(found_);
  }

 private:
  bool reads_one(const ir::Instruction& instruction) const {
    const ir::RegisterId* reads = kernel_.reads(instruction);
    return std::any_of(reads, reads + instruction.reads, [this](ir::RegisterId reg) { return found_.registers[reg]; });
  }

  void visit(ir::BlockId id) {
    const ir::Block& block = kernel_.blocks[id];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Instruction& instruction = kernel_.instructions[i];
      if (!found_.blocks[id] && !brings_values(kernel_.operation(instruction)) && !reads_one(instruction)) continue;
      const ir::RegisterId* writes = kernel_.writes(instruction);
      for (const ir::RegisterId* reg = writes; reg != writes + instruction.writes; ++reg) {
        is_more_ = is_more_ || !found_.registers[*reg];
        found_.registers[*reg] = true;
      }
    }
    if (block.count == 0 || block.successors.size() < 2) return;
    if (reads_one(kernel_.instructions[block.first + block.count - 1])) add_decided(id);
  }

  // Blocks that a warp comes to by one successor, and not by all.
  void add_decided(ir::BlockId branch) {
    for (ir::BlockId block : kernel_.blocks[branch].successors) {
      for (; block != ir::no_block && block != flow_.blocks[branch].reconvergence;
           block = flow_.blocks[block].reconvergence) {
        is_more_ = is_more_ || !found_.blocks[block];
        found_.blocks[block] = true;
      }
    }
  }

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  LoadedValues found_;
  bool is_more_ = false;
};

}  // namespace

LoadedValues loaded_values(const ir::Kernel& kernel, const ir::Flow& flow) { return Search(kernel, flow).run(); }

}  // namespace warpspan::timing
