// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/lowering.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/print.hpp"

namespace warpspan::sass {

using ir::Computation;

ir::RegisterId register_of(RegisterClass register_class, uint8_t number) {
  switch (register_class) {
    case RegisterClass::general: return number;
    case RegisterClass::uniform: return first_uniform + number;
    case RegisterClass::predicate: return first_predicate + number;
    case RegisterClass::uniform_predicate: return first_uniform_predicate + number;
    case RegisterClass::barrier: return first_barrier + number;
  }
  return number;
}

uint16_t bits_of(ir::RegisterId reg) { return reg >= first_predicate && reg < first_barrier ? 1 : 32; }

std::vector<ir::RegisterId> registers_of(const RegisterSet& set) {
  std::vector<ir::RegisterId> all;
  const auto add = [&all](const auto& bits, ir::RegisterId first) {
    for (size_t i = 0; i < bits.size(); ++i) {
      if (bits.test(i)) all.push_back(first + static_cast<ir::RegisterId>(i));
    }
  };
  add(set.general, 0);
  add(set.uniform, first_uniform);
  add(set.predicates, first_predicate);
  add(set.uniform_predicates, first_uniform_predicate);
  add(set.barriers, first_barrier);
  return all;
}

StepGuard guard_of(const Instruction& instruction) {
  const Guard& guard = instruction.guard;
  if (guard.number == no_register) return {};
  const auto file = guard.uniform ? RegisterClass::uniform_predicate : RegisterClass::predicate;
  return {register_of(file, guard.number), guard.negated};
}

namespace {

bool is_pure_unit(Unit unit) {
  switch (unit) {
    case Unit::alu:
    case Unit::fma:
    case Unit::half:
    case Unit::fp64:
    case Unit::special:
    case Unit::uniform:
    case Unit::constant: return true;
    default: return false;
  }
}

// Of what nothing is known of, besides, but that it may change memory.
bool may_write_memory(ir::OperationKind kind) {
  using Kind = ir::OperationKind;
  return kind == Kind::surface || kind == Kind::multimem || kind == Kind::matrix_group || kind == Kind::tensor_memory;
}

bool never_executed(const Instruction& instruction) {
  return instruction.guard.number == no_register && instruction.guard.negated;
}

}  // namespace

InstructionLowering::InstructionLowering(const Code& code, ir::Program& program, const std::optional<Frame>& frame)
    : code_(code),
      bank_(constant_bank(code.architecture)),
      frame_(frame),
      program_(program),
      body_(program.bodies.front()),
      steps_(body_,
             [] {
               std::vector<uint16_t> bits;
               for (ir::RegisterId reg = 0; reg < machine_registers; ++reg) bits.push_back(bits_of(reg));
               return bits;
             }()),
      versions_(machine_registers) {
  find_pairs();
  find_halves();
  find_wide_constants();
  add_variables();
  if (!frame_) return;
  frame_variable_ = static_cast<ir::VariableId>(program.variables.size());
  ir::Variable variable;
  variable.name = "frame of local memory";
  variable.type = "b8";
  variable.space = ir::MemorySpace::local;
  variable.element_bits = 8;
  variable.bytes = frame_->bytes;
  program.variables.push_back(variable);
}

void InstructionLowering::add_variables() {
  first_variable_ = static_cast<ir::VariableId>(program_.variables.size());
  for (const Code::Variable& known : code_.variables) {
    const bool is_number = known.bytes == 1 || known.bytes == 2 || known.bytes == 4 || known.bytes == 8;
    ir::Variable variable;
    variable.name = known.name;
    variable.type = is_number ? "b" + std::to_string(8 * known.bytes) : "b8";
    variable.space = ir::MemorySpace::constant;
    variable.is_integer = is_number;
    variable.element_bits = is_number ? static_cast<int>(8 * known.bytes) : 8;
    variable.bytes = known.bytes;
    variable.is_never_stored = true;
    program_.variables.push_back(std::move(variable));
  }
  first_global_ = static_cast<ir::VariableId>(program_.variables.size());
  for (const Code::GlobalVariable& known : code_.global_variables) {
    ir::Variable variable;
    variable.name = known.name;
    variable.type = "b8";
    variable.space = ir::MemorySpace::global;
    variable.element_bits = 8;
    variable.bytes = known.bytes;
    program_.variables.push_back(std::move(variable));
  }
}

void InstructionLowering::add_pair(RegisterClass register_class, uint8_t first) {
  if (first >= no_register - 1) return;
  const ir::RegisterId reg = register_of(register_class, first);
  if (!pairs_.contains(reg)) pairs_[reg] = steps_.temporary(64);
}

// What is addressed with, or computed with, and both halves of what carries connect.
void InstructionLowering::find_pairs() {
  for (const Instruction& instruction : code_.instructions) {
    if (!instruction.known()) continue;
    const bool moves_data = instruction.opcode->unit == Unit::load_store;
    const bool carries = instruction.has(Modifier::extended) || instruction.has(Modifier::high);
    for (const Operand& operand : instruction.operands()) {
      if (operand.kind == OperandKind::address) {
        if (operand.count == 2) add_pair(RegisterClass::general, operand.first);
        if (operand.second_count == 2 && !operand.descriptor) add_pair(RegisterClass::uniform, operand.second);
      }
      const bool holds_number =
          operand.register_class == RegisterClass::general || operand.register_class == RegisterClass::uniform;
      if (operand.kind != OperandKind::registers || !holds_number || operand.first == no_register) continue;
      if (operand.count == 2 && !moves_data) add_pair(operand.register_class, operand.first);
      if (operand.count == 1 && carries && operand.first > 0) {
        add_pair(operand.register_class, static_cast<uint8_t>(operand.first - 1));
      }
    }
  }
}

// Which numbers of 64 bits of bank 0 some instruction reads whole, or the upper half of behind a carry, or both of
// whose halves are moved.
void InstructionLowering::find_wide_constants() {
  std::set<int64_t> moved;
  for (const Instruction& instruction : code_.instructions) {
    if (!instruction.known()) continue;
    const bool is_high = instruction.has(Modifier::extended) || instruction.has(Modifier::high);
    const bool moves = instruction.mnemonic().ends_with("MOV") || instruction.mnemonic() == "IMAD";
    const bool loads = instruction.opcode->unit == Unit::constant;
    for (const Operand& operand : instruction.operands()) {
      if (operand.kind != OperandKind::constant || operand.bank != 0) continue;
      if (loads && !operand.is_fixed_constant()) reads_anywhere_ = true;
      const bool is_wide = loads ? instruction.modifier(Modifier::size).value_or(0) > 4 : operand.count > 1;
      if (is_wide) {
        wide_constants_.insert(operand.value);
        wide_constants_.insert(operand.value + 8);
      } else if (is_high) {
        wide_constants_.insert(operand.value - 4);
      } else if (moves) {
        moved.insert(operand.value);
      }
    }
  }
  for (const int64_t offset : moved) {
    if (moved.contains(offset + 4)) wide_constants_.insert(offset);
  }
}

bool InstructionLowering::reads_whole(int64_t offset) const {
  return reads_anywhere_ || wide_constants_.contains(offset);
}

ir::Operand InstructionLowering::unknown_constant(uint16_t bits) {
  return steps_.compute(pure(Computation::unknown, bits), bits, {});
}

// As where a function takes memory of its stack.
void InstructionLowering::note_own_pointers() {
  steps_.set_guard({});
  steps_.compute(pure(Computation::allocate, 64), 64, {});
}

// The generic address of byte 0 of shared memory.
ir::Operand InstructionLowering::shared_window() {
  ir::Semantics semantics = pure(Computation::to_generic, 64);
  semantics.space = ir::MemorySpace::shared;
  return steps_.compute(semantics, 64, {number(0)});
}

// The launch dimension at an offset of bank 0.
std::optional<ir::Operand> InstructionLowering::of_launch(int64_t offset) const {
  const auto component = [offset](int64_t first) -> std::optional<uint8_t> {
    const int64_t distance = offset - first;
    if (distance < 0 || distance > 8 || distance % 4 != 0) return std::nullopt;
    return static_cast<uint8_t>(distance / 4 + 1);
  };
  if (const auto block = component(bank_.block_extent)) return special(ir::SpecialValue::block_extent, *block);
  if (const auto grid = component(bank_.grid_extent)) return special(ir::SpecialValue::grid_extent, *grid);
  return std::nullopt;
}

// Bytes of the parameters, which lie in bank 0.
ir::Operand InstructionLowering::parameter(int64_t offset, uint16_t bits) {
  for (uint32_t i = 0; i < code_.parameters.size(); ++i) {
    const Code::Parameter& parameter = code_.parameters[i];
    const int64_t inside = offset - parameter.offset;
    if (inside < 0 || inside + bits / 8 > parameter.bytes) continue;
    // A pointer is one value, whichever half of it is read.
    const bool half = bits == 32 && inside % 8 < 5 && inside - inside % 8 + 8 <= parameter.bytes &&
                      (parameter.bytes == 8 || reads_whole(offset - inside % 8));
    ir::Operation load;
    load.kind = ir::OperationKind::load_param;
    load.space = ir::MemorySpace::parameter;
    load.semantics.computation = Computation::load;
    load.semantics.bits = half ? 64 : bits;
    load.bytes = load.semantics.bits / 8;
    ir::Operand variable;
    variable.kind = ir::Operand::Kind::variable;
    variable.index = i;
    const ir::Operand place = steps_.address(variable, half ? inside - inside % 8 : inside);
    const ir::Operand result = value_of(steps_.temporary(load.semantics.bits));
    steps_.add_step(std::move(load), {place}, {result}, {});
    if (!half) return result;
    if (inside % 8 == 0) return steps_.low_of(result);
    if (inside % 8 == 4) return steps_.high_of(result);
    return unknown_constant(bits);
  }
  return unknown_constant(bits);
}

// Nothing for bytes that are in no variable of which something is given.
std::optional<ir::Operand> InstructionLowering::of_variable(int64_t bank, int64_t offset, uint16_t bits) {
  for (uint32_t i = 0; i < code_.variables.size(); ++i) {
    const Code::Variable& known = code_.variables[i];
    const int64_t inside = offset - known.offset;
    if (bank != known.bank || inside < 0 || inside + bits / 8 > known.bytes) continue;
    ir::Operation load;
    load.kind = ir::OperationKind::load_const;
    load.space = ir::MemorySpace::constant;
    load.semantics.computation = Computation::load;
    load.semantics.bits = bits;
    load.bytes = bits / 8;
    ir::Operand variable;
    variable.kind = ir::Operand::Kind::variable;
    variable.index = first_variable_ + i;
    const ir::Operand result = value_of(steps_.temporary(bits));
    steps_.add_step(std::move(load), {steps_.address(variable, inside)}, {result}, {});
    return result;
  }
  return std::nullopt;
}

// That of a variable in global memory, which stands there; its window begins at 0, so that it is a generic one too.
std::optional<ir::Operand> InstructionLowering::variable_address(int64_t bank, int64_t offset) const {
  const auto found = code_.variable_addresses.find({bank, offset});
  if (found == code_.variable_addresses.end()) return std::nullopt;
  ir::Operand address;
  address.kind = ir::Operand::Kind::variable;
  address.index = first_global_ + found->second;
  return address;
}

ir::Operand InstructionLowering::constant32(int64_t bank, int64_t offset) {
  if (const auto own = code_.own_constants.find({bank, offset}); own != code_.own_constants.end()) {
    return number(static_cast<int64_t>(own->second));
  }
  if (const auto variable = of_variable(bank, offset, 32)) return *variable;
  if (const auto address = variable_address(bank, offset)) return steps_.low_of(*address);
  if (const auto address = variable_address(bank, offset - 4)) return steps_.high_of(*address);
  if (bank != 0) return unknown_constant(32);
  if (const auto known = of_launch(offset)) return *known;
  if (bank_.shared_window == offset) return steps_.low_of(shared_window());
  if (bank_.shared_window == offset - 4) return steps_.high_of(shared_window());
  return parameter(offset, 32);
}

ir::Operand InstructionLowering::constant64(int64_t bank, int64_t offset) {
  if (code_.own_constants.contains({bank, offset}) && code_.own_constants.contains({bank, offset + 4})) {
    return steps_.combine(constant32(bank, offset), constant32(bank, offset + 4));
  }
  if (const auto variable = of_variable(bank, offset, 64)) return *variable;
  if (const auto address = variable_address(bank, offset)) return *address;
  if (bank != 0) return unknown_constant(64);
  if (bank_.shared_window == offset) return shared_window();
  if (has_two_parts(bank, offset)) return steps_.combine(constant32(bank, offset), constant32(bank, offset + 4));
  return parameter(offset, 64);
}

bool InstructionLowering::has_two_parts(int64_t bank, int64_t offset) const {
  if (bank != 0) return false;
  if (of_launch(offset) || of_launch(offset + 4)) return true;
  return std::none_of(code_.parameters.begin(), code_.parameters.end(), [offset](const Code::Parameter& parameter) {
    return offset >= parameter.offset && offset + 8 <= parameter.offset + parameter.bytes;
  });
}

bool InstructionLowering::are_halves(const Operand& low, const Operand& high) {
  return low.is_fixed_constant() && high.is_fixed_constant() && low.bank == high.bank && high.value == low.value + 4;
}

// The 64 bits of two registers.
ir::Operand InstructionLowering::pair(RegisterClass register_class, uint8_t first) {
  if (first == no_register) return number(0);
  const ir::RegisterId low = register_of(register_class, first);
  if (const auto known = pairs_.find(low); known != pairs_.end()) return value_of(known->second);
  return steps_.combine(value_of(low), value_of(low + 1));
}

// 32 bits without the operand's sign.
ir::Operand InstructionLowering::raw32(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::registers:
      return operand.first == no_register ? number(0) : value_of(register_of(operand.register_class, operand.first));
    case OperandKind::immediate: return number(static_cast<int64_t>(static_cast<uint32_t>(operand.value)));
    case OperandKind::constant:
      return operand.is_fixed_constant() ? constant32(operand.bank, operand.value) : unknown_constant(32);
    default: return unknown_constant(32);
  }
}

