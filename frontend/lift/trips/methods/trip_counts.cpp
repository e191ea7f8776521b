// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/trips/methods/trip_counts.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>

#include "frontend/lift/trips/guards/case_split.hpp"
#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/guards/exits.hpp"
#include "frontend/lift/trips/guards/loop_exits.hpp"
#include "frontend/lift/trips/guards/sums.hpp"
#include "frontend/lift/trips/methods/min_max.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

namespace {

// A count also means no more on which a counter that depends on an unknown value of few bits goes over half of its
// type, or nearly: where the value makes the limit of an unsigned test negative, say.
llvm::APInt useless_distance_of(unsigned bits) {
  const llvm::APInt half = llvm::APInt::getOneBitSet(bits, bits - 1);
  return bits > 25 ? half - (uint64_t{1} << 24) : llvm::APInt(bits, 0);
}
constexpr int64_t most_trips = int64_t{1} << 62;

using Exits = std::vector<ExitSources>;
using Preferred = llvm::ConstantRange::PreferredRangeType;

Exits exits_of(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  loop.getExitingBlocks(exiting);
  Exits exits;
  for (const llvm::BasicBlock* block : exiting) exits.push_back(exit_sources(loop, *block));
  return exits;
}

std::optional<int64_t> trips(const llvm::APInt& back_edges) {
  if (back_edges.getActiveBits() > 62) return std::nullopt;
  const auto count = static_cast<int64_t>(back_edges.getZExtValue()) + 1;
  return count < most_trips ? std::optional(count) : std::nullopt;
}

void keep_smaller(std::optional<int64_t>& best, std::optional<int64_t> other) {
  if (other && (!best || *other < *best)) best = other;
}

}  // namespace

struct TripCounts::State {
  State(llvm::Function& of, llvm::DominatorTree& dominators_of_function, llvm::LoopInfo& loops_of_function)
      : functions(llvm::Triple(of.getParent()->getTargetTriple())),
        library(functions),
        assumptions(of),
        evolution(of, library, assumptions, dominators_of_function, loops_of_function),
        function(of),
        dominators(dominators_of_function),
        loops(loops_of_function) {}

  llvm::TargetLibraryInfoImpl functions;
  llvm::TargetLibraryInfo library;
  llvm::AssumptionCache assumptions;
  llvm::ScalarEvolution evolution;
  llvm::Function& function;
  llvm::DominatorTree& dominators;
  llvm::LoopInfo& loops;

  const ValueRanges ranges = [this](llvm::Value& value) { return range(value); };

  LoopContext context(const llvm::Loop& loop) { return {loop, loops, dominators, evolution, ranges}; }
  llvm::ConstantRange range(llvm::Value& value);
  llvm::ConstantRange range(llvm::Value& value, bool is_signed);
  llvm::ConstantRange values_of(const Case& number);
  llvm::ConstantRange values_of_both(const Case& as_found, const Case& rewritten, Preferred preferred);
  llvm::ConstantRange values_on_entry(const llvm::SCEV& number, const llvm::Loop& loop, bool of_maxima = false);
  std::optional<int64_t> most_on_entry(const llvm::SCEV& back_edges, const llvm::Loop& loop);
  std::optional<int64_t> most(const llvm::Loop& loop);
  std::optional<int64_t> until_equal(const llvm::Loop& loop);
  std::optional<int64_t> until_equal(const llvm::Loop& loop, llvm::Value& counter, llvm::Value& limit);
  std::optional<int64_t> until_passed(const llvm::Loop& loop);
  std::optional<int64_t> until_passed(const llvm::Loop& loop, const Comparison& stays);
  std::optional<llvm::APInt> step(const llvm::PHINode& phi);
  int64_t longest_step(const Exits& exits);
  bool is_lost(const llvm::PHINode& phi);
  bool is_known(const ExitSources& exit, int64_t count);
};

llvm::ConstantRange TripCounts::State::range(llvm::Value& value, bool is_signed) {
  const llvm::SCEV* expression = evolution.getSCEV(&value);
  return is_signed ? evolution.getSignedRange(expression) : evolution.getUnsignedRange(expression);
}

