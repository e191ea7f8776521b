// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions are read as signed numbers. The form of an expression is a sum of multiples of atoms that is equal to it,
// as an unbounded integer: a sum or a product with a constant has the sum of its operands' forms if that stays within
// the type, since both are equal modulo 2^w; an extension or a truncation that changes no value has the form of what it
// extends; anything else is an atom. {a,+,s} is a plus s times the number of the iteration, which is one of 64 bits,
// and {0,+,-s} is {0,+,s} with a minus, where these stay within the type.
//
// Theorem. Let F = R + c t be a form with an atom t.
//   1. t = min(A_1 .. A_n), c > 0, or t = max(A_1 .. A_n), c < 0: F <= R + c A_i for each i.
//   2. t = max(A_1 .. A_n), c > 0, or t = min(A_1 .. A_n), c < 0: F is R + c A_i for some i, so the largest of their
//      bounds is one of F. So it is for a t that is chosen among the A_i, whatever decides.
//   3. t = floor(p / d) with p >= 0 and a constant d >= 1: d F = d R + c p - c r with 0 <= r <= d - 1, hence
//      F <= floor(M / d) where M bounds d R + c p + max(0, -c (d - 1)).
//   4. If G <= 0 is known, F <= F - m G for each m >= 0.
//   5. If F <= 0 is known, t = max(A_1 .. A_n), c > 0, or t = min(A_1 .. A_n), c < 0: R + c A_i <= 0 for each i.
// Proof. min <= A_i and max >= A_i, so R + c A_i <= F in 5; min, max and choices are one of the A_i; p = d t + r;
// m G <= 0. QED.
//
// So atoms are replaced by what they are computed from until what has no bound by itself has cancelled: in
// min(x + r, n) - max(x - r, 0), say. The smallest of all bounds found meanwhile counts.  The sum of an expression that
// may wrap still holds modulo 2^w.
#include "frontend/lift/trips/guards/sums.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

namespace warpspan::lift {

namespace {

using llvm::ConstantRange;
using llvm::SCEV;
using support::Int128;
using support::WideInteger;

constexpr int deepest = 24;
constexpr unsigned widest = 64;
constexpr int64_t largest_divisor = int64_t{1} << 40;

WideInteger signed_number(const llvm::APInt& value) { return value.getSExtValue(); }

llvm::APInt truncated(Int128 value, unsigned bits) {
  const uint64_t words[] = {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64)};
  return llvm::APInt(128, words).trunc(bits);
}

bool fits(Int128 least, Int128 most, unsigned bits) {
  const Int128 end = Int128{1} << (bits - 1);
  return least >= -end && most < end;
}

bool is_positive(WideInteger number) { return number.is_at_least(1); }

// An overflown bound is none.
void keep_smaller(WideInteger& best, WideInteger other) {
  if (other.overflowed()) return;
  best = best.overflowed() ? other : min(best, other);
}

const llvm::SelectInst* select_of(const SCEV& expression) {
  const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(&expression);
  return unknown == nullptr ? nullptr : llvm::dyn_cast<llvm::SelectInst>(unknown->getValue());
}

}  // namespace

bool SumRanges::is_never_negative(const SCEV& expression) { return !values(expression).getSignedMin().isNegative(); }

SumRanges::Kind SumRanges::kind_of(const SCEV& expression) {
  if (const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(&expression)) {
    const auto* by = llvm::dyn_cast<llvm::SCEVConstant>(quotient->getRHS());
    const bool is_small = by != nullptr && !by->getAPInt().isZero() && by->getAPInt().ule(largest_divisor);
    return is_small && is_never_negative(*quotient->getLHS()) ? Kind::quotient : Kind::plain;
  }
  const auto all_signed = [this](const SCEV& clamped) {
    return llvm::all_of(clamped.operands(), [this](const SCEV* operand) { return is_never_negative(*operand); });
  };
  switch (expression.getSCEVType()) {
    case llvm::scSMinExpr: return Kind::minimum;
    case llvm::scSMaxExpr: return Kind::maximum;
    case llvm::scUMinExpr:
    case llvm::scSequentialUMinExpr: return all_signed(expression) ? Kind::minimum : Kind::plain;
    case llvm::scUMaxExpr: return all_signed(expression) ? Kind::maximum : Kind::plain;
    default: break;
  }
  return select_of(expression) != nullptr ? Kind::choice : Kind::plain;
}

