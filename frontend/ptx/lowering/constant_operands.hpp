// SPDX-License-Identifier: GPL-3.0-or-later
// What the constants among an instruction's operands cost in machine code.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::ptx {

struct ConstantOperands {
  // Words of 32 bits of the immediates that it computes with or stores, without those that are 0: what stands in an
  // address, a shift of lanes, a mask of threads or a table of truth is none.
  int words = 0;
  // How many of them the assembler has to bring to registers first: a machine instruction has one constant operand.
  int moves = 0;
  // ir::Operation::constant_free.
  int free = 0;
  // An immediate integer may be read from constant memory: the machine instruction has no place for it.
  bool in_memory = false;

  friend bool operator==(const ConstantOperands&, const ConstantOperands&) = default;
};

// By instruction of a body of the module.
std::vector<ConstantOperands> constant_operands(const Module& module, const Function& function);

}  // namespace warpspan::ptx
