// SPDX-License-Identifier: GPL-3.0-or-later
// Integer arithmetic and comparisons.
#include <algorithm>
#include <bit>

#include "frontend/sass/lowering/lowering.hpp"

namespace warpspan::sass {

using ir::Computation;

namespace {

bool is_zero(const Operand& operand) { return operand.is_fixed_register() && !operand.inverted; }

bool is_one(const Operand& operand) { return operand.kind == OperandKind::immediate && operand.value == 1; }

bool is_false(const Operand& predicate) { return predicate.first == no_register && predicate.negated; }
bool is_true(const Operand& predicate) { return predicate.first == no_register && !predicate.negated; }

ir::Comparison comparison_of(unsigned value) {
  switch (value) {
    case 1: return ir::Comparison::less;
    case 2: return ir::Comparison::equal;
    case 3: return ir::Comparison::less_or_equal;
    case 4: return ir::Comparison::greater;
    case 5: return ir::Comparison::not_equal;
    case 6: return ir::Comparison::greater_or_equal;
    default: return ir::Comparison::none;
  }
}

// Two carries in that are no registers, added in place of RZ: a + b + 0 + 1 + 1 is the low half of a sum of three
// numbers, as a + b + 2 is. Nothing if they are registers, there is no RZ, or numbers have minus or inverted bits.
std::optional<std::vector<Operand>> with_known_carries(std::vector<Operand> sources,
                                                       const std::array<Operand, 2>& carried) {
  int64_t carry = 0;
  for (const Operand& in : carried) {
    if (!is_true(in) && !is_false(in)) return std::nullopt;
    carry += is_true(in) ? 1 : 0;
  }
  const auto is_changed = [](const Operand& source) { return source.negated || source.inverted; };
  if (std::any_of(sources.begin(), sources.end(), is_changed)) return std::nullopt;
  if (carry == 0) return sources;
  const auto zero = std::find_if(sources.begin(), sources.end(), is_zero);
  if (zero == sources.end()) return std::nullopt;
  *zero = Operand{};
  zero->value = carry;
  return sources;
}

}  // namespace

std::optional<ir::Connective> connective_of(const Instruction& instruction) {
  switch (instruction.modifier(Modifier::connective).value_or(0)) {
    case 0: return ir::Connective::conjunction;
    case 1: return ir::Connective::disjunction;
    case 2: return ir::Connective::exclusive;
    default: return std::nullopt;
  }
}

// R = a + b + c; P, Q = carries, c the carries in.
bool InstructionLowering::sum(const Instruction& instruction, const std::array<Operand, 3>& results,
                              const std::vector<Operand>& sources, const std::array<Operand, 2>& carried) {
  const bool carries = results[1].first != no_register || results[2].first != no_register;
  if (instruction.has(Modifier::extended)) {
    const auto low = carries ? with_known_carries(sources, carried) : std::nullopt;
    if (low) return low_sum(results, *low);
    if (carries) return false;                           // a carry out of the high half is not modelled
    if (is_false(carried[0]) && is_false(carried[1])) {  // nothing is carried
      write32(results[0], sum_of(sources));
      return true;
    }
    if ((is_true(carried[0]) && is_false(carried[1])) || (is_false(carried[0]) && is_true(carried[1]))) {
      write32(results[0], steps_.add(sum_of(sources), number(1), 32));
      return true;
    }
    if (is_false(carried[1])) return add_high(results[0], sources, carry_of_sum(carried[0]));
    if (is_false(carried[0])) return add_high(results[0], sources, carry_of_sum(carried[1]));
    const Carry* one = carry_of(carried[0], Carry::Kind::sum);
    const Carry* other = carry_of(carried[1], Carry::Kind::sum);
    const bool same =
        one != nullptr && other != nullptr && one->place == other->place && carried[0].first != carried[1].first;
    if (same) return add_high(results[0], sources, one);
    const auto continued = continued_sum(carry_of_sum(carried[0]), carry_of_sum(carried[1]));
    return continued && add_high(results[0], sources, &*continued);
  }
  return low_sum(results, sources);
}

// Of a + b + c, with what it carries.
bool InstructionLowering::low_sum(const std::array<Operand, 3>& results, const std::vector<Operand>& sources) {
  const bool carries = results[1].first != no_register || results[2].first != no_register;
  const ir::Operand low = sum_of(sources);
  if (carries && results[1].first == results[2].first) return false;
  if (carries) {
    begun_ = begin_carry(Carry::Kind::sum, sources);
    begun_->result = results[0];
    begun_->predicates = {results[1], results[2]};
    for (const Operand& carry : begun_->predicates) write_unknown(carry, values_of(*begun_));
  }
  write32(results[0], low);
  return true;
}

ir::Operand InstructionLowering::sum_of(const std::vector<Operand>& sources) {
  ir::Operand sum = number(0);
  const auto is_negative = [](const Operand& source) { return source.negated && !source.inverted; };
  for (const Operand& source : sources) {
    if (!is_negative(source)) sum = steps_.add(sum, read32(source), 32);
  }
  for (const Operand& source : sources) {
    if (!is_negative(source) || is_zero(source)) continue;
    const bool first = sum.kind == ir::Operand::Kind::integer && sum.value == 0;
    sum = first ? read32(source) : steps_.compute(pure(Computation::subtract, 32), 32, {sum, raw32(source)});
  }
  return sum;
}

bool InstructionLowering::add3(const Instruction& instruction) {
  const auto operands = instruction.operands();
  return sum(instruction, {operands[0], operands[1], operands[2]}, {operands[3], operands[4], operands[5]},
             {operands[6], operands[7]});
}

// IADD of 32 bits: R, P, a, b, carry in. It is the sum of three with 0 as the third.
bool InstructionLowering::add_with_carry(const Instruction& instruction) {
  const auto operands = instruction.operands();
  Operand zero, none;
  zero.kind = none.kind = OperandKind::registers;
  none.register_class = RegisterClass::predicate;
  Operand never = none;
  never.negated = true;
  return sum(instruction, {operands[0], operands[1], none}, {operands[2], operands[3], zero}, {operands[4], never});
}

bool InstructionLowering::add_two(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (instruction.has(Modifier::pairs) || instruction.has(Modifier::saturated)) return false;
  write32(operands[0], sum_of({operands[1], operands[2]}));
  return true;
}

// R = (a << s) + b; .HI: the upper half of (c:a) << s, and b.
bool InstructionLowering::shifted_add(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto shift = instruction.modifier(Modifier::shift_amount).value_or(0);
  if (instruction.has(Modifier::extended)) {
    return operands[1].first == no_register && instruction.has(Modifier::high) && shifted_add_high(instruction);
  }
  const Operand &a = operands[2], &b = operands[3], &c = operands[4];
  if (instruction.has(Modifier::high)) {
    if (operands[1].first != no_register || a.negated || a.inverted) return false;
    const ir::Operand low = read32(a);
    const bool is_signed = instruction.has(Modifier::sign_extend);
    ir::Operand high;
    if (shift > 0 && (is_signed || is_zero(c))) {
      const ir::Semantics semantics = pure(Computation::shift_right, 32, is_signed);
      high = steps_.compute(semantics, 32, {low, number(32 - static_cast<int64_t>(shift))});
    } else {
      const ir::Operand source = is_signed ? steps_.extend(low, true) : steps_.combine(low, read32(c));
      high = steps_.high_of(steps_.compute(pure(Computation::shift_left, 64), 64, {source, number(shift)}));
    }
    write32(operands[0], steps_.add(high, read32(b), 32));
    return true;
  }
  const ir::Operand shifted = steps_.compute(pure(Computation::shift_left, 32), 32, {read32(a), number(shift)});
  const ir::Operand sum = steps_.add(shifted, read32(b), 32);
  const bool is_plain = !a.negated && !a.inverted && !b.negated && !b.inverted;
  if (operands[1].first != no_register && is_plain) {
    Operand zero, none;
    zero.kind = OperandKind::registers;
    none.kind = OperandKind::label;  // nothing that a high instruction may have
    begun_ = begin_carry(Carry::Kind::sum, {b, zero});
    begun_->low.push_back({none, shifted, {}});
    begun_->shifted = source_of(a);
    begun_->shift = shift;
    begun_->result = operands[0];
    begun_->predicates = {operands[1]};
    write_unknown(operands[1], values_of(*begun_));
  } else if (operands[1].first != no_register) {
    write_unknown(operands[1], {shifted, read32(b)});
  }
  write32(operands[0], sum);
  return true;
}

// R = a * b + c, the lower half.
bool InstructionLowering::multiply(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const Operand &a = operands[2], &b = operands[3], &c = operands[4];
  if (operands[1].first != no_register) return false;
  if (instruction.has(Modifier::extended)) {
    Operand zero;
    zero.kind = OperandKind::registers;
    if (operands[5].is_fixed_register()) {  // ptxas writes x + y + 1 so for sm_100 and later
      if (!is_zero(a) && !is_zero(b) && !is_one(b)) return false;
      const Operand& factor = is_one(b) ? a : zero;
      write32(operands[0], steps_.add(sum_of({factor, c}), number(is_true(operands[5]) ? 1 : 0), 32));
      return true;
    }
    if (is_zero(a) || is_zero(b)) return add_high(operands[0], {c, zero, zero}, carry_of_sum(operands[5]));
    return is_one(b) && add_high(operands[0], {a, c, zero}, carry_of_sum(operands[5]));
  }
  const bool is_power =
      b.kind == OperandKind::immediate && b.value > 1 && std::has_single_bit(static_cast<uint64_t>(b.value));
  if (is_power && is_zero(c) && !a.negated && !a.inverted) {
    begin_copy(operands[0], a, static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(b.value))));
  }
  if (is_zero(a) || is_zero(b)) {
    copy(operands[0], c);
  } else if (is_one(b)) {
    write32(operands[0], sum_of({a, c}));
  } else if (is_zero(c)) {
    write32(operands[0], steps_.compute(pure(Computation::multiply_low, 32), 32, {read32(a), read32(b)}));
  } else {
    write32(operands[0], steps_.compute(pure(Computation::multiply_low, 32), 32, {read32(a), read32(b), read32(c)}));
  }
  return true;
}

