// Floating-point numbers of 32 bits: what every GPU calculates alike, and the reciprocal that quotients begin with.
// Whether subnormal numbers are taken for 0 does not matter, as none of them is known (ir/computations.def).
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

ir::Semantics pure_float(Computation computation, const Instruction& instruction) {
  ir::Semantics semantics = pure(computation, 32);
  semantics.result_bits = 32;
  semantics.rounding = rounding_of(instruction);
  semantics.is_floating = computation != Computation::float_to_integer;
  return semantics;
}

constexpr unsigned of_32_bits = 2;  // of the modifiers of sizes

}  // namespace

// A constant is a register here: an integer stands for no number.
ir::Operand InstructionLowering::read_float(const Operand& operand) {
  ir::Operand value = raw32(operand);
  if (value.kind == ir::Operand::Kind::integer) value = steps_.compute(pure(Computation::copy, 32), 32, {value});
  ir::Semantics sign = pure(Computation::float_absolute, 32);
  sign.result_bits = 32;
  if (operand.absolute) value = steps_.compute(sign, 32, {value});
  sign.computation = Computation::float_negate;
  if (operand.negated) value = steps_.compute(sign, 32, {value});
  return value;
}

// I2F: of 32 bits with or without sign.
bool InstructionLowering::integer_to_float(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (instruction.modifier(Modifier::destination_size).value_or(of_32_bits) != of_32_bits ||
      instruction.modifier(Modifier::source_size).value_or(of_32_bits) != of_32_bits || bit(instruction, 77) ||
      !has_plain_source(instruction))
    return false;
  ir::Semantics semantics = pure_float(Computation::float_from_integer, instruction);
  semantics.is_signed = instruction.has(Modifier::source_signed);
  write32(operands[0], steps_.compute(semantics, 32, {raw32(operands[1])}));
  return true;
}

bool InstructionLowering::float_to_integer(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (instruction.modifier(Modifier::destination_size) != of_32_bits ||
      instruction.modifier(Modifier::source_size) != of_32_bits || bit(instruction, 86) ||
      !has_plain_source(instruction))
    return false;
  ir::Semantics semantics = pure_float(Computation::float_to_integer, instruction);
  semantics.is_signed = instruction.has(Modifier::destination_signed);
  write32(operands[0], steps_.compute(semantics, 32, {read_float(operands[1])}));
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
          steps_.compute(pure_float(Computation::float_reciprocal, instruction), 32, {read_float(operands[1])}));
  return true;
}

// FADD, FMUL, FFMA.
bool InstructionLowering::float_arithmetic(const Instruction& instruction) {
  const auto operands = instruction.operands();
  std::string_view name = instruction.mnemonic();
  if (name.starts_with('U')) name.remove_prefix(1);
  constexpr unsigned unscaled = 4;  // of .D8, .D4, .D2, none, .M2, .M4 and .M8
  const bool scales = name == "FMUL" && field(instruction.word, 84, 3) != unscaled;
  if (bit(instruction, 77) || scales) return false;  // .SAT
  std::vector<ir::Operand> sources;
  for (const Operand& operand : operands.subspan(1)) sources.push_back(read_float(operand));
  const auto how = name == "FADD"   ? Computation::float_add
                   : name == "FMUL" ? Computation::float_multiply
                                    : Computation::float_multiply_add;
  write32(operands[0], steps_.compute(pure_float(how, instruction), 32, sources));
  return true;
}

// The smaller number where the predicate is true, else the larger.
bool InstructionLowering::float_extreme(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const Operand& which = operands.back();
  if (which.first != no_register || bit(instruction, 81) || bit(instruction, 82)) return false;  // .NAN, .XORSIGN
  const auto how = which.negated ? Computation::float_maximum : Computation::float_minimum;
  ir::Operand result = read_float(operands[1]);
  for (const Operand& operand : operands.subspan(2, operands.size() - 3)) {
    result = steps_.compute(pure_float(how, instruction), 32, {result, read_float(operand)});
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
  ir::Semantics semantics = pure_float(Computation::float_compare, instruction);
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
  write_predicate(
      operands[0],
      steps_.compute(semantics, 1, {read_float(operands[2]), read_float(operands[3]), predicate(operands[4])}));
  return true;
}

}  // namespace warpspan::sass
