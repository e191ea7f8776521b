// SPDX-License-Identifier: GPL-3.0-or-later
// What is left of a count when a loop has been unrolled: an assembler takes 16 iterations at once while more than 12
// are left, then 8 if more than 4 are, and then 4 at a time until none is.
//
// Let x be a phi of the header that becomes x - s in each iteration, s = 2^k, and let an iteration be followed by
// another one only if that is not a constant c.
//
// Theorem. If x - c is a multiple of s from s to H when the loop is entered, as integers, the header runs H / s times
// at most.
//
// Proof. Iteration j makes x_0 - j s of it. That is not below c before it is c, in iteration (x_0 - c) / s <= H / s.
// QED.
//
// Theorem (gap). Let w be the bits of x, and let nothing but that test end the loop. If x - c is a multiple of s from L
// to H when it is entered, L <= 0 < H, as integers, the header runs at most H / s times, or at least (2^w + L) / s
// times.
//
// Proof. The header runs until x_0 - j s is c modulo 2^w for the first time. As s divides x_0 - c and 2^w, that is in
// iteration (x_0 - c) / s if x_0 is above c, else in iteration (2^w + x_0 - c) / s. QED.
//
// An assembler leads there with counts that are not positive, too, as the loop would run for so long before it was
// unrolled. Where the user knows that it does not, what is left is as short as the theorem before says.
//
// Which values x has there is found by paths: the last blocks that have run before the loop, from one on that dominates
// its header and joins nothing, or is the header of a loop around. Each path ends with an edge into the header, and
// begins where it leaves that block, or a loop that ended on the way, whose iterations before the last one are not
// followed. Let v be computed before the end of a path.
//  - A phi of a block of the path is what comes in by the edge of the path.
//  - What a branch of the path decided holds of the values that it compared, as they were; and they are the same at the
//    end: no block of the path runs twice on it, and what was computed before the path is not computed anew on it.
//  - A phi of the header of a loop that ended is in the ranges that it has on the edges into that header.
//  - What branches decided that control has passed in any case on the way to the path's first edge holds too.
// A path on which two of these contradict each other is not taken. So x is in one of the ranges that the paths leave.
// What the low bits of a number are follows from what it is computed from. For phis of a cycle fewer and fewer bits are
// assumed until all that comes in has them: then they have them by induction.

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::APInt;
using llvm::BasicBlock;
using llvm::ConstantRange;
using llvm::PHINode;
using llvm::Value;

constexpr int deepest = 12;
constexpr size_t longest_path = 16;
constexpr size_t most_paths = 64;
// Above it the ranges tell no more than the type of the count: then the user has to.
constexpr int64_t most_trips = 1 << 16;

// What a number is modulo 2^count.
struct LowBits {
  unsigned count = 0;
  APInt bits;

  static LowBits of(const APInt& number, unsigned count) {
    return {count, number & APInt::getLowBitsSet(number.getBitWidth(), count)};
  }
  bool operator==(const LowBits& other) const { return count == other.count && bits == other.bits; }
};

class LowBitsFinder {
 public:
  LowBits find(Value& value) {
    const auto found = find(value, 0);
    return found ? *found : LowBits::of(APInt::getZero(width(value)), 0);
  }

 private:
  static unsigned width(const Value& value) { return value.getType()->getIntegerBitWidth(); }

  // Nothing: any will do, as of a phi that is being looked at, and of what comes by edges that are never taken.
  std::optional<LowBits> find(Value& value, int depth) {
    if (llvm::isa<llvm::PoisonValue>(value)) return std::nullopt;
    Value *a = nullptr, *b = nullptr;
    if (depth >= deepest || --budget_ < 0) return known(value);
    if (auto* phi = llvm::dyn_cast<PHINode>(&value)) return of_phi(*phi, depth);
    const bool adds = match::match(&value, match::m_Add(match::m_Value(a), match::m_Value(b)));
    if (!adds && !match::match(&value, match::m_Sub(match::m_Value(a), match::m_Value(b)))) return known(value);
    const auto of_a = find(*a, depth + 1), of_b = find(*b, depth + 1);
    if (!of_a || !of_b) return std::nullopt;
    return LowBits::of(adds ? of_a->bits + of_b->bits : of_a->bits - of_b->bits, std::min(of_a->count, of_b->count));
  }