ir::Operand InstructionLowering::read32(const Operand& operand) {
  const ir::Operand value = raw32(operand);
  const bool zero = value.kind == ir::Operand::Kind::integer && value.value == 0;
  if (operand.inverted) return steps_.compute(pure(Computation::bit_not, 32), 32, {value});
  if (operand.negated && !zero) return steps_.compute(pure(Computation::negate, 32), 32, {value});
  return value;
}

std::optional<ir::Operand> InstructionLowering::read64(const Operand& operand) {
  std::optional<ir::Operand> value;
  if (operand.kind == OperandKind::registers) {
    if (operand.first != no_register && operand.count != 2) return std::nullopt;
    value = pair(operand.register_class, operand.first);
  } else if (operand.kind == OperandKind::constant) {
    value = operand.is_fixed_constant() ? constant64(operand.bank, operand.value) : unknown_constant(64);
  } else if (operand.kind == OperandKind::immediate) {
    value = number(operand.value);
  }
  if (!value) return std::nullopt;
  if (operand.inverted) return steps_.compute(pure(Computation::bit_not, 64), 64, {*value});
  if (operand.negated) return steps_.compute(pure(Computation::negate, 64), 64, {*value});
  return value;
}

ir::Operand InstructionLowering::predicate(const Operand& operand) const {
  if (operand.first == no_register) return number(operand.negated ? 0 : 1);
  ir::Operand value = value_of(register_of(operand.register_class, operand.first));
  value.negated = operand.negated;
  return value;
}