SumRanges::AtomId SumRanges::atom_of(const SCEV& expression) {
  if (const auto known = ids_.find(&expression); known != ids_.end()) return known->second;
  const ConstantRange range = values(expression);
  const Kind kind = kind_of(expression);
  const bool has_alternatives =
      llvm::SCEVExprContains(&expression, [](const SCEV* part) { return select_of(*part) != nullptr; });
  const unsigned order = expression.getExpressionSize() + (has_alternatives ? UINT16_MAX : 0);
  atoms_.push_back(
      {&expression, kind, order, signed_number(range.getSignedMin()), signed_number(range.getSignedMax())});
  return ids_[&expression] = static_cast<AtomId>(atoms_.size() - 1);
}

void SumRanges::add(Form& to, const Form& form, WideInteger factor) {
  to.constant += factor * form.constant;
  for (const auto& [atom, term] : form.terms) {
    WideInteger& sum = to.terms[atom];
    sum += factor * term;
    if (sum == WideInteger(0)) to.terms.erase(atom);
  }
}

// The form of what is added up, which may differ from the expression where it wraps.
std::optional<SumRanges::Form> SumRanges::sum_of(const SCEV& expression) {
  Form sum;
  if (llvm::isa<llvm::SCEVAddExpr>(expression)) {
    for (const SCEV* operand : expression.operands()) add(sum, form_of(*operand), 1);
    return sum;
  }
  if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&expression)) {
    const auto* factor = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
    if (factor == nullptr || product->getNumOperands() != 2) return std::nullopt;
    add(sum, form_of(*product->getOperand(1)), signed_number(factor->getAPInt()));
    return sum;
  }
  const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&expression);
  if (counter == nullptr || !counter->isAffine()) return std::nullopt;
  const SCEV* step = counter->getStepRecurrence(evolution_);
  const auto iterations = [&](const SCEV* by) -> const SCEV& {
    return *evolution_.getAddRecExpr(evolution_.getZero(by->getType()), by, counter->getLoop(), SCEV::FlagAnyWrap);
  };
  const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(step);
  // All counters of a loop are multiples of the same number.
  const SCEV* one = evolution_.getOne(llvm::IntegerType::get(evolution_.getContext(), widest));
  if (!counter->getStart()->isZero()) {
    add(sum, form_of(*counter->getStart()), 1);
    add(sum, form_of(iterations(step)), 1);
  } else if (constant != nullptr && constant->getAPInt().isNegative() && !constant->getAPInt().isMinSignedValue()) {
    add(sum, form_of(iterations(evolution_.getNegativeSCEV(step))), -1);
  } else if (constant != nullptr && step != one) {
    add(sum, form_of(iterations(one)), signed_number(constant->getAPInt()));
  } else {
    return std::nullopt;
  }
  return sum;
}

// What is added up, of sums and products that may wrap as well: equal to the expression modulo 2^w.
SumRanges::Form SumRanges::congruent(const SCEV& expression) {
  const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&expression);
  const auto* factor = product == nullptr ? nullptr : llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
  Form sum;
  if (llvm::isa<llvm::SCEVAddExpr>(expression)) {
    for (const SCEV* operand : expression.operands()) add(sum, congruent(*operand), 1);
  } else if (factor != nullptr && product->getNumOperands() == 2) {
    add(sum, congruent(*product->getOperand(1)), signed_number(factor->getAPInt()));
  } else {
    sum = form_of(expression);
  }
  return sum;
}

const SumRanges::Form& SumRanges::form_of(const SCEV& expression) {
  if (const auto known = forms_.find(&expression); known != forms_.end()) return known->second;
  Form form = find_form(expression);
  return forms_.insert_or_assign(&expression, std::move(form)).first->second;
}

