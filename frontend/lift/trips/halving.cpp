// Let low and high be two phis of the header, of w bits, that have values from 0 to 2^(w-2) when the loop is entered,
// and m = floor((low + high) / 2). In each turn let (low, high) become one of
//
//   open:   (m + 1, high), (low, m)       and the loop go on only while low < high, or low != high;
//   closed: (m + 1, high), (low, m - 1)   and the loop go on only while low <= high, signed.
//
// Theorem. Let N be the most that high - low can be at the entry, and 1 more if closed. If every turn begins with the
// test of the phis, the header runs b + 1 times at most, where b is the number of bits of N; if every turn ends with
// the test of the new values, and low <= high at the entry, max(1, b) times. For "low != high", low <= high has to hold
// at the entry, and low < high if the test comes at the end.
//
// Proof. Let n = high - low, and 1 more if closed. While 0 <= low <= high <= 2^(w-2), the sum of both is below 2^(w-1)
// and m is computed without wrapping, whichever way it is written; low <= m, and m < high if low < high. So the new
// values are from 0 to 2^(w-2) again, as far as the test lets the loop go on: m + 1 > high and m - 1 < low do not.
//   Open, n >= 1: the new n is n - floor(n / 2) - 1 or floor(n / 2), at most floor(n / 2), and not below 0.
//   Closed, n >= 1: with d = n - 1 it is d - floor(d / 2) or floor(d / 2), at most ceil(d / 2) = floor(n / 2).
// A turn with n >= 1 is followed by one with half of it at most, which is entered only if that is at least 1 ("low !=
// high": not 0, and it is never below). So there are b turns with n >= 1. The only other turn is a last one that begins
// with a test, or a first one with n = 0 (open) that ends with it: m = low = high there, and the test ends the loop.
// QED.
#include "frontend/lift/trips/halving.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <vector>

#include "frontend/lift/trips/conditions.hpp"

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::Value;

constexpr int deepest = 8;

class Search {
 public:
  Search(const llvm::Loop& loop, llvm::PHINode& low, llvm::PHINode& high) : loop_(loop), low_(low), high_(high) {}

  // Whether both become what the theorem says in each turn.
  bool halves(bool closed) const { return all_ways(next(low_), next(high_), closed, 0); }
  Value& next(const llvm::PHINode& phi) const { return *phi.getIncomingValueForBlock(loop_.getLoopLatch()); }

 private:
  bool is_sum(Value& value) const;
  bool is_difference(Value& value) const;
  template <typename IsWhole>
  bool is_half(Value& value, IsWhole is_whole) const;
  bool is_middle(Value& value) const;
  bool is_behind_middle(Value& value) const;
  bool is_before_middle(Value& value) const;
  bool is_way(Value& low, Value& high, bool closed) const;
  bool all_ways(Value& low, Value& high, bool closed, int depth) const;

  const llvm::Loop& loop_;
  llvm::PHINode& low_;
  llvm::PHINode& high_;
};

bool Search::is_sum(Value& value) const {
  return match::match(&value, match::m_c_Add(match::m_Specific(&low_), match::m_Specific(&high_)));
}

bool Search::is_difference(Value& value) const {
  return match::match(&value, match::m_Sub(match::m_Specific(&high_), match::m_Specific(&low_)));
}

// Half of a number that is not negative: shifted, or with its sign bit added before, as divisions by 2 are compiled, or
// divided.
template <typename IsWhole>
bool Search::is_half(Value& value, IsWhole is_whole) const {
  Value* whole = nullptr;
  const bool is_quotient = match::match(&value, match::m_Shr(match::m_Value(whole), match::m_One())) ||
                           match::match(&value, match::m_IDiv(match::m_Value(whole), match::m_SpecificInt(2)));
  if (!is_quotient) return false;
  if (is_whole(*whole)) return true;
  Value* number = nullptr;
  Value* sign = nullptr;
  const unsigned bits = whole->getType()->getIntegerBitWidth();
  if (!match::match(whole, match::m_Add(match::m_Value(number), match::m_Value(sign)))) return false;
  if (!is_whole(*number)) std::swap(number, sign);
  return is_whole(*number) &&
         match::match(sign, match::m_LShr(match::m_Specific(number), match::m_SpecificInt(bits - 1)));
}

