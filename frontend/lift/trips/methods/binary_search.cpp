// SPDX-License-Identifier: GPL-3.0-or-later
// Let low and high be two phis of the header, of w bits, read as signed numbers, and d = high - low without wrapping.
// In each iteration that another one follows, let (low, high) become one of
//
//   low:  (low + floor((d + u) / 2) + a, high)        u and a each 0 or 1
//   high: (low, low + floor((d + u) / 2) - b)         u and b each 0 or 1,
//
// so that d becomes L(d) = d - floor((d + u) / 2) - a, or H(d) = floor((d + u) / 2) - b. Let M(d) be the most of what
// the paths of the loop make of d, and m(d) the least: neither falls as d rises. Let the loop go on only while d >= t,
// or while d != t - 1, of the phis, or of what they are next.
//
// Let low and high be at least A and at most B when the loop is entered, d at least e then, and f be t, or the least of
// t and e if the test is of the next values: no iteration that another one follows, or the first, begins with less. Let
//   f >= 0, and for "d != t - 1" m(f) >= t - 1 and, if the phis are tested, e >= t - 1.
//
// Theorem. Let D be B - A at most, and n the number of times that M can be applied to D until it is less than t. If
// that is finite and nothing wraps that is computed, the header runs n + 1 times at most if the phis are tested, and n
// times, but once at least, if what they are next is; with D < t that is 1 + the n of M(D).
//
// Proof. In an iteration that begins with f <= d, A <= low <= high <= B holds: only what low or high become may be
// outside, at most M(d) <= t - 1 apart, and then no other iteration comes. So one of both steps above is made,
// whichever it is. By induction d is never above what M makes of D, as M does not fall; "d != t - 1" is the same as d
// >= t, as d is never below t - 1: at least m(f) once an iteration has been made, and e before. An iteration with d >=
// t comes n times at most; the only other one is a last one that begins with the test, or a first one that ends with
// it. QED.
//
// What is computed does not wrap:
//   The half of a sum, low + high + u: it is at most 2 B - f + u, which has to be below 2^(w-1), and at least 2 A + f,
//   which must not be negative: then all forms of halving it agree. (low <= high <= B with d >= f.) The half of a
//   difference, d + u: between f and B - A + u, which has to be below 2^(w-1). The new low is at most B + 1, as
//   floor((d + u) / 2) + a <= d + 1, and B if f = d > 0 and not both u and a are 1; the new high is at least A - 1.
//   What is tested: these and constants; the signed test is of the numbers themselves if they fit. One without a sign
//   implies the same if they are not negative either: at the entry, and behind each iteration, where high is at least A
//   + H(f) and d at least m(f).

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <vector>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/methods/interval_ends.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

namespace {

using llvm::PHINode;
using llvm::Value;

constexpr int deepest = 8;
constexpr int most_paths = 64;

// What an iteration makes of one of both ends; the other one stays.
struct Path {
  bool moves_low = false;
  bool halves_sum = false;  // else the difference
  int64_t rounding = 0;     // u
  int64_t beyond = 0;       // a or b