llvm::ConstantRange TripCounts::State::range(llvm::Value& value) {
  return range(value, false).intersectWith(range(value, true), llvm::ConstantRange::Smallest);
}

// The values that a number can have; none if the case cannot be.
llvm::ConstantRange TripCounts::State::values_of(const Case& number) {
  SumRanges sums(evolution, number.relations);
  const llvm::ConstantRange none = llvm::ConstantRange::getEmpty(number.expression->getType()->getIntegerBitWidth());
  return sums.is_possible() ? sums.values(*number.expression) : none;
}

// The values that both forms of a case allow.
llvm::ConstantRange TripCounts::State::values_of_both(const Case& as_found, const Case& rewritten,
                                                      Preferred preferred) {
  const llvm::ConstantRange values = values_of(as_found);
  return rewritten == as_found ? values : values.intersectWith(values_of(rewritten), preferred);
}

// The values that a number can have as a loop is entered; none if it never is.
llvm::ConstantRange TripCounts::State::values_on_entry(const llvm::SCEV& number, const llvm::Loop& loop,
                                                       bool of_maxima) {
  llvm::ConstantRange all = llvm::ConstantRange::getEmpty(number.getType()->getIntegerBitWidth());
  for (const Case& part : cases_on_entry(number, context(loop), of_maxima)) {
    const Case rewritten = with_least_negation(part, evolution);
    all = all.unionWith(values_of_both(part, rewritten, llvm::ConstantRange::Unsigned), llvm::ConstantRange::Unsigned);
  }
  return all;
}

// Maxima are split into cases where little is known otherwise.
std::optional<int64_t> TripCounts::State::most_on_entry(const llvm::SCEV& back_edges, const llvm::Loop& loop) {
  std::optional<int64_t> best;
  for (const bool of_maxima : {false, true}) {
    if (of_maxima && best && *best < useless_distance) break;
    const llvm::ConstantRange values = values_on_entry(back_edges, loop, of_maxima);
    if (values.isEmptySet()) return 1;
    keep_smaller(best, trips(values.getUnsignedMax()));
  }
  return best;
}

// A counter c + (k - 1) s in the k-th iteration and a limit that does not change, of which D = limit - c is known, as
// between two pointers into one array: if s divides D as a number from 0, the counter is the limit in iteration D / s +
// 1, whatever wraps before. A test of each iteration that the limit itself does not pass ends the loop there at the
// latest.
std::optional<int64_t> TripCounts::State::until_equal(const llvm::Loop& loop, llvm::Value& counter,
                                                      llvm::Value& limit) {
  const auto* from = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&counter));
  const llvm::SCEV* to = evolution.getSCEV(&limit);
  if (from == nullptr || from->getLoop() != &loop || !from->isAffine() || !evolution.isLoopInvariant(to, &loop)) {
    return std::nullopt;
  }
  const auto* by = llvm::dyn_cast<llvm::SCEVConstant>(from->getStepRecurrence(evolution));
  if (by == nullptr || by->getAPInt().isZero() || by->getAPInt().isMinSignedValue()) return std::nullopt;
  const bool rises = by->getAPInt().isStrictlyPositive();
  const llvm::APInt s = by->getAPInt().abs();
  const llvm::SCEV* start = from->getStart();
  const llvm::SCEV* distance = rises ? evolution.getMinusSCEV(to, start) : evolution.getMinusSCEV(start, to);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(distance)) return std::nullopt;
  llvm::APInt most_steps(s.getBitWidth(), 0);
  for (const Case& as_found : cases_on_entry(*distance, context(loop))) {
    const Case part = with_least_negation(as_found, evolution);
    const llvm::ConstantRange values = values_of_both(as_found, part, llvm::ConstantRange::Signed);
    if (values.isEmptySet()) continue;
    const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(part.expression);
    const bool divides = s.isOne() || (constant != nullptr && constant->getAPInt().urem(s).isZero()) ||
                         (s.isPowerOf2() && is_multiple(part, s.logBase2(), evolution));
    if (!divides) return std::nullopt;
    // A multiple of s above -s is not negative. What wraps is a multiple both with its sign and without if s is a power
    // of two.
    const bool is_ahead = s.isPowerOf2() ? values.getSignedMin().sgt(-s) : values.getSignedMin().isNonNegative();
    const llvm::APInt most = is_ahead ? values.getSignedMax() : values.getUnsignedMax();
    // What only the type bounds is no bound.
    if (!is_ahead && most.uge(-s)) return std::nullopt;
    if (!most.isNegative() || !is_ahead) most_steps = llvm::APIntOps::umax(most_steps, most.udiv(s));
  }
  return trips(most_steps);
}

