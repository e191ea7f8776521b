// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/trips/methods/interval_ends.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <utility>

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::Value;

constexpr int deepest = 6;
constexpr unsigned most_bits = 40;  // of a constant, so that sums of them fit

std::optional<Terms> sum(const std::optional<Terms>& a, const std::optional<Terms>& b, int64_t sign) {
  if (!a || !b || (a->half != nullptr && b->half != nullptr)) return std::nullopt;
  Terms result = *a;
  result.low += sign * b->low;
  result.high += sign * b->high;
  result.constant += sign * b->constant;
  if (b->half != nullptr) {
    result.half = b->half;
    result.half_sign = sign * b->half_sign;
  }
  return result;
}

const Value* halved(const Value& value) {
  const Value* whole = nullptr;
  const bool is_quotient = match::match(&value, match::m_Shr(match::m_Value(whole), match::m_One())) ||
                           match::match(&value, match::m_IDiv(match::m_Value(whole), match::m_SpecificInt(2)));
  return is_quotient ? whole : nullptr;
}

std::optional<Terms> terms(const Value& value, const IntervalEnds& ends, int depth) {
  if (&value == ends.low) return Terms{.low = 1};
  if (&value == ends.high) return Terms{.high = 1};
  for (const auto& [sum_of_both, is] : ends.sums) {
    if (&value == sum_of_both) return is;
  }
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    if (constant->getValue().getSignificantBits() > most_bits) return std::nullopt;
    return Terms{.constant = constant->getSExtValue()};
  }
  if (halved(value) != nullptr) return Terms{.half = &value, .half_sign = 1};
  if (depth == 0) return std::nullopt;
  const Value* a = nullptr;
  const Value* b = nullptr;
  if (match::match(&value, match::m_Not(match::m_Value(a)))) {
    return sum(Terms{.constant = -1}, terms(*a, ends, depth - 1), -1);
  }
  const bool is_sum = match::match(&value, match::m_Add(match::m_Value(a), match::m_Value(b)));
  const bool is_difference = match::match(&value, match::m_Sub(match::m_Value(a), match::m_Value(b)));
  if (!is_sum && !is_difference) return std::nullopt;
  return sum(terms(*a, ends, depth - 1), terms(*b, ends, depth - 1), is_sum ? 1 : -1);
}

// Whether a value is that sum of two others. Constants count as their numbers.
bool is_sum_of(const Value& value, Terms is, const Value& low, const Value& high) {
  IntervalEnds ends;
  for (const bool is_low : {true, false}) {
    const Value& end = is_low ? low : high;
    int64_t& times = is_low ? is.low : is.high;
    if (!llvm::isa<llvm::ConstantInt>(end)) {
      (is_low ? ends.low : ends.high) = &end;
      continue;
    }
    const auto number = terms(end, {}, 0);
    if (!number) return false;
    is.constant += times * number->constant;
    times = 0;
  }
  const auto found = terms(value, ends, deepest);
  return found && found->half == nullptr && found->low == is.low && found->high == is.high &&
         found->constant == is.constant;
}

bool is_within(int64_t least, int64_t most, bool is_unsigned, unsigned bits) {
  const int64_t last = llvm::APInt::getSignedMaxValue(bits).getSExtValue();
  return least >= (is_unsigned ? 0 : -last - 1) && most <= last;
}

}  // namespace

std::optional<Terms> terms_of(const Value& value, const IntervalEnds& ends) { return terms(value, ends, deepest); }

IntervalEnds ends_of(const llvm::Loop& loop, const llvm::PHINode& low, const llvm::PHINode& high) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  const IntervalEnds next{low.getIncomingValueForBlock(latch), high.getIncomingValueForBlock(latch)};
  IntervalEnds ends{&low, &high};
  for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (&phi == &low || &phi == &high || phi.getType() != low.getType()) continue;
    const auto is = terms_of(*phi.getIncomingValueForBlock(latch), next);
    if (!is || is->half != nullptr || (is->low == 0 && is->high == 0)) continue;
    const bool begins_so = llvm::all_of(phi.blocks(), [&](const llvm::BasicBlock* from) {
      return from == latch || is_sum_of(*phi.getIncomingValueForBlock(from), *is, *low.getIncomingValueForBlock(from),
                                        *high.getIncomingValueForBlock(from));
    });
    if (begins_so) ends.sums.emplace_back(&phi, *is);
  }
  return ends;
}

std::optional<Terms> whole_of(const Value& half, const IntervalEnds& ends) {
  const Value* whole = halved(half);
  if (whole == nullptr) return std::nullopt;
  const auto is_whole = [](const std::optional<Terms>& found) { return found && found->half == nullptr; };
  if (const auto found = terms_of(*whole, ends); is_whole(found)) return found;
  const Value* number = nullptr;
  const Value* sign = nullptr;
  if (!match::match(whole, match::m_Add(match::m_Value(number), match::m_Value(sign)))) return std::nullopt;
  const unsigned bits = whole->getType()->getIntegerBitWidth();
  for (int i = 0; i < 2; ++i, std::swap(number, sign)) {
    if (!match::match(sign, match::m_LShr(match::m_Specific(number), match::m_SpecificInt(bits - 1)))) continue;
    if (const auto found = terms_of(*number, ends); is_whole(found)) return found;
  }
  return std::nullopt;
}

bool DistanceTest::holds_for(const Bounds& low, const Bounds& high, const Bounds& distance, unsigned bits) const {
  if (direction == 0) {
    return is_within(low.least + added_to_low, low.most + added_to_low, is_unsigned, bits) &&
           is_within(high.least + added_to_high, high.most + added_to_high, is_unsigned, bits);
  }
  const int64_t a = direction * distance.least + added_to_distance, b = direction * distance.most + added_to_distance;
  return is_within(std::min(a, b), std::max(a, b), is_unsigned, bits);
}

std::optional<DistanceTest> distance_test(llvm::CmpInst::Predicate predicate, const Value& a, const Value& b,
                                          const IntervalEnds& ends) {
  using P = llvm::CmpInst::Predicate;
  const bool is_strict = predicate == P::ICMP_SLT || predicate == P::ICMP_ULT;
  const bool is_unequal = predicate == P::ICMP_NE;
  if (!is_strict && !is_unequal && predicate != P::ICMP_SLE && predicate != P::ICMP_ULE) return std::nullopt;
  const auto left = terms_of(a, ends), right = terms_of(b, ends);
  if (!left || !right || left->half != nullptr || right->half != nullptr) return std::nullopt;
  DistanceTest test;
  test.is_unequal = is_unequal;
  test.is_unsigned = llvm::CmpInst::isUnsigned(predicate);
  // left < right is distance > left->constant - right->constant.
  test.least = left->constant - right->constant + (is_strict || is_unequal ? 1 : 0);
  const auto is = [](const Terms& of, int64_t low, int64_t high) { return of.low == low && of.high == high; };
  if (is(*left, 1, 0) && is(*right, 0, 1)) {
    test.added_to_low = left->constant;
    test.added_to_high = right->constant;
  } else if (is(*left, 0, 0) && is(*right, -1, 1)) {
    if (test.is_unsigned && left->constant < 0) return std::nullopt;
    test.direction = 1;
    test.added_to_distance = right->constant;
  } else if (is(*left, 1, -1) && is(*right, 0, 0)) {
    if (test.is_unsigned && right->constant < 0) return std::nullopt;
    test.direction = -1;
    test.added_to_distance = left->constant;
  } else {
    return std::nullopt;
  }
  return test;
}

}  // namespace warpspan::lift