bool Search::is_middle(Value& value) const {
  if (is_half(value, [this](Value& whole) { return is_sum(whole); })) return true;
  Value* half = nullptr;
  return match::match(&value, match::m_c_Add(match::m_Specific(&low_), match::m_Value(half))) &&
         is_half(*half, [this](Value& whole) { return is_difference(whole); });
}

bool Search::is_behind_middle(Value& value) const {
  Value* middle = nullptr;
  return match::match(&value, match::m_Add(match::m_Value(middle), match::m_One())) && is_middle(*middle);
}

bool Search::is_before_middle(Value& value) const {
  Value* middle = nullptr;
  return (match::match(&value, match::m_Add(match::m_Value(middle), match::m_AllOnes())) ||
          match::match(&value, match::m_Sub(match::m_Value(middle), match::m_One()))) &&
         is_middle(*middle);
}

bool Search::is_way(Value& low, Value& high, bool closed) const {
  if (is_behind_middle(low)) return &high == &high_;
  return &low == &low_ && (closed ? is_before_middle(high) : is_middle(high));
}

// Selects by the same condition, and phis of the same block, choose together.
bool Search::all_ways(Value& low, Value& high, bool closed, int depth) const {
  if (is_way(low, high, closed)) return true;
  if (depth > deepest) return false;
  auto* low_select = llvm::dyn_cast<llvm::SelectInst>(&low);
  auto* high_select = llvm::dyn_cast<llvm::SelectInst>(&high);
  if (low_select != nullptr && high_select != nullptr && low_select->getCondition() == high_select->getCondition()) {
    return all_ways(*low_select->getTrueValue(), *high_select->getTrueValue(), closed, depth + 1) &&
           all_ways(*low_select->getFalseValue(), *high_select->getFalseValue(), closed, depth + 1);
  }
  auto* low_phi = llvm::dyn_cast<llvm::PHINode>(&low);
  auto* high_phi = llvm::dyn_cast<llvm::PHINode>(&high);
  const bool is_join = low_phi != nullptr && high_phi != nullptr && low_phi->getParent() == high_phi->getParent() &&
                       low_phi->getParent() != loop_.getHeader();
  if (!is_join) return false;
  for (unsigned i = 0; i < low_phi->getNumIncomingValues(); ++i) {
    Value* other = high_phi->getIncomingValueForBlock(low_phi->getIncomingBlock(i));
    if (!all_ways(*low_phi->getIncomingValue(i), *other, closed, depth + 1)) return false;
  }
  return true;
}

// A test that each turn makes once, of a and b: the loop goes on while `goes_on` holds.
struct Test {
  llvm::CmpInst::Predicate goes_on;
  Value* a;
  Value* b;
};

std::vector<Test> tests_of(const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
  std::vector<Test> tests;
  for (const Exit& exit : exits_of_every_turn(loop, dominators)) {
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(exit.condition);
    if (compare == nullptr || !loop.contains(compare)) continue;
    const auto predicate = exit.stays ? compare->getPredicate() : compare->getInversePredicate();
    tests.push_back({predicate, compare->getOperand(0), compare->getOperand(1)});
    tests.push_back({llvm::CmpInst::getSwappedPredicate(predicate), compare->getOperand(1), compare->getOperand(0)});
  }
  return tests;
}

