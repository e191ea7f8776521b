// The registers of a PTX function while its blocks are lifted: inside a block their values are passed on directly; what
// outlives a block goes through an alloca, which is promoted to SSA form later.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/llvm/emitter.hpp"
#include "frontend/ptx/ast.hpp"
#include "ir/kernel.hpp"

namespace warpspan::lift {

class Registers {
 public:
  // Looks through the instructions of the blocks marked in `reachable` for the registers that outlive a block.
  // `memory_widths` are the bits of further variables, numbered after the registers, that always do.
  Registers(const ptx::Function& function, const ir::Kernel& kernel, const std::vector<bool>& reachable,
            const std::vector<unsigned>& memory_widths, Emitter& emitter);

  unsigned bits(uint32_t id) const { return bits_[id]; }  // 0: of a type without bits
  llvm::Value* read(uint32_t id);
  void write(uint32_t id, llvm::Value* value);
  // To be called before the terminator of a block is emitted.
  void end_block();

  // Places that hold registers between blocks.
  std::vector<llvm::AllocaInst*> places() const;

 private:
  void find_widths(const ptx::Function& function, const std::vector<unsigned>& memory_widths);
  void find_outliving(const ptx::Function& function, const ir::Kernel& kernel, const std::vector<bool>& reachable);

  Emitter& emitter_;
  std::vector<unsigned> bits_;
  std::vector<bool> outlives_;
  std::vector<llvm::AllocaInst*> place_;
  std::vector<llvm::Value*> value_;  // in the block being lifted
  std::vector<uint32_t> valid_in_;   // the block that value_ is valid in
  std::vector<uint32_t> written_;    // outliving ones that the block has written
  std::vector<bool> is_written_;
  uint32_t block_ = 0;
};

}  // namespace warpspan::lift
