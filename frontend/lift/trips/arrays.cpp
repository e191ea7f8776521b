// Let each turn that is followed by another one access w bytes at an address of 64 bits, all in an array of B bytes,
// B < 2^62. Let o_k be how far behind the array's begin that of turn k is: 0 <= o_k <= B - w. From one turn to the next
// let the address change by one of several numbers modulo 2^64, seen as numbers v with |v| <= 2^63.
//
// Theorem. If all v with |v| <= B - w are above 0, or all below, and m is the smallest |v| among them, the header runs
// floor((B - w) / m) + 2 times at most, and floor((B - w) / m) + 1 times if each turn makes the access before it can
// end the loop. If there is no such v, that is 2 times and 1.
//
// Proof. D = o_{k+1} - o_k has |D| <= B - w and is one of the v modulo 2^64. |D - v| < 2^62 + 2^63 < 2^64, so D = v. So
// the offsets move one way by m or more each turn and stay within B - w: floor((B - w) / m) + 1 turns make the access
// at most. Only the last turn can do without. QED.
//
// How much a number changes: nothing if it does not change in the loop, s if it is {a,+,s}; sums and products with a
// constant follow. A number of u bits that changes by s modulo 2^u, |s| <= 2^(u-1), changes by s, s - 2^u or s + 2^u
// once it is extended, as both values are less than 2^u apart. That a counter of 32 bits wraps is so seen from its
// array: it would have to be larger than the address jumps.
#include "frontend/lift/trips/arrays.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <algorithm>

namespace warpspan::lift {

namespace {

using llvm::APInt;
using llvm::SCEV;
// Of a number from one turn to the next, as numbers of its type; nothing: not known.
using Changes = std::optional<llvm::SmallVector<APInt, 4>>;

constexpr size_t most_changes = 16;
constexpr int deepest = 16;
constexpr unsigned address_bits = 64;

class Walk {
 public:
  Walk(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, const ArraySizes& sizes)
      : loop_(loop), evolution_(evolution), sizes_(sizes) {}

  Changes changes(const SCEV& number, int depth = 0) const;
  // The one value of the launch that an address is counted from; null if there is none, or several.
  const llvm::Value* base(const SCEV& address) const;

 private:
  Changes changes_of_sum(const SCEV& sum, int depth) const;
  bool add_bases(const SCEV& address, llvm::SmallVectorImpl<const llvm::Value*>& bases, int depth) const;

  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const ArraySizes& sizes_;
};

Changes Walk::changes_of_sum(const SCEV& sum, int depth) const {
  llvm::SmallVector<APInt, 4> all = {APInt(sum.getType()->getIntegerBitWidth(), 0)};
  for (const SCEV* operand : sum.operands()) {
    const Changes own = changes(*operand, depth + 1);
    if (!own || all.size() * own->size() > most_changes) return std::nullopt;
    llvm::SmallVector<APInt, 4> next;
    for (const APInt& a : all) {
      for (const APInt& b : *own) next.push_back(a + b);
    }
    all = std::move(next);
  }
  return all;
}

Changes Walk::changes(const SCEV& number, int depth) const {
  const unsigned bits = number.getType()->getIntegerBitWidth();
  if (depth > deepest || bits > address_bits) return std::nullopt;
  llvm::SmallVector<APInt, 4> result;
  if (evolution_.isLoopInvariant(&number, &loop_)) {
    result.push_back(APInt(bits, 0));
    return result;
  }
  if (llvm::isa<llvm::SCEVAddExpr>(number)) return changes_of_sum(number, depth);
  if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&number)) {
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution_));
    if (counter->getLoop() != &loop_ || !counter->isAffine() || step == nullptr) return std::nullopt;
    result.push_back(step->getAPInt());
    return result;
  }
  if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&number)) {
    const auto* factor = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
    const Changes own = product->getNumOperands() == 2 ? changes(*product->getOperand(1), depth + 1) : std::nullopt;
    if (factor == nullptr || !own) return std::nullopt;
    for (const APInt& change : *own) result.push_back(factor->getAPInt() * change);
    return result;
  }
  if (!llvm::isa<llvm::SCEVSignExtendExpr, llvm::SCEVZeroExtendExpr>(number)) return std::nullopt;
  const Changes own = changes(*number.operands().front(), depth + 1);
  if (!own || 3 * own->size() > most_changes) return std::nullopt;
  for (const APInt& change : *own) {
    const APInt once_round = APInt::getOneBitSet(bits, change.getBitWidth());
    result.push_back(change.sext(bits));
    if (change.isZero()) continue;
    result.push_back(change.sext(bits) - once_round);
    result.push_back(change.sext(bits) + once_round);
  }
  return result;
}

