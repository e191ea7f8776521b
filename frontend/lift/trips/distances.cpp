// Let a loop have one latch, and its header run T times. Turns 1 to T - 1 are followed by another one: their exits are
// not taken, so that what these say of a turn that stays holds. A way is a choice of what selects and joins of a turn
// give. Let y be a phi of the header plus a sum of numbers that do not change in the loop, y_k its value in turn k, and
// let on each way y_{k+1} = y_k + d modulo 2^w, with d from an interval that is known. Numbers are read as signed or as
// unsigned ones; a counter that falls is seen as the one that rises with its negative values.
//
// Let y_1 >= a, and on every way either d = 0, or d >= 0 and one of these hold in turns before T:
//   begin: y_k <= m;       and m + d does not wrap
//   end:   y_{k+1} <= m;   and max(m, y_1) + d does not wrap.
// Let s be the smallest lower end of d that is above 0. A turn on a way with d >= s is called a move of y.
//
// Theorem. Among turns 1 to T - 1 are at most N = floor((m - a) / s) moves of y, m being the largest of all ways with a
// move, and one more if some of these have "begin" only, and none if m < a. If each way is a move of some of several
// counters, T is 1 + the sum of their N at most.
//
// Proof. Without wrapping y never falls: for "begin" because y_k <= m, for "end" because y_k <= m by turn k - 1 if
// that had "end" too, as an exit that every turn passes has it on all ways, or k = 1. Before the j-th move y is at
// least a + (j - 1) s, and after it at least a + j s; the former is m at most with "begin", the latter with "end". Each
// of the T - 1 turns is a move of one of them. QED.
//
// "Not equal" is "below" where y cannot jump over the limit: d is 0 or 1 on all ways, the limit l does not change, and
// y_1 <= l, and for "end" y_1 < l. By induction y_k <= l, so that y_k != l is y_k <= l - 1.
//
// "End" and "not equal" are taken from exits that every turn passes, "begin" also from the branches that lead to where
// the way is chosen: these hold in that turn. The smallest limit that is known for a way counts.
#include "frontend/lift/trips/distances.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

#include "frontend/lift/trips/conditions.hpp"

namespace warpspan::lift {

namespace {

using llvm::ConstantRange;
using llvm::PHINode;
using llvm::Value;
using Predicate = llvm::CmpInst::Predicate;

constexpr size_t most_ways = 64;
constexpr size_t most_counters = 16;
constexpr int longest_sum = 8;
constexpr unsigned wide = 128;

// From low to high, as numbers of 128 bits with a sign.
struct Span {
  llvm::APInt low, high;

  bool is_vague() const { return (high - low).uge(static_cast<uint64_t>(useless_distance)); }
};

Span span(const ConstantRange& range, bool is_signed) {
  if (is_signed) return {range.getSignedMin().sext(wide), range.getSignedMax().sext(wide)};
  return {range.getUnsignedMin().zext(wide), range.getUnsignedMax().zext(wide)};
}
Span mirrored(const Span& span) { return {-span.high, -span.low}; }
Span sum(const Span& a, const Span& b) { return {a.low + b.low, a.high + b.high}; }
Span zero() { return {llvm::APInt(wide, 0), llvm::APInt(wide, 0)}; }
const llvm::APInt& larger(const llvm::APInt& a, const llvm::APInt& b) { return a.sgt(b) ? a : b; }

// A phi of the header plus numbers that do not change.
struct Sum {
  size_t counter = 0;
  bool is_next = false;                                        // with what the phi is in the next turn
  llvm::SmallVector<std::pair<Value*, bool>, 4> addends = {};  // true: subtracted

