// SPDX-License-Identifier: GPL-3.0-or-later
// ptxas divides n by b, both of 32 bits without sign, so:
//
//   f = b as a floating-point number, rounded up        t = a + floor(a * e / 2^32), e = -b * a modulo 2^32
//   r = an estimate of 1 / f                            q = floor(t * n / 2^32)
//   g = the bits of r, plus 2^28 - 2                    and twice: if n - q * b >= b, then q = q + 1
//   a = floor(g)
//
// Theorem. If b is not 0, the last q is floor(n / b), and the last n - q * b the remainder.
//
// The estimate. Let |r - 1/f| <= 2^-23 where 1 <= f < 2, and likewise where f is a power of two larger. (PTX ISA,
// "rcp": the error of rcp.approx.f32, which is this instruction, is at most one unit in the last place; earlier
// editions say 2^-23 between 1 and 2, which is what is used here.) What follows holds in units of the power of two.
//
// Proof. Adding 2^28 to the bits multiplies by 2^32, as no exponent leaves its range: 2^-32 <= r. Subtracting 2 takes
// two units in the last place off, of 2^-24 where r < 1, and less than that only of r = 1 and 1 + 2^-23, which exceed
// 1/f <= 1 by 2^-23 at most, if at all. So g <= 2^32 / f <= 2^32 / b: 0 <= a <= 2^32 / b, and a < 2^32, since g is
// below 2^32 also where b = 1. The rounding of f loses 2^-23 of g, the estimate 2^-22 and the subtraction 2^-22, so
// that g > 2^32 / b * (1 - 2^-20) and 2^32 - a * b < 2^12 + b.
//
// If a = 0, then t = q = 0, and b > 2^31, as g > 1 below: the quotient is at most 1. Else e = 2^32 - a * b, and
// a + a * e / 2^32 = (2^64 - e^2) / (2^32 * b) is at most 2^32 / b, and t less than 1 + e^2 / (2^32 * b) below that; no
// sum leaves 64 bits, as e > 0 if b = 1. With e < 2^12 + b it is less than 1 + (2^24 / b + 2^13 + b) / 2^32, so less
// than d = 1 + 2^-7 + b / 2^32. Then t * n / 2^32 is at most n / b, and less than d below it, and q less than d + 1.
// Where b < 2^32 * (1 - 2^-7) that is less than 3: the first q is at most 2 less than the quotient, and as many steps
// suffice. Where b is larger, the quotient is at most 1. A step is made only if the quotient is larger, and n - q * b
// is never negative and never leaves 32 bits.
//
// f may also be made of b as a number with sign (of an absolute value): this differs where b >= 2^31. There f is
// negative and so is g, a is 0 (PTX ISA, "cvt": integers are clamped to their range), and the quotient is at most 1.
// QED.
#include "frontend/lift/rewrites/quotients.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

#include "frontend/lift/rewrites/halves.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/translation/floats.hpp"
#include "frontend/lift/values/extremes.hpp"

