// SPDX-License-Identifier: GPL-3.0-or-later
// Let x be a phi of the header that becomes x & (x - 1) in each iteration, and b the most bits that can be set in it
// when the loop is entered.
//
// Theorem. If every iteration that is followed by another one has x != 0 as it begins, the header runs b + 1 times at
// most; if it has x & (x - 1) != 0, the next x, max(1, b) times.
//
// Proof. x & (x - 1) is x without the lowest of its bits that are set, or 0 if none is. So at the head of iteration k
// at most b - k + 1 bits are set as long as that is not negative, and x = 0 from iteration b + 1 on. Iteration b + 1 is
// not followed by another one, and nor is iteration b if the next x has to be other than 0; with b = 0 that is so in
// iteration 1. QED.
//
// Other forms of x & (x - 1) are x - (x & -x) and x ^ (x & -x): x & -x is the lowest bit that is set. x > 0,
// unsigned, is x != 0.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::Value;

bool clears_lowest(Value& next, llvm::PHINode& x) {
  const auto is = match::m_Specific(&x);
  const auto lowest = match::m_c_And(match::m_Neg(is), is);
  return match::match(&next, match::m_c_And(match::m_Add(is, match::m_AllOnes()), is)) ||
         match::match(&next, match::m_c_And(match::m_Sub(is, match::m_One()), is)) ||
         match::match(&next, match::m_Sub(is, lowest)) || match::match(&next, match::m_c_Xor(is, lowest));
}

bool is_not_zero(const Comparison& comparison) {
  const bool is_apart =
      comparison.predicate == llvm::CmpInst::ICMP_NE || comparison.predicate == llvm::CmpInst::ICMP_UGT;
  return is_apart && match::match(comparison.b, match::m_Zero());
}

}  // namespace

std::optional<Trips> trips_by_clear_lowest_bit(const TripContext& context) {
  std::optional<int64_t> best;
  for (const Comparison& comparison : comparisons_of_every_iteration(context)) {
    if (!is_not_zero(comparison)) continue;
    for (llvm::PHINode& x : context.loop.getHeader()->phis()) {
      if (!x.getType()->isIntegerTy()) continue;
      Value* next = x.getIncomingValueForBlock(context.loop.getLoopLatch());
      const bool at_begin = comparison.a == &x, at_end = comparison.a == next;
      if ((!at_begin && !at_end) || !clears_lowest(*next, x)) continue;
      const int64_t bits = range_on_entry(x, context).getUnsignedMax().getActiveBits();
      const int64_t iterations = at_end ? std::max<int64_t>(bits, 1) : bits + 1;
      best = std::min(best.value_or(iterations), iterations);
    }
  }
  return at_most(best);
}

}  // namespace warpspan::lift