  bool operator==(const Sum& other) const { return counter == other.counter && addends == other.addends; }
};

// A comparison of a sum with anything.
struct Test {
  Sum sum;
  Predicate predicate = Predicate::ICMP_EQ;
  Value* limit = nullptr;
};
using Tests = std::vector<Test>;

struct Way {
  std::vector<Value*> ends;   // of each counter, what has still to be followed
  std::vector<Span> changes;  // of each counter, so far
  Tests guards = {};
};

// How y is read: what is added to the phi, and in which order its values are.
struct Reading {
  Sum sum;
  bool is_signed = true;
  bool falls = false;
};

struct Limit {
  Span values;  // the largest that y can have is at most this
  bool at_end = false;
};

// The moves of one counter.
struct Moves {
  std::vector<bool> on;  // by way
  llvm::APInt most;
};

class Distances {
 public:
  Distances(const llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
            const ValueRanges& ranges)
      : loop_(loop), loops_(loops), dominators_(dominators), ranges_(ranges) {}

  std::optional<int64_t> count();

 private:
  bool is_own(const llvm::BasicBlock& block) const { return loops_.getLoopFor(&block) == &loop_; }
  bool is_fixed(const Value& value) const { return loop_.isLoopInvariant(&value); }
  Value& next(const PHINode& phi) const { return *phi.getIncomingValueForBlock(loop_.getLoopLatch()); }
  ConstantRange at_entry(Value& value) const;
  ConstantRange range_of_limit(Value& value) const { return is_fixed(value) ? at_entry(value) : ranges_(value); }

  void find_counters();
  void add_tests(const Comparisons& comparisons, Tests& tests) const;
  void find_tests();
  bool find_ways();
  void drop_others();
  bool follow(Way& way, size_t counter) const;
  std::optional<std::vector<Way>> split(const Way& way, size_t counter) const;

  Span start(const Reading& reading) const;
  Span change(const Reading& reading, const Way& way) const;
  std::optional<Limit> limit(const Reading& reading, const Test& test, bool of_every_turn) const;
  std::optional<Limit> limit(const Reading& reading, const Way& way) const;
  std::optional<Moves> moves(const Reading& reading) const;
  std::vector<Moves> all_moves() const;
  bool cover(const std::vector<const Moves*>& moves) const;