// a * b + c of 64 bits: all of it, or its upper half.
bool InstructionLowering::multiply_wide(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (operands[1].first != no_register || instruction.has(Modifier::extended)) return false;
  const bool is_signed = instruction.has(Modifier::is_signed);
  const Operand& addend = operands[4];
  std::vector<ir::Operand> sources = {read32(operands[2]), read32(operands[3])};
  if (!addend.is_fixed_register()) {
    if (addend.kind == OperandKind::immediate && addend.value < 0) return false;
    const auto value = read64(addend);
    if (!value) return false;
    sources.push_back(*value);
  }
  const ir::Operand product = steps_.compute(pure(Computation::multiply_wide, 32, is_signed), 64, sources);
  if (instruction.mnemonic().ends_with("IMAD.HI")) {
    write32(operands[0], steps_.high_of(product));
  } else {
    write64(operands[0], product);
  }
  return true;
}

bool InstructionLowering::write_comparison(const Instruction& instruction, const ir::Operand& a, const ir::Operand& b,
                                           uint16_t bits) {
  const auto operands = instruction.operands();
  ir::Semantics semantics = pure(Computation::compare, bits, instruction.has(Modifier::is_signed));
  semantics.comparison = comparison_of(instruction.modifier(Modifier::comparison).value_or(0));
  const auto connective = connective_of(instruction);
  if (!connective || semantics.comparison == ir::Comparison::none) return false;
  semantics.connective = *connective;
  const ir::Operand with = predicate(operands[4]);
  const ir::Operand first = value_of(steps_.temporary(1)), second = value_of(steps_.temporary(1));
  ir::Operation operation;
  operation.semantics = semantics;
  steps_.add_step(std::move(operation), {a, b, with}, {first, second}, {});
  write_predicate(operands[0], first);
  write_predicate(operands[1], second);
  return true;
}