std::optional<int64_t> TripCounts::State::until_equal(const llvm::Loop& loop) {
  std::optional<int64_t> best;
  for (const Exit& exit : exits_of_every_iteration(loop, dominators)) {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(exit.condition);
    // With equal operands the loop has to end.
    if (compare == nullptr || compare->isTrueWhenEqual() == exit.stays) continue;
    keep_smaller(best, until_equal(loop, *compare->getOperand(0), *compare->getOperand(1)));
    keep_smaller(best, until_equal(loop, *compare->getOperand(1), *compare->getOperand(0)));
  }
  return best;
}

// A counter that each iteration goes up by s from c on, and a limit l that does not change, signed; scalar evolution
// has no count if l could be so near the end of its type that l + s wraps, though branches before the loop imply that
// it is not. Where l + s - 1 does not wrap, each iteration that another one follows has the counter below l, so that
// what is added there does not wrap: c + (T - 2) s < l with T iterations, or T is 1. So T is at most 1 + ceil((l - c) /
// s), or 1. The difference is at most that of the largest l and the least c; if that is below 2^(w - 1), it is l - c
// modulo 2^w, or negative.
std::optional<int64_t> TripCounts::State::until_passed(const llvm::Loop& loop, const Comparison& stays) {
  if (stays.predicate != llvm::CmpInst::ICMP_SLT) return std::nullopt;
  const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(stays.a));
  const llvm::SCEV* limit = evolution.getSCEV(stays.b);
  if (counter == nullptr || counter->getLoop() != &loop || !counter->isAffine() ||
      !evolution.isLoopInvariant(limit, &loop)) {
    return std::nullopt;
  }
  const auto* by = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution));
  const llvm::SCEV* distance = evolution.getMinusSCEV(limit, counter->getStart());
  if (by == nullptr || !by->getAPInt().isStrictlyPositive() || llvm::isa<llvm::SCEVCouldNotCompute>(distance)) {
    return std::nullopt;
  }
  const llvm::ConstantRange limits = values_on_entry(*limit, loop);
  const llvm::ConstantRange starts = values_on_entry(*counter->getStart(), loop);
  const llvm::ConstantRange differences = values_on_entry(*distance, loop);
  if (limits.isEmptySet() || starts.isEmptySet() || differences.isEmptySet()) return 1;
  const llvm::APInt& s = by->getAPInt();
  const unsigned wide = s.getBitWidth() + 2;
  const llvm::APInt last = llvm::APInt::getSignedMaxValue(s.getBitWidth()).sext(wide);
  const llvm::APInt farthest = limits.getSignedMax().sext(wide) - starts.getSignedMin().sext(wide);
  if ((limits.getSignedMax().sext(wide) + s.sext(wide) - 1).sgt(last) || farthest.sgt(last)) return std::nullopt;
  const llvm::APInt most = llvm::APIntOps::smin(farthest, differences.getSignedMax().sext(wide));
  if (!most.isStrictlyPositive()) return 1;
  return trips(llvm::APIntOps::RoundingUDiv(most, s.sext(wide), llvm::APInt::Rounding::UP));
}