  int64_t half(int64_t distance) const { return (distance + rounding) / 2; }
  int64_t next_distance(int64_t distance) const {
    return (moves_low ? distance - half(distance) : half(distance)) - beyond;
  }
};
using Paths = std::vector<Path>;

int64_t least_next(const Paths& paths, int64_t distance) {
  int64_t least = INT64_MAX;
  for (const Path& path : paths) least = std::min(least, path.next_distance(distance));
  return least;
}

int64_t most_next(const Paths& paths, int64_t distance) {
  int64_t most = INT64_MIN;
  for (const Path& path : paths) most = std::max(most, path.next_distance(distance));
  return most;
}

// Where the middle stands, if `value` is it, and what is added to it: low + floor((distance + rounding) / 2) + beyond.
std::optional<Path> middle(const Value& value, const IntervalEnds& ends) {
  const auto terms = terms_of(value, ends);
  const auto whole = terms && terms->half != nullptr ? whole_of(*terms->half, ends) : std::nullopt;
  if (!whole || whole->high != 1 || whole->constant < 0 || whole->constant > 1) return std::nullopt;
  const auto is = [&](int64_t low, int64_t high, int64_t half) {
    return terms->low == low && terms->high == high && terms->half_sign == half;
  };
  Path path{.halves_sum = whole->low == 1, .rounding = whole->constant, .beyond = terms->constant};
  if (path.halves_sum) return is(0, 0, 1) ? std::optional(path) : std::nullopt;
  if (whole->low != -1) return std::nullopt;
  if (is(1, 0, 1)) return path;
  if (!is(0, 1, -1)) return std::nullopt;
  path.rounding = 1 - path.rounding;  // high - floor((d + u) / 2) is low + floor((d + 1 - u) / 2)
  return path;
}

class Search {
 public:
  Search(const LoopContext& context, PHINode& low, PHINode& high)
      : context_(context), ends_(ends_of(context.loop, low, high)) {}

  // Those of each iteration that another one follows; none if there are others.
  Paths paths(const Comparisons& of_every_iteration);
  const IntervalEnds& ends() const { return ends_; }

 private:
  bool is_own(const Value& value) const;
  std::optional<Path> path(const Value& low, const Value& high) const;
  bool add_paths(Value& low, Value& high, const Comparisons& known, int depth);
  bool add_parts(Value& split, Value& low, Value& high, const Comparisons& known, int depth);

  const LoopContext& context_;
  const IntervalEnds ends_;
  Paths found_;
  int budget_ = most_paths;
};

// Whether it has one value in an iteration.
bool Search::is_own(const Value& value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr) return true;
  return llvm::none_of(context_.loop.getSubLoops(),
                       [&](const llvm::Loop* inner) { return inner->contains(instruction); });
}

std::optional<Path> Search::path(const Value& low, const Value& high) const {
  if (&high == ends_.high) {
    auto found = middle(low, ends_);
    if (!found || found->beyond < 0 || found->beyond > 1) return std::nullopt;
    found->moves_low = true;
    return found;
  }
  if (&low != ends_.low) return std::nullopt;
  auto found = middle(high, ends_);
  if (!found || found->beyond < -1 || found->beyond > 0) return std::nullopt;
  found->beyond = -found->beyond;
  return found;
}

// What decides a select, and for which value of it the first of both is chosen.
struct Decision {
  Value* condition = nullptr;
  bool when = true;
};

Decision decision_of(llvm::SelectInst& select) {
  Decision decision{select.getCondition()};
  while (llvm::PatternMatch::match(decision.condition,
                                   llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value(decision.condition)))) {
    decision.when = !decision.when;
  }
  return decision;
}

// Selects by the same condition, negated or not, and phis of the same block, choose jointly.
bool Search::add_parts(Value& split, Value& low, Value& high, const Comparisons& known, int depth) {
  if (!is_own(split)) return false;
  const auto add = [&](Value& part_low, Value& part_high, const Comparisons& of_part) {
    Comparisons all = known;
    for (const Comparison& comparison : of_part) {
      if (is_own(*comparison.a) && is_own(*comparison.b)) all.push_back(comparison);
    }
    return contradict(all) || add_paths(part_low, part_high, all, depth + 1);
  };
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&split)) {
    const Decision decision = decision_of(*select);
    const auto part = [&](Value& end, bool value) -> Value& {
      auto* of = llvm::dyn_cast<llvm::SelectInst>(&end);
      if (of == nullptr || !is_own(*of)) return end;
      const Decision other = decision_of(*of);
      if (other.condition != decision.condition) return end;
      return value == other.when ? *of->getTrueValue() : *of->getFalseValue();
    };
    for (const bool value : {true, false}) {
      Comparisons implied;
      add_comparisons(*decision.condition, value, context_.dominators, implied);
      if (!add(part(low, value), part(high, value), implied)) return false;
    }
    return true;
  }
  auto* phi = llvm::dyn_cast<PHINode>(&split);
  if (phi == nullptr) return false;
  for (const llvm::BasicBlock* from : phi->blocks()) {
    const auto part = [&](Value& end) -> Value& {
      auto* of = llvm::dyn_cast<PHINode>(&end);
      return of != nullptr && of->getParent() == phi->getParent() ? *of->getIncomingValueForBlock(from) : end;
    };
    const Comparisons implied =
        comparisons_on_edge(*from, *phi->getParent(), *context_.loop.getHeader(), context_.dominators);
    if (!add(part(low), part(high), implied)) return false;
  }
  return true;
}