void InstructionLowering::write32(const Operand& result, const ir::Operand& value) {
  if (result.first == no_register) return;
  steps_.set(register_of(result.register_class, result.first), value);
}

void InstructionLowering::write_predicate(const Operand& result, const ir::Operand& value) { write32(result, value); }

void InstructionLowering::write64(const Operand& result, const ir::Operand& value) {
  if (result.first == no_register) return;
  const ir::RegisterId low = register_of(result.register_class, result.first);
  steps_.set(low, steps_.low_of(value));
  steps_.set(low + 1, steps_.high_of(value));
  written_pairs_[low] = value;
}

void InstructionLowering::write_halves(const Operand& result, const ir::Operand& low, const ir::Operand& high) {
  if (result.first == no_register) return;
  const ir::RegisterId first = register_of(result.register_class, result.first);
  steps_.set(first, low);
  steps_.set(first + 1, high);
  written_pairs_[first] = steps_.combine(low, high);
}

void InstructionLowering::write_unknown(const Operand& result, const std::vector<ir::Operand>& sources) {
  if (result.first == no_register) return;
  ir::Operation operation;
  operation.semantics = pure(Computation::unknown, 32);
  steps_.add_step(std::move(operation), sources, {value_of(register_of(result.register_class, result.first))});
}

void InstructionLowering::write_unknown(const Instruction& instruction, bool follows_from_operands) {
  std::vector<ir::Operand> sources, results;
  for (const ir::RegisterId reg : registers_of(reads(instruction))) sources.push_back(value_of(reg));
  for (const ir::RegisterId reg : registers_of(writes(instruction))) results.push_back(value_of(reg));
  ir::Operation operation;
  const auto kind = operation_kind(instruction);
  if (kind && may_write_memory(*kind)) operation.kind = *kind;
  if (results.empty() && operation.kind == ir::OperationKind::move) return;
  operation.semantics = pure(Computation::unknown, 32);
  operation.semantics.pure = follows_from_operands;
  steps_.add_step(std::move(operation), sources, results);
}

