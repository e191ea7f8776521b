// SPDX-License-Identifier: GPL-3.0-or-later
// Which bits of a word a row explains: those of its opcode, guard, control fields, operands and modifiers. All others
// are fixed, to 0 where the row says nothing else; a word that has one of them otherwise is none of the row.
#pragma once

#include <string>

#include "frontend/sass/words/opcode_table.hpp"

namespace warpspan::sass {

struct WordLayout {
  Word fixed;  // the bits that are fixed, those of the key among them
  Word value;  // of these
  bool matches(const Word& word) const {
    return (word.low & fixed.low) == value.low && (word.high & fixed.high) == value.high;
  }
  // The word with the fixed bits as they are fixed.
  Word applied_to(const Word& word) const {
    return {(word.low & ~fixed.low) | value.low, (word.high & ~fixed.high) | value.high};
  }
};

// Of a row and one of its keys. The architecture is a supported one.
WordLayout layout_of(const Opcode& opcode, uint16_t key, int architecture);

// Of the bits that are not fixed those that nothing is decoded from, since no analysis asks for what they say, or they
// say nothing.
Word undecoded_bits(const Opcode& opcode, uint16_t key, int architecture);

// Whether some word is of both.
bool overlap(const WordLayout& a, const WordLayout& b);

// The numbers of the bits that are otherwise than fixed: "73, 80 to 82". Empty if there are none.
std::string unexplained_bits(const WordLayout& layout, const Word& word);

}  // namespace warpspan::sass