// P = (a ? b) and so on with a predicate, Q = the opposite of the comparison with the same.
bool InstructionLowering::compare(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (instruction.has(Modifier::extended)) return !instruction.has(Modifier::wide) && compare_high(instruction);
  if (instruction.has(Modifier::wide)) {
    const auto a = read64(operands[2]), b = read64(operands[3]);
    return a && b && write_comparison(instruction, *a, *b, 64);
  }
  const bool plain = is_true(operands[4]) && instruction.modifier(Modifier::connective).value_or(0) == 0;
  const bool is_kept = operands[0].first != no_register && operands[0].first != operands[1].first;
  if (plain && !instruction.has(Modifier::is_signed) && is_kept) {
    begun_ = begin_carry(Carry::Kind::comparison, {operands[2], operands[3]});
    begun_->comparison = instruction.modifier(Modifier::comparison).value_or(0);
    begun_->predicates = {operands[0]};
  }
  return write_comparison(instruction, read32(operands[2]), read32(operands[3]), 32);
}

// IMNMX of sm_100 and later: P P R a b, which, P.
bool InstructionLowering::extreme_of_either(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const Operand& which = operands[5];
  const auto is_none = [&](size_t i) { return operands[i].first == no_register; };
  if (!is_none(0) || !is_none(1) || !is_none(5) || !is_none(6)) return false;
  const ir::Computation how = which.negated ? Computation::maximum : Computation::minimum;
  const bool is_signed = instruction.has(Modifier::is_signed);
  if (!instruction.has(Modifier::wide)) {
    write32(operands[2], steps_.compute(pure(how, 32, is_signed), 32, {read32(operands[3]), read32(operands[4])}));
    return true;
  }
  const auto a = read64(operands[3]), b = read64(operands[4]);
  if (!a || !b) return false;
  write64(operands[2], steps_.compute(pure(how, 64, is_signed), 64, {*a, *b}));
  return true;
}