std::optional<int64_t> TripCounts::State::until_passed(const llvm::Loop& loop) {
  std::optional<int64_t> best;
  for (const Exit& exit : exits_of_every_iteration(loop, dominators)) {
    Comparisons stays;
    add_comparisons(*exit.condition, exit.stays, dominators, stays);
    for (const Comparison& comparison : stays) keep_smaller(best, until_passed(loop, comparison));
  }
  return best;
}

// An unknown count is SCEVCouldNotCompute here, never 0.
std::optional<int64_t> TripCounts::State::most(const llvm::Loop& loop) {
  std::optional<int64_t> best;
  const llvm::SCEV* symbolic = evolution.getSymbolicMaxBackedgeTakenCount(&loop);
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(symbolic)) {
    keep_smaller(best, most_on_entry(*symbolic, loop));
    const llvm::SCEV* guarded = evolution.applyLoopGuards(symbolic, &loop);
    if (guarded != symbolic) keep_smaller(best, most_on_entry(*guarded, loop));
  }
  const llvm::SCEV* constant = evolution.getConstantMaxBackedgeTakenCount(&loop);
  if (const auto* number = llvm::dyn_cast<llvm::SCEVConstant>(constant)) keep_smaller(best, trips(number->getAPInt()));
  // A count that the type alone sets may not be the only one.
  if (!best || *best >= useless_distance) keep_smaller(best, until_equal(loop));
  if (!best || *best >= useless_distance) keep_smaller(best, until_passed(loop));
  return best;
}

// How far a counter goes in each iteration, if that is a constant.
std::optional<llvm::APInt> TripCounts::State::step(const llvm::PHINode& phi) {
  if (!evolution.isSCEVable(phi.getType())) return std::nullopt;
  const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(const_cast<llvm::PHINode*>(&phi)));
  if (counter == nullptr) return std::nullopt;
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution));
  return step == nullptr ? std::nullopt : std::optional(step->getAPInt().abs());
}

// The largest constant step of the counters that exits depend on.
int64_t TripCounts::State::longest_step(const Exits& exits) {
  int64_t longest = 1;
  for (const ExitSources& exit : exits) {
    for (const llvm::PHINode* counter : exit.counters) {
      const auto by = step(*counter);
      if (!by || by->getSignificantBits() > 32) continue;
      longest = std::max(longest, static_cast<int64_t>(by->getLimitedValue(INT32_MAX)));
    }
  }
  return longest;
}

// Whether little more is known of a value than its type: it has half of its values, or nearly.
bool TripCounts::State::is_lost(const llvm::PHINode& phi) {
  const unsigned bits = phi.getType()->getIntegerBitWidth();
  const llvm::APInt half = bits > 25 ? useless_distance_of(bits) : llvm::APInt::getOneBitSet(bits, bits - 1);
  const llvm::SCEV* value = evolution.getSCEV(const_cast<llvm::PHINode*>(&phi));
  return SumRanges(evolution).values(*value).isSizeLargerThan(half.getLimitedValue());
}

// Whether a high count follows from what is known of the exit, and not only from the types of what is not. An exit that
// no counter decides, as a comparison of characters in memory, does not limit how often.
bool TripCounts::State::is_known(const ExitSources& exit, int64_t count) {
  if (!exit.unknown.empty() || !exit.floats.empty() || exit.counters.empty()) return false;
  const auto is_any_lost = [this](const std::vector<const llvm::PHINode*>& phis) {
    return llvm::any_of(phis, [this](const llvm::PHINode* phi) { return is_lost(*phi); });
  };
  if (is_any_lost(exit.earlier) || is_any_lost(exit.around)) return false;
  if (exit.narrow.empty()) return true;
  for (const llvm::PHINode* counter : exit.counters) {
    const auto by = step(*counter);
    if (!by) continue;
    const llvm::APInt distance = by->zext(128) * llvm::APInt(128, static_cast<uint64_t>(count));
    if (distance.uge(useless_distance_of(by->getBitWidth()).zext(128))) return false;
  }
  return true;
}

