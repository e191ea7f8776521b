// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/interpreter/lane.hpp"

#include <cmath>

#include "support/digits.hpp"

namespace warpspan::machine_code {

using sass::OperandKind;
using sass::RegisterClass;

uint32_t Lane::register_word(size_t index, unsigned further) const {
  const sass::Operand& from = operand(index);
  if (from.first == sass::no_register) return 0;
  const unsigned number = from.first + further;
  return from.register_class == RegisterClass::uniform ? uniform(number) : general(number);
}

uint64_t Lane::constant(uint32_t bank, uint64_t offset, unsigned size) const {
  const auto found = machine_.constants.find(bank);
  const auto value = found == machine_.constants.end() ? std::nullopt : found->second.load(offset, size);
  if (!value)
    machine_.refuse("nobody said what is in c[" + std::to_string(bank) + "][0x" + support::hexadecimal(offset) + "]");
  return value.value_or(0);
}

uint32_t Lane::plain_word(size_t index) const {
  const sass::Operand& from = operand(index);
  switch (from.kind) {
    case OperandKind::registers: return register_word(index);
    case OperandKind::immediate: return static_cast<uint32_t>(from.value);
    case OperandKind::constant:
      if (from.second_count > 0) machine_.refuse("a bindless constant");
      return static_cast<uint32_t>(constant(from.bank, static_cast<uint64_t>(from.value), 4));
    default: machine_.refuse("an operand that is no value"); return 0;
  }
}

uint64_t Lane::plain_pair(size_t index, bool floating) const {
  const sass::Operand& from = operand(index);
  switch (from.kind) {
    case OperandKind::registers:
      return register_word(index) | uint64_t{register_word(index, from.first == sass::no_register ? 0 : 1)} << 32;
    case OperandKind::immediate: return static_cast<uint64_t>(from.value) << (floating ? 32 : 0);
    case OperandKind::constant:
      if (from.second_count > 0) machine_.refuse("a bindless constant");
      return constant(from.bank, static_cast<uint64_t>(from.value), 8);
    default: machine_.refuse("an operand that is no value"); return 0;
  }
}

uint64_t Lane::addend(size_t index) const {
  const sass::Operand& from = operand(index);
  const uint32_t value = plain_word(index);
  if (from.inverted) return ~value;
  return from.negated ? uint64_t{~value} + 1 : value;
}

UnsignedWide Lane::wide_addend(size_t index) const {
  const sass::Operand& from = operand(index);
  const uint64_t value = plain_pair(index, false);
  if (from.inverted) return ~value;
  return from.negated ? UnsignedWide{~value} + 1 : value;
}

float Lane::real(size_t index) const {
  const sass::Operand& from = operand(index);
  auto value = std::bit_cast<float>(plain_word(index));
  if (from.absolute) value = std::fabs(value);
  return from.negated ? -value : value;
}

double Lane::long_real(size_t index) const {
  const sass::Operand& from = operand(index);
  auto value = std::bit_cast<double>(plain_pair(index, true));
  if (from.absolute) value = std::fabs(value);
  return from.negated ? -value : value;
}

bool Lane::flag(size_t index) const {
  const sass::Operand& from = operand(index);
  bool value = true;
  if (from.first != sass::no_register) {
    const Registers& registers = machine_.registers;
    value = from.register_class == RegisterClass::uniform_predicate
                ? registers.uniform_predicates[from.first]
                : (registers.predicates[from.first] >> number_ & 1) != 0;
  }
  return value != from.negated;
}

void Lane::set(size_t index, uint32_t value, unsigned further) {
  const sass::Operand& to = operand(index);
  if (to.first == sass::no_register) return;
  Registers& registers = machine_.registers;
  if (to.register_class == RegisterClass::uniform)
    registers.uniform[to.first + further] = value;
  else
    registers.general[to.first + further][number_] = value;
}

void Lane::set_pair(size_t index, uint64_t value) {
  set(index, static_cast<uint32_t>(value));
  set(index, static_cast<uint32_t>(value >> 32), 1);
}

void Lane::set_flag(size_t index, bool value) {
  const sass::Operand& to = operand(index);
  if (to.first == sass::no_register) return;
  if (to.register_class == RegisterClass::uniform_predicate) {
    machine_.registers.uniform_predicates[to.first] = value;
    return;
  }
  set_predicate(to.first, value);
}

void Lane::set_predicate(unsigned number, bool value) {
  LaneSet& lanes = machine_.registers.predicates[number];
  lanes = (lanes & ~(LaneSet{1} << number_)) | LaneSet{value} << number_;
}

Action action_of(std::string_view mnemonic) {
  for (const auto family :
       {integer_action, bits_action, comparison_action, float_action, conversion_action, move_action}) {
    if (const Action action = family(mnemonic)) return action;
  }
  return nullptr;
}

}  // namespace warpspan::machine_code