bool Search::add_paths(Value& low, Value& high, const Comparisons& known, int depth) {
  if (const auto one = path(low, high)) {
    found_.push_back(*one);
    return true;
  }
  if (depth > deepest || --budget_ < 0) return false;
  // What is chosen last first: what chose before stands above.
  const auto* of_low = llvm::dyn_cast<llvm::Instruction>(&low);
  const auto* of_high = llvm::dyn_cast<llvm::Instruction>(&high);
  const auto is_chosen = [&](const llvm::Instruction* end) {
    if (end == nullptr || !context_.loop.contains(end)) return false;
    return llvm::isa<llvm::SelectInst>(end) ||
           (llvm::isa<PHINode>(end) && end->getParent() != context_.loop.getHeader());
  };
  const bool low_splits = is_chosen(of_low), high_splits = is_chosen(of_high);
  if (!low_splits && !high_splits) return false;
  const bool high_is_later = low_splits && high_splits && context_.dominators.dominates(of_low, of_high);
  return add_parts(low_splits && !high_is_later ? low : high, low, high, known, depth);
}

Paths Search::paths(const Comparisons& of_every_iteration) {
  Comparisons known;
  for (const Comparison& comparison : of_every_iteration) {
    if (is_own(*comparison.a) && is_own(*comparison.b)) known.push_back(comparison);
  }
  const auto next = [&](const Value* end) -> Value& {
    return *llvm::cast<PHINode>(end)->getIncomingValueForBlock(context_.loop.getLoopLatch());
  };
  return add_paths(next(ends_.low), next(ends_.high), known, 0) ? std::move(found_) : Paths();
}

constexpr int64_t farthest = int64_t{1} << 60;  // that numbers may be from 0, so that sums of them fit 64 bits

std::optional<Bounds> bounds(const llvm::ConstantRange& range) {
  if (range.isEmptySet()) return std::nullopt;
  const Bounds found{range.getSignedMin().getSExtValue(), range.getSignedMax().getSExtValue()};
  return found.least < -farthest || found.most > farthest ? std::nullopt : std::optional(found);
}

// The ends when the loop is entered.
struct Entry {
  Bounds low, high, distance;
  unsigned bits = 0;
};

// With what the branches that lead to the loop imply of how far they are apart.
std::optional<Entry> entry(const LoopContext& context, const PHINode& low, const PHINode& high) {
  const auto lows = bounds(range_on_entry(low, context));
  const auto highs = bounds(range_on_entry(high, context));
  if (!lows || !highs) return std::nullopt;
  Entry found{
      *lows, *highs, {highs->least - lows->most, highs->most - lows->least}, low.getType()->getIntegerBitWidth()};
  const Bounds all = found.distance;
  const llvm::BasicBlock& header = *context.loop.getHeader();
  int64_t least = INT64_MAX;
  for (const llvm::BasicBlock* from : low.blocks()) {
    if (context.loop.contains(from)) continue;
    const IntervalEnds ends{low.getIncomingValueForBlock(from), high.getIncomingValueForBlock(from)};
    int64_t here = all.least;
    const llvm::BasicBlock& first = header.getParent()->getEntryBlock();
    for (const Comparison& implied : comparisons_on_edge(*from, header, first, context.dominators)) {
      const auto test = distance_test(implied.predicate, *implied.a, *implied.b, ends);
      if (!test || test->is_unequal || !test->holds_for(found.low, found.high, all, found.bits)) continue;
      here = std::max(here, test->least);
    }
    least = std::min(least, here);
  }
  found.distance.least = least;
  return found;
}

