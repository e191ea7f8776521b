// SPDX-License-Identifier: GPL-3.0-or-later
// What an instruction sees of the lanes that execute it: its operands as values, with their signs, and where its
// results go. Results of the uniform datapath are those of any of these lanes.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <cstdint>

#include "frontend/sass/execution/lanes.hpp"
#include "frontend/sass/execution/program.hpp"
#include "frontend/sass/words/bits.hpp"

namespace warpspan::execution {

using sass::Modifier;

struct Registers {
  std::array<Words, 256> general{};
  std::bitset<256> written;  // of these: the others are 0
  std::array<uint32_t, 256> uniform{};
  std::array<LaneSet, 8> predicates{};
  std::array<bool, 8> uniform_predicates{};
  void clear();
};

class Operands {
 public:
  // registers: all 0.
  Operands(const Banks& banks, Registers& registers) : banks_(banks), registers_(registers) {}

  LaneSet lanes() const { return lanes_; }
  const sass::Instruction& instruction() const { return *ready_->instruction; }
  const sass::Operand& operand(size_t index) const { return instruction().operand_values[index]; }
  unsigned modifier(Modifier wanted) const { return ready_->modifier[static_cast<size_t>(wanted)]; }
  bool has(Modifier wanted) const { return modifier(wanted) != 0; }
  bool bit(unsigned number) const { return sass::bit(instruction().word, number); }
  unsigned field(unsigned first, unsigned bits) const {
    return static_cast<unsigned>(sass::field(instruction().word, first, bits));
  }
  // The others do nothing.
  void keep_lanes(LaneSet lanes) { lanes_ &= lanes; }
  // It is not known what this form of the instruction does.
  void refuse() { refused_ = true; }

  // Sources by the operand's index; each stays valid until it is read again. Of integers, minus and inversion are
  // applied; an addend is what an adder gets: minus x is the inverse of x and 1, so that minus 0 carries. Of
  // floating-point numbers, here as their bits, absolute value and minus.
  const Words& word(size_t index);
  const Longs& pair(size_t index);
  const Longs& addend(size_t index);
  const Words& real(size_t index);
  const Longs& long_real(size_t index);
  // A register of the operand without its signs; further ones follow it.
  const Words& bare(size_t index, unsigned further = 0);
  LaneSet flag(size_t index) const;
  // Of a constant bank, beginning at an offset of each lane.
  const Bank* bank(uint32_t number) const;

  void set(size_t index, const Words& values, unsigned further = 0);
  void set_pair(size_t index, const Longs& values);
  void set_flag(size_t index, LaneSet values);
  bool writes(size_t index) const { return operand(index).first != sass::no_register; }
  void set_predicate(unsigned number, LaneSet values) {
    registers_.predicates[number] = (registers_.predicates[number] & ~lanes_) | (values & lanes_);
  }
  void set_uniform_predicate(unsigned number, LaneSet values) {
    registers_.uniform_predicates[number] = (values >> first_lane(lanes_) & 1) != 0;
  }
  const Registers& registers() const { return registers_; }

 protected:
  const Banks& banks_;
  Registers& registers_;
  const Ready* ready_ = nullptr;  // the instruction that is executed
  LaneSet lanes_ = 0;             // by these, at least one
  bool refused_ = false;

 private:
  const Longs& bare_pair(size_t index, bool floating);

  std::array<Words, sass::most_operands> words_;
  std::array<Longs, sass::most_operands> longs_;
};

// What instructions of a mnemonic do, one family a source; nullptr: they are of another.
Action integer_action(std::string_view mnemonic);
Action bits_action(std::string_view mnemonic);
Action comparison_action(std::string_view mnemonic);
Action float_action(std::string_view mnemonic);
Action half_action(std::string_view mnemonic);
Action conversion_action(std::string_view mnemonic);
Action move_action(std::string_view mnemonic);

}  // namespace warpspan::execution