  const llvm::Loop& loop_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  const ValueRanges& ranges_;
  std::vector<PHINode*> counters_;
  Tests tests_;  // hold in every turn that is followed by another
  std::vector<Way> ways_;
};

// Of a value that does not change in the loop.
ConstantRange Distances::at_entry(Value& value) const {
  ConstantRange all = ConstantRange::getEmpty(value.getType()->getIntegerBitWidth());
  for (const llvm::BasicBlock* from : llvm::predecessors(loop_.getHeader())) {
    if (loop_.contains(from)) continue;
    all = all.unionWith(range_on_edge(value, *from, *loop_.getHeader(), dominators_, ranges_));
  }
  return all;
}

void Distances::find_counters() {
  for (PHINode& phi : loop_.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy() || counters_.size() >= most_counters) continue;
    const unsigned bits = phi.getType()->getIntegerBitWidth();
    if (bits >= 8 && bits <= 64) counters_.push_back(&phi);
  }
}

void Distances::add_tests(const Comparisons& comparisons, Tests& tests) const {
  for (const Comparison& comparison : comparisons) {
    Sum sum;
    Value* rest = comparison.a;
    for (int i = 0; i < longest_sum; ++i) {
      for (sum.counter = 0; sum.counter < counters_.size(); ++sum.counter) {
        if (counters_[sum.counter] == nullptr) continue;
        const PHINode& phi = *counters_[sum.counter];
        for (const bool is_next : {false, true}) {
          if (rest != (is_next ? &next(phi) : &phi)) continue;
          sum.is_next = is_next;
          tests.push_back({sum, comparison.predicate, comparison.b});
        }
      }
      auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(rest);
      if (binary == nullptr || !loop_.contains(binary)) break;
      const bool is_difference = binary->getOpcode() == llvm::Instruction::Sub;
      if (!is_difference && binary->getOpcode() != llvm::Instruction::Add) break;
      Value* a = binary->getOperand(0);
      Value* b = binary->getOperand(1);
      if (!is_difference && is_fixed(*a)) std::swap(a, b);
      if (!is_fixed(*b)) break;
      sum.addends.emplace_back(b, is_difference);
      rest = a;
    }
  }
}

void Distances::find_tests() {
  for (const Exit& exit : exits_of_every_turn(loop_, dominators_)) {
    if (!is_own(*exit.block)) continue;
    Comparisons comparisons;
    add_comparisons(*exit.condition, exit.stays, dominators_, comparisons);
    add_tests(comparisons, tests_);
  }
}

// Follows additions of what does not change; true at the phi itself.
bool Distances::follow(Way& way, size_t counter) const {
  Value*& end = way.ends[counter];
  for (int i = 0; i < longest_sum; ++i) {
    if (end == counters_[counter]) return true;
    auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(end);
    if (binary == nullptr || !loop_.contains(binary)) return false;
    const bool is_difference = binary->getOpcode() == llvm::Instruction::Sub;
    if (!is_difference && binary->getOpcode() != llvm::Instruction::Add) return false;
    Value* a = binary->getOperand(0);
    Value* b = binary->getOperand(1);
    if (!is_difference && is_fixed(*a)) std::swap(a, b);
    if (!is_fixed(*b)) return false;
    const Span by = span(at_entry(*b), true);
    way.changes[counter] = sum(way.changes[counter], is_difference ? mirrored(by) : by);
    end = a;
  }
  return false;
}

// By the select or the join that gives a counter's value; other counters that it decides go the same way.
std::optional<std::vector<Way>> Distances::split(const Way& way, size_t counter) const {
  std::vector<Way> result;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(way.ends[counter]);
  if (instruction == nullptr || !is_own(*instruction->getParent())) return std::nullopt;
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
    for (const bool value : {true, false}) {
      Way& part = result.emplace_back(way);
      for (Value*& end : part.ends) {
        auto* other = llvm::dyn_cast_or_null<llvm::SelectInst>(end);
        if (other == nullptr || other->getCondition() != select->getCondition()) continue;
        if (is_own(*other->getParent())) end = value ? other->getTrueValue() : other->getFalseValue();
      }
      Comparisons comparisons;
      add_comparisons(*select->getCondition(), value, dominators_, comparisons);
      add_tests(comparisons, part.guards);
    }
    return result;
  }
  const auto* phi = llvm::dyn_cast<PHINode>(instruction);
  if (phi == nullptr || phi->getParent() == loop_.getHeader()) return std::nullopt;
  for (const llvm::BasicBlock* from : phi->blocks()) {
    Way& part = result.emplace_back(way);
    for (Value*& end : part.ends) {
      auto* other = llvm::dyn_cast_or_null<PHINode>(end);
      if (other != nullptr && other->getParent() == phi->getParent()) end = other->getIncomingValueForBlock(from);
    }
    add_tests(comparisons_on_edge(*from, *phi->getParent(), *loop_.getHeader(), dominators_), part.guards);
  }
  return result;
}

// Counters that change in another manner are dropped. False if there are too many ways.
bool Distances::find_ways() {
  Way whole;
  for (const PHINode* phi : counters_) {
    whole.ends.push_back(phi == nullptr ? nullptr : &next(*phi));
    whole.changes.push_back(zero());
  }
  ways_.clear();
  std::vector<bool> is_dropped(counters_.size());
  for (size_t i = 0; i < counters_.size(); ++i) is_dropped[i] = counters_[i] == nullptr;
  std::vector<Way> work = {std::move(whole)};
  while (!work.empty()) {
    Way way = std::move(work.back());
    work.pop_back();
    bool is_done = true;
    for (size_t i = 0; i < counters_.size() && is_done; ++i) {
      if (is_dropped[i] || follow(way, i)) continue;
      auto parts = split(way, i);
      if (parts) {
        std::move(parts->begin(), parts->end(), std::back_inserter(work));
        is_done = false;
      } else {
        is_dropped[i] = true;
      }
    }
    if (is_done) ways_.push_back(std::move(way));
    if (ways_.size() + work.size() > most_ways) return false;
  }
  for (size_t i = 0; i < counters_.size(); ++i) {
    if (is_dropped[i]) counters_[i] = nullptr;
  }
  return true;
}