  std::optional<LowBits> of_phi(PHINode& phi, int depth) {
    if (const auto assumed = assumed_.find(&phi); assumed != assumed_.end()) return assumed->second;
    std::optional<LowBits> all;
    for (bool changes = true; changes;) {
      assumed_[&phi] = all;
      changes = false;
      for (Value* incoming : phi.incoming_values()) {
        const auto found = find(*incoming, depth + 1);
        if (!found) continue;
        const unsigned same = all ? (all->bits ^ found->bits).countr_zero() : found->count;
        const LowBits both = LowBits::of(found->bits, std::min({same, found->count, all ? all->count : found->count}));
        changes = changes || !all || !(both == *all);
        all = both;
      }
    }
    assumed_.erase(&phi);
    return all;
  }

  static LowBits known(const Value& value) {
    const llvm::DataLayout layout("");
    const llvm::KnownBits bits = llvm::computeKnownBits(&value, layout);
    return LowBits::of(bits.One, (bits.Zero | bits.One).countr_one());
  }

  std::map<const PHINode*, std::optional<LowBits>> assumed_;
  int budget_ = 1000;
};

LowBits low_bits(Value& value) { return LowBitsFinder().find(value); }

// The numbers in the range that have such low bits, read as signed numbers.
ConstantRange with_low_bits(const ConstantRange& range, const LowBits& low) {
  const unsigned width = range.getBitWidth();
  if (range.isEmptySet() || low.count == 0 || low.count >= width - 1) return range;
  const APInt least = range.getSignedMin(), most = range.getSignedMax();
  bool below = false, above = false;
  const APInt first = least.sadd_ov(LowBits::of(low.bits - least, low.count).bits, above);
  const APInt last = most.ssub_ov(LowBits::of(most - low.bits, low.count).bits, below);
  if (above || below) return range;
  if (first.sgt(last)) return ConstantRange::getEmpty(width);
  return range.intersectWith(ConstantRange::getNonEmpty(first, last + 1), ConstantRange::Signed);
}

// A comparison with a constant that holds.
struct Limit {
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::ICMP_EQ;
  Value* number = nullptr;
  APInt constant;
};

class Path {
 public:
  // The edges in the order in which they are taken backwards from the header.
  using Edges = std::vector<std::pair<const BasicBlock*, const BasicBlock*>>;

  Path(const TripContext& context, const Edges& edges) : context_(context), edges_(edges) {
    for (size_t i = 0; i < edges_.size(); ++i) note_branch(i);
    const auto& [from, to] = edges_.back();
    const BasicBlock& first = context_.loop.getHeader()->getParent()->getEntryBlock();
    for (const Comparison& known : comparisons_on_edge(*from, *to, first, context_.dominators)) {
      add(known.predicate, *known.a, *known.b, edges_.size());
    }
  }

  // Of a number that is read where the edge begins.
  ConstantRange range(Value& value, size_t edge, int depth = 0) const {
    Value& number = resolved(value, edge);
    const LowBits low = low_bits(number);
    ConstantRange found = with_low_bits(computed(number, edge, depth), low);
    for (int again = 0; again < 2; ++again) {
      for (const Limit& limit : limits_) narrow(found, number, limit);
      found = with_low_bits(found, low);
    }
    return found;
  }

  bool is_taken() const { return is_taken_; }

 private:
  Value& resolved(Value& value, size_t edge) const {
    auto* phi = llvm::dyn_cast<PHINode>(&value);
    for (size_t i = edge; phi != nullptr && i < edges_.size(); ++i) {
      if (edges_[i].second != phi->getParent()) continue;
      Value* incoming = phi->getIncomingValueForBlock(edges_[i].first);
      return resolved(*incoming, i + 1);
    }
    return value;
  }

  void note_branch(size_t edge) {
    const auto& [from, to] = edges_[edge];
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
    if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return;
    note(*branch->getCondition(), branch->getSuccessor(0) == to, edge + 1, 0);
  }