SumRanges::Form SumRanges::find_form(const SCEV& expression) {
  if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(&expression)) {
    return {signed_number(constant->getAPInt())};
  }
  const unsigned bits = expression.getType()->getIntegerBitWidth();
  if (const auto* cast = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(&expression)) {
    const SCEV& operand = *cast->getOperand();
    if (operand.getType()->getIntegerBitWidth() <= widest) {
      const ConstantRange range = values(operand);
      const bool is_same = llvm::isa<llvm::SCEVSignExtendExpr>(cast) ||
                           (llvm::isa<llvm::SCEVZeroExtendExpr>(cast) && !range.getSignedMin().isNegative()) ||
                           (llvm::isa<llvm::SCEVTruncateExpr>(cast) &&
                            fits(range.getSignedMin().getSExtValue(), range.getSignedMax().getSExtValue(), bits));
      if (is_same) return form_of(operand);
    }
  }
  if (expression.getExpressionSize() <= largest_expression) {
    const auto is_exact = [&](const Form& sum) {
      const auto span = span_of(sum);
      return span && fits(span->first, span->second, bits);
    };
    if (const auto sum = sum_of(expression)) {
      if (is_exact(*sum)) return *sum;
      if (!llvm::isa<llvm::SCEVAddRecExpr>(expression)) {
        Form other = congruent(expression);
        if (is_exact(other)) return other;
      }
    }
  }
  Form form;
  form.terms[atom_of(expression)] = 1;
  return form;
}

SumRanges::WideInteger SumRanges::largest(AtomId atom, WideInteger factor) const {
  return factor * (is_positive(factor) ? atoms_[atom].most : atoms_[atom].least);
}

SumRanges::WideInteger SumRanges::by_ranges(const Form& form) const {
  WideInteger sum = form.constant;
  for (const auto& [atom, term] : form.terms) sum += largest(atom, term);
  return sum;
}

// With a multiple of a fact that cancels an atom, where that is smaller.
SumRanges::WideInteger SumRanges::by_facts(const Form& form) const {
  WideInteger best = by_ranges(form);
  for (const Form& fact : facts_) {
    for (const auto& [atom, term] : fact.terms) {
      const auto found = form.terms.find(atom);
      const auto by = term.value();
      const auto of = found == form.terms.end() ? std::nullopt : found->second.value();
      if (!of || !by || *of % *by != 0 || *of / *by <= 0 || *of / *by > INT32_MAX) continue;
      Form changed = form;
      add(changed, fact, WideInteger(0) - WideInteger(static_cast<int64_t>(*of / *by)));
      keep_smaller(best, by_ranges(changed));
    }
  }
  return best;
}

// Those first that others may be part of, or come out of.
std::optional<SumRanges::AtomId> SumRanges::to_replace(const Form& form) const {
  std::optional<AtomId> best;
  for (const auto& [id, term] : form.terms) {
    if (atoms_[id].kind == Kind::plain) continue;
    if (!best || atoms_[id].order >= atoms_[*best].order) best = id;
  }
  return best;
}

SumRanges::WideInteger SumRanges::with_largest(Form form, AtomId atom, int& budget) {
  form.constant += largest(atom, form.terms[atom]);
  form.terms.erase(atom);
  return most(form, budget);
}

// The form with what the atom may be instead of it.
SumRanges::Forms SumRanges::operands_of(const Form& form, AtomId atom) {
  const SCEV& expression = *atoms_[atom].expression;
  llvm::SmallVector<const SCEV*, 4> operands;
  if (const llvm::SelectInst* select = select_of(expression)) {
    operands = {evolution_.getSCEV(const_cast<llvm::Value*>(select->getTrueValue())),
                evolution_.getSCEV(const_cast<llvm::Value*>(select->getFalseValue()))};
  } else {
    operands.append(expression.operands().begin(), expression.operands().end());
  }
  Form rest = form;
  const WideInteger term = rest.terms[atom];
  rest.terms.erase(atom);
  Forms result;
  for (const SCEV* operand : operands) add(result.emplace_back(rest), form_of(*operand), term);
  return result;
}

SumRanges::WideInteger SumRanges::divided(const Form& form, AtomId atom, int& budget) {
  const auto& quotient = *llvm::cast<llvm::SCEVUDivExpr>(atoms_[atom].expression);
  const auto by = static_cast<int64_t>(llvm::cast<llvm::SCEVConstant>(quotient.getRHS())->getAPInt().getZExtValue());
  Form rest = form;
  const WideInteger term = rest.terms[atom];
  rest.terms.erase(atom);
  Form multiple;
  add(multiple, rest, by);
  add(multiple, form_of(*quotient.getLHS()), term);
  multiple.constant += max(WideInteger(0), WideInteger(0) - term * WideInteger(by - 1));
  return floor_divide(most(multiple, budget), by);
}

