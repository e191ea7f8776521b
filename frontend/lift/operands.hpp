// Walks over the operands of PTX instructions.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "frontend/ptx/ast.hpp"

namespace warpspan::lift {

inline bool has_elements(const ptx::Operand& operand) {
  using Kind = ptx::Operand::Kind;
  return operand.kind == Kind::vector || operand.kind == Kind::pair || operand.kind == Kind::list ||
         operand.kind == Kind::address;
}

// Calls visit(register, role) for every register of an operand; those of an address are read.
template <typename Visit>
void for_each_register(const ptx::Function& function, const ptx::Operand& operand, ptx::Role role, const Visit& visit) {
  if (operand.kind == ptx::Operand::Kind::reg) {
    for (uint32_t i = 0; i < std::max(operand.count, 1U); ++i) visit(operand.index + i, role);
  } else if (has_elements(operand)) {
    const ptx::Role inner = operand.kind == ptx::Operand::Kind::address ? ptx::Role::read : role;
    for (uint32_t i = 0; i < operand.count; ++i) {
      for_each_register(function, function.elements(operand)[i], inner, visit);
    }
  }
}

// Calls visit(register, role) for every register of an instruction: its guard, what it reads, then what it writes.
template <typename Visit>
void for_each_register(const ptx::Function& function, const ptx::Instruction& instruction, const Visit& visit) {
  if (instruction.guard != ptx::none) visit(instruction.guard, ptx::Role::read);
  for (const bool writes : {false, true}) {
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      const ptx::Operand& operand = function.begin(instruction)[i];
      for_each_register(function, operand, operand.role, [&](uint32_t reg, ptx::Role role) {
        if (writes == (role == ptx::Role::write)) visit(reg, role);
      });
    }
  }
}

// The scalar operands that a vector, a pair or a vector register stands for; the operand itself otherwise.
std::vector<ptx::Operand> scalars(const ptx::Function& function, const ptx::Operand& operand);

// How an instruction ends a block. The same division that frontend/ptx/lower.cpp makes.
enum class Transfer : uint8_t { none, branch, indexed, leave };
Transfer transfer_of(const ptx::Instruction& instruction);

}  // namespace warpspan::lift