  // What a condition is where the edge begins, if that is a constant.
  std::optional<bool> known(Value& condition, size_t edge, int depth = 0) const {
    Value& test = resolved(condition, edge);
    Value* inverted = nullptr;
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&test)) return constant->isOne();
    if (depth > deepest || !match::match(&test, match::m_Not(match::m_Value(inverted)))) return std::nullopt;
    const auto other = known(*inverted, edge, depth + 1);
    return other ? std::optional(!*other) : std::nullopt;
  }

  // That a condition, as it is where the edge begins, has a value.
  void note(Value& condition, bool holds, size_t edge, int depth) {
    Value& test = resolved(condition, edge);
    if (const auto constant = known(test, edge)) {
      is_taken_ = is_taken_ && *constant == holds;
      return;
    }
    if (depth > deepest) return;
    Value *a = nullptr, *b = nullptr;
    if (match::match(&test, match::m_Not(match::m_Value(a)))) return note(*a, !holds, edge, depth + 1);
    const bool is_or = match::match(&test, match::m_LogicalOr(match::m_Value(a), match::m_Value(b)));
    if (is_or || match::match(&test, match::m_LogicalAnd(match::m_Value(a), match::m_Value(b)))) {
      const auto of_a = known(*a, edge), of_b = known(*b, edge);
      const bool both = is_or != holds;  // each side has the value, else one of them has
      if (both || of_b == !holds) note(*a, holds, edge, depth + 1);
      if (both || of_a == !holds) note(*b, holds, edge, depth + 1);
      return;
    }
    const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&test);
    if (comparison == nullptr) return;
    const auto predicate = holds ? comparison->getPredicate() : comparison->getInversePredicate();
    add(predicate, *comparison->getOperand(0), *comparison->getOperand(1), edge);
    add(llvm::CmpInst::getSwappedPredicate(predicate), *comparison->getOperand(1), *comparison->getOperand(0), edge);
  }

  void add(llvm::CmpInst::Predicate predicate, Value& a, Value& b, size_t edge) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&resolved(b, edge));
    if (constant != nullptr && a.getType()->isIntegerTy()) {
      limits_.push_back({predicate, &resolved(a, edge), constant->getValue()});
    }
  }

  // By a limit of the number, of one that is a constant above it, or of one that is a constant with it.
  void narrow(ConstantRange& range, Value& number, const Limit& limit) const {
    if (range.isEmptySet() || limit.constant.getBitWidth() != range.getBitWidth()) return;
    const llvm::SCEV* own = context_.evolution.getSCEV(&number);
    const llvm::SCEV* other = context_.evolution.getSCEV(limit.number);
    const ConstantRange allowed = ConstantRange::makeAllowedICmpRegion(limit.predicate, ConstantRange(limit.constant));
    if (const auto* above = llvm::dyn_cast<llvm::SCEVConstant>(context_.evolution.getMinusSCEV(other, own))) {
      range = range.intersectWith(allowed.subtract(above->getAPInt()), ConstantRange::Signed);
    } else if (const auto* both = llvm::dyn_cast<llvm::SCEVConstant>(context_.evolution.getAddExpr(other, own))) {
      range = range.intersectWith(ConstantRange(both->getAPInt()).sub(allowed), ConstantRange::Signed);
    }
  }

  ConstantRange computed(Value& number, size_t edge, int depth) const {
    const ConstantRange anywhere = context_.ranges(number);
    Value* from = nullptr;
    const APInt* constant = nullptr;
    if (depth > deepest) return anywhere;
    if (match::match(&number, match::m_Add(match::m_Value(from), match::m_APInt(constant)))) {
      return anywhere.intersectWith(range(*from, edge, depth + 1).add(ConstantRange(*constant)), ConstantRange::Signed);
    }
    if (match::match(&number, match::m_And(match::m_Value(from), match::m_APInt(constant))) &&
        constant->isNegatedPowerOf2()) {
      const ConstantRange whole = range(*from, edge, depth + 1);
      if (whole.isEmptySet()) return whole;
      return anywhere.intersectWith(
          ConstantRange::getNonEmpty(whole.getSignedMin() & *constant, (whole.getSignedMax() & *constant) + 1),
          ConstantRange::Signed);
    }
    const auto* phi = llvm::dyn_cast<PHINode>(&number);
    const llvm::Loop* loop = phi == nullptr ? nullptr : context_.loops.getLoopFor(phi->getParent());
    const bool has_ended =
        loop != nullptr && loop->getHeader() == phi->getParent() && !loop->contains(context_.loop.getHeader());
    if (!has_ended) return anywhere;
    ConstantRange all = ConstantRange::getEmpty(anywhere.getBitWidth());
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      all = all.unionWith(range_on_edge(*phi->getIncomingValue(i), *phi->getIncomingBlock(i), *phi->getParent(),
                                        context_.dominators, context_.ranges),
                          ConstantRange::Signed);
    }
    return anywhere.intersectWith(all, ConstantRange::Signed);
  }

  const TripContext& context_;
  const Edges& edges_;
  std::vector<Limit> limits_;
  bool is_taken_ = true;
};

// The ranges of what comes into the loop, by paths.
class Paths {
 public:
  Paths(const TripContext& context, PHINode& counter) : context_(context), counter_(counter) {}

  // Their union; nothing if there are too many paths.
  std::optional<ConstantRange> run() {
    for (const BasicBlock* from : llvm::predecessors(context_.loop.getHeader())) {
      if (!context_.loop.contains(from)) follow(from, context_.loop.getHeader());
    }
    return is_complete_ ? std::optional(all_) : std::nullopt;
  }