// Whether the branches that lead to the loop say that low < high, of numbers without a sign bit, at its entry.
bool is_entered_below(const llvm::Loop& loop, const llvm::PHINode& low, const llvm::PHINode& high,
                      const llvm::DominatorTree& dominators) {
  const llvm::BasicBlock& header = *loop.getHeader();
  for (const llvm::BasicBlock* from : low.blocks()) {
    if (loop.contains(from)) continue;
    const Value* a = low.getIncomingValueForBlock(from);
    const Value* b = high.getIncomingValueForBlock(from);
    const auto says = [&](const Comparison& comparison) {
      const bool is_less =
          comparison.predicate == llvm::CmpInst::ICMP_SLT || comparison.predicate == llvm::CmpInst::ICMP_ULT;
      return is_less && comparison.a == a && comparison.b == b;
    };
    if (llvm::none_of(comparisons_on_edge(*from, header, header.getParent()->getEntryBlock(), dominators), says)) {
      return false;
    }
  }
  return true;
}

std::optional<int64_t> turns(const llvm::Loop& loop, llvm::PHINode& low, llvm::PHINode& high, const Test& test,
                             const llvm::DominatorTree& dominators, const ValueRanges& ranges) {
  using P = llvm::CmpInst::Predicate;
  const Search search(loop, low, high);
  const bool at_begin = test.a == &low && test.b == &high;
  const bool at_end = test.a == &search.next(low) && test.b == &search.next(high);
  if (!at_begin && !at_end) return std::nullopt;
  const bool closed = test.goes_on == P::ICMP_SLE;
  const bool open = test.goes_on == P::ICMP_SLT || test.goes_on == P::ICMP_ULT || test.goes_on == P::ICMP_NE;
  if ((!closed && !open) || !search.halves(closed)) return std::nullopt;
  const unsigned bits = low.getType()->getIntegerBitWidth();
  const llvm::ConstantRange lows = range_on_entry(low, loop, dominators, ranges);
  const llvm::ConstantRange highs = range_on_entry(high, loop, dominators, ranges);
  const llvm::ConstantRange fit(llvm::APInt(bits, 0), llvm::APInt::getOneBitSet(bits, bits - 2) + 1);
  if (lows.isEmptySet() || highs.isEmptySet() || !fit.contains(lows) || !fit.contains(highs)) return std::nullopt;
  const bool is_below =
      lows.getUnsignedMax().ult(highs.getUnsignedMin()) || is_entered_below(loop, low, high, dominators);
  const bool is_ordered = is_below || lows.getUnsignedMax().ule(highs.getUnsignedMin());
  const bool is_unequal = test.goes_on == P::ICMP_NE;
  if (at_end && !(is_unequal ? is_below : is_ordered)) return std::nullopt;
  if (at_begin && is_unequal && !is_ordered) return std::nullopt;
  if (highs.getUnsignedMax().ult(lows.getUnsignedMin())) return 1;  // the test comes first, and fails
  const llvm::APInt most = highs.getUnsignedMax() - lows.getUnsignedMin() + (closed ? 1 : 0);
  const auto halvings = static_cast<int64_t>(most.getActiveBits());
  return at_begin ? halvings + 1 : std::max<int64_t>(halvings, 1);
}

}  // namespace

std::optional<int64_t> trips_by_halving(const llvm::Loop& loop, const llvm::DominatorTree& dominators,
                                        const ValueRanges& ranges) {
  if (loop.getLoopLatch() == nullptr) return std::nullopt;
  std::optional<int64_t> best;
  const std::vector<Test> tests = tests_of(loop, dominators);
  for (llvm::PHINode& low : loop.getHeader()->phis()) {
    for (llvm::PHINode& high : loop.getHeader()->phis()) {
      if (&low == &high || low.getType() != high.getType() || !low.getType()->isIntegerTy()) continue;
      if (low.getType()->getIntegerBitWidth() < 8) continue;
      for (const Test& test : tests) {
        const auto found = turns(loop, low, high, test, dominators, ranges);
        if (found && (!best || *found < *best)) best = found;
      }
    }
  }
  return best;
}

}  // namespace warpspan::lift
