// SPDX-License-Identifier: GPL-3.0-or-later
// Let a loop have one latch, and its header run T times. Iterations 1 to T - 1 are followed by another one: their exits
// are not taken, so that what they imply of an iteration that stays is true. A path is a choice of what selects and
// joins of an iteration give (iteration_paths.cpp). Let y be a phi of the header plus a sum of numbers that do not
// change in the loop, y_k its value in iteration k, and let on each path y_{k+1} = y_k + d modulo 2^w, with d from an
// interval that is known. Numbers are read as signed or as unsigned ones; a counter that falls is treated as one that
// rises with its negative values.
//
// Let y_1 >= a, and on every path either d = 0, or d >= 0 and one of these hold in iterations before T:
//   begin: y_k <= m;       and m + d does not wrap
//   end:   y_{k+1} <= m;   and max(m, y_1) + d does not wrap.
// Let s be the smallest lower end of d that is above 0. An iteration on a path with d >= s is called a move of y.
//
// Theorem. Among iterations 1 to T - 1 are at most N = floor((m - a) / s) moves of y, m being the largest of all paths
// with a move, and one more if some of these have "begin" only, and none if m < a. If each path is a move of some of
// several counters, T is 1 + the sum of their N at most.
//
// Proof. Without wrapping y never falls: for "begin" because y_k <= m, for "end" because y_k <= m by iteration k - 1 if
// that had "end" too, as an exit that every iteration passes has it on all paths, or k = 1. Before the j-th move y is
// at least a + (j - 1) s, and after it at least a + j s; the former is m at most with "begin", the latter with "end".
// Each of the T - 1 iterations is a move of one of them. QED.
//
// All values of y at the header are from a up to the larger of y_1 and, of all paths on which it changes, m + d with
// "begin" and m with "end".
//
// "Not equal" is "below" where y cannot jump over the limit: d is 0 or 1 on all paths, the limit l does not change, and
// y_1 <= l, and for "end" y_1 < l; and each path with d = 1 has y_k != l, or y_{k+1} != l, or that y_k is less. By
// induction y_k <= l, so that y_k != l is y_k <= l - 1.
//
// "End" is taken from exits that every iteration passes, "begin" also from the branches that lead to where the path is
// chosen: these hold in that iteration. The smallest limit that is known for a path counts.

#include <algorithm>
#include <vector>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/methods/iteration_paths.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

namespace {

using llvm::ConstantRange;
using llvm::PHINode;
using llvm::Value;
using Predicate = llvm::CmpInst::Predicate;

const llvm::APInt& larger(const llvm::APInt& a, const llvm::APInt& b) { return a.sgt(b) ? a : b; }

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

// What a path that changes a counter does with it.
struct Change {
  Span by;
  Limit limit;
};

// The moves of one counter.
struct Moves {
  std::vector<bool> on;  // by path
  llvm::APInt most;
};

class SeveralCounters {
 public:
  explicit SeveralCounters(const LoopContext& context) : context_(context), paths_(context) {}

  // False if there is nothing to look at, or too much.
  bool find() { return paths_.find(); }
  std::optional<int64_t> count() const;
  // Phis of the header, and values that they stay among in all iterations, as each goes in one direction until a limit.
  std::vector<std::pair<const Value*, ConstantRange>> ranges() const;

 private:
  ConstantRange range_of_limit(Value& value) const {
    return paths_.is_fixed(value) ? paths_.at_entry(value) : context_.ranges(value);
  }

  Span start(const Reading& reading) const;
  Span change(const Reading& reading, const Path& path) const;
  bool keeps_off(const Reading& reading, const Path& path, const Value& limit) const;
  std::optional<Limit> limit(const Reading& reading, const Test& test, bool of_every_iteration) const;
  std::optional<Limit> limit(const Reading& reading, const Path& path) const;
  std::optional<std::vector<std::optional<Change>>> changes(const Reading& reading, const Span& from) const;
  std::optional<Moves> moves(const Reading& reading) const;
  std::optional<ConstantRange> values(const Reading& reading) const;
  std::vector<Moves> all_moves() const;
  bool cover(const std::vector<const Moves*>& moves) const;

