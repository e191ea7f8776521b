// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point numbers of 32 and 64 bits: what every GPU calculates alike, and the reciprocal that quotients begin
// with. Whether subnormal numbers of 32 bits are taken for 0 does not matter, as none of them is known
// (ir/computations.def).
#include "frontend/sass/lowering/lowering.hpp"
#include "frontend/sass/words/bits.hpp"

namespace warpspan::sass {

using ir::Computation;

namespace {

// Bits 60 to 63 of a word say which part of an operand is meant, and with which sign, where no operand has them.
bool has_plain_source(const Instruction& instruction) { return instruction.word.low >> 60 == 0; }

bool bit(const Instruction& instruction, unsigned number) { return (instruction.word.high >> (number - 64) & 1) != 0; }

ir::Rounding rounding_of(const Instruction& instruction) {
  switch (instruction.modifier(Modifier::rounding).value_or(0)) {
    case 1: return ir::Rounding::down;
    case 2: return ir::Rounding::up;
    case 3: return ir::Rounding::zero;
    default: return ir::Rounding::nearest;
  }
}

ir::Semantics pure_float(Computation computation, const Instruction& instruction, uint16_t bits = 32) {
  ir::Semantics semantics = pure(computation, bits);
  semantics.result_bits = bits;
  semantics.rounding = rounding_of(instruction);
  semantics.is_floating = computation != Computation::float_to_integer;
  return semantics;
}

// Of the modifiers of sizes: 32 or 64 bits, else nothing.
std::optional<uint16_t> size_of(const Instruction& instruction, Modifier modifier) {
  switch (instruction.modifier(modifier).value_or(2)) {
    case 2: return 32;
    case 3: return 64;
    default: return std::nullopt;
  }
}

}  // namespace

// A constant is a register here: an integer stands for no number. An immediate is the upper half of 64 bits.
ir::Operand InstructionLowering::read_float(const Operand& operand, uint16_t bits) {
  ir::Operand value = raw32(operand);
  if (bits == 64 && operand.kind == OperandKind::immediate) {
    value = steps_.combine(number(0), value);
  } else if (bits == 64) {
    Operand plain = operand;
    plain.negated = plain.absolute = false;
    value = read64(plain).value_or(unknown_constant(64));
  }
  if (value.kind == ir::Operand::Kind::integer) value = steps_.compute(pure(Computation::copy, bits), bits, {value});
  ir::Semantics sign = pure(Computation::float_absolute, bits);
  sign.result_bits = bits;
  if (operand.absolute) value = steps_.compute(sign, bits, {value});
  sign.computation = Computation::float_negate;
  if (operand.negated) value = steps_.compute(sign, bits, {value});
  return value;
}

void InstructionLowering::write_float(const Operand& result, const ir::Operand& value, uint16_t bits) {
  if (bits == 64)
    write64(result, value);
  else
    write32(result, value);
}

// I2F, from 32 bits with or without sign.
bool InstructionLowering::integer_to_float(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto to = size_of(instruction, Modifier::destination_size);
  if (!to || size_of(instruction, Modifier::source_size) != 32 || bit(instruction, 77) ||
      !has_plain_source(instruction))
    return false;
  ir::Semantics semantics = pure_float(Computation::float_from_integer, instruction);
  semantics.result_bits = *to;
  semantics.is_signed = instruction.has(Modifier::source_signed);
  write_float(operands[0], steps_.compute(semantics, *to, {raw32(operands[1])}), *to);
  return true;
}

// F2I, to 32 bits.
bool InstructionLowering::float_to_integer(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto from = size_of(instruction, Modifier::source_size);
  if (!from || size_of(instruction, Modifier::destination_size) != 32 || bit(instruction, 86) ||
      !has_plain_source(instruction))
    return false;
  ir::Semantics semantics = pure_float(Computation::float_to_integer, instruction, *from);
  semantics.result_bits = 32;
  semantics.is_signed = instruction.has(Modifier::destination_signed);
  write32(operands[0], steps_.compute(semantics, 32, {read_float(operands[1], *from)}));
  return true;
}

// MUFU.
bool InstructionLowering::special_function(const Instruction& instruction) {
  constexpr unsigned reciprocal = 4;
  const auto operands = instruction.operands();
  const bool is_half = bit(instruction, 72) || bit(instruction, 73) || bit(instruction, 80);
  const bool is_part = (instruction.word.low >> 60 & 3) != 0;
  if (instruction.modifier(Modifier::function) != reciprocal || is_half || is_part) return false;
  write32(operands[0],
          steps_.compute(pure_float(Computation::float_reciprocal, instruction), 32, {read_float(operands[1], 32)}));
  return true;
}

// FADD, FMUL, FFMA, and likewise of 64 bits.
bool InstructionLowering::float_arithmetic(const Instruction& instruction) {
  const auto operands = instruction.operands();
  std::string_view name = instruction.mnemonic();
  if (name.starts_with('U')) name.remove_prefix(1);
  const uint16_t bits = name.starts_with('D') ? 64 : 32;
  constexpr unsigned unscaled = 4;  // of .D8, .D4, .D2, none, .M2, .M4 and .M8
  const bool scales = name == "FMUL" && field(instruction.word, 84, 3) != unscaled;
  const bool saturates = bits == 32 && bit(instruction, 77);
  if (saturates || scales) return false;
  std::vector<ir::Operand> sources;
  for (const Operand& operand : operands.subspan(1)) sources.push_back(read_float(operand, bits));
  name.remove_prefix(1);
  const auto how = name == "ADD"   ? Computation::float_add
                   : name == "MUL" ? Computation::float_multiply
                                   : Computation::float_multiply_add;
  write_float(operands[0], steps_.compute(pure_float(how, instruction, bits), bits, sources), bits);
  return true;
}

// The smaller number where the predicate is true, else the larger.
bool InstructionLowering::float_extreme(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const Operand& which = operands.back();
  if (which.first != no_register || bit(instruction, 81) || bit(instruction, 82)) return false;  // .NAN, .XORSIGN
  const auto how = which.negated ? Computation::float_maximum : Computation::float_minimum;
  ir::Operand result = read_float(operands[1], 32);
  for (const Operand& operand : operands.subspan(2, operands.size() - 3)) {
    result = steps_.compute(pure_float(how, instruction), 32, {result, read_float(operand, 32)});
  }
  write32(operands[0], result);
  return true;
}

bool InstructionLowering::float_select(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto has_sign = [](const Operand& operand) { return operand.negated || operand.absolute; };
  if (has_sign(operands[1]) || has_sign(operands[2]) || bit(instruction, 80)) return false;  // .FTZ
  write32(operands[0], steps_.compute(pure(Computation::select, 32), 32,
                                      {raw32(operands[1]), raw32(operands[2]), predicate(operands[3])}));
  return true;
}

// P = (a ? b) and so on with a predicate.
bool InstructionLowering::float_compare(const Instruction& instruction) {
  const auto operands = instruction.operands();
  constexpr unsigned unordered = 8;  // from here on the comparisons are also true where one is not a number
  const unsigned number = instruction.modifier(Modifier::float_comparison).value_or(0);
  const uint16_t bits = instruction.mnemonic().starts_with('D') ? 64 : 32;
  ir::Semantics semantics = pure_float(Computation::float_compare, instruction, bits);
  semantics.or_unordered = number > unordered;
  switch (number & 7) {
    case 1: semantics.comparison = ir::Comparison::less; break;
    case 2: semantics.comparison = ir::Comparison::equal; break;
    case 3: semantics.comparison = ir::Comparison::less_or_equal; break;
    case 4: semantics.comparison = ir::Comparison::greater; break;
    case 5: semantics.comparison = ir::Comparison::not_equal; break;
    case 6: semantics.comparison = ir::Comparison::greater_or_equal; break;
    default: return false;
  }
  const auto connective = connective_of(instruction);
  if (!connective || operands[1].first != no_register) return false;
  semantics.connective = *connective;
  write_predicate(operands[0], steps_.compute(semantics, 1,
                                              {read_float(operands[2], bits), read_float(operands[3], bits),
                                               predicate(operands[4])}));
  return true;
}

}  // namespace warpspan::sass
