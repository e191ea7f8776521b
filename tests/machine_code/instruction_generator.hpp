// SPDX-License-Identifier: GPL-3.0-or-later
// Random machine instructions that compute: words that ptxas wrote, with other registers, numbers and modifiers, and
// halves of 64-bit computations that a predicate connects.
#pragma once

#include <optional>
#include <vector>

#include "frontend/sass/words/instruction.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::machine_code {

// Registers that they name: the first so many, and those that are 0.
inline constexpr unsigned general_pool = 10;
inline constexpr unsigned uniform_pool = 8;

struct Known {
  int architecture;
  sass::Word word;
};

// The examples of each row of the opcode tables, and all words of checked-in machine code.
std::vector<Known> known_words();
// Words that compute, by mnemonic.
std::vector<std::vector<sass::Word>> words_for(int architecture, const std::vector<Known>& words);

class InstructionGenerator {
 public:
  // Constants are those at one of the offsets of bank 0.
  InstructionGenerator(reference::Random& random, int architecture, const std::vector<std::vector<sass::Word>>& words,
                       std::vector<uint32_t> constants)
      : random_(random), architecture_(architecture), words_(words), constants_(std::move(constants)) {}

  // The next one of a sequence.
  sass::Instruction next();
  // One that moves a number into a register.
  sass::Instruction move(sass::RegisterClass register_class, unsigned reg, uint32_t value) const;

 private:
  sass::Word any_word();
  sass::Word mutate(sass::Word word);
  std::optional<sass::Instruction> accept(const sass::Word& word) const;
  std::optional<sass::Word> high_half(const sass::Instruction& low);
  void put(sass::Word& word, unsigned bit, unsigned bits, uint64_t value) const;
  void put_predicate(sass::Word& word, unsigned bit, bool may_be_negated);
  uint64_t any_register();

  reference::Random& random_;
  int architecture_;
  const std::vector<std::vector<sass::Word>>& words_;
  std::vector<uint32_t> constants_;
  std::optional<sass::Instruction> before_;
};

// A number that tests of arithmetic should meet.
uint32_t any_number(reference::Random& random);

}  // namespace warpspan::machine_code
