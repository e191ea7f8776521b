// SPDX-License-Identifier: GPL-3.0-or-later
// What may stand where in an instruction: each operand against its role. What passes has a meaning for all that comes
// after the parser: a branch has labels, what is written is a register, memory is accessed by an address.
#include <algorithm>

#include "frontend/ptx/syntax/parser_state.hpp"

namespace warpspan::ptx {

namespace {

using Kind = Operand::Kind;

// Far more than any instruction has (the largest matrices take 256);
// few enough for the counts of ir::Instruction.
constexpr size_t most_values = 1024;

bool is_one_of(const Operand& operand, std::initializer_list<Kind> kinds) {
  return std::find(kinds.begin(), kinds.end(), operand.kind) != kinds.end();
}

}  // namespace

void Parser::set_role(Operand& operand, Role role) {
  operand.role = role;
  const bool has_elements = is_one_of(operand, {Kind::vector, Kind::pair, Kind::list});
  for (uint32_t i = 0; has_elements && i < operand.count; ++i) function_.operands[operand.index + i].role = role;
}

// Registers and constants in an operand.
size_t Parser::values_in(const Operand& operand) const {
  if (!is_one_of(operand, {Kind::vector, Kind::pair, Kind::address, Kind::list})) {
    return operand.kind == Kind::reg ? std::max<size_t>(operand.count, 1) : 1;
  }
  size_t values = 0;
  for (uint32_t i = 0; i < operand.count; ++i) values += values_in(function_.elements(operand)[i]);
  return values;
}

// False after an error.
bool Parser::assign_roles(const Form& form, const Token& opcode) {
  const std::vector<OperandRule>* rules = form.rules(operands_.size());
  if (rules == nullptr) {
    fail(opcode.offset, "'" + form.text + "' cannot have " + std::to_string(operands_.size()) +
                            (operands_.size() == 1 ? " operand" : " operands"));
    return false;
  }
  size_t values = 0;
  for (const Operand& operand : operands_) values += values_in(operand);
  if (values > most_values) {
    fail(opcode.offset, "'" + form.text + "' has more than " + std::to_string(most_values) + " operands in its lists");
    return false;
  }
  for (size_t i = 0; i < operands_.size(); ++i) {
    Operand& operand = operands_[i];
    const uint32_t offset = operand_offsets_[i];
    const OperandRule& rule = (*rules)[i];
    const bool is_access =
        form.operation.space != ir::MemorySpace::none && rule.expected != OperandRule::Expected::anything;
    if (operand.kind == Kind::vector && operand.count == 1 && form.vector_size == 1 &&
        (is_access || rule.may_be_packed)) {
      operand = Operand(function_.elements(operand)[0]);  // "{%r1}" is %r1
    }
    set_role(operand, rule.role);
    const bool fits = operand.role == Role::callee ? check_callee(i) : check_operand(form, rule, i);
    if (!fits || !add_offset(operand, offset)) return false;
  }
  for (size_t i = 0; i < operands_.size(); ++i) {
    if (operands_[i].role == Role::address && !move_address(form, i)) return false;
  }
  return form.transfer != ir::Transfer::call || check_call(opcode);
}

bool Parser::check_operand(const Form& form, const OperandRule& rule, size_t place) {
  const Operand& operand = operands_[place];
  const uint32_t offset = operand_offsets_[place];
  const auto name = [&] { return "'" + form.text + "'"; };
  const auto refuse = [&](const std::string& message, const std::string& help = {}) {
    fail(offset, message, help);
    return false;
  };
  switch (operand.role) {
    case Role::address:
      if (operand.kind != Kind::address) {
        return refuse("this operand of " + name() + " is an address in memory", "write it in brackets, as in [%rd1+4]");
      }
      return check_read(operand, offset) && check_address(form, rule, place);
    case Role::target:
      if (operand.kind == Kind::label && !operand.negated) return true;
      return refuse("the target of " + name() + " is a label", "for a target that is computed, use brx.idx");
    case Role::targets: {
      const bool is_list = operand.kind == Kind::table && !function_.tables[operand.index].labels.empty();
      return is_list || refuse("the targets of " + name() + " are a list of labels that stands before it",
                               "declare it, as in 'targets: .branchtargets A, B;'");
    }
    case Role::write:
      if (is_result(operand, true)) return check_type(form, rule, operand, offset);
      return refuse(name() + " writes this operand, so it must be a register");
    case Role::read_write:
      if (is_result(operand, false)) return check_type(form, rule, operand, offset);
      return refuse(name() + " reads and writes this operand, so it must be a register");
    default: return check_read(operand, offset) && check_type(form, rule, operand, offset);
  }
}

// Whether an operand can be written: a register, a vector or pair of them, or what throws the value away.
bool Parser::is_result(const Operand& operand, bool may_be_sink) const {
  if (is_one_of(operand, {Kind::vector, Kind::pair})) {
    const Operand* elements = function_.elements(operand);
    return std::all_of(elements, elements + operand.count,
                       [&](const Operand& element) { return is_result(element, may_be_sink); });
  }
  return (operand.kind == Kind::reg && !operand.negated) || (operand.kind == Kind::sink && may_be_sink);
}

// Nothing can be read from a list of labels, nor from '_' but in a vector, where it leaves a word of memory as it is.
bool Parser::check_read(const Operand& operand, uint32_t offset) {
  if (operand.kind == Kind::table || operand.kind == Kind::sink) {
    fail(offset, operand.kind == Kind::sink ? "there is nothing to read in '_'" : "a list of targets has no value",
         "write a register or a constant");
    return false;
  }
  const bool is_predicate = operand.kind == Kind::reg && function_.register_type(operand.index) == Type::pred;
  if (operand.negated && !is_predicate) {
    fail(offset, "only a predicate register can be negated");
    return false;
  }
  if (!is_one_of(operand, {Kind::vector, Kind::pair, Kind::address, Kind::list})) return true;
  for (uint32_t i = 0; i < operand.count; ++i) {
    const Operand element = function_.elements(operand)[i];
    if (operand.kind == Kind::vector && element.kind == Kind::sink) continue;
    if (!check_read(element, offset)) return false;
  }
  return true;
}

// An operand of a call by its place, which parse_call_operands has seen to: results and arguments are lists; the first
// name is what is called, the second says what that may be.
bool Parser::check_callee(size_t place) {
  Operand& operand = operands_[place];
  const uint32_t offset = operand_offsets_[place];
  if (operand.kind == Kind::list) {
    set_role(operand, place == 0 ? Role::write : Role::read);
    const Operand* elements = function_.elements(operand);
    const bool can_be_written = std::all_of(elements, elements + operand.count, [](const Operand& element) {
      return is_one_of(element, {Kind::reg, Kind::variable, Kind::sink}) && !element.negated;
    });
    if (place == 0 ? can_be_written : check_read(operand, offset)) return true;
    if (place == 0) fail(offset, "the results of a call must be registers, .param variables or '_'");
    return false;
  }
  const bool is_target = place == 0 || (place == 1 && operands_.front().kind == Kind::list);
  if (is_target && operand.kind == Kind::reg) operand.role = Role::read;
  if (is_target ? is_one_of(operand, {Kind::function, Kind::label, Kind::reg}) : operand.kind == Kind::table) {
    return true;
  }
  if (is_target) {
    fail(offset, "the target of a call is a function, or a register with its address");
  } else {
    fail(offset, "after its arguments a call can only have a .callprototype or .calltargets that stands before it");
  }
  return false;
}

// The space of the address that stands at this place among the operands.
ir::MemorySpace Parser::space_of_address(const Form& form, size_t place) const {
  const auto end = operands_.begin() + static_cast<ptrdiff_t>(place);
  const auto before = std::count_if(operands_.begin(), end, [](const Operand& o) { return o.kind == Kind::address; });
  return form.space_of_address(static_cast<size_t>(before));
}

// Puts a move of the address before an instruction that names a variable, as the assembler does where no address is an
// immediate of the machine instruction; loads, stores and atomics have costs of their own for variables.
bool Parser::move_address(const Form& form, size_t place) {
  static constexpr std::string_view own_costs[] = {"ld", "st", "atom", "red"};
  const Operand base = function_.elements(operands_[place])[0];
  if (base.kind != Kind::variable || form.operation.space == ir::MemorySpace::texture) return true;
  if (std::find(std::begin(own_costs), std::end(own_costs), form.opcode->name) != std::end(own_costs)) return true;
  const bool is_short = module_.address_size == 32 || space_of_address(form, place) == ir::MemorySpace::shared;
  Operand moved;
  moved.kind = Kind::reg;
  moved.role = Role::write;
  moved.count = 1;
  moved.index = function_.registers;
  moved.type = is_short ? Type::u32 : Type::u64;
  Instruction move;
  move.form = module_.forms->find(is_short ? "mov.u32" : "mov.u64");
  move.offset = operand_offsets_[place];
  if (!add_registers({{}, false, moved.type, 1, function_.registers, 1}, move.offset)) return false;
  push_instruction(move, {moved, base});
  moved.role = Role::read;
  function_.operands[operands_[place].index] = moved;
  return true;
}

// Puts the addition that "%r1+4" stands for before the instruction, and its result in the operand's place.
bool Parser::add_offset(Operand& operand, uint32_t offset) {
  if (operand.kind != Kind::reg || operand.value == 0) return true;
  if (operand.role != Role::read) {
    fail(offset, "a register that is written cannot have an offset");
    return false;
  }
  const Type type = function_.register_type(operand.index);
  Operand sum = operand;
  sum.index = function_.registers;
  sum.value = 0;
  sum.role = Role::write;
  Operand addend;
  addend.value = operand.value;
  operand.value = 0;
  Instruction addition;
  addition.form = module_.forms->find("add.s" + std::to_string(bits(type)));
  addition.offset = offset;
  if (!add_registers({{}, false, type, 1, function_.registers, 1}, offset)) return false;
  push_instruction(addition, {sum, operand, addend});
  operand = sum;
  operand.role = Role::read;
  return true;
}

}  // namespace warpspan::ptx
