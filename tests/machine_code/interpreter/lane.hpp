// SPDX-License-Identifier: GPL-3.0-or-later
// What an instruction sees of one lane: its operands as values, with their signs, and where its results go. An
// instruction of the uniform datapath sees the registers of the warp through any lane.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "frontend/sass/words/instruction.hpp"
#include "tests/machine_code/interpreter/convergence.hpp"
#include "tests/machine_code/interpreter/program.hpp"
#include "tests/reference/interpreter/integers.hpp"

namespace warpspan::machine_code {

using reference::UnsignedWide;
using sass::Modifier;

struct Registers {
  std::array<std::array<uint32_t, lanes_of_warp>, 256> general{};
  std::array<uint32_t, 256> uniform{};
  std::array<LaneSet, 8> predicates{};
  std::array<bool, 8> uniform_predicates{};
};

// What the lanes of a warp share while one instruction is executed.
struct Machine {
  Registers& registers;
  const std::map<uint32_t, Bank>& constants;
  const sass::Instruction& instruction;
  std::string refusal;  // why the instruction cannot be executed; empty: it can

  void refuse(const std::string& why) {
    if (refusal.empty()) refusal = why;
  }
};

class Lane {
 public:
  Lane(Machine& machine, unsigned number) : machine_(machine), number_(number) {}

  const sass::Instruction& instruction() const { return machine_.instruction; }
  const sass::Operand& operand(size_t index) const { return instruction().operand_values[index]; }
  unsigned number() const { return number_; }
  unsigned modifier(Modifier wanted) const { return instruction().modifier(wanted).value_or(0); }
  bool has(Modifier wanted) const { return modifier(wanted) != 0; }
  void refuse(const std::string& why) { machine_.refuse(why); }

  // Sources, by the operand's index. Integers: minus and inversion are applied.
  uint32_t word(size_t index) const { return static_cast<uint32_t>(addend(index)); }
  uint64_t pair(size_t index) const { return static_cast<uint64_t>(wide_addend(index)); }
  // The same as what an adder gets: minus x is the inverse of x and 1, so that minus 0 carries.
  uint64_t addend(size_t index) const;
  UnsignedWide wide_addend(size_t index) const;
  // Floating point: absolute value and minus are applied.
  float real(size_t index) const;
  double long_real(size_t index) const;
  // A predicate; PT is true.
  bool flag(size_t index) const;
  // A register of the operand, without its signs; further ones follow it.
  uint32_t register_word(size_t index, unsigned further = 0) const;

  void set(size_t index, uint32_t value, unsigned further = 0);
  void set_pair(size_t index, uint64_t value);
  void set_real(size_t index, float value) { set(index, std::bit_cast<uint32_t>(value)); }
  void set_long_real(size_t index, double value) { set_pair(index, std::bit_cast<uint64_t>(value)); }
  void set_flag(size_t index, bool value);
  bool writes(size_t index) const { return operand(index).first != sass::no_register; }

  bool predicate(unsigned number) const { return (machine_.registers.predicates[number] >> number_ & 1) != 0; }
  void set_predicate(unsigned number, bool value);
  uint32_t general(unsigned number) const { return machine_.registers.general[number][number_]; }
  uint32_t uniform(unsigned number) const { return machine_.registers.uniform[number]; }
  // Of a constant bank; 0, and a refusal, where nobody said what there is.
  uint64_t constant(uint32_t bank, uint64_t offset, unsigned size) const;

 private:
  uint32_t plain_word(size_t index) const;
  uint64_t plain_pair(size_t index, bool floating) const;

  Machine& machine_;
  unsigned number_;
};

// What an instruction without memory, control flow or other lanes does to each lane; nullptr if it is not known.
using Action = void (*)(Lane&);
Action action_of(std::string_view mnemonic);

// One family each; nullptr if the instruction is of another.
Action integer_action(std::string_view mnemonic);
Action bits_action(std::string_view mnemonic);
Action comparison_action(std::string_view mnemonic);
Action float_action(std::string_view mnemonic);
Action conversion_action(std::string_view mnemonic);
Action move_action(std::string_view mnemonic);

}  // namespace warpspan::machine_code