// Registers that contain both halves contain them again.
void InstructionLowering::update_pairs(const RegisterSet& written) {
  std::set<ir::RegisterId> changed;
  for (const ir::RegisterId reg : registers_of(written)) {
    if (reg >= first_predicate) break;
    if (pairs_.contains(reg)) changed.insert(reg);
    if (reg > 0 && pairs_.contains(reg - 1)) changed.insert(reg - 1);
  }
  // First what is written as a whole: it may be the old value of another pair that shares a register.
  for (const auto& [low, whole] : written_pairs_) {
    if (changed.erase(low) > 0) steps_.set(pairs_[low], whole);
  }
  for (const ir::RegisterId low : changed) {
    steps_.set(pairs_[low], steps_.combine(value_of(low), value_of(low + 1)));
  }
}

void InstructionLowering::note_writes(const RegisterSet& written) {
  for (const ir::RegisterId reg : registers_of(written)) {
    ++versions_[reg];
    if (reg >= first_predicate && reg < first_barrier) carries_.erase(reg);
  }
}

// An instruction that writes its own guard is executed where that was true before, with all of its results.
void InstructionLowering::keep_guard(const RegisterSet& written) {
  const StepGuard guard = steps_.guard();
  const auto all = registers_of(written);
  if (std::find(all.begin(), all.end(), guard.predicate) == all.end()) return;
  const ir::Operand copy = steps_.compute(pure(Computation::copy, 1), 1, {value_of(guard.predicate)});
  steps_.set_guard({copy.index, guard.negated});
}

