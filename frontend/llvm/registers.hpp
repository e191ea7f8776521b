// The registers of a PTX function in SSA form, made while its blocks are lifted: M. Braun and others, Simple and
// Efficient Construction of Static Single Assignment Form, CC 2013. Dominators come before the blocks they dominate.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "frontend/llvm/emitter.hpp"
#include "frontend/ptx/ast.hpp"

namespace warpspan::lift {

class Registers {
 public:
  // Whether the first instruction of the function is executed before the second whenever the second is.
  using Dominates = std::function<bool(uint32_t, uint32_t)>;

  // `slot_widths` are the bits of further variables, numbered after the registers. Instructions for which is_lifted is
  // false are never lifted.
  Registers(const ptx::Function& function, const std::vector<unsigned>& slot_widths, const std::vector<bool>& is_lifted,
            const Dominates& dominates, Emitter& emitter);

  unsigned bits(uint32_t id) const { return bits_[id]; }  // 0: of a type without bits

  // In the block that the emitter stands in.
  llvm::Value* read(uint32_t id);
  void write(uint32_t id, llvm::Value* value);

  // To be called once, when all blocks are lifted and all edges between them are there.
  void complete();

 private:
  using Key = std::pair<const llvm::BasicBlock*, uint32_t>;

  void find_widths(const ptx::Function& function, const std::vector<unsigned>& slot_widths);
  void find_constants(const ptx::Function& function, const std::vector<bool>& is_lifted, const Dominates& dominates);
  llvm::Value* at_start(llvm::BasicBlock& block, uint32_t id);
  llvm::Value* at_end(llvm::BasicBlock& block, uint32_t id);

  Emitter& emitter_;
  std::vector<unsigned> bits_;
  std::vector<bool> is_constant_;             // written once, before all reads
  std::vector<llvm::Value*> constants_;       // of those
  llvm::DenseMap<Key, llvm::Value*> values_;  // of the others, so far in each block
  std::vector<std::pair<llvm::PHINode*, uint32_t>> incomplete_;
};

}  // namespace warpspan::lift
