// SPDX-License-Identifier: GPL-3.0-or-later
// One machine instruction of sm_70 or later, taken apart: what it is, when it may issue, and each operand with the
// registers it stands for. Everything is decoded from the 128-bit word; opcodes/README.md says what is known from
// where.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpspan::sass {

struct Opcode;  // opcode_table.hpp

struct Word {
  uint64_t low = 0;   // bits 0 to 63, the first 8 bytes
  uint64_t high = 0;  // bits 64 to 127
  friend bool operator==(const Word&, const Word&) = default;
};
inline constexpr uint64_t word_bytes = 16;

enum class RegisterClass : uint8_t { general, uniform, predicate, uniform_predicate, barrier };

// RZ, URZ, PT, UPT: reading gives zero or true, writing does nothing. No operand has any other number for them.
inline constexpr uint8_t no_register = 255;

enum class Role : uint8_t { read, written, both };

enum class OperandKind : uint8_t {
  registers,         // first, count of register_class
  constant,          // bank and value, its byte offset; count: words of 4 bytes; first: general register that is added;
                     // second: uniform register that is added, or a pair, the handle of a bindless constant
  immediate,         // value: sign-extended where the field is signed, else the bits as they are stored
  special_register,  // value: its number
  address,  // first, count: general register(s), 2 for a 64-bit address, times scale; second, second_count: uniform
            // register(s), the descriptor of an access to global memory included; value: the byte offset
  label,    // value: byte offset in the section
};

struct Operand {
  OperandKind kind = OperandKind::immediate;
  Role role = Role::read;
  RegisterClass register_class = RegisterClass::general;
  uint8_t first = no_register;
  uint8_t count = 0;
  uint8_t second = no_register;
  uint8_t second_count = 0;
  uint8_t bank = 0;
  uint8_t scale = 1;
  bool negated : 1 = false;     // minus; of a predicate: not
  bool inverted : 1 = false;    // every bit
  bool absolute : 1 = false;    // applied before minus
  bool at_most : 1 = false;     // of count registers some may not be accessed
  bool descriptor : 1 = false;  // second is the descriptor of an access to global memory, no part of the address
  int64_t value = 0;

  friend bool operator==(const Operand&, const Operand&) = default;

  bool in_register() const { return kind == OperandKind::registers && first != no_register; }
  // RZ, URZ, PT or UPT.
  bool is_fixed_register() const { return kind == OperandKind::registers && first == no_register; }
  bool is_predicate() const {
    return kind == OperandKind::registers &&
           (register_class == RegisterClass::predicate || register_class == RegisterClass::uniform_predicate);
  }
  // A constant at a place that no register has a part in.
  bool is_fixed_constant() const {
    return kind == OperandKind::constant && first == no_register && second == no_register;
  }
};

// The predicate under which a lane executes the instruction.
struct Guard {
  uint8_t number = no_register;  // no_register: always, or never if negated
  bool negated = false;
  bool uniform = false;
  bool always() const { return number == no_register && !negated; }
  friend bool operator==(const Guard&, const Guard&) = default;
};

// What decides when the next instruction of the warp may issue, and this one.
struct Control {
  uint8_t stall = 0;                        // cycles before the warp may issue the next one
  bool yields = false;                      // the scheduler prefers another warp
  uint8_t wait_mask = 0;                    // bit i: issues only when scoreboard i is 0
  uint8_t reuse = 0;                        // bit i: source i stays in the operand cache
  std::optional<uint8_t> write_scoreboard;  // counts until the results are written
  std::optional<uint8_t> read_scoreboard;   // counts until the sources are read
  friend bool operator==(const Control&, const Control&) = default;
};

enum class Modifier : uint8_t {
#define SASS_MODIFIER(enumerator, values, what) enumerator,
#include "frontend/sass/words/modifiers.def"
#undef SASS_MODIFIER
};

struct ModifierValue {
  Modifier modifier;
  uint16_t value;
  friend bool operator==(const ModifierValue&, const ModifierValue&) = default;
};

inline constexpr size_t most_operands = 8;
inline constexpr size_t most_modifiers = 8;

struct Instruction {
  const Opcode* opcode = nullptr;  // nullptr: unknown; then it may read and write everything
  uint64_t offset = 0;             // bytes from the beginning of the section
  Word word;
  Guard guard;
  Control control;
  uint8_t operand_count = 0;
  uint8_t modifier_count = 0;
  std::array<ModifierValue, most_modifiers> modifier_values;
  std::array<Operand, most_operands> operand_values;

  bool known() const { return opcode != nullptr; }
  // In the order in which NVIDIA's tools print them: results first.
  std::span<const Operand> operands() const { return {operand_values.data(), operand_count}; }
  std::span<const ModifierValue> modifiers() const { return {modifier_values.data(), modifier_count}; }
  // nullopt if instructions of this opcode have no such modifier.
  std::optional<unsigned> modifier(Modifier wanted) const {
    for (const ModifierValue& each : modifiers())
      if (each.modifier == wanted) return each.value;
    return std::nullopt;
  }
  bool has(Modifier wanted) const { return modifier(wanted).value_or(0) != 0; }
  // "IADD3"; "unknown".
  std::string_view mnemonic() const;
  // Where a branch, BSSY, CALL or WARPSYNC.COLLECTIVE leads to.
  std::optional<uint64_t> target() const {
    for (const Operand& each : operands())
      if (each.kind == OperandKind::label) return static_cast<uint64_t>(each.value);
    return std::nullopt;
  }
};

// What fills up the code behind its last instruction: no operation, after a branch to itself.
inline bool is_filler(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  return name == "NOP" || (name == "BRA" && instruction.target() == instruction.offset);
}

}  // namespace warpspan::sass
