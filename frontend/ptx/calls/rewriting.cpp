// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/calls/rewriting.hpp"

#include <algorithm>
#include <numeric>

namespace warpspan::ptx {

uint32_t add_register(Function& function, Type type) {
  auto& ranges = function.register_ranges;
  const bool fits =
      !ranges.empty() && ranges.back().prefix.empty() && ranges.back().type == type && ranges.back().vector_size == 1;
  if (!fits) {
    RegisterRange range;
    range.type = type;
    range.first = function.registers;
    range.count = 0;
    ranges.push_back(range);
  }
  ++ranges.back().count;
  return function.registers++;
}

void Rewriting::move_labels(const std::vector<uint32_t>& places) {
  for (size_t l = 0; l < old_labels_; ++l) function_.labels[l].instruction = places[function_.labels[l].instruction];
  sort_labels();
}

uint32_t Rewriting::add_label(uint32_t offset) {
  function_.labels.push_back({"", none, offset});
  return static_cast<uint32_t>(function_.labels.size() - 1);
}

Operand Rewriting::reg(uint32_t index, Type type, Role role) {
  Operand operand;
  operand.kind = Operand::Kind::reg;
  operand.role = role;
  operand.index = index;
  operand.count = 1;
  operand.type = type;
  return operand;
}

Instruction& Rewriting::emit(const Instruction& origin, const Form* form, const std::vector<Operand>& operands) {
  Instruction instruction = origin;
  instruction.form = form;
  instruction.guard = none;
  instruction.guard_negated = false;
  instruction.first_operand = static_cast<uint32_t>(function_.operands.size());
  instruction.operand_count = static_cast<uint16_t>(operands.size());
  function_.operands.insert(function_.operands.end(), operands.begin(), operands.end());
  function_.instructions.push_back(instruction);
  return function_.instructions.back();
}

Instruction& Rewriting::emit_branch(const Instruction& origin, uint32_t label) {
  Operand target;
  target.kind = Operand::Kind::label;
  target.role = Role::target;
  target.index = label;
  return emit(origin, module_.forms->find("bra"), {target});
}

// Labels stand in the order of their instructions.
void Rewriting::sort_labels() {
  std::vector<uint32_t> order(function_.labels.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
    return function_.labels[a].instruction < function_.labels[b].instruction;
  });
  std::vector<uint32_t> number(order.size());
  std::vector<Label> sorted;
  for (const uint32_t label : order) {
    number[label] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(function_.labels[label]);
  }
  function_.labels = std::move(sorted);
  for (Operand& operand : function_.operands) {
    if (operand.kind == Operand::Kind::label && operand.index < number.size()) operand.index = number[operand.index];
  }
  for (Table& table : function_.tables) {
    for (uint32_t& label : table.labels) label = number[label];
  }
}

}  // namespace warpspan::ptx
