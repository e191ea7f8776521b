// SPDX-License-Identifier: GPL-3.0-or-later
// What instructions read and write, in terms that all input languages share.
#include "frontend/ptx/lowering/lowering.hpp"

namespace warpspan::ptx {
namespace {

struct SpecialRow {
  std::string_view name;
  ir::SpecialValue value;
};
constexpr auto special_rows = [] {
  using enum ir::SpecialValue;
  return std::to_array<SpecialRow>({
#define SPECIAL_REGISTER(enumerator, name, components, value, place, cost) {name, value},
#include "frontend/ptx/forms/special_registers.def"
#undef SPECIAL_REGISTER
  });
}();

ir::SpecialValue value_of(SpecialRegister id) { return special_rows[static_cast<size_t>(id)].value; }

}  // namespace

Mentioned::Mentioned(const Module& module, const Function& entry, ir::Program& program)
    : module_(module), program_(program) {
  if (entry.is_entry) {
    for (const Parameter& parameter : entry.parameters) variable(parameter.variable);
  }
  program_.parameters = static_cast<uint32_t>(program_.variables.size());
  for (uint32_t i = 0; i < program_.parameters; ++i) program_.variables[i].parameter = i;
  for (const SpecialRow& row : special_rows) {
    if (row.value < ir::SpecialValue::warp_uniform) program_.special_names[static_cast<size_t>(row.value)] = row.name;
  }
}

ir::VariableId Mentioned::variable(uint32_t index) {
  const auto [known, fresh] = variables_.try_emplace(index, static_cast<ir::VariableId>(program_.variables.size()));
  if (fresh) {
    const Variable& variable = module_.variables[index];
    program_.variables.push_back({std::string(variable.name), std::string(to_string(variable.type)), variable.space,
                                  is_integer(variable.type), bits(variable.type), variable.bytes});
    program_.variables.back().is_never_stored = variable.stored_at == none;
  }
  return known->second;
}

uint32_t Mentioned::function(uint32_t index) {
  const auto [known, fresh] = functions_.try_emplace(index, static_cast<uint32_t>(program_.functions.size()));
  if (fresh) program_.functions.emplace_back(module_.functions[index].name);
  return known->second;
}

void OperandLowering::append(const Instruction& instruction) {
  sources_.clear();
  results_.clear();
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = function_.begin(instruction)[i];
    switch (operand.role) {
      case Role::target:
      case Role::targets: break;  // ir::ControlTransfer
      case Role::write: append_scalars(operand, results_); break;
      case Role::read_write: append_scalars(operand, results_); [[fallthrough]];
      default: append_scalars(operand, sources_); break;
    }
  }
  ir::OperandRange range;
  range.first = static_cast<uint32_t>(body_.operands.size());
  range.sources = static_cast<uint16_t>(sources_.size());
  range.results = static_cast<uint16_t>(results_.size());
  range.guard = instruction.guard == none ? ir::no_register : instruction.guard;
  range.guard_negated = instruction.guard_negated;
  range.offset = instruction.offset;
  body_.operands.insert(body_.operands.end(), sources_.begin(), sources_.end());
  body_.operands.insert(body_.operands.end(), results_.begin(), results_.end());
  body_.instructions.push_back(range);
}

// Each operand of a pair or list is one by itself.
void OperandLowering::append_scalars(const Operand& operand, std::vector<ir::Operand>& list) {
  if (operand.kind != Operand::Kind::pair && operand.kind != Operand::Kind::list) {
    list.push_back(lower(operand));
    return;
  }
  for (uint32_t i = 0; i < operand.count; ++i) append_scalars(function_.elements(operand)[i], list);
}

ir::Operand OperandLowering::lower(const Operand& operand) {
  using Kind = ir::Operand::Kind;
  ir::Operand result;
  result.negated = operand.negated;
  result.index = operand.index;
  result.value = operand.value;
  switch (operand.kind) {
    case Operand::Kind::reg: {
      result.kind = Kind::reg;
      result.value = 0;
      if (operand.count <= 1) return result;
      std::vector<ir::Operand> elements(operand.count, result);  // a vector register
      for (uint32_t i = 0; i < operand.count; ++i) elements[i].index += i;
      return with_elements(Kind::vector, elements);
    }
    case Operand::Kind::integer: result.kind = Kind::integer; return result;
    case Operand::Kind::floating: result.kind = Kind::floating; return result;
    case Operand::Kind::special:
      result.kind = Kind::special;
      result.index = static_cast<uint32_t>(value_of(static_cast<SpecialRegister>(operand.index)));
      result.component = operand.component;
      return result;
    case Operand::Kind::variable:
      result.kind = Kind::variable;
      result.index = mentioned_.variable(operand.index);
      return result;
    case Operand::Kind::function:
      result.kind = Kind::function;
      result.index = mentioned_.function(operand.index);
      return result;
    case Operand::Kind::vector:
    case Operand::Kind::address: {
      std::vector<ir::Operand> elements;
      for (uint32_t i = 0; i < operand.count; ++i) elements.push_back(lower(function_.elements(operand)[i]));
      const bool is_address = operand.kind == Operand::Kind::address;
      ir::Operand composite = with_elements(is_address ? Kind::address : Kind::vector, elements);
      composite.value = operand.value;
      return composite;
    }
    default: return {};  // a sink; labels and tables have no value
  }
}

ir::Operand OperandLowering::with_elements(ir::Operand::Kind kind, const std::vector<ir::Operand>& elements) {
  ir::Operand result;
  result.kind = kind;
  result.index = static_cast<uint32_t>(body_.operands.size());
  result.count = static_cast<uint32_t>(elements.size());
  body_.operands.insert(body_.operands.end(), elements.begin(), elements.end());
  return result;
}

}  // namespace warpspan::ptx