void InstructionLowering::lower(const Instruction& instruction, uint32_t line, uint32_t offset) {
  if (!instruction.known()) {
    steps_.begin(to_string(instruction), line, offset, {});
    return lower_unknown(instruction);
  }
  steps_.begin(std::string(instruction.mnemonic()), line, offset, guard_of(instruction));
  if (never_executed(instruction)) return;
  if (const auto* time = code_.call_time(static_cast<uint32_t>(instruction.offset / word_bytes))) {
    return lower_outside_call(*time);
  }
  written_pairs_.clear();
  begun_.reset();
  const RegisterSet written = writes(instruction);
  keep_guard(written);
  if (!compute(instruction)) {
    begun_.reset();
    write_unknown(instruction, is_pure_unit(instruction.opcode->unit));
  }
  note_writes(written);
  note_carry();
  note_copy();
  update_pairs(written);
  note_equal(instruction, written);
}

// A value that only follows from what is the same in all lanes is the same in all that execute the block.
void InstructionLowering::note_equal(const Instruction& instruction, const RegisterSet& written) {
  const auto operands = instruction.operands();
  const auto is_equal = [this](const Operand& operand) {
    if (operand.role == Role::written || operand.is_fixed_register()) return true;
    switch (operand.kind) {
      case OperandKind::registers:
        return operand.register_class == RegisterClass::uniform ||
               operand.register_class == RegisterClass::uniform_predicate ||
               (operand.register_class == RegisterClass::general && operand.count == 1 &&
                equal_in_lanes_.contains(operand.first));
      case OperandKind::constant: return operand.first == no_register;
      case OperandKind::immediate: return true;
      default: return false;
    }
  };
  const std::string_view name = instruction.mnemonic();
  const bool depends_on_lane = name == "P2R" || name == "FSWZADD";  // all predicates; a sign by the lane's number
  const bool follows = instruction.guard.always() && is_pure_unit(instruction.opcode->unit) && !depends_on_lane &&
                       std::all_of(operands.begin(), operands.end(), is_equal);
  for (const ir::RegisterId reg : registers_of(written)) {
    if (reg >= first_uniform) break;
    if (follows) {
      equal_in_lanes_.insert(reg);
    } else {
      equal_in_lanes_.erase(reg);
    }
  }
}

