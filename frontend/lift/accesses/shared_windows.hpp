// SPDX-License-Identifier: GPL-3.0-or-later
// Which accesses by generic addresses go to shared memory.
#pragma once

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>

#include "ir/program.hpp"

namespace warpspan::lift {

// The bytes of a matrix in memory that a wmma.load or wmma.store accesses, from the first on, if its rows (its columns
// where they lie one behind the other) begin `distance` elements from each other: PTX ISA 9.7.14.4. Nothing if it is
// not known how large the matrix is, or that does not fit 63 bits.
std::optional<int64_t> fragment_extent(const ir::Matrix& matrix, int64_t distance);

class SharedWindows {
 public:
  // dynamic_bytes: of variables whose size the launch gives; nothing if that is not known.
  SharedWindows(const ir::Program& program, const ir::Body& body, std::optional<int64_t> dynamic_bytes,
                llvm::ScalarEvolution& evolution)
      : program_(program), body_(body), dynamic_bytes_(dynamic_bytes), evolution_(evolution) {}

  // Whether the address of a call of kind access or fragment, which comes from the body, is generic, and all bytes that
  // it accesses, in any thread and execution, lie in one variable in shared memory of the thread's block, or in machine
  // code anywhere in it.
  bool holds(const llvm::CallInst& call) const;
  // Whether any address of shared memory is part of what the address of such a call is made of.
  bool mentions_shared(const llvm::CallInst& call) const;

 private:
  uint64_t distance(const llvm::SCEV& address, const llvm::SCEV& half) const;
  std::optional<int64_t> extent(const llvm::CallInst& call) const;
  std::optional<int64_t> bytes_of(ir::VariableId variable) const;

  const ir::Program& program_;
  const ir::Body& body_;
  std::optional<int64_t> dynamic_bytes_;
  llvm::ScalarEvolution& evolution_;
};

}  // namespace warpspan::lift
