// SPDX-License-Identifier: GPL-3.0-or-later
// The registers of a body in SSA form, made while its blocks are lifted, dominators before the blocks they
// dominate.
//
// Theorem (R. Cytron and others, Efficiently Computing Static Single Assignment Form, 1991): values of a register meet
// only at the blocks of the iterated dominance frontier of those that write it. So the value at the start of any other
// block is the one at the end of the nearest dominator that writes the register or is such a block; if there is
// none, nothing writes the register on any path to the block. A phi is made only where a value is asked for. What one
// look-up costs does not grow with the blocks between a write and a read.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/translation/memory_slots.hpp"
#include "frontend/lift/translation/placement.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

class Registers {
 public:
  // `slots` are numbered after the registers.
  Registers(const ir::Body& body, const std::vector<SlotVariable>& slots, const Placement& placement, Emitter& emitter);

  unsigned bits(uint32_t id) const { return bits_[id]; }  // 0: of a type without bits

  // In the block that the emitter stands in. Only blocks with an instruction that writes the register may write it.
  llvm::Value* read(uint32_t id);
  void write(uint32_t id, llvm::Value* value);

  // To be called once, when all blocks are lifted and all edges between them are there.
  void complete();

 private:
  // A block that writes a register, or where its values join.
  struct Site {
    llvm::BasicBlock* block = nullptr;
    bool is_written = false;
    bool is_merge = false;
    llvm::Value* start = nullptr;  // the phi, once it is made
    llvm::Value* end = nullptr;    // after what has been lifted of the block
    Site* around = nullptr;        // the nearest that dominates this one
  };
  using Sites = std::map<uint32_t, Site>;  // by the block's number in a depth-first walk of the dominator tree
  using Frontiers = llvm::DenseMap<const llvm::BasicBlock*, std::vector<llvm::BasicBlock*>>;

  void find_constants(const ir::Body& body, const Placement& placement);
  void find_sites(const ir::Body& body, const std::vector<SlotVariable>& slots, const Placement& placement);
  void add_writer(uint32_t id, llvm::BasicBlock& block);
  void add_merges(Sites& sites, const Frontiers& frontiers) const;
  void nest(Sites& sites) const;
  Frontiers find_frontiers(llvm::Function& function) const;
  uint32_t number(const llvm::BasicBlock& block) const { return dominators_.getNode(&block)->getDFSNumIn(); }

  Site* nearest(const llvm::BasicBlock& block, uint32_t id);
  llvm::Value* at_end(const llvm::BasicBlock& block, uint32_t id);
  llvm::Value* phi(Site& site, uint32_t id);
  llvm::Value* unset(uint32_t id);

  Emitter& emitter_;
  const llvm::DominatorTree& dominators_;
  std::vector<unsigned> bits_;
  std::vector<bool> is_constant_;              // written once, before all reads
  std::vector<llvm::Value*> constants_;        // of those
  std::vector<llvm::Value*> unset_;            // what a register holds that was never written
  std::unordered_map<uint32_t, Sites> sites_;  // of the others, if anything writes them
  std::vector<std::pair<llvm::PHINode*, uint32_t>> incomplete_;
};

}  // namespace warpspan::lift
