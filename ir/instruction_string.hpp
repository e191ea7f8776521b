// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel instruction strings: the unit classes of the instructions a warp executes, in order, with their repetitions.
// Written as "C(L2C)^64L": a number after a symbol repeats it, "(...)^n" repeats a group (Berezovskyi et al. 2012,
// section 3, adds the repetitions).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/kernel.hpp"
#include "support/checked.hpp"
#include "support/rational.hpp"
#include "support/result.hpp"

namespace warpspan::ir {

class InstructionString;

// One symbol or group, repeated. Groups are shared between copies of a string: a string costs what is written, not what
// it stands for.
struct StringTerm {
  UnitClass unit = UnitClass::core;
  std::shared_ptr<const InstructionString> group;  // not null: this group instead of the symbol
  int64_t repeat = 1;                              // at least 1
};

using UnitCounts = std::array<support::Integer, unit_classes>;

class InstructionString {
 public:
  const std::vector<StringTerm>& terms() const { return terms_; }
  bool empty() const { return terms_.empty(); }

  // Appends; repeat = 0 and empty groups append nothing. Equal neighbours are merged: L, L becomes L2; a group, or its
  // content, after the same group raises its count; a group of a single term becomes that term where the product does
  // not overflow.
  void append(UnitClass unit, int64_t repeat = 1);
  void append(const InstructionString& other);
  void append_repeated(const InstructionString& group, int64_t repeat);

  // How often each class occurs, repetitions counted.
  UnitCounts counts() const;
  // The number of symbols, repetitions counted.
  support::Integer length() const;

  // Same terms, groups compared by content.
  friend bool operator==(const InstructionString& a, const InstructionString& b);

 private:
  void append_term(StringTerm term);
  void fold_last_round();

  std::vector<StringTerm> terms_;
  std::vector<size_t> groups_;  // which of the terms are groups, ascending
};

// "C(L2C)^64L"; "" for the empty string.
std::string to_string(const InstructionString& string);

// Reads what to_string writes; blanks are allowed. Errors: unknown symbol, number out of 1..2^63-1, unbalanced
// parentheses, groups nested deeper than 200, more than ten million characters; located in a text named `name`.
support::Result<InstructionString> parse_instruction_string(const std::string& name, std::string_view text);

// The string for units narrower than a warp: where the width of a class is 1/n, every symbol of the class becomes n
// symbols and the width 1 (Berezovskyi et al. 2012, section 3). Widths are in warps, by UnitClass; a width that is
// neither an integer nor 1/n, or not positive, is a usage error.
struct TransformedString {
  InstructionString string;
  std::array<int64_t, unit_classes> servers{1, 1, 1};  // integer widths after the transformation
};
support::Result<TransformedString> transform(const InstructionString& string,
                                             const std::array<support::Rational, unit_classes>& widths);

}  // namespace warpspan::ir
