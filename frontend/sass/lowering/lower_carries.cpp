// SPDX-License-Identifier: GPL-3.0-or-later
// 64-bit numbers of which two instructions calculate the halves.
//
// The low instruction leaves a carry in a predicate, from which the high one goes on. With A = 2^32 a' + a and so on,
// and k numbers subtracted:
//   sum: the low half of A + B + C is that of a + b + c, the high one a' + b' + c' and what is carried. A number with a
//     minus has its bits inverted in the high instruction (a - b carries as a + ~b + 1 does). A sum is the same however
//     its low and high halves are matched, so those are combined that are written as one number.
//   continued sum: where a low instruction adds to what another one has left, the high one takes what both carry: all
//     of their numbers are those of one sum.
//   shifted sum: LEA is (A << s) + B: a sum of the 32 bits of a << s and b, which any high instruction may go on from.
//   The
//     high half by LEA.HI.X is of (a':a) << s, b' and the carry.
//   comparison: A < B if a' < b', or a' = b' and a < b; so for all comparisons if the low one compares without sign.
// The low operands are remembered as they were when the low instruction ran; whether a register of theirs still belongs
// to them is known by counting writes.
#include <algorithm>
#include <tuple>

#include "frontend/sass/lowering/lowering.hpp"

namespace warpspan::sass {

using ir::Computation;

namespace {

// Of the numbers of comparisons that of the same two numbers in the other order.
unsigned swapped(unsigned comparison) {
  constexpr unsigned less = 1, less_or_equal = 3, greater = 4, greater_or_equal = 6;
  switch (comparison) {
    case less: return greater;
    case greater: return less;
    case less_or_equal: return greater_or_equal;
    case greater_or_equal: return less_or_equal;
    default: return comparison;
  }
}

}  // namespace

std::vector<ir::Operand> InstructionLowering::values_of(const Carry& carry) {
  std::vector<ir::Operand> values;
  for (const Carry::Source& source : carry.low) values.push_back(source.value);
  return values;
}

InstructionLowering::Carry::Source InstructionLowering::source_of(const Operand& operand) {
  Carry::Source source;
  source.operand = operand;
  source.word = word_of(operand);
  // A copy: the register may be written before the high half is calculated.
  source.value = steps_.compute(pure(Computation::copy, 32), 32, {raw32(operand)});
  const bool in_register = operand.kind == OperandKind::registers && operand.first < no_register - 1;
  if (in_register) {
    const ir::RegisterId reg = register_of(operand.register_class, operand.first);
    source.whole = steps_.compute(pure(Computation::copy, 64), 64, {pair(operand.register_class, operand.first)});
    source.version = versions_[reg];
    source.high_version = versions_[reg + 1];
  }
  return source;
}

InstructionLowering::Carry InstructionLowering::begin_carry(Carry::Kind kind, const std::vector<Operand>& low) {
  Carry carry;
  carry.kind = kind;
  carry.place = ++carry_count_;
  carry.guard = steps_.guard();
  if (carry.guard.predicate < machine_registers) carry.guard_version = versions_[carry.guard.predicate];
  for (const Operand& operand : low) carry.low.push_back(source_of(operand));
  return carry;
}

void InstructionLowering::note_carry() {
  if (!begun_) return;
  if (begun_->result.first != no_register) {
    begun_->result_version = version(begun_->result.register_class, begun_->result.first);
  }
  for (const Operand& predicate : begun_->predicates) {
    if (predicate.first != no_register) carries_[register_of(predicate.register_class, predicate.first)] = *begun_;
  }
}

// The instruction at hand is executed only where the low one was.
const InstructionLowering::Carry* InstructionLowering::carry_of(const Operand& predicate, Carry::Kind kind) const {
  if (predicate.first == no_register || predicate.negated) return nullptr;
  const auto known = carries_.find(register_of(predicate.register_class, predicate.first));
  if (known == carries_.end() || known->second.kind != kind) return nullptr;
  const StepGuard& guard = known->second.guard;
  if (guard.predicate == ir::no_register) return &known->second;
  const StepGuard& own = steps_.guard();
  const bool same = own.predicate == guard.predicate && own.negated == guard.negated &&
                    versions_[guard.predicate] == known->second.guard_version;
  return same ? &known->second : nullptr;
}

// Of a sum of two numbers, all of which is in the first predicate; of three there may be two.
const InstructionLowering::Carry* InstructionLowering::carry_of_sum(const Operand& predicate) const {
  const Carry* carry = carry_of(predicate, Carry::Kind::sum);
  if (carry == nullptr || predicate.first != carry->predicates[0].first) return nullptr;
  const bool of_two = std::any_of(carry->low.begin(), carry->low.end(), [](const Carry::Source& low) {
    const Operand& operand = low.operand;
    return operand.is_fixed_register() && !operand.inverted && !operand.negated;
  });
  return of_two ? carry : nullptr;
}

// The sum of which one of two low instructions has added to the result of the other.
std::optional<InstructionLowering::Carry> InstructionLowering::continued_sum(const Carry* one, const Carry* other) {
  if (one == nullptr || other == nullptr || one->place == other->place) return std::nullopt;
  const auto& [first, then] = one->place < other->place ? std::tie(*one, *other) : std::tie(*other, *one);
  Carry all = then;
  all.shifted.reset();
  const auto is_result = [&first = first](const Carry::Source& low) {
    const Operand& operand = low.operand;
    return operand.in_register() && !operand.negated && !operand.inverted && first.result.in_register() &&
           operand.register_class == first.result.register_class && operand.first == first.result.first &&
           low.version == first.result_version;
  };
  const auto result = std::find_if(all.low.begin(), all.low.end(), is_result);
  if (result == all.low.end()) return std::nullopt;
  all.low.erase(result);
  all.low.insert(all.low.end(), first.low.begin(), first.low.end());
  constexpr size_t most_sources = 3;
  while (all.low.size() > most_sources) {
    const auto zero = std::find_if(all.low.begin(), all.low.end(), [](const Carry::Source& low) {
      return low.operand.is_fixed_register() && !low.operand.inverted && !low.operand.negated;
    });
    if (zero == all.low.end()) return std::nullopt;
    all.low.erase(zero);
  }
  return all;
}

// Whether both are written as one number.
bool InstructionLowering::is_pair(const Carry::Source& low, const Operand& high) const {
  const Operand& l = low.operand;
  const auto is_number = [](const Operand& operand) {
    return operand.kind == OperandKind::immediate || operand.is_fixed_register();
  };
  if (is_number(l) && is_number(high)) return true;
  if (l.kind != high.kind) return false;
  if (l.kind == OperandKind::constant) return are_halves(l, high);
  return l.kind == OperandKind::registers && l.register_class == high.register_class && l.first < no_register - 1 &&
         high.first == l.first + 1 && version(high.register_class, high.first) == low.high_version;
}

// By which instructions carries connect: the low result of one and the high result of the other.
void InstructionLowering::find_halves() {
  std::map<ir::RegisterId, ir::RegisterId> low;  // by the predicate that has the carry, the result
  for (const Instruction& instruction : code_.instructions) {
    if (!instruction.known()) continue;
    const auto operands = instruction.operands();
    const bool has_result = !operands.empty() && operands.front().in_register() && !operands.front().is_predicate();
    const ir::RegisterId result =
        has_result ? register_of(operands.front().register_class, operands.front().first) : ir::no_register;
    for (const Operand& operand : operands) {
      if (!operand.is_predicate() || operand.first == no_register) continue;
      const ir::RegisterId predicate = register_of(operand.register_class, operand.first);
      if (operand.role == Role::written) {
        low[predicate] = result;
      } else if (const auto known = low.find(predicate); known != low.end() && instruction.has(Modifier::extended)) {
        halves_.emplace(known->second, result);
      }
    }
  }
}

bool InstructionLowering::are_known_halves(const Operand& low, const Operand& high) const {
  return low.in_register() && high.in_register() && !low.is_predicate() && !high.is_predicate() &&
         halves_.contains({register_of(low.register_class, low.first), register_of(high.register_class, high.first)});
}

// The number without signs.
ir::Operand InstructionLowering::whole(const Carry::Source& low, const Operand& high) {
  const bool pair = is_pair(low, high);
  if (pair && low.operand.in_register()) return low.whole;
  if (pair && low.operand.kind == OperandKind::constant) return constant64(low.operand.bank, low.operand.value);
  if (pair) return steps_.combine(raw32(low.operand), raw32(high));
  return steps_.combine(low.value, raw32(high));
}

std::optional<ir::Operand> InstructionLowering::sum_of_wholes(const Carry& carry, std::vector<Operand> high) {
  std::optional<ir::Operand> subtracted;
  ir::Operand sum = number(0);
  const auto is_negative = [](const Operand& operand) { return operand.negated || operand.inverted; };
  const auto negative = std::count_if(carry.low.begin(), carry.low.end(),
                                      [&](const Carry::Source& low) { return is_negative(low.operand); });
  if (negative > 1) return std::nullopt;
  if (negative == 1 && std::none_of(high.begin(), high.end(), is_negative)) {
    // A number is that with its bits inverted, inverted.
    const auto immediate =
        std::find_if(high.begin(), high.end(), [](const Operand& h) { return h.kind == OperandKind::immediate; });
    if (immediate != high.end()) immediate->inverted = true, immediate->value = ~immediate->value;
  }
  if (std::count_if(high.begin(), high.end(), is_negative) != negative) return std::nullopt;
  std::vector<Carry::Source> low = carry.low;
  // Those that belong together first, then what is left.
  enum class Which : uint8_t { pairs, halves, rest };
  for (const Which which : {Which::pairs, Which::halves, Which::rest}) {
    for (size_t i = 0; i < low.size();) {
      const auto match = std::find_if(high.begin(), high.end(), [&](const Operand& h) {
        const bool fits = which == Which::pairs    ? is_pair(low[i], h)
                          : which == Which::halves ? are_known_halves(low[i].operand, h)
                                                   : true;
        return fits && is_negative(h) == is_negative(low[i].operand);
      });
      if (match == high.end()) {
        ++i;
        continue;
      }
      const ir::Operand value = whole(low[i], *match);
      if (is_negative(*match)) {
        subtracted = value;
      } else {
        sum = steps_.add(sum, value, 64);
      }
      high.erase(match);
      low.erase(low.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  if (!low.empty() || !high.empty()) return std::nullopt;
  if (!subtracted) return sum;
  return steps_.compute(pure(Computation::subtract, 64), 64, {sum, *subtracted});
}

// The low half is in its register already; if it still is, both are halves of one number from here on.
void InstructionLowering::write_high(const Carry& carry, const Operand& result, const ir::Operand& whole) {
  write32(result, steps_.high_of(whole));
  const Operand& low = carry.result;
  // Where a guard keeps the old high half, the low one is new only if the guard was the same.
  const bool same_guard = steps_.guard().predicate == carry.guard.predicate;
  const bool is_there = low.first != no_register && result.first != no_register && same_guard &&
                        version(low.register_class, low.first) == carry.result_version;
  if (!is_there || (low.register_class == result.register_class && low.first == result.first)) return;
  steps_.set(register_of(low.register_class, low.first), steps_.low_of(whole));
  const bool pair = low.register_class == result.register_class && result.first == low.first + 1;
  if (pair) written_pairs_[register_of(low.register_class, low.first)] = whole;
}

bool InstructionLowering::add_high(const Operand& result, const std::vector<Operand>& high, const Carry* carry) {
  if (carry == nullptr) return false;
  const auto sum = sum_of_wholes(*carry, high);
  if (!sum) return false;
  write_high(*carry, result, *sum);
  return true;
}

// a << s of a number with a sign, and b, of which LEA.HI.X.SX32 calculates the high half: it goes on from an IADD3 or
// LEA of the low half, which another instruction has shifted. By 1 it is that of a alone, too, as all that is left of
// it is the sign.
bool InstructionLowering::add_sign(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const Carry* carry = carry_of_sum(operands[5]);
  const auto shift = instruction.modifier(Modifier::shift_amount).value_or(0);
  if (carry == nullptr || shift == 0 || !instruction.has(Modifier::sign_extend)) return false;
  const Operand &a = operands[2], &b = operands[3];
  if (!a.in_register() || a.negated || a.inverted) return false;
  if (b.negated || b.inverted) return false;
  std::optional<ir::Operand> extended, other;
  for (const Carry::Source& low : carry->low) {
    const Operand& operand = low.operand;
    if (operand.negated || operand.inverted) return false;
    if (!extended && shift == 1 && (is_copy_of(low, a, 0) || is_copy(a, operand))) {
      extended = steps_.extend(low.value, true);
    } else if (!extended && is_copy_of(low, a, shift)) {
      const ir::Operand whole_a = steps_.extend(raw32(a), true);
      extended = steps_.compute(pure(Computation::shift_left, 64), 64, {whole_a, number(shift)});
    } else if (!operand.is_fixed_register()) {
      if (other) return false;
      other = whole(low, b);
    }
  }
  if (!extended || !other) return false;
  write_high(*carry, operands[0], steps_.add(*extended, *other, 64));
  return true;
}

// LEA.HI.X: the first source's missing upper half is the third source, or its sign.
bool InstructionLowering::shifted_add_high(const Instruction& instruction) {
  const auto operands = instruction.operands();
  if (add_sign(instruction)) return true;
  const Carry* carry = carry_of(operands[5], Carry::Kind::sum);
  const Operand &a = operands[2], &b = operands[3], &c = operands[4];
  if (carry == nullptr || !carry->shifted) return false;
  if (carry->shift != instruction.modifier(Modifier::shift_amount).value_or(0)) return false;
  const Carry::Source& source = *carry->shifted;
  if (!source.word || word_of(a) != source.word || b.negated || b.inverted) return false;
  const ir::Operand shifted_source =
      instruction.has(Modifier::sign_extend) ? steps_.extend(source.value, true) : whole(source, c);
  const ir::Operand shifted =
      steps_.compute(pure(Computation::shift_left, 64), 64, {shifted_source, number(carry->shift)});
  write_high(*carry, operands[0], steps_.add(shifted, whole(carry->low[0], b), 64));
  return true;
}

bool InstructionLowering::compare_high(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const Carry* carry = carry_of(operands[5], Carry::Kind::comparison);
  const unsigned comparison = instruction.modifier(Modifier::comparison).value_or(0);
  if (carry == nullptr) return false;
  const bool same = carry->comparison == comparison;
  if (!same && carry->comparison != swapped(comparison)) return false;
  const ir::Operand a = whole(carry->low[same ? 0 : 1], operands[2]);
  const ir::Operand b = whole(carry->low[same ? 1 : 0], operands[3]);
  return write_comparison(instruction, a, b, 64);
}

}  // namespace warpspan::sass