bool InstructionLowering::compute(const Instruction& instruction) {
  using Function = bool (InstructionLowering::*)(const Instruction&);
  static const std::unordered_map<std::string_view, Function> functions = {
      {"MOV", &InstructionLowering::move},
      {"UMOV", &InstructionLowering::move},
      {"MOV.64", &InstructionLowering::move_wide},
      {"UMOV.64", &InstructionLowering::move_wide},
      {"R2UR", &InstructionLowering::move},
      {"ELECT", &InstructionLowering::elect},
      {"S2R", &InstructionLowering::special_register},
      {"S2UR", &InstructionLowering::special_register},
      {"CS2R", &InstructionLowering::special_register},
      {"CS2UR", &InstructionLowering::special_register},
      {"SEL", &InstructionLowering::select},
      {"USEL", &InstructionLowering::select},
      {"SEL.64", &InstructionLowering::select_wide},
      {"USEL.64", &InstructionLowering::select_wide},
      {"HFMA2", &InstructionLowering::half_sum},
      {"HFMA2.MMA", &InstructionLowering::half_sum},
      {"PRMT", &InstructionLowering::permute},
      {"UPRMT", &InstructionLowering::permute},
      {"VOTE", &InstructionLowering::warp_value},
      {"VOTEU", &InstructionLowering::warp_value},
      {"REDUX", &InstructionLowering::warp_value},
      {"CREDUX", &InstructionLowering::warp_value},
      {"PLOP3", &InstructionLowering::predicates},
      {"UPLOP3", &InstructionLowering::predicates},
      {"P2R", &InstructionLowering::predicates_to_register},
      {"R2P", &InstructionLowering::register_to_predicates},
      {"IADD3", &InstructionLowering::add3},
      {"UIADD3", &InstructionLowering::add3},
      {"VIADD", &InstructionLowering::add_two},
      {"UVIADD", &InstructionLowering::add_two},
      {"LEA", &InstructionLowering::shifted_add},
      {"ULEA", &InstructionLowering::shifted_add},
      {"IMAD", &InstructionLowering::multiply},
      {"UIMAD", &InstructionLowering::multiply},
      {"IMAD.WIDE", &InstructionLowering::multiply_wide},
      {"UIMAD.WIDE", &InstructionLowering::multiply_wide},
      {"IMAD.HI", &InstructionLowering::multiply_wide},
      {"UIMAD.HI", &InstructionLowering::multiply_wide},
      {"LOP3", &InstructionLowering::logic},
      {"ULOP3", &InstructionLowering::logic},
      {"SHF", &InstructionLowering::shift},
      {"USHF", &InstructionLowering::shift},
      {"ISETP", &InstructionLowering::compare},
      {"UISETP", &InstructionLowering::compare},
      {"IMNMX", &InstructionLowering::extreme},
      {"VIMNMX", &InstructionLowering::extreme},
      {"UVIMNMX", &InstructionLowering::extreme},
      {"UIMNMX", &InstructionLowering::extreme},
      {"VIMNMX3", &InstructionLowering::extreme_of_three},
      {"VIADDMNMX", &InstructionLowering::extreme_of_sum},
      {"POPC", &InstructionLowering::count},
      {"UPOPC", &InstructionLowering::count},
      {"BREV", &InstructionLowering::count},
      {"UBREV", &InstructionLowering::count},
      {"IABS", &InstructionLowering::count},
      {"FLO", &InstructionLowering::find_leading_one},
      {"UFLO", &InstructionLowering::find_leading_one},
      {"SGXT", &InstructionLowering::extend_low_bits},
      {"USGXT", &InstructionLowering::extend_low_bits},
      {"BMSK", &InstructionLowering::make_mask},
      {"UBMSK", &InstructionLowering::make_mask},
      {"IADD", &InstructionLowering::add_with_carry},
      {"IADD.64", &InstructionLowering::add_wide},
      {"UIADD3.64", &InstructionLowering::add_wide},
      {"LDC", &InstructionLowering::load_constant},
      {"LDCU", &InstructionLowering::load_constant},
      {"ULDC", &InstructionLowering::load_constant},
      {"BAR", &InstructionLowering::barrier},
      {"UCGABAR_ARV", &InstructionLowering::cluster_barrier},
      {"UCGABAR_WAIT", &InstructionLowering::cluster_barrier},
      {"NANOSLEEP", &InstructionLowering::sleep},
      {"I2F", &InstructionLowering::integer_to_float},
      {"I2FP", &InstructionLowering::integer_to_float},
      {"UI2F", &InstructionLowering::integer_to_float},
      {"UI2FP", &InstructionLowering::integer_to_float},
      {"F2I", &InstructionLowering::float_to_integer},
      {"MUFU", &InstructionLowering::special_function},
      {"FADD", &InstructionLowering::float_arithmetic},
      {"FMUL", &InstructionLowering::float_arithmetic},
      {"FFMA", &InstructionLowering::float_arithmetic},
      {"FMNMX", &InstructionLowering::float_extreme},
      {"FMNMX3", &InstructionLowering::float_extreme},
      {"FSEL", &InstructionLowering::float_select},
      {"FSETP", &InstructionLowering::float_compare},
      {"DADD", &InstructionLowering::float_arithmetic},
      {"DMUL", &InstructionLowering::float_arithmetic},
      {"DFMA", &InstructionLowering::float_arithmetic},
      {"DSETP", &InstructionLowering::float_compare},
      {"UFSETP", &InstructionLowering::float_compare},
      {"UFADD", &InstructionLowering::float_arithmetic},
      {"UFMUL", &InstructionLowering::float_arithmetic},
      {"UFFMA", &InstructionLowering::float_arithmetic},
      {"UFSEL", &InstructionLowering::float_select},
  };
  // What is filled in later is not known.
  if (code_.references.contains(static_cast<uint32_t>(instruction.offset / word_bytes))) return false;
  if (access_of(instruction)) return access(instruction);
  if (other_access_of(instruction)) return other_access(instruction);
  const auto known = functions.find(instruction.mnemonic());
  return known != functions.end() && (this->*known->second)(instruction);
}

}  // namespace warpspan::sass