// The theorem; with `of_phis` the phis are tested, else what they are next.
std::optional<int64_t> iterations(const Paths& paths, const Entry& entry, const DistanceTest& test, bool of_phis) {
  const int64_t last = llvm::APInt::getSignedMaxValue(entry.bits).getSExtValue();
  const int64_t least_low = entry.low.least, most_high = entry.high.most;
  const int64_t first = of_phis ? test.least : std::min(test.least, entry.distance.least);
  if (first < 0 || first > farthest) return std::nullopt;
  if (test.is_unequal) {
    if (least_next(paths, first) < test.least - 1) return std::nullopt;
    if (of_phis && entry.distance.least < test.least - 1) return std::nullopt;
  }
  int64_t past_high = 0;
  int64_t least_high = least_low + first;
  for (const Path& path : paths) {
    const bool fits = path.halves_sum ? 2 * least_low + first >= 0 && 2 * most_high - first + path.rounding <= last
                                      : most_high - least_low + path.rounding <= last;
    if (!fits) return std::nullopt;
    if (path.moves_low) past_high = std::max(past_high, path.half(first) + path.beyond - first);
    if (!path.moves_low) least_high = std::min(least_high, least_low + path.half(first) - path.beyond);
  }
  const Bounds lows{least_low, most_high + past_high}, highs{least_high, most_high};
  if (lows.most > last || highs.least < -last) return std::nullopt;
  const Bounds apart{least_next(paths, first), std::max(entry.distance.most, most_next(paths, first))};
  if (!test.holds_for(lows, highs, apart, entry.bits)) return std::nullopt;
  if (of_phis && !test.holds_for(entry.low, entry.high, entry.distance, entry.bits)) return std::nullopt;
  int64_t halvings = 0;
  for (int64_t distance = entry.distance.most; distance >= test.least; ++halvings) {
    const int64_t next = most_next(paths, distance);
    if (next >= distance) return std::nullopt;
    distance = next;
  }
  return of_phis ? halvings + 1 : std::max<int64_t>(halvings, 1);
}

}  // namespace

std::optional<Trips> trips_by_binary_search(const TripContext& context) {
  const llvm::Loop& loop = context.loop;
  if (loop.getLoopLatch() == nullptr) return std::nullopt;
  const Comparisons stays = comparisons_of_every_iteration(context);
  std::optional<int64_t> best;
  for (PHINode& low : loop.getHeader()->phis()) {
    for (PHINode& high : loop.getHeader()->phis()) {
      if (&low == &high || low.getType() != high.getType() || !low.getType()->isIntegerTy()) continue;
      const unsigned bits = low.getType()->getIntegerBitWidth();
      if (bits < 8 || bits > 64) continue;
      Search search(context, low, high);
      const Paths paths = search.paths(stays);
      if (paths.empty()) continue;
      const auto at_entry = entry(context, low, high);
      if (!at_entry) continue;
      const IntervalEnds next{low.getIncomingValueForBlock(loop.getLoopLatch()),
                              high.getIncomingValueForBlock(loop.getLoopLatch())};
      for (const Comparison& comparison : stays) {
        for (const bool of_phis : {true, false}) {
          const auto test =
              distance_test(comparison.predicate, *comparison.a, *comparison.b, of_phis ? search.ends() : next);
          const auto found = test ? iterations(paths, *at_entry, *test, of_phis) : std::nullopt;
          if (found && (!best || *found < *best)) best = found;
        }
      }
    }
  }
  return at_most(best);
}

}  // namespace warpspan::lift
