// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/calls/named_registers.hpp"

#include <algorithm>

namespace warpspan::ptx {

namespace {

template <typename Visit>
void for_each_named(const Function& function, const Visit& visit) {
  for (const Instruction& instruction : function.instructions) {
    if (instruction.guard != none) visit(instruction.guard);
  }
  for (const Operand& operand : function.operands) {
    if (operand.kind != Operand::Kind::reg) continue;
    for (uint32_t i = 0; i < std::max(operand.count, 1U); ++i) visit(operand.index + i);
  }
  for (const auto* list : {&function.parameters, &function.results}) {
    for (const Parameter& parameter : *list) {
      if (parameter.variable != none) continue;
      for (uint32_t i = 0; i < function.vector_size(parameter.reg); ++i) visit(parameter.reg + i);
    }
  }
}

}  // namespace

NamedRegisters::NamedRegisters(const Function& function) {
  if (function.registers / 8 <= function.operands.size()) numbers_.assign(function.registers, none);
  if (numbers_.empty()) {
    for_each_named(function, [this](uint32_t reg) { named_.push_back(reg); });
    std::sort(named_.begin(), named_.end());
    named_.erase(std::unique(named_.begin(), named_.end()), named_.end());
  } else {
    for_each_named(function, [this](uint32_t reg) { numbers_[reg] = 0; });
    for (uint32_t reg = 0; reg < numbers_.size(); ++reg) {
      if (numbers_[reg] == none) continue;
      numbers_[reg] = count();
      named_.push_back(reg);
    }
  }
  auto next = named_.begin();
  for (const RegisterRange& range : function.register_ranges) {
    const uint64_t end = uint64_t{range.first} + uint64_t{range.count} * range.vector_size;
    const auto after = std::lower_bound(next, named_.end(), end);
    if (after == next) continue;
    RegisterRange own = range;
    own.vector_size = 1;
    own.first = static_cast<uint32_t>(next - named_.begin());
    own.count = static_cast<uint32_t>(after - next);
    ranges_.push_back(own);
    next = after;
  }
}

uint32_t NamedRegisters::number(uint32_t reg) const {
  if (!numbers_.empty()) return numbers_[reg];
  return static_cast<uint32_t>(std::lower_bound(named_.begin(), named_.end(), reg) - named_.begin());
}

}  // namespace warpspan::ptx