// The smaller number where the predicate is true, else the larger.
bool InstructionLowering::extreme(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (operands.size() == 7) return extreme_of_either(instruction);
  const bool old = operands.size() == 4;  // R a b P
  const bool vector = operands.size() == 6 && operands[0].count == 1 &&
                      operands[0].register_class != RegisterClass::predicate;  // R P P a b P
  if (!old && !vector) return false;
  const size_t first = old ? 1 : 3;
  if (vector && (operands[1].first != no_register || operands[2].first != no_register)) return false;
  return write_extreme(instruction, {read32(operands[first]), read32(operands[first + 1])}, operands[first + 2]);
}

// R, a, b, c, which: one predicate for both steps.
bool InstructionLowering::extreme_of_three(const Instruction& instruction) {
  const auto operands = instruction.operands();
  return write_extreme(instruction, {read32(operands[1]), read32(operands[2]), read32(operands[3])}, operands[4]);
}

// R, a, b, c, which: of a + b, which wraps around as IADD3 does (ptxas makes it of add and min or max), and c.
bool InstructionLowering::extreme_of_sum(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const ir::Operand sum = sum_of({operands[1], operands[2]});
  return write_extreme(instruction, {sum, read32(operands[3])}, operands[4]);
}

// The least of the values where the predicate is true, else the greatest; .RELU: at least 0. Of whole words only.
bool InstructionLowering::write_extreme(const Instruction& instruction, const std::vector<ir::Operand>& values,
                                        const Operand& which) {
  bool is_signed = instruction.has(Modifier::is_signed);
  if (const auto packed = instruction.modifier(Modifier::packed)) {
    if (*packed > 1) return false;
    is_signed = *packed == 1;
  }
  const bool positive = instruction.has(Modifier::relu);
  if (which.first != no_register || (positive && !is_signed)) return false;
  const auto how = which.negated ? Computation::maximum : Computation::minimum;
  ir::Operand result = values.front();
  for (size_t i = 1; i < values.size(); ++i) {
    result = steps_.compute(pure(how, 32, is_signed), 32, {result, values[i]});
  }
  if (positive) result = steps_.compute(pure(Computation::maximum, 32, true), 32, {result, number(0)});
  write32(instruction.operands()[0], result);
  return true;
}

// IADD.64: R, P, a, b, carry in. UIADD3.64: U, Q, Q, a, b, c, carries in.
bool InstructionLowering::add_wide(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (instruction.has(Modifier::extended)) return false;
  ir::Operand sum = number(0);
  for (size_t i = 1; i < operands.size(); ++i) {
    if (operands[i].is_predicate()) {
      if (operands[i].role == Role::written && operands[i].first != no_register) return false;
      continue;
    }
    const auto value = read64(operands[i]);
    if (!value) return false;
    sum = steps_.add(sum, *value, 64);
  }
  write64(operands[0], sum);
  return true;
}

}  // namespace warpspan::sass