 private:
  void follow(const BasicBlock* from, const BasicBlock* to) {
    const bool is_again = llvm::any_of(edges_, [from](const auto& edge) { return edge.first == from; });
    if (is_again) is_complete_ = false;
    if (!is_complete_) return;
    edges_.emplace_back(from, to);
    const llvm::Loop* around = context_.loops.getLoopFor(from);
    const bool joins = from->phis().begin() != from->phis().end() && !context_.loops.isLoopHeader(from);
    const bool begins = (context_.dominators.dominates(from, context_.loop.getHeader()) && !joins) ||
                        (around != nullptr && !around->contains(context_.loop.getHeader()));
    if (begins) {
      evaluate();
    } else if (edges_.size() == longest_path) {
      is_complete_ = false;
    } else {
      for (const BasicBlock* before : llvm::predecessors(from)) follow(before, from);
    }
    edges_.pop_back();
  }

  void evaluate() {
    if (++paths_ > most_paths) is_complete_ = false;
    const Path path(context_, edges_);
    if (!path.is_taken()) return;
    Value* entering = counter_.getIncomingValueForBlock(edges_.front().first);
    all_ = all_.unionWith(path.range(*entering, 1), ConstantRange::Signed);
  }

  const TripContext& context_;
  PHINode& counter_;
  Path::Edges edges_;
  ConstantRange all_ = ConstantRange::getEmpty(counter_.getType()->getIntegerBitWidth());
  size_t paths_ = 0;
  bool is_complete_ = true;
};

// Whether the loop ends where the two numbers are equal at the end of an iteration, and nowhere else.
bool is_only_exit(const llvm::Loop& loop, const Value& a, const Value& b) {
  const BasicBlock* latch = loop.getExitingBlock();
  if (latch == nullptr || latch != loop.getLoopLatch()) return false;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  const auto* test =
      branch == nullptr || !branch->isConditional() ? nullptr : llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (test == nullptr || !test->isEquality()) return false;
  const bool leaves_where_equal =
      (test->getPredicate() == llvm::CmpInst::ICMP_EQ) != (branch->getSuccessor(0) == loop.getHeader());
  const bool compares = (test->getOperand(0) == &a && test->getOperand(1) == &b) ||
                        (test->getOperand(0) == &b && test->getOperand(1) == &a);
  return leaves_where_equal && compares;
}

}  // namespace

std::optional<Trips> trips_by_unrolled_remainder(const TripContext& context) {
  const BasicBlock* latch = context.loop.getLoopLatch();
  if (latch == nullptr) return std::nullopt;
  for (const Comparison& comparison : comparisons_of_every_iteration(context)) {
    const APInt* end = nullptr;
    if (comparison.predicate != llvm::CmpInst::ICMP_NE || !match::match(comparison.b, match::m_APInt(end))) continue;
    for (PHINode& counter : context.loop.getHeader()->phis()) {
      const APInt* step = nullptr;
      const bool counts = comparison.a == counter.getIncomingValueForBlock(latch) &&
                          match::match(comparison.a, match::m_Add(match::m_Specific(&counter), match::m_APInt(step))) &&
                          step->isNegatedPowerOf2() && step->isNegative();
      if (!counts) continue;
      const LowBits low = low_bits(counter);
      const unsigned zeros = step->countr_zero();
      if (low.count < zeros || (low.bits - *end).countr_zero() < zeros) continue;
      const auto entering = Paths(context, counter).run();
      if (!entering || entering->isEmptySet()) continue;
      const unsigned width = end->getBitWidth(), wide = width + 2;
      const APInt from = end->sext(wide), by = -step->sext(wide);
      const APInt least = entering->getSignedMin().sext(wide) - from, most = entering->getSignedMax().sext(wide) - from;
      if (most.slt(by) || most.sdiv(by).sgt(most_trips)) continue;
      const int64_t trips = most.sdiv(by).getSExtValue();
      if (least.sge(by)) return at_most(trips);
      if (!is_only_exit(context.loop, *comparison.a, *comparison.b)) continue;
      const APInt otherwise = (APInt::getOneBitSet(wide, width) + least).sdiv(by);
      const auto else_least = static_cast<int64_t>(otherwise.getLimitedValue(INT64_MAX));
      if (else_least > trips) return Trips{.gap = ir::TripGap{trips, else_least}};
    }
  }
  return std::nullopt;
}

}  // namespace warpspan::lift