TripCounts::TripCounts(llvm::Function& function, llvm::DominatorTree& dominators, llvm::LoopInfo& loops)
    : state_(std::make_unique<State>(function, dominators, loops)) {}
TripCounts::~TripCounts() = default;
TripCounts::TripCounts(TripCounts&&) noexcept = default;

TripCounts TripCounts::again() const { return TripCounts(state_->function, state_->dominators, state_->loops); }

std::optional<TripBound> TripCounts::bound(const llvm::Loop& loop) {
  const llvm::SCEV* exact = state_->evolution.getBackedgeTakenCount(&loop);
  if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(exact)) {
    const auto count = trips(constant->getAPInt());
    return count ? std::optional(TripBound{*count, *count}) : std::nullopt;
  }
  int64_t fewest = 1;
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(exact)) {
    const llvm::ConstantRange values = state_->values_on_entry(*exact, loop);
    if (!values.isEmptySet()) fewest = trips(values.getUnsignedMin()).value_or(most_trips);
  }
  const auto count = state_->most(loop);
  if (!count) return std::nullopt;
  const auto is_known = [&](const ExitSources& exit) { return state_->is_known(exit, *count); };
  const Exits exits = exits_of(loop);
  const bool is_high = *count >= useless_distance / state_->longest_step(exits);
  if (is_high && llvm::none_of(exits, is_known)) return std::nullopt;
  return TripBound{*count, fewest};
}

bool TripCounts::is_never_entered(const llvm::Loop& loop) {
  const auto* exact = llvm::dyn_cast<llvm::SCEVConstant>(state_->evolution.getBackedgeTakenCount(&loop));
  if (exact != nullptr && exact->getAPInt().ult(useless_distance)) return false;
  const llvm::SCEV* any = state_->evolution.getZero(llvm::Type::getInt64Ty(loop.getHeader()->getContext()));
  return state_->values_on_entry(*any, loop).isEmptySet();
}

// How far the operands of a comparison are apart tells most of it.
bool TripCounts::is_never_executed(const llvm::BasicBlock& block) {
  const llvm::BasicBlock* from = block.getUniquePredecessor();
  const auto* branch = from == nullptr ? nullptr : llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
  if (branch == nullptr || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return false;
  llvm::ScalarEvolution& evolution = state_->evolution;
  const llvm::SCEV* number = evolution.getZero(llvm::Type::getInt64Ty(block.getContext()));
  Comparisons comparisons;
  add_comparisons(*branch->getCondition(), branch->getSuccessor(0) == &block, state_->dominators, comparisons);
  for (const Comparison& comparison : comparisons) {
    if (llvm::isa<llvm::Constant>(comparison.a)) continue;
    number = evolution.getMinusSCEV(evolution.getSCEV(comparison.a), evolution.getSCEV(comparison.b));
    break;
  }
  if (comparisons.empty()) return false;
  const auto cases = cases_on_edge(*number, *from, block, state_->loops, state_->dominators, evolution);
  return llvm::all_of(cases, [&](const Case& part) {
    return state_->values_of_both(part, with_least_negation(part, evolution), llvm::ConstantRange::Unsigned)
        .isEmptySet();
  });
}

llvm::ScalarEvolution& TripCounts::evolution() { return state_->evolution; }

void TripCounts::forget(llvm::Value& value) { state_->evolution.forgetValue(&value); }

llvm::ConstantRange TripCounts::range(llvm::Value& value) { return state_->range(value); }

llvm::ConstantRange TripCounts::range(llvm::Value& value, bool is_signed) { return state_->range(value, is_signed); }

std::optional<Trips> trips_by_contradiction(const TripContext& context) {
  return context.counts.is_never_entered(context.loop) ? std::optional(Trips{.is_entered = false}) : std::nullopt;
}

std::optional<Trips> trips_by_scalar_evolution(const TripContext& context) {
  const auto bound = context.counts.bound(context.loop);
  return bound ? std::optional(Trips{.bound = *bound}) : std::nullopt;
}

}  // namespace warpspan::lift