  const LoopContext& context_;
  IterationPaths paths_;
};

Span SeveralCounters::start(const Reading& reading) const {
  const PHINode& phi = *paths_.counters()[reading.sum.counter];
  ConstantRange range = range_on_entry(phi, context_);
  for (const auto& [addend, is_subtracted] : reading.sum.addends) {
    const ConstantRange by = paths_.at_entry(*addend);
    range = is_subtracted ? range.sub(by) : range.add(by);
  }
  if (range.isEmptySet()) range = ConstantRange::getFull(range.getBitWidth());
  const Span values = Span::of(range, reading.is_signed);
  return reading.falls ? values.mirrored() : values;
}

Span SeveralCounters::change(const Reading& reading, const Path& path) const {
  const Span& by = path.changes[reading.sum.counter];
  return reading.falls ? by.mirrored() : by;
}

// Whether an iteration that goes the path has the counter, as it begins, not at the limit, or below it.
bool SeveralCounters::keeps_off(const Reading& reading, const Path& path, const Value& limit) const {
  const Predicate below = reading.falls       ? (reading.is_signed ? Predicate::ICMP_SGT : Predicate::ICMP_UGT)
                          : reading.is_signed ? Predicate::ICMP_SLT
                                              : Predicate::ICMP_ULT;
  const auto excludes = [&](const Test& test) {
    return test.sum == reading.sum && !test.sum.is_next && test.limit == &limit &&
           (test.predicate == Predicate::ICMP_NE || test.predicate == below);
  };
  return llvm::any_of(path.guards, excludes) || llvm::any_of(paths_.tests(), excludes);
}

std::optional<Limit> SeveralCounters::limit(const Reading& reading, const Test& test, bool of_every_iteration) const {
  if (!(test.sum == reading.sum)) return std::nullopt;
  if (test.sum.is_next && !of_every_iteration) return std::nullopt;
  const ConstantRange range = range_of_limit(*test.limit);
  if (range.isEmptySet()) return std::nullopt;
  Limit limit{Span::of(range, reading.is_signed), test.sum.is_next};
  if (reading.falls) limit.values = limit.values.mirrored();
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
  if (predicate != Predicate::ICMP_NE || !paths_.is_fixed(*test.limit)) return std::nullopt;
  for (const Path& path : paths_.paths()) {
    const Span by = change(reading, path);
    if (by.low.isNegative() || by.high.sgt(1)) return std::nullopt;
    if (!of_every_iteration && !by.high.isZero() && !keeps_off(reading, path, *test.limit)) return std::nullopt;
  }
  const llvm::APInt highest = test.sum.is_next ? limit.values.low : limit.values.low + 1;
  return start(reading).high.sle(highest) ? std::optional(limit) : std::nullopt;
}

// The one that allows fewest moves.
std::optional<Limit> SeveralCounters::limit(const Reading& reading, const Path& path) const {
  std::optional<Limit> best;
  const auto look_at = [&](const Tests& tests, bool of_every_iteration) {
    for (const Test& test : tests) {
      const auto found = limit(reading, test, of_every_iteration);
      if (!found) continue;
      const bool is_better = !best || found->values.high.slt(best->values.high) ||
                             (found->values.high == best->values.high && found->at_end);
      if (is_better) best = found;
    }
  };
  look_at(paths_.tests(), true);
  look_at(path.guards, false);
  return best;
}

// By path; nothing if the counter may go back, or wrap.
std::optional<std::vector<std::optional<Change>>> SeveralCounters::changes(const Reading& reading,
                                                                           const Span& from) const {
  const unsigned bits = paths_.counters()[reading.sum.counter]->getType()->getIntegerBitWidth();
  const Span type = Span::of(ConstantRange::getFull(bits), reading.is_signed);
  const llvm::APInt end = reading.falls ? -type.low : type.high;
  std::vector<std::optional<Change>> all;
  for (const Path& path : paths_.paths()) {
    const Span by = change(reading, path);
    if (by.low.isNegative()) return std::nullopt;
    all.emplace_back();
    if (by.high.isZero()) continue;
    const auto found = limit(reading, path);
    if (!found) return std::nullopt;
    const llvm::APInt& before = found->at_end ? larger(found->values.high, from.high) : found->values.high;
    if ((before + by.high).sgt(end)) return std::nullopt;
    all.back() = Change{by, *found};
  }
  return all;
}

std::optional<Moves> SeveralCounters::moves(const Reading& reading) const {
  const Span from = start(reading);
  const auto all = changes(reading, from);
  if (!all) return std::nullopt;
  Moves moves{std::vector<bool>(all->size()), llvm::APInt(Span::bits, 0)};
  llvm::APInt step(Span::bits, 0);
  for (const auto& one : *all) {
    if (one && one->by.low.isStrictlyPositive() && (step.isZero() || one->by.low.slt(step))) step = one->by.low;
  }
  if (step.isZero()) return std::nullopt;
  for (size_t i = 0; i < all->size(); ++i) {
    if (!(*all)[i] || (*all)[i]->by.low.isZero()) continue;
    const Limit& limit = (*all)[i]->limit;
    moves.on[i] = true;
    if (limit.values.high.slt(from.low)) continue;
    const llvm::APInt distance = limit.values.high - from.low;
    const bool is_vague = from.is_vague() || limit.values.is_vague();
    if (is_vague && distance.uge(static_cast<uint64_t>(useless_distance))) return std::nullopt;
    moves.most = larger(moves.most, distance.udiv(step) + (limit.at_end ? 0 : 1));
  }
  return moves;
}

// What the counter can be at the header.
std::optional<ConstantRange> SeveralCounters::values(const Reading& reading) const {
  Span from = start(reading);
  const auto all = changes(reading, from);
  if (!all) return std::nullopt;
  for (const auto& one : *all) {
    if (one)
      from.high = larger(from.high, one->limit.values.high + (one->limit.at_end ? Span::zero().low : one->by.high));
  }
  const unsigned bits = paths_.counters()[reading.sum.counter]->getType()->getIntegerBitWidth();
  const Span span = reading.falls ? from.mirrored() : from;
  return ConstantRange::getNonEmpty(span.low.trunc(bits), span.high.trunc(bits) + 1);
}

std::vector<std::pair<const Value*, ConstantRange>> SeveralCounters::ranges() const {
  std::vector<std::pair<const Value*, ConstantRange>> found;
  for (size_t i = 0; i < paths_.counters().size(); ++i) {
    if (paths_.counters()[i] == nullptr) continue;
    Sum sum;
    sum.counter = i;
    for (const bool is_signed : {true, false}) {
      for (const bool falls : {false, true}) {
        if (const auto range = values({sum, is_signed, falls})) found.emplace_back(paths_.counters()[i], *range);
      }
    }
  }
  return found;
}

// The moves of each counter, in the reading that allows fewest.
std::vector<Moves> SeveralCounters::all_moves() const {
  std::vector<std::optional<Moves>> best(paths_.counters().size());
  const auto look_at = [&](const Tests& tests) {
    for (const Test& test : tests) {
      const size_t counter = test.sum.counter;
      if (paths_.counters()[counter] == nullptr) continue;
      for (const bool is_signed : {true, false}) {
        for (const bool falls : {false, true}) {
          auto found = moves({test.sum, is_signed, falls});
          if (found && (!best[counter] || found->most.slt(best[counter]->most))) best[counter] = std::move(found);
        }
      }
    }
  };
  look_at(paths_.tests());
  for (const Path& path : paths_.paths()) look_at(path.guards);
  std::vector<Moves> result;
  for (auto& moves : best) {
    if (moves) result.push_back(std::move(*moves));
  }
  return result;
}

bool SeveralCounters::cover(const std::vector<const Moves*>& moves) const {
  for (size_t i = 0; i < paths_.paths().size(); ++i) {
    if (llvm::none_of(moves, [i](const Moves* of) { return of->on[i]; })) return false;
  }
  return true;
}

// Counters that are not needed are left out, those with most moves first.
std::optional<int64_t> SeveralCounters::count() const {
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
  llvm::APInt iterations(Span::bits, 1);
  for (const Moves* moves : needed) iterations += moves->most;
  if (iterations.getActiveBits() > 62) return std::nullopt;
  return static_cast<int64_t>(iterations.getZExtValue());
}

}  // namespace

// Nothing too if 2^20 steps or more would only follow from a start or a limit of which as little is known. What the
// counters stay among is noted, found or not.
std::optional<Trips> trips_by_several_counters(const TripContext& context) {
  if (context.loop.getLoopLatch() == nullptr) return std::nullopt;
  SeveralCounters counters(context);
  if (!counters.find()) return std::nullopt;
  const auto trips = at_most(counters.count());
  for (const auto& [counter, range] : counters.ranges()) {
    const auto [entry, is_new] = context.counter_ranges.try_emplace(counter, range);
    if (!is_new) entry->second = entry->second.intersectWith(range);
  }
  return trips;
}

}  // namespace warpspan::lift
