// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/registers.hpp"

#include <algorithm>

namespace warpspan::sass {
namespace {

template <size_t Bits>
void set_range(std::bitset<Bits>& set, size_t first, size_t count, size_t end) {
  for (size_t i = first; i < std::min(first + count, end); ++i) set.set(i);
}

bool is_read(Role role) { return role != Role::written; }
bool is_written(Role role) { return role != Role::read; }

void insert_reads(RegisterSet& set, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::registers:
      if (is_read(operand.role)) set.insert(operand.register_class, operand.first, operand.count);
      break;
    case OperandKind::constant:
      set.insert(RegisterClass::general, operand.first, 1);
      set.insert(RegisterClass::uniform, operand.second, operand.second_count);
      break;
    case OperandKind::address:
      set.insert(RegisterClass::general, operand.first, operand.count);
      set.insert(RegisterClass::uniform, operand.second, operand.second_count);
      break;
    default: break;
  }
}

RegisterSet written(const Instruction& instruction, bool surely) {
  RegisterSet set;
  for (const Operand& operand : instruction.operands())
    if (operand.kind == OperandKind::registers && is_written(operand.role) && !(surely && operand.at_most))
      set.insert(operand.register_class, operand.first, operand.count);
  return set;
}

}  // namespace

bool RegisterSet::contains(RegisterClass register_class, unsigned number) const {
  switch (register_class) {
    case RegisterClass::general: return number < general.size() && general[number];
    case RegisterClass::uniform: return number < uniform.size() && uniform[number];
    case RegisterClass::predicate: return number < predicates.size() && predicates[number];
    case RegisterClass::uniform_predicate: return number < uniform_predicates.size() && uniform_predicates[number];
    case RegisterClass::barrier: return number < barriers.size() && barriers[number];
  }
  return false;
}

void RegisterSet::insert(RegisterClass register_class, unsigned first, unsigned count) {
  switch (register_class) {
    case RegisterClass::general: return set_range(general, first, count, 255);
    case RegisterClass::uniform: return set_range(uniform, first, count, 255);
    case RegisterClass::predicate: return set_range(predicates, first, count, 7);
    case RegisterClass::uniform_predicate: return set_range(uniform_predicates, first, count, 7);
    case RegisterClass::barrier: return set_range(barriers, first, count, 16);
  }
}

bool RegisterSet::any() const {
  return general.any() || uniform.any() || predicates.any() || uniform_predicates.any() || barriers.any();
}

RegisterSet RegisterSet::all() {
  RegisterSet set;
  set.insert(RegisterClass::general, 0, 255);
  set.insert(RegisterClass::uniform, 0, 255);
  set.insert(RegisterClass::predicate, 0, 7);
  set.insert(RegisterClass::uniform_predicate, 0, 7);
  set.insert(RegisterClass::barrier, 0, 16);
  return set;
}

void RegisterSet::remove(const RegisterSet& other) {
  general &= ~other.general;
  uniform &= ~other.uniform;
  predicates &= ~other.predicates;
  uniform_predicates &= ~other.uniform_predicates;
  barriers &= ~other.barriers;
}

RegisterSet& RegisterSet::operator|=(const RegisterSet& other) {
  general |= other.general;
  uniform |= other.uniform;
  predicates |= other.predicates;
  uniform_predicates |= other.uniform_predicates;
  barriers |= other.barriers;
  return *this;
}

ir::RegisterReads register_reads(const Instruction& instruction) {
  ir::RegisterReads reads;
  for (const Operand& operand : instruction.operands()) {
    RegisterSet set;
    insert_reads(set, operand);
    for (size_t reg = 0; reg < set.general.size(); ++reg) {
      if (set.general[reg]) ++(reg % 2 == 0 ? reads.even : reads.odd);
    }
  }
  return reads;
}

RegisterSet reads(const Instruction& instruction) {
  if (!instruction.known()) return RegisterSet::all();
  RegisterSet set;
  const Guard& guard = instruction.guard;
  set.insert(guard.uniform ? RegisterClass::uniform_predicate : RegisterClass::predicate, guard.number, 1);
  for (const Operand& operand : instruction.operands()) insert_reads(set, operand);
  return set;
}

RegisterSet writes(const Instruction& instruction) {
  return instruction.known() ? written(instruction, false) : RegisterSet::all();
}

RegisterSet changed_by_call() {
  RegisterSet set = RegisterSet::all();
  for (size_t reg = 0; reg < set.general.size(); ++reg) {
    const bool is_restored = reg < 16 ? reg == 1 || reg == 2 : reg < 32 || reg % 8 >= 4;
    if (is_restored) set.general.reset(reg);
  }
  for (size_t reg = 36; reg < set.uniform.size(); ++reg) set.uniform.reset(reg);
  for (size_t reg = 6; reg < set.barriers.size(); ++reg) set.barriers.reset(reg);
  return set;
}

RegisterSet surely_writes(const Instruction& instruction) {
  if (!instruction.known() || instruction.modifier(Modifier::lanes).value_or(15) != 15) return RegisterSet();
  return written(instruction, true);
}

}  // namespace warpspan::sass
