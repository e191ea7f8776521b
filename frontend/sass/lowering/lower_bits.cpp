// SPDX-License-Identifier: GPL-3.0-or-later
// Logic, shifts, and what looks for bits.
#include <algorithm>

#include "frontend/sass/lowering/lowering.hpp"

namespace warpspan::sass {

using ir::Computation;

// P = R is not 0, combined with a predicate.
bool InstructionLowering::logic(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto lut = instruction.modifier(Modifier::lut);
  if (!lut) return false;
  const ir::Operand result = steps_.compute(
      pure(Computation::bit_table, 32), 32,
      {read32(operands[2]), read32(operands[3]), read32(operands[4]), number(static_cast<int64_t>(*lut))});
  if (operands[0].first != no_register) {
    ir::Semantics semantics = pure(Computation::compare, 32);
    semantics.comparison = ir::Comparison::not_equal;
    semantics.connective =
        instruction.has(Modifier::predicate_and) ? ir::Connective::conjunction : ir::Connective::disjunction;
    write_predicate(operands[0], steps_.compute(semantics, 1, {result, number(0), predicate(operands[5])}));
  }
  write32(operands[1], result);
  return true;
}

// Of (c:a), by b: to the left or right, the lower or the upper half.
bool InstructionLowering::shift(const Instruction& instruction) {
  constexpr unsigned of_32_bits = 2;  // values of shift_type from here on
  const auto operands = instruction.operands();
  const Operand &a = operands[1], &amount = operands[2], &c = operands[3];
  const bool right = instruction.has(Modifier::shift_right), high = instruction.has(Modifier::high);
  const auto type = instruction.modifier(Modifier::shift_type).value_or(0);
  const bool is_signed = type % 2 == 0;
  const uint32_t most = type < of_32_bits ? 64 : 32;  // amounts beyond it count as it
  const auto how = right ? Computation::shift_right : Computation::shift_left;
  const bool one_word = right == high;  // the other half is shifted away from it
  const bool constant = amount.kind == OperandKind::immediate;
  if (!constant && !one_word) return false;
  ir::Operand by = read32(amount);
  if (constant) {
    const auto given = static_cast<uint32_t>(amount.value);
    by = number(instruction.has(Modifier::wrap) ? given % most : std::min(given, most));
  } else if (instruction.has(Modifier::wrap)) {
    by = steps_.compute(pure(Computation::bit_and, 32), 32, {by, number(most - 1)});
  }
  constexpr int64_t word_bits = 32;
  const bool is_plain = !a.negated && !a.inverted && !c.negated && !c.inverted;
  if (constant && is_plain && !high && (one_word ? !right : a.is_fixed_register() && type < of_32_bits)) {
    const int64_t left = one_word ? by.value : word_bits - by.value;  // by how many bits the word moves
    if (left > 0 && left < word_bits) begin_copy(operands[0], one_word ? a : c, static_cast<unsigned>(left));
  }
  if (one_word) {
    write32(operands[0], steps_.compute(pure(how, 32, is_signed), 32, {read32(right ? c : a), by}));
    return true;
  }
  const ir::Operand both = steps_.combine(read32(a), read32(c));
  const ir::Operand shifted = steps_.compute(pure(how, 64, is_signed), 64, {both, by});
  write32(operands[0], right ? steps_.low_of(shifted) : steps_.high_of(shifted));
  return true;
}

bool InstructionLowering::count(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const std::string_view name = instruction.mnemonic();
  const auto how = name == "IABS"           ? Computation::absolute
                   : name.ends_with("POPC") ? Computation::count_ones
                                            : Computation::reverse_bits;
  write32(operands[0], steps_.compute(pure(how, 32, name == "IABS"), 32, {read32(operands[1])}));
  return true;
}

// The highest bit that is set, or that is not the sign; all ones if there is none. P = there is one.
bool InstructionLowering::find_leading_one(const Instruction& instruction) {
  const auto operands = instruction.operands();
  ir::Operand value = read32(operands[2]);
  if (instruction.has(Modifier::is_signed)) {
    const ir::Operand sign = steps_.compute(pure(Computation::shift_right, 32, true), 32, {value, number(31)});
    value = steps_.compute(pure(Computation::bit_xor, 32), 32, {value, sign});
  }
  ir::Semantics differs = pure(Computation::compare, 32);
  differs.comparison = ir::Comparison::not_equal;
  const ir::Operand found = steps_.compute(differs, 1, {value, number(0)});
  const ir::Operand zeros = steps_.compute(pure(Computation::count_leading_zeros, 32), 32, {value});
  ir::Operand result = steps_.compute(pure(Computation::subtract, 32), 32, {number(31), zeros});
  if (instruction.has(Modifier::shift_position)) {
    result = steps_.compute(pure(Computation::select, 32), 32, {zeros, number(UINT32_MAX), found});
  }
  write_predicate(operands[1], found);
  write32(operands[0], result);
  return true;
}

// The lowest b bits of a, extended.
bool InstructionLowering::extend_low_bits(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (operands[2].kind != OperandKind::immediate) return false;
  const auto given = static_cast<uint32_t>(operands[2].value);
  const uint32_t bits = instruction.has(Modifier::wrap) ? given % 32 : std::min<uint32_t>(given, 32);
  if (bits == 0) {
    write32(operands[0], number(0));
    return true;
  }
  const ir::Operand unused = number(32 - bits);
  const ir::Operand top = steps_.compute(pure(Computation::shift_left, 32), 32, {read32(operands[1]), unused});
  const auto down = pure(Computation::shift_right, 32, instruction.has(Modifier::is_signed));
  write32(operands[0], steps_.compute(down, 32, {top, unused}));
  return true;
}

// b ones from bit a on.
bool InstructionLowering::make_mask(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto amount = [&](const Operand& operand) {
    const ir::Operand value = read32(operand);
    if (!instruction.has(Modifier::wrap)) return value;
    return steps_.compute(pure(Computation::bit_and, 32), 32, {value, number(31)});
  };
  const auto left = pure(Computation::shift_left, 32);
  const ir::Operand above = steps_.compute(left, 32, {number(1), amount(operands[2])});
  const ir::Operand ones = steps_.compute(pure(Computation::subtract, 32), 32, {above, number(1)});
  write32(operands[0], steps_.compute(left, 32, {ones, amount(operands[1])}));
  return true;
}

}  // namespace warpspan::sass
