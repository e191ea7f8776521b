#include "frontend/lift/operands.hpp"

namespace warpspan::lift {

std::vector<ptx::Operand> scalars(const ptx::Function& function, const ptx::Operand& operand) {
  using Kind = ptx::Operand::Kind;
  std::vector<ptx::Operand> result;
  if (operand.kind == Kind::vector || operand.kind == Kind::pair || operand.kind == Kind::list) {
    result.assign(function.elements(operand), function.elements(operand) + operand.count);
    for (ptx::Operand& element : result) element.role = operand.role;
  } else if (operand.kind == Kind::reg && operand.count > 1) {
    for (uint32_t i = 0; i < operand.count; ++i) {
      result.push_back(operand);
      result.back().index += i;
      result.back().count = 1;
    }
  } else {
    result.push_back(operand);
  }
  return result;
}

Transfer transfer_of(const ptx::Instruction& instruction) {
  const std::string_view name = instruction.form->opcode->name;
  if (name == "bra") return Transfer::branch;
  if (name == "brx.idx") return Transfer::indexed;
  if (name == "ret" || name == "exit" || name == "trap") return Transfer::leave;
  return Transfer::none;
}

}  // namespace warpspan::lift
