// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses to memory, barriers, and how control leaves a block.
#include <algorithm>
#include <string_view>

#include "frontend/sass/lowering/lowering.hpp"
#include "frontend/sass/words/bits.hpp"

namespace warpspan::sass {

using ir::Computation;
using ir::MemorySpace;

namespace {

struct Size {
  uint16_t bits;
  uint8_t elements;
  bool is_signed;
};

// By the modifier `size`, but for accesses of 256 bits.
Size size_of(const Instruction& instruction) {
  if (instruction.mnemonic().ends_with(".256")) return {32, 8, false};
  static constexpr Size sizes[] = {{8, 1, false},  {8, 1, true},   {16, 1, false}, {16, 1, true},
                                   {32, 1, false}, {32, 2, false}, {32, 4, false}, {32, 4, false}};
  return sizes[instruction.modifier(Modifier::size).value_or(4) & 7];
}

struct AccessName {
  std::string_view mnemonic;
  MemorySpace space;
  bool stores;
  bool is_atomic;
};
constexpr AccessName access_names[] = {
    {"LDG", MemorySpace::global, false, false},       {"LDG.256", MemorySpace::global, false, false},
    {"STG", MemorySpace::global, true, false},        {"STG.256", MemorySpace::global, true, false},
    {"LD", MemorySpace::generic, false, false},       {"ST", MemorySpace::generic, true, false},
    {"LDS", MemorySpace::shared, false, false},       {"STS", MemorySpace::shared, true, false},
    {"LDL", MemorySpace::local, false, false},        {"STL", MemorySpace::local, true, false},
    {"ATOM", MemorySpace::generic, false, true},      {"ATOM.CAS", MemorySpace::generic, false, true},
    {"ATOMG", MemorySpace::global, false, true},      {"ATOMG.CAS", MemorySpace::global, false, true},
    {"ATOMS", MemorySpace::shared, false, true},      {"ATOMS.CAS", MemorySpace::shared, false, true},
    {"RED", MemorySpace::global, false, true},        {"REDG", MemorySpace::global, false, true},
    {"ATOMS.CAST", MemorySpace::shared, false, true},
};

// Whether a compare-and-swap gives what it finds, not whether it wrote (.CAST).
bool gives_found(const Instruction& instruction) {
  constexpr unsigned test = 87;
  return instruction.mnemonic().ends_with(".CAS") && field(instruction.word, test, 2) == 0;
}

}  // namespace

std::optional<MemoryAccess> access_of(const Instruction& instruction) {
  for (const AccessName& row : access_names) {
    if (row.mnemonic != instruction.mnemonic()) continue;
    const Size size = size_of(instruction);
    MemoryAccess access{row.space, size.bits, size.elements, size.is_signed, row.stores, row.is_atomic};
    if (!row.is_atomic) return access;
    // As wide as what it takes.
    access.bits = 32;
    access.elements = 1;
    for (const Operand& operand : instruction.operands()) {
      const bool is_data = operand.kind == OperandKind::registers && operand.register_class == RegisterClass::general;
      if (is_data) access.elements = std::max<uint8_t>(access.elements, operand.count);
    }
    return access;
  }
  return std::nullopt;
}

// What the words of 256 bits are loaded into: those of each half that its mask names into registers in a row. The
// others go nowhere.
std::vector<ir::Operand> InstructionLowering::sector_words(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const unsigned mask = *instruction.modifier(Modifier::sector_mask);
  std::vector<ir::Operand> words;
  for (const unsigned half : {1U, 0U}) {  // the operand of the upper half comes first
    const Operand& registers = operands[half];
    unsigned next = registers.first;
    for (unsigned i = 0; i < 4; ++i) {
      const bool is_read = (mask >> (4 * (1 - half) + i) & 1) != 0 && registers.first != no_register;
      words.push_back(value_of(is_read ? next++ : steps_.temporary(32)));
    }
  }
  return words;
}

// Global addresses have 64 bits, those of shared and local memory 32. A descriptor is no part of them.
ir::Operand InstructionLowering::address(const Operand& operand, MemorySpace space) {
  if (space == MemorySpace::local && frame_) {
    ir::Operand frame;
    frame.kind = ir::Operand::Kind::variable;
    frame.index = frame_variable_;
    return steps_.address(frame, operand.value - frame_->first);
  }
  const bool narrow = space == MemorySpace::shared || space == MemorySpace::local;
  const uint16_t bits = narrow ? 32 : 64;
  ir::Operand base = number(0);
  if (operand.first != no_register) {
    if (operand.count == 2) {
      base = pair(RegisterClass::general, operand.first);
    } else {
      base = value_of(operand.first);
      if (operand.scale > 1) {
        base = steps_.compute(pure(Computation::multiply_low, 32), 32, {base, number(operand.scale)});
      }
      if (!narrow) base = steps_.extend(base, false);
    }
  }
  if (operand.second != no_register && !operand.descriptor) {
    const ir::Operand more = operand.second_count == 2 ? pair(RegisterClass::uniform, operand.second)
                                                       : value_of(first_uniform + operand.second);
    base = steps_.add(base, more, bits);
  }
  if (base.kind == ir::Operand::Kind::integer) base = steps_.compute(pure(Computation::copy, bits), bits, {base});
  return steps_.address(base, operand.value);
}

bool InstructionLowering::access(const Instruction& instruction) {
  const MemoryAccess access = *access_of(instruction);
  ir::Operation operation;
  operation.kind = *operation_kind(instruction);
  operation.space = access.space;
  operation.bytes = static_cast<int>(access.bytes());
  operation.semantics.bits = access.bits;
  operation.semantics.elements = access.elements;
  operation.semantics.fills_with_sign = access.is_signed;
  operation.semantics.is_signed = access.is_signed;
  const Operand* place = nullptr;
  bool conditional = false;  // where a predicate does not hold, a load gives 0
  std::vector<ir::Operand> data;
  for (const Operand& operand : instruction.operands()) {
    if (operand.kind == OperandKind::address) place = &operand;
    if (operand.is_predicate() && operand.role == Role::read) conditional |= operand.in_register() || operand.negated;
    if (operand.kind != OperandKind::registers || operand.register_class != RegisterClass::general) continue;
    if (operand.role != Role::read && !access.is_atomic) {
      for (const ir::RegisterId reg : registers_of(writes(instruction))) {
        if (reg < first_uniform) data.push_back(value_of(reg));
      }
    }
    if (operand.role != Role::read) continue;
    const auto words = std::min<uint8_t>(access.elements, operand.count);  // 256 bits are two operands
    for (uint8_t i = 0; i < words; ++i) {
      const bool zero = operand.first == no_register;
      data.push_back(zero ? number(0) : value_of(static_cast<ir::RegisterId>(operand.first + i)));
    }
  }
  if (place == nullptr) return false;
  std::vector<ir::Operand> results;
  for (const ir::RegisterId reg : registers_of(writes(instruction))) results.push_back(value_of(reg));
  const ir::Operand where = address(*place, access.space);
  if (access.is_atomic) {
    if (gives_found(instruction) && access.elements <= 2) return compare_and_swap(instruction, operation, where);
    std::vector<ir::Operand> sources = {where};
    sources.insert(sources.end(), data.begin(), data.end());
    steps_.add_step(std::move(operation), sources, results);
    return true;
  }
  const bool several = access.elements > 1;
  if (access.stores) {
    if (data.size() != access.elements) {
      steps_.add_step(std::move(operation), {where}, {});
      return true;
    }
    operation.semantics.computation = Computation::store;
    steps_.add_step(std::move(operation), {where, several ? steps_.vector(data) : data.front()}, {});
    return true;
  }
  operation.semantics.computation = Computation::load;
  if (instruction.mnemonic() == "LDG.256") {
    steps_.add_step(std::move(operation), {where}, {steps_.vector(sector_words(instruction))});
    return true;
  }
  const bool plain = data.size() == access.elements && results.size() == data.size() && !conditional;
  if (!plain) operation.semantics.computation = Computation::unknown;  // a load into RZ, or with a predicate
  if (plain) {
    steps_.add_step(std::move(operation), {where}, {several ? steps_.vector(results) : results.front()});
    return true;
  }
  if (results.empty()) {  // a load whose result is not wanted is an access all the same
    results.push_back(value_of(steps_.temporary(access.bits == 32 ? 32 : access.bits)));
    operation.semantics.computation = Computation::load;
    operation.semantics.elements = 1;
  }
  steps_.add_step(std::move(operation), {where}, results);
  return true;
}

// Of 32 or 64 bits: where, what is expected there, and what then is written. Its result is what was there, and a
// predicate that nothing is known of.
bool InstructionLowering::compare_and_swap(const Instruction& instruction, ir::Operation operation,
                                           const ir::Operand& where) {
  const bool wide = operation.bytes == 8;
  operation.facts = operation_facts(instruction);
  const ir::Operand found = value_of(steps_.temporary(wide ? 64 : 32));
  std::vector<ir::Operand> sources = {where};
  std::vector<const Operand*> results;
  for (const Operand& operand : instruction.operands()) {
    if (operand.kind != OperandKind::registers) continue;
    if (operand.role != Role::read) {
      results.push_back(&operand);
    } else {
      sources.push_back(wide ? pair(RegisterClass::general, operand.first) : raw32(operand));
    }
  }
  steps_.add_step(std::move(operation), sources, {found});
  for (const Operand* result : results) {
    if (result->first == no_register) continue;
    if (result->is_predicate()) {
      steps_.add_step({}, {}, {value_of(register_of(result->register_class, result->first))});
    } else if (wide) {
      write64(*result, found);
    } else {
      write32(*result, found);
    }
  }
  return true;
}

// From a constant bank, at a place that is known; else what is read follows from the place.
bool InstructionLowering::load_constant(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const Operand& place = operands[1];
  const auto index = number_in(RegisterClass::general, place.first);
  const Size size = size_of(instruction);
  const bool known = place.kind == OperandKind::constant && index && place.second == no_register;
  if (!known && place.kind == OperandKind::constant && place.second == no_register) return load_table(instruction);
  if (!known) return false;
  if (place.first != no_register) {  // what it reads is known, and it still is an access of all lanes to one place
    std::vector<ir::Operand> unused;
    for (uint8_t i = 0; i < size.elements; ++i) unused.push_back(value_of(steps_.temporary(32)));
    load_at_index(instruction, unused);
  }
  const int64_t offset = place.value + *index;
  if (size.bits < 32) {
    const bool is_parameter = place.bank == 0 && !of_launch(offset - offset % 4);
    const ir::Operand value = is_parameter ? parameter(offset, size.bits) : unknown_constant(size.bits);
    ir::Semantics semantics = pure(Computation::convert, size.bits, size.is_signed);
    semantics.result_bits = 32;
    write32(operands[0], steps_.compute(semantics, 32, {value}));
    return true;
  }
  if (size.elements == 1) {
    write32(operands[0], constant32(place.bank, offset));
    return true;
  }
  constexpr uint8_t words = 2;  // of each number
  for (uint8_t word = 0; word < size.elements; word = static_cast<uint8_t>(word + words)) {
    Operand result = operands[0];
    result.count = words;
    if (result.first != no_register) result.first = static_cast<uint8_t>(result.first + word);
    const int64_t begin = offset + 4 * word;
    if (has_two_parts(place.bank, begin)) {
      write_halves(result, constant32(place.bank, begin), constant32(place.bank, begin + 4));
    } else {
      write64(result, constant64(place.bank, begin));
    }
  }
  return true;
}

// At an index: what is read is not known, but where.
bool InstructionLowering::load_table(const Instruction& instruction) {
  std::vector<ir::Operand> results;
  for (const ir::RegisterId reg : registers_of(writes(instruction))) results.push_back(value_of(reg));
  if (results.size() != size_of(instruction).elements) return false;
  load_at_index(instruction, results);
  return true;
}

void InstructionLowering::load_at_index(const Instruction& instruction, const std::vector<ir::Operand>& results) {
  const Operand& place = instruction.operands()[1];
  const Size size = size_of(instruction);
  ir::Operation operation;
  operation.kind = ir::OperationKind::load_const;
  operation.space = MemorySpace::constant;
  operation.bytes = size.bits / 8 * size.elements;
  operation.semantics.bits = size.bits;
  operation.semantics.elements = size.elements;
  operation.semantics.fills_with_sign = operation.semantics.is_signed = size.is_signed;
  operation.semantics.computation = Computation::load;
  steps_.add_step(std::move(operation), {steps_.address(value_of(place.first), place.value)},
                  {size.elements > 1 ? steps_.vector(results) : results.front()});
}

bool InstructionLowering::barrier(const Instruction& instruction) {
  const auto operands = instruction.operands();
  ir::Operation operation;
  operation.kind = ir::OperationKind::barrier;
  switch (instruction.modifier(Modifier::barrier_operation).value_or(0)) {
    case 1: operation.facts.synchronisation = ir::Synchronisation::arrive; break;
    case 2: operation.facts.synchronisation = ir::Synchronisation::reduce; break;
    default: break;
  }
  // Which barrier, how many threads: none says all of the block.
  std::vector<ir::Operand> sources;
  for (const Operand& operand : operands) {
    const bool is_number = operand.kind == OperandKind::immediate;
    const bool is_general = operand.kind == OperandKind::registers && operand.register_class == RegisterClass::general;
    if (is_number && (sources.empty() || operand.value != 0)) sources.push_back(number(operand.value));
    if (is_general) sources.push_back(read32(operand));
  }
  if (operation.facts.synchronisation == ir::Synchronisation::reduce) sources.push_back(number(0));
  steps_.add_step(std::move(operation), sources, {});
  return true;
}

// BRA.DIV, BRA.ANY and their like ask the whole warp; what they are given is not analysed, nor are masks of WARPSYNC.
StepGuard InstructionLowering::transfer(const Instruction& instruction, uint32_t line, uint32_t offset) {
  steps_.begin(std::string(instruction.mnemonic()), line, offset, guard_of(instruction));
  const StepGuard guard = steps_.guard();
  steps_.set_guard({});  // the condition is used in any case
  const bool never = instruction.guard.number == no_register && instruction.guard.negated;
  constexpr unsigned plain_branches = 1;  // BRA and BRA.U
  const bool asks_warp = instruction.modifier(Modifier::branch).value_or(0) > plain_branches ||
                         instruction.has(Modifier::any) || instruction.mnemonic() == "WARPSYNC";
  std::vector<ir::Operand> conditions;
  if (guard.predicate != ir::no_register) {
    conditions.push_back(value_of(guard.predicate));
    conditions.back().negated = guard.negated;
  }
  if (never) conditions.push_back(number(0));
  for (const Operand& operand : instruction.operands()) {
    const bool is_condition = operand.is_predicate() && operand.role == Role::read;
    if (is_condition && (operand.first != no_register || operand.negated)) {
      conditions.push_back(predicate(operand));
    }
  }
  if (asks_warp) {
    conditions = {steps_.compute(pure(Computation::copy, 1), 1, {special(ir::SpecialValue::warp_uniform)})};
  }
  StepGuard result;
  if (conditions.size() == 1 && conditions.front().kind == ir::Operand::Kind::reg) {
    result = {conditions.front().index, conditions.front().negated};
  } else if (!conditions.empty()) {
    ir::Operand all = conditions.front();
    if (all.kind != ir::Operand::Kind::reg) all = steps_.compute(pure(Computation::copy, 1), 1, {all});
    for (size_t i = 1; i < conditions.size(); ++i) {
      all = steps_.compute(pure(Computation::bit_and, 1), 1, {all, conditions[i]});
    }
    result = {all.index, all.negated};
  }
  ir::Operation operation;
  operation.kind = ir::OperationKind::branch;
  std::vector<ir::Operand> sources;
  const std::string_view name = instruction.mnemonic();
  const bool calls_pointer = name == "CALL.REL" && instruction.operands().front().in_register();
  if (name == "BRX" || name == "BRXU" || calls_pointer) {
    ir::Semantics index;
    index.computation = Computation::unknown;
    index.pure = true;
    std::vector<ir::Operand> from;
    for (const ir::RegisterId reg : registers_of(reads(instruction))) from.push_back(value_of(reg));
    index.bits = 32;
    sources.push_back(steps_.compute(index, 32, from));
  }
  steps_.add_step(std::move(operation), sources, {}, result);
  return result;
}

}  // namespace warpspan::sass