namespace warpspan::lift {

namespace {

using llvm::CmpInst;
using llvm::Value;
using namespace llvm::PatternMatch;

constexpr uint64_t scale = (1U << 28) - 2;

// The operation that a value of floating point is the result of.
std::optional<FloatOperation> operation_of(const Value& value) {
  if (!is_float(value)) return std::nullopt;
  return unpacked(static_cast<uint32_t>(
      llvm::cast<llvm::ConstantInt>(llvm::cast<llvm::CallInst>(value).getArgOperand(0))->getZExtValue()));
}

Value* operand_of(const Value& value) { return llvm::cast<llvm::CallInst>(value).getArgOperand(1); }

bool is_negative_of(Value* value, Value* of) {
  const llvm::APInt *negative = nullptr, *number = nullptr;
  if (match(value, m_APInt(negative)) && match(of, m_APInt(number))) return *negative == -*number;
  return match(value, m_Neg(m_Specific(of)));
}

bool is_negative_product(Value* value, Value* a, Value* b) {
  Value *x = nullptr, *y = nullptr;
  if (match(b, m_One()) && is_negative_of(value, a)) return true;
  if (match(value, m_Neg(m_c_Mul(m_Specific(a), m_Specific(b))))) return true;
  if (!match(value, m_Mul(m_Value(x), m_Value(y)))) return false;
  return (x == a && is_negative_of(y, b)) || (y == a && is_negative_of(x, b)) || (x == b && is_negative_of(y, a)) ||
         (y == b && is_negative_of(x, a));
}

// Whether the value is x - y.
bool is_difference(Value* value, Value* x, Value* y) {
  Value* other = nullptr;
  if (match(value, m_Sub(m_Specific(x), m_Specific(y)))) return true;
  return match(value, m_c_Add(m_Specific(x), m_Value(other))) && is_negative_of(other, y);
}

bool is_rest(Value* value, Value* n, Value* q, Value* b) {
  Value* product = nullptr;
  if (match(value, m_Sub(m_Specific(n), m_c_Mul(m_Specific(q), m_Specific(b))))) return true;
  if (match(b, m_One()) && is_difference(value, n, q)) return true;
  return match(value, m_c_Add(m_Specific(n), m_Value(product))) && is_negative_product(product, q, b);
}

// Whether f is b as a floating-point number, rounded up.
bool is_rounded_up(Value* f, Value* b) {
  FloatOperation conversion{ir::Computation::float_from_integer, ir::Rounding::up, ir::Comparison::none, false, false};
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(f)) {
    const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(b);
    if (divisor == nullptr) return false;
    const uint64_t number = divisor->getZExtValue();
    for (const bool is_signed : {false, true}) {
      conversion.is_signed = is_signed;
      if (compute(conversion, &number, 32, 32) == constant->getZExtValue()) return true;
    }
    return false;
  }
  const auto operation = operation_of(*f);
  return operation && operation->computation == ir::Computation::float_from_integer &&
         operation->rounding == ir::Rounding::up && operand_of(*f) == b;
}

// Whether a is floor(g).
bool is_estimate(Value* a, Value* b) {
  const auto to_integer = operation_of(*a);
  if (!to_integer || to_integer->computation != ir::Computation::float_to_integer || to_integer->is_signed ||
      to_integer->rounding != ir::Rounding::zero)
    return false;
  Value* estimate = nullptr;
  if (!match(operand_of(*a), m_c_Add(m_Value(estimate), m_SpecificInt(scale)))) return false;
  const auto reciprocal = operation_of(*estimate);
  return reciprocal && reciprocal->computation == ir::Computation::float_reciprocal &&
         is_rounded_up(operand_of(*estimate), b);
}

// The factors of a product of which the value is the upper half.
bool is_upper_half(Value* value, Value*& x, Value*& y) {
  return match(value, m_Trunc(m_LShr(m_Mul(m_Value(x), m_Value(y)), m_SpecificInt(32))));
}

// Whether one of the factors is an estimate, and the other what follows from it.
bool are_estimate_and_rest(Value* a, Value* e, Value* b) {
  return a != nullptr && e != nullptr && is_estimate(a, b) && is_negative_product(e, a, b);
}

// Whether t is a + floor(a * e / 2^32), added before or after the division.
bool is_refined(Value* t, Value* b) {
  Value *sum = nullptr, *x = nullptr, *y = nullptr, *again = nullptr, *upper = nullptr;
  for (const bool is_first : {true, false}) {
    const bool is_sum =
        is_first ? match(t, m_Add(m_Value(again), m_Value(upper))) : match(t, m_Add(m_Value(upper), m_Value(again)));
    if (!is_sum || !is_upper_half(upper, x, y)) continue;
    Value *first = narrow_number(x), *second = narrow_number(y);
    if (first == again && are_estimate_and_rest(first, second, b)) return true;
    if (second == again && are_estimate_and_rest(second, first, b)) return true;
  }
  if (!match(t, m_Trunc(m_LShr(m_Value(sum), m_SpecificInt(32))))) return false;
  if (!match(sum, m_c_Add(m_Mul(m_Value(x), m_Value(y)), m_Shl(m_Value(again), m_SpecificInt(32))))) return false;
  for (int i = 0; i < 2; ++i, std::swap(x, y)) {
    if (narrow_number(x) == narrow_number(again) && are_estimate_and_rest(narrow_number(x), narrow_number(y), b))
      return true;
  }
  return false;
}

// The numbers of which one is compared with the other: whether `larger` is so or equal; `holds`: where the condition
// does.
struct AtLeast {
  Value* larger = nullptr;
  Value* smaller = nullptr;
  bool holds = true;
};

std::optional<AtLeast> at_least(Value* condition) {
  bool holds = true;
  Value* inverted = nullptr;
  if (match(condition, m_Not(m_Value(inverted)))) {
    condition = inverted;
    holds = false;
  }
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (comparison == nullptr) return std::nullopt;
  Value *a = comparison->getOperand(0), *b = comparison->getOperand(1);
  switch (comparison->getPredicate()) {
    case CmpInst::ICMP_UGE: return AtLeast{a, b, holds};
    case CmpInst::ICMP_ULT: return AtLeast{a, b, !holds};
    case CmpInst::ICMP_ULE: return AtLeast{b, a, holds};
    case CmpInst::ICMP_UGT: return AtLeast{b, a, !holds};
    default: return std::nullopt;
  }
}

// One step: what is selected where a rest is at least b, and where it is less.
struct Step {
  Value* rest = nullptr;
  Value* b = nullptr;
  Value* corrected = nullptr;
  Value* before = nullptr;
};

std::optional<Step> step_of(Value* value) {
  auto* select = llvm::dyn_cast<llvm::SelectInst>(value);
  const auto condition = select == nullptr ? std::nullopt : at_least(select->getCondition());
  if (!condition) return std::nullopt;
  Step step{condition->larger, condition->smaller, select->getTrueValue(), select->getFalseValue()};
  if (!condition->holds) std::swap(step.corrected, step.before);
  return step;
}

// Of a rest.
std::optional<Step> subtraction_of(Value* value) {
  const auto step = step_of(value);
  const bool subtracts = step && step->before == step->rest && is_difference(step->corrected, step->rest, step->b);
  return subtracts ? step : std::nullopt;
}

// Whether the rest is n - q * b with the first q; n.
Value* dividend(Value* rest, Value* b, Value* q) {
  Value *x = nullptr, *y = nullptr;
  if (!is_upper_half(q, x, y)) return nullptr;
  for (int i = 0; i < 2; ++i, std::swap(x, y)) {
    Value *t = narrow_number(x), *n = narrow_number(y);
    if (t != nullptr && n != nullptr && is_refined(t, b) && is_rest(rest, n, q, b)) return n;
  }
  return nullptr;
}

// The same where the rest alone is known.
Value* dividend(Value* rest, Value* b) {
  Value *x = nullptr, *y = nullptr, *q = nullptr;
  const auto try_product = [&](Value* product) -> Value* {
    if (match(product, m_Neg(m_Value(q)))) product = q;
    if (!match(product, m_Mul(m_Value(x), m_Value(y)))) x = product, y = product;
    for (Value* factor : {x, y}) {
      if (match(factor, m_Neg(m_Value(q)))) factor = q;
      if (Value* n = dividend(rest, b, factor)) return n;
    }
    return nullptr;
  };
  Value *first = nullptr, *second = nullptr;
  if (match(rest, m_Sub(m_Value(first), m_Value(second)))) return try_product(second);
  if (!match(rest, m_Add(m_Value(first), m_Value(second)))) return nullptr;
  Value* n = try_product(first);
  return n != nullptr ? n : try_product(second);
}

struct Division {
  Value* n = nullptr;
  Value* b = nullptr;
  bool leaves_rest = false;
};

std::optional<Division> division(Value& value) {
  const auto last = step_of(&value);
  if (!last) return std::nullopt;
  Value* b = last->b;
  const auto subtraction = subtraction_of(last->rest);  // the first one
  if (!subtraction || subtraction->b != b) return std::nullopt;
  if (subtraction_of(&value)) {
    Value* n = dividend(subtraction->rest, b);
    return n == nullptr ? std::nullopt : std::optional(Division{n, b, true});
  }
  const auto adds_one = [](const Step& step) {
    return match(step.corrected, m_c_Add(m_Specific(step.before), m_One()));
  };
  const auto first = step_of(last->before);
  if (!first || first->b != b || first->rest != subtraction->rest || !adds_one(*last) || !adds_one(*first)) {
    return std::nullopt;
  }
  Value* n = dividend(first->rest, b, first->before);
  return n == nullptr ? std::nullopt : std::optional(Division{n, b, false});
}

// n - n / b * b, in any of the forms that sums with products take.
Value* rest_of_quotient(llvm::Instruction& instruction) {
  Value *n = nullptr, *b = nullptr;
  const llvm::APInt *divisor = nullptr, *factor = nullptr;
  const auto quotient = m_UDiv(m_Value(n), m_Value(b));
  const bool is_rest =
      match(&instruction, m_Sub(m_Value(n), m_c_Mul(m_UDiv(m_Deferred(n), m_Value(b)), m_Deferred(b)))) ||
      match(&instruction, m_c_Add(m_c_Mul(m_Neg(quotient), m_Deferred(b)), m_Deferred(n))) ||
      match(&instruction, m_c_Add(m_Neg(m_c_Mul(quotient, m_Deferred(b))), m_Deferred(n)));
  const bool is_rest_of_constant =
      !is_rest &&
      match(&instruction, m_c_Add(m_c_Mul(m_UDiv(m_Value(n), m_APInt(divisor)), m_APInt(factor)), m_Deferred(n))) &&
      *factor == -*divisor;
  if (!is_rest && !is_rest_of_constant) return nullptr;
  if (is_rest_of_constant) b = llvm::ConstantInt::get(n->getType(), *divisor);
  return llvm::IRBuilder<>(&instruction).CreateURem(n, b);
}

constexpr unsigned most_users = 64;

}  // namespace