SumRanges::WideInteger SumRanges::replaced(const Form& form, AtomId atom, int& budget) {
  const Kind kind = atoms_[atom].kind;
  if (kind == Kind::quotient) return divided(form, atom, budget);
  const bool rises = is_positive(form.terms.at(atom));
  const bool any = (kind == Kind::minimum && rises) || (kind == Kind::maximum && !rises);
  const Forms forms = operands_of(form, atom);
  WideInteger best = most(forms.front(), budget);
  for (size_t i = 1; i < forms.size(); ++i) {
    const WideInteger bound = most(forms[i], budget);
    if (any) {
      keep_smaller(best, bound);
    } else {
      best = max(best, bound);
    }
  }
  return best;
}

SumRanges::WideInteger SumRanges::most(const Form& form, int& budget) {
  WideInteger best = by_facts(form);
  const auto atom = to_replace(form);
  if (!atom || --budget < 0 || depth_ >= deepest) return best;
  ++depth_;
  keep_smaller(best, replaced(form, *atom, budget));
  if (form.terms.size() > 1) keep_smaller(best, with_largest(form, *atom, budget));
  --depth_;
  return best;
}

// From the least to the most that a form can be.
std::optional<std::pair<Int128, Int128>> SumRanges::span_of(const Form& form) {
  Form opposite;
  add(opposite, form, -1);
  int budget = most_forms, budget_of_opposite = most_forms;
  const auto above = most(form, budget).value();
  const auto least = (WideInteger(0) - most(opposite, budget_of_opposite)).value();
  if (!above || !least || *least > *above) return std::nullopt;
  return std::pair(*least, *above);
}

// Where the operands have their ranges by themselves.
ConstantRange SumRanges::by_operands(const SCEV& expression) {
  const unsigned bits = expression.getType()->getIntegerBitWidth();
  const auto fold = [&](auto combine) {
    ConstantRange all = values(*expression.operands().front());
    for (const SCEV* operand : expression.operands().drop_front()) all = combine(all, values(*operand));
    return all;
  };
  switch (expression.getSCEVType()) {
    case llvm::scSMinExpr: return fold([](const auto& a, const auto& b) { return a.smin(b); });
    case llvm::scSMaxExpr: return fold([](const auto& a, const auto& b) { return a.smax(b); });
    case llvm::scUMinExpr:
    case llvm::scSequentialUMinExpr: return fold([](const auto& a, const auto& b) { return a.umin(b); });
    case llvm::scUMaxExpr: return fold([](const auto& a, const auto& b) { return a.umax(b); });
    case llvm::scUDivExpr: return fold([](const auto& a, const auto& b) { return a.udiv(b); });
    default: break;
  }
  if (const auto* cast = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(&expression)) {
    if (cast->getOperand()->getType()->getIntegerBitWidth() > widest) return ConstantRange::getFull(bits);
    const ConstantRange range = values(*cast->getOperand());
    if (llvm::isa<llvm::SCEVTruncateExpr>(cast)) return range.truncate(bits);
    return llvm::isa<llvm::SCEVSignExtendExpr>(cast) ? range.signExtend(bits) : range.zeroExtend(bits);
  }
  const auto range_of = [&](const Form& sum) -> std::optional<ConstantRange> {
    const auto span = span_of(sum);
    if (!span || span->second - span->first >= (Int128{1} << bits) - 1) return std::nullopt;
    return ConstantRange(truncated(span->first, bits), truncated(span->second + 1, bits));
  };
  if (const auto sum = sum_of(expression)) {
    if (const auto range = range_of(*sum)) return *range;
    if (const auto range = range_of(congruent(expression))) return *range;
  }
  return ConstantRange::getFull(bits);
}

ConstantRange SumRanges::find_values(const SCEV& expression) {
  const ConstantRange range = evolution_.getUnsignedRange(&expression)
                                  .intersectWith(evolution_.getSignedRange(&expression), ConstantRange::Unsigned);
  const bool is_small = expression.getType()->isIntegerTy() && expression.getType()->getIntegerBitWidth() <= widest &&
                        expression.getExpressionSize() <= largest_expression;
  if (!is_small || depth_ >= deepest || range.isSingleElement()) return range;
  ++depth_;
  const ConstantRange narrower = range.intersectWith(by_operands(expression), ConstantRange::Unsigned);
  --depth_;
  return narrower.isEmptySet() ? range : narrower;
}

ConstantRange SumRanges::values(const SCEV& expression) {
  if (const auto known = values_.find(&expression); known != values_.end()) return known->second;
  const ConstantRange found = find_values(expression);
  if (depth_ < deepest) values_.insert_or_assign(&expression, found);
  return found;
}

}  // namespace warpspan::lift
