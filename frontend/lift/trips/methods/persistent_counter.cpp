// SPDX-License-Identifier: GPL-3.0-or-later
//   c = start;
//   for (...) {                                        // M
//     for (; c < limit && <anything>; c += step) ...   // L
//     ...
//   }
//
// Let L have one latch, c be a phi of its header that each iteration adds a constant s > 0 to, and limit not change in
// a loop M around L. Let p be a phi of the header of M that is `start` when M is entered, and what c enters L with. Let
// p be in the next iteration of M what it was, or, through joins, c or c + s of the last iteration of L. Numbers are
// read as signed or as unsigned ones, as the comparison does, limit + s - 1 does not wrap, and one of these holds:
//   before: in each iteration of L that another one follows, c < limit, and what p gets is never c + s;
//   after:  in each iteration of L that another one follows, c + s < limit, and p < limit whenever L is entered.
//
// Theorem. Each time that L is entered, its header runs at most 1 + ceil(D / s) times, and ceil(D / s) times, but once
// at least, with "after". D is limit - start modulo 2^w, read as unsigned.
//
// Proof. With "after" c < limit in all iterations of L: in the first by what p is, in others by the iteration before;
// with "before" in all that another one follows. So no addition wraps whose sum anybody gets: p never falls while M
// runs, and start
// <= p. With T iterations, p + (T - 1) s < limit with "after", and p + (T - 2) s < limit with "before" if T > 1. As
// start <= p, T <= ceil((limit - start) / s) with "after", or one more. The difference of these numbers is less than
// 2^w, and congruent to D: it is D, or negative, and then T is 1. QED.

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/guards/exits.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

namespace {

using llvm::PHINode;
using llvm::SCEV;
using llvm::Value;
using Predicate = llvm::CmpInst::Predicate;

constexpr unsigned most_joins = 16;

struct Counter {
  const PHINode* phi = nullptr;
  const Value* next = nullptr;
  llvm::APInt step;
};

// p and the loop M.
struct Carrier {
  const llvm::Loop* loop = nullptr;
  const PHINode* phi = nullptr;
  const Value* start = nullptr;
  bool gets_next = false;  // c + s
};

class PersistentCounter {
 public:
  explicit PersistentCounter(const LoopContext& context) : context_(context) {}

  std::optional<int64_t> count() const {
    std::optional<int64_t> best;
    const Comparisons stays = comparisons_of_every_iteration(context_);
    for (const PHINode& phi : context_.loop.getHeader()->phis()) {
      const auto counter = counter_of(phi);
      const auto carrier = counter ? carrier_of(*counter) : std::nullopt;
      if (!carrier) continue;
      for (const Comparison& comparison : stays) {
        const auto trips = count(*counter, *carrier, comparison);
        if (trips && (!best || *trips < *best)) best = trips;
      }
    }
    return best;
  }

 private:
  std::optional<Counter> counter_of(const PHINode& phi) const {
    const llvm::BasicBlock* latch = context_.loop.getLoopLatch();
    if (latch == nullptr || context_.loop.getLoopPredecessor() == nullptr ||
        !context_.evolution.isSCEVable(phi.getType())) {
      return std::nullopt;
    }
    const auto* sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(context_.evolution.getSCEV(const_cast<PHINode*>(&phi)));
    if (sum == nullptr || sum->getLoop() != &context_.loop || !sum->isAffine()) return std::nullopt;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(sum->getStepRecurrence(context_.evolution));
    if (step == nullptr || !step->getAPInt().isStrictlyPositive()) return std::nullopt;
    return Counter{&phi, phi.getIncomingValueForBlock(latch), step->getAPInt()};
  }

  // Whether a value is p, c or c + s, perhaps through joins between L and the latch of M.
  bool is_passed_on(const Value& value, const Counter& counter, Carrier& carrier, unsigned& joins) const {
    if (&value == carrier.phi || &value == counter.phi) return true;
    if (&value == counter.next) return carrier.gets_next = true;
    const auto* join = llvm::dyn_cast<PHINode>(&value);
    if (join == nullptr || context_.loops.getLoopFor(join->getParent()) != carrier.loop ||
        join->getParent() == carrier.loop->getHeader() || ++joins > most_joins) {
      return false;
    }
    return llvm::all_of(join->incoming_values(),
                        [&](const Value* part) { return is_passed_on(*part, counter, carrier, joins); });
  }