Value* same_magnitude(llvm::Instruction& instruction, const llvm::DominatorTree& dominators) {
  Value* number = signed_number(instruction);
  if (number == nullptr || llvm::isa<llvm::Constant>(number) || number->hasNUsesOrMore(most_users)) return nullptr;
  for (llvm::User* user : number->users()) {
    const bool is_same = user != &instruction && signed_number(*user) == number;
    if (is_same && dominators.dominates(llvm::cast<llvm::Instruction>(user), &instruction)) return user;
  }
  return nullptr;
}

Value* recognised_quotient(llvm::Instruction& instruction) {
  if (Value* rest = rest_of_quotient(instruction)) return rest;
  if (!instruction.getType()->isIntegerTy(32)) return nullptr;
  const auto found = division(instruction);
  if (!found) return nullptr;
  llvm::IRBuilder<> ir(&instruction);
  const auto divide = [&](Value* by) {
    return found->leaves_rest ? ir.CreateURem(found->n, by) : ir.CreateUDiv(found->n, by);
  };
  if (llvm::isa<llvm::ConstantInt>(found->b)) return match(found->b, m_Zero()) ? nullptr : divide(found->b);
  Value* is_zero = ir.CreateICmpEQ(found->b, ir.getInt32(0));
  Value* unknown = make_pure(32, {found->n, found->b}, instruction.getIterator());
  return ir.CreateSelect(is_zero, unknown, divide(ir.CreateSelect(is_zero, ir.getInt32(1), found->b)));
}

}  // namespace warpspan::lift