// Counters that no exit is about.
void Distances::drop_others() {
  for (size_t i = 0; i < counters_.size(); ++i) {
    if (llvm::none_of(tests_, [i](const Test& test) { return test.sum.counter == i; })) counters_[i] = nullptr;
  }
}

Span Distances::start(const Reading& reading) const {
  const PHINode& phi = *counters_[reading.sum.counter];
  ConstantRange range = range_on_entry(phi, loop_, dominators_, ranges_);
  for (const auto& [addend, is_subtracted] : reading.sum.addends) {
    const ConstantRange by = at_entry(*addend);
    range = is_subtracted ? range.sub(by) : range.add(by);
  }
  if (range.isEmptySet()) range = ConstantRange::getFull(range.getBitWidth());
  const Span values = span(range, reading.is_signed);
  return reading.falls ? mirrored(values) : values;
}

Span Distances::change(const Reading& reading, const Way& way) const {
  const Span& by = way.changes[reading.sum.counter];
  return reading.falls ? mirrored(by) : by;
}

std::optional<Limit> Distances::limit(const Reading& reading, const Test& test, bool of_every_turn) const {
  if (!(test.sum == reading.sum)) return std::nullopt;
  if (test.sum.is_next && !of_every_turn) return std::nullopt;
  const ConstantRange range = range_of_limit(*test.limit);
  if (range.isEmptySet()) return std::nullopt;
  Limit limit{span(range, reading.is_signed), test.sum.is_next};
  if (reading.falls) limit.values = mirrored(limit.values);
  const Predicate below = reading.falls ? Predicate::ICMP_SGT : Predicate::ICMP_SLT;
  const Predicate at_most = reading.falls ? Predicate::ICMP_SGE : Predicate::ICMP_SLE;
  const auto predicate = llvm::ICmpInst::isUnsigned(test.predicate) && !reading.is_signed
                             ? llvm::ICmpInst::getSignedPredicate(test.predicate)
                             : test.predicate;
  const bool is_order = llvm::ICmpInst::isRelational(test.predicate);
  if (is_order && llvm::ICmpInst::isSigned(test.predicate) != reading.is_signed) return std::nullopt;
  if (predicate == at_most) return limit;
  limit.values = {limit.values.low - 1, limit.values.high - 1};
  if (predicate == below) return limit;
  if (predicate != Predicate::ICMP_NE || !of_every_turn || !is_fixed(*test.limit)) return std::nullopt;
  for (const Way& way : ways_) {
    const Span by = change(reading, way);
    if (by.low.isNegative() || by.high.sgt(1)) return std::nullopt;
  }
  const llvm::APInt highest = test.sum.is_next ? limit.values.low : limit.values.low + 1;
  return start(reading).high.sle(highest) ? std::optional(limit) : std::nullopt;
}

// The one that allows fewest moves.
std::optional<Limit> Distances::limit(const Reading& reading, const Way& way) const {
  std::optional<Limit> best;
  const auto look_at = [&](const Tests& tests, bool of_every_turn) {
    for (const Test& test : tests) {
      const auto found = limit(reading, test, of_every_turn);
      if (!found) continue;
      const bool is_better = !best || found->values.high.slt(best->values.high) ||
                             (found->values.high == best->values.high && found->at_end);
      if (is_better) best = found;
    }
  };
  look_at(tests_, true);
  look_at(way.guards, false);
  return best;
}