// False if an addend may be an address of another kind.
bool Walk::add_bases(const SCEV& address, llvm::SmallVectorImpl<const llvm::Value*>& bases, int depth) const {
  if (depth > deepest) return false;
  if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(&address)) {
    bases.push_back(unknown->getValue());
    return sizes_.is_parameter(*unknown->getValue());
  }
  if (llvm::isa<llvm::SCEVAddExpr>(address)) {
    return llvm::all_of(address.operands(), [&](const SCEV* operand) { return add_bases(*operand, bases, depth + 1); });
  }
  if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&address)) {
    return add_bases(*counter->getStart(), bases, depth + 1);
  }
  return llvm::isa<llvm::SCEVConstant, llvm::SCEVMulExpr, llvm::SCEVSignExtendExpr, llvm::SCEVZeroExtendExpr>(address);
}

const llvm::Value* Walk::base(const SCEV& address) const {
  llvm::SmallVector<const llvm::Value*, 2> bases;
  return add_bases(address, bases, 0) && bases.size() == 1 ? bases.front() : nullptr;
}

// How many turns can make an access that moves through `room` + 1 places of an array.
std::optional<int64_t> turns_within(int64_t room, const llvm::SmallVectorImpl<APInt>& changes) {
  std::optional<APInt> least;
  bool rises = false, falls = false;
  for (const APInt& change : changes) {
    if (change.abs().ugt(static_cast<uint64_t>(room))) continue;
    if (change.isZero()) return std::nullopt;
    (change.isNegative() ? falls : rises) = true;
    if (!least || change.abs().ult(*least)) least = change.abs();
  }
  if (rises && falls) return std::nullopt;
  return least ? room / static_cast<int64_t>(least->getZExtValue()) + 1 : 1;
}

}  // namespace

std::optional<int64_t> trips_by_arrays(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                       const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution,
                                       const ArraySizes& sizes) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr) return std::nullopt;
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  loop.getExitingBlocks(exiting);
  const Walk walk(loop, evolution, sizes);
  std::optional<int64_t> best;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    if (loops.getLoopFor(block) != &loop || !dominators.dominates(block, latch)) continue;
    const bool is_first = llvm::all_of(exiting, [&](const auto* exit) { return dominators.dominates(block, exit); });
    for (const llvm::Instruction& call : *block) {
      const auto accessed = sizes.accessed(call);
      if (!accessed) continue;
      const SCEV& address = *evolution.getSCEV(call.getOperand(0));
      if (address.getType()->getIntegerBitWidth() != address_bits) continue;
      const llvm::Value* base = walk.base(address);
      const auto bytes = base == nullptr ? std::nullopt : sizes.bytes(*base);
      if (!bytes || *bytes < *accessed || *bytes >= int64_t{1} << 62) continue;
      const Changes changes = walk.changes(address);
      const auto turns = changes ? turns_within(*bytes - *accessed, *changes) : std::nullopt;
      if (!turns) continue;
      const int64_t runs = *turns + (is_first ? 0 : 1);
      best = std::min(best.value_or(runs), runs);
    }
  }
  return best;
}

}  // namespace warpspan::lift