  std::optional<Carrier> carrier_of(const Counter& counter) const {
    Carrier result;
    result.phi = llvm::dyn_cast<PHINode>(counter.phi->getIncomingValueForBlock(context_.loop.getLoopPredecessor()));
    result.loop = result.phi == nullptr ? nullptr : context_.loops.getLoopFor(result.phi->getParent());
    if (result.loop == nullptr || result.loop->getHeader() != result.phi->getParent() ||
        result.loop == &context_.loop || context_.loop.getParentLoop() != result.loop ||
        result.phi->getNumIncomingValues() != 2) {
      return std::nullopt;
    }
    const llvm::BasicBlock* latch = result.loop->getLoopLatch();
    const llvm::BasicBlock* entering = result.loop->getLoopPredecessor();
    if (latch == nullptr || entering == nullptr) return std::nullopt;
    result.start = result.phi->getIncomingValueForBlock(entering);
    unsigned joins = 0;
    if (!is_passed_on(*result.phi->getIncomingValueForBlock(latch), counter, result, joins)) return std::nullopt;
    return result;
  }

  // Whether p compares so whenever L is entered.
  bool holds_on_entry(const Carrier& carrier, const Comparison& stays) const {
    const auto comparisons =
        comparisons_on_edge(*context_.loop.getLoopPredecessor(), *context_.loop.getHeader(),
                            context_.loop.getHeader()->getParent()->getEntryBlock(), context_.dominators);
    return llvm::any_of(comparisons, [&](const Comparison& comparison) {
      return comparison.predicate == stays.predicate && comparison.a == carrier.phi && comparison.b == stays.b;
    });
  }

  std::optional<int64_t> count(const Counter& counter, const Carrier& carrier, const Comparison& stays) const {
    const bool is_signed = stays.predicate == Predicate::ICMP_SLT;
    const bool is_after = stays.a == counter.next;
    if ((!is_signed && stays.predicate != Predicate::ICMP_ULT) || (!is_after && stays.a != counter.phi) ||
        !carrier.loop->isLoopInvariant(stays.b)) {
      return std::nullopt;
    }
    if (is_after ? !holds_on_entry(carrier, stays) : carrier.gets_next) return std::nullopt;
    const SCEV* limit = context_.evolution.getSCEV(stays.b);
    const unsigned bits = counter.step.getBitWidth();
    const llvm::APInt last = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    const llvm::APInt room = last - counter.step + 1;
    const bool wraps = is_signed ? context_.evolution.getSignedRangeMax(limit).sgt(room)
                                 : context_.evolution.getUnsignedRangeMax(limit).ugt(room);
    if (wraps) return std::nullopt;
    const SCEV* distance =
        context_.evolution.getMinusSCEV(limit, context_.evolution.getSCEV(const_cast<Value*>(carrier.start)));
    if (llvm::isa<llvm::SCEVCouldNotCompute>(distance)) return std::nullopt;
    const llvm::APInt most = context_.evolution.getUnsignedRangeMax(distance);
    const bool is_vague = !llvm::isa<llvm::SCEVConstant>(distance) && most.uge(static_cast<uint64_t>(useless_distance));
    if (most.isSignBitSet() || most.getActiveBits() > 40 || is_vague) return std::nullopt;
    const llvm::APInt iterations =
        llvm::APIntOps::RoundingUDiv(most.zext(64), counter.step.zext(64), llvm::APInt::Rounding::UP);
    const auto whole = static_cast<int64_t>(iterations.getZExtValue());
    return is_after ? std::max<int64_t>(whole, 1) : whole + 1;
  }

  const LoopContext& context_;
};

}  // namespace

// Nothing too if the distance from start to limit is not known, or only to be less than 2^20 or more.
std::optional<Trips> trips_by_persistent_counter(const TripContext& context) {
  return at_most(PersistentCounter(context).count());
}

}  // namespace warpspan::lift