std::optional<Moves> Distances::moves(const Reading& reading) const {
  const unsigned bits = counters_[reading.sum.counter]->getType()->getIntegerBitWidth();
  const Span type = span(ConstantRange::getFull(bits), reading.is_signed);
  const llvm::APInt end = reading.falls ? -type.low : type.high;
  const Span from = start(reading);
  Moves moves{std::vector<bool>(ways_.size()), llvm::APInt(wide, 0)};
  llvm::APInt step(wide, 0);
  for (const Way& way : ways_) {
    const Span by = change(reading, way);
    if (by.low.isNegative()) return std::nullopt;
    if (by.low.isStrictlyPositive() && (step.isZero() || by.low.slt(step))) step = by.low;
  }
  if (step.isZero()) return std::nullopt;
  for (size_t i = 0; i < ways_.size(); ++i) {
    const Span by = change(reading, ways_[i]);
    if (by.high.isZero()) continue;
    const auto found = limit(reading, ways_[i]);
    if (!found) return std::nullopt;
    const llvm::APInt& before = found->at_end ? larger(found->values.high, from.high) : found->values.high;
    if ((before + by.high).sgt(end)) return std::nullopt;
    if (by.low.isZero()) continue;
    moves.on[i] = true;
    if (found->values.high.slt(from.low)) continue;
    const llvm::APInt distance = found->values.high - from.low;
    const bool is_vague = from.is_vague() || found->values.is_vague();
    if (is_vague && distance.uge(static_cast<uint64_t>(useless_distance))) return std::nullopt;
    moves.most = larger(moves.most, distance.udiv(step) + (found->at_end ? 0 : 1));
  }
  return moves;
}

// Of each counter, as it is read best.
std::vector<Moves> Distances::all_moves() const {
  std::vector<std::optional<Moves>> best(counters_.size());
  const auto look_at = [&](const Tests& tests) {
    for (const Test& test : tests) {
      const size_t counter = test.sum.counter;
      if (counters_[counter] == nullptr) continue;
      for (const bool is_signed : {true, false}) {
        for (const bool falls : {false, true}) {
          auto found = moves({test.sum, is_signed, falls});
          if (found && (!best[counter] || found->most.slt(best[counter]->most))) best[counter] = std::move(found);
        }
      }
    }
  };
  look_at(tests_);
  for (const Way& way : ways_) look_at(way.guards);
  std::vector<Moves> result;
  for (auto& moves : best) {
    if (moves) result.push_back(std::move(*moves));
  }
  return result;
}

bool Distances::cover(const std::vector<const Moves*>& moves) const {
  for (size_t i = 0; i < ways_.size(); ++i) {
    if (llvm::none_of(moves, [i](const Moves* of) { return of->on[i]; })) return false;
  }
  return true;
}

// Counters that are not needed are left out, those with most moves first.
std::optional<int64_t> Distances::count() {
  find_counters();
  find_tests();
  if (counters_.empty() || tests_.empty()) return std::nullopt;
  if (!find_ways()) {
    drop_others();
    if (!find_ways()) return std::nullopt;
  }
  std::vector<Moves> all = all_moves();
  std::stable_sort(all.begin(), all.end(), [](const Moves& a, const Moves& b) { return a.most.sgt(b.most); });
  std::vector<const Moves*> needed;
  for (const Moves& moves : all) needed.push_back(&moves);
  if (!cover(needed)) return std::nullopt;
  for (size_t i = 0; i < needed.size();) {
    const Moves* left_out = needed[i];
    needed.erase(needed.begin() + static_cast<std::ptrdiff_t>(i));
    if (cover(needed)) continue;
    needed.insert(needed.begin() + static_cast<std::ptrdiff_t>(i), left_out);
    ++i;
  }
  llvm::APInt turns(wide, 1);
  for (const Moves* moves : needed) turns += moves->most;
  if (turns.getActiveBits() > 62) return std::nullopt;
  return static_cast<int64_t>(turns.getZExtValue());
}

}  // namespace

std::optional<int64_t> trips_by_distances(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                          const llvm::DominatorTree& dominators, const ValueRanges& ranges) {
  if (loop.getLoopLatch() == nullptr) return std::nullopt;
  return Distances(loop, loops, dominators, ranges).count();
}

}  // namespace warpspan::lift
