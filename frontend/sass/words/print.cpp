// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/print.hpp"

#include <algorithm>

#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/operand_pattern.hpp"
#include "support/digits.hpp"

namespace warpspan::sass {
namespace {

std::string hexadecimal(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return value < 0 ? "-0x" + support::hexadecimal(~bits + 1) : "0x" + support::hexadecimal(bits);
}

std::string register_name(RegisterClass register_class, uint8_t number) {
  constexpr std::string_view prefixes[] = {"R", "UR", "P", "UP", "B"};
  constexpr std::string_view fixed[] = {"RZ", "URZ", "PT", "UPT", "BZ"};
  const auto which = static_cast<size_t>(register_class);
  return number == no_register ? std::string(fixed[which]) : std::string(prefixes[which]) + std::to_string(number);
}

std::string address_text(const Operand& operand) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() || part.front() == '-' ? "" : "+") + part; };
  if (operand.first != no_register) {
    add(register_name(RegisterClass::general, operand.first));
    if (operand.count == 2) text += ".64";
    if (operand.scale > 1) text += ".X" + std::to_string(operand.scale);
  }
  if (operand.second != no_register) add(register_name(RegisterClass::uniform, operand.second));
  if (operand.value != 0 || text.empty()) add(hexadecimal(operand.value));
  return "[" + text + "]";
}

std::string constant_text(const Operand& operand) {
  std::string place = operand.first == no_register ? "" : register_name(RegisterClass::general, operand.first);
  if (operand.second != no_register)
    place += (place.empty() ? "" : "+") + register_name(RegisterClass::uniform, operand.second);
  if (operand.value != 0 || place.empty()) place += (place.empty() ? "" : "+") + hexadecimal(operand.value);
  return "c[" + hexadecimal(operand.bank) + "][" + place + "]";
}

std::string operand_text(const Operand& operand) {
  std::string text;
  switch (operand.kind) {
    case OperandKind::registers: {
      const bool predicate = operand.register_class == RegisterClass::predicate ||
                             operand.register_class == RegisterClass::uniform_predicate;
      text = register_name(operand.register_class, operand.first);
      if (predicate) return (operand.negated ? "!" : "") + text;
      break;
    }
    case OperandKind::constant: text = constant_text(operand); break;
    case OperandKind::special_register: return "SR_" + special_register_name(operand.value);
    case OperandKind::address: return address_text(operand);
    case OperandKind::immediate:
    case OperandKind::label: return hexadecimal(operand.value);
  }
  if (operand.absolute) text = "|" + text + "|";
  return (operand.negated ? "-" : operand.inverted ? "~" : "") + text;
}

bool says_nothing(const Operand& operand) { return operand.is_fixed_register() && operand.is_predicate(); }

// The word of a list of words with that number; empty if there is none.
std::string_view word_of(std::string_view list, unsigned number) {
  for (; number > 0 && !list.empty(); --number) list.remove_prefix(std::min(list.find(' '), list.size() - 1) + 1);
  return list.substr(0, list.find(' '));
}

std::string modifier_text(const ModifierValue& modifier) {
  const std::string_view values = values_of(modifier.modifier);
  if (values.empty()) return "." + std::string(name_of(modifier.modifier)) + hexadecimal(modifier.value);
  const std::string_view word = word_of(values, modifier.value);
  if (word == "_") return "";
  return "." + (word.empty() ? std::to_string(modifier.value) : std::string(word));
}

}  // namespace

std::string special_register_name(int64_t number) {
  switch (number) {
#define SASS_SPECIAL_REGISTER(value, name) \
  case value:                              \
    return name;
#include "frontend/sass/words/special_registers.def"
#undef SASS_SPECIAL_REGISTER
    default: return std::to_string(number);
  }
}

std::string to_string(const Instruction& instruction) {
  if (!instruction.known()) return "opcode 0x" + support::hexadecimal(key_of(instruction.word), 4);
  std::string text;
  const Guard& guard = instruction.guard;
  if (!guard.always())
    text = std::string(guard.negated ? "@!" : "@") +
           register_name(guard.uniform ? RegisterClass::uniform_predicate : RegisterClass::predicate, guard.number) +
           " ";
  text += instruction.mnemonic();
  for (const ModifierValue& modifier : instruction.modifiers()) text += modifier_text(modifier);
  std::string_view separator = " ";
  for (const Operand& operand : instruction.operands()) {
    if (says_nothing(operand)) continue;
    text += separator;
    text += operand_text(operand);
    separator = ", ";
  }
  return text;
}

std::string wait_text(const Instruction& instruction) {
  const Control& control = instruction.control;
  std::string text;
  const auto add = [&text](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  const auto bits_of = [](uint8_t mask, char first) {
    std::string all;
    for (int i = 0; i < 6; ++i)
      if (mask >> i & 1) all += std::string(" ") + static_cast<char>(first + i);
    return all;
  };
  if (control.wait_mask != 0) add("wait" + bits_of(control.wait_mask, '0'));
  if (control.write_scoreboard) add("write " + std::to_string(*control.write_scoreboard));
  if (control.read_scoreboard) add("read " + std::to_string(*control.read_scoreboard));
  if (control.yields) add("yield");
  if (control.reuse != 0) add("reuse" + bits_of(control.reuse, 'a'));
  return text;
}

std::string control_text(const Instruction& instruction) {
  const Control& control = instruction.control;
  std::string text;
  if (control.wait_mask != 0) {
    text = "waits for scoreboards";
    for (int i = 0; i < 6; ++i)
      if (control.wait_mask >> i & 1) text += " " + std::to_string(i);
    text += ", then ";
  }
  text += std::to_string(control.stall) + (control.stall == 1 ? " cycle" : " cycles") + " before the next";
  if (control.write_scoreboard)
    text += "; sets scoreboard " + std::to_string(*control.write_scoreboard) + " until written";
  if (control.read_scoreboard) text += "; sets scoreboard " + std::to_string(*control.read_scoreboard) + " until read";
  if (control.yields) text += "; yields";
  return text;
}

}  // namespace warpspan::sass
