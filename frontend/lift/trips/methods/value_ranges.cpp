// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let S_1 hold every value of the header's phis when the loop is entered, and S_{k+1} every value that they
// have at the next header if they have one of S_k and no exit is taken. If some exit that every iteration passes is
// taken for all values of S_k, the header runs k times at most.
//
// Proof. By induction the phis have a value of S_k whenever the header runs for the k-th time: S_{k+1} holds all that
// can come. So it does not run once more. QED.
//
// S_k is a range for each phi. What is computed from them in the iteration is evaluated with ranges, in an order in
// which operands come first; a value chosen between paths has the union of them; what changes in a loop inside this
// one, and what is no integer arithmetic, has the range it has wherever it is computed. An exit that every iteration
// passes narrows the ranges of what it compares to those for which it is not taken: what is computed behind it, and
// what the phis have next, uses these. x - min(x, y), unsigned, is x - y or 0 if that is negative: it does not wrap,
// which the ranges of its operands alone do not give. Any of it may be wider than need be.
//
// Where that finds nothing it is done again by paths: a block outside of inner loops is only come to by edges from
// blocks that are come to, which the range of the branch's condition allows, and a value chosen between paths has the
// values that come by such edges; the iteration is computed once more with what its exits have left of the phis. Where
// that does not help either S_1 is split in two, by the sign of one phi: the header runs as often as with one part or
// the other. So a number that is shifted right with its sign becomes 0 or -1, which a single range does not separate
// from what lies between.

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/lift/trips/methods/iteration_ranges.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

namespace {

using llvm::ConstantRange;

constexpr int64_t most_evaluations_of_a_loop = 200'000;
constexpr int64_t first_look = 64;         // iterations before it is asked how far the comparisons are
constexpr int64_t steady_iterations = 16;  // iterations alike, after which those that come near nothing are given up

using Gap = IterationRanges::Gap;
using Gaps = std::vector<Gap>;

// By how much each distance is smaller now; nothing before there is one to compare with.
Gaps gains(const Gaps& before, const Gaps& now) {
  Gaps all;
  for (size_t i = 0; i < now.size() && i < before.size(); ++i) all.push_back(before[i] - now[i]);
  return all;
}

// Whether no comparison gets so much nearer to another outcome in `iterations` iterations that `left` more could
// suffice. Said of a loop that does end soon, it would stay without a bound: nothing else depends on it.
bool seem_too_far(const Gaps& before, const Gaps& now, int64_t iterations, int64_t left) {
  for (size_t i = 0; i < now.size(); ++i) {
    if ((before[i] < 0) != (now[i] < 0)) return false;
    const Gap gained = now[i] < 0 ? now[i] - before[i] : before[i] - now[i];
    const Gap far = now[i] < 0 ? -now[i] : now[i];
    if (gained > 0 && far / (left / iterations + 1) <= gained) return false;
  }
  return true;
}

// The most iterations from those that the phis begin with; nothing if they are not found with the budget.
std::optional<int64_t> follow(IterationRanges& iteration, int64_t& budget) {
  const int64_t cost = iteration.evaluations();
  const int64_t most = std::min(budget, most_evaluations_of_a_loop) / cost;
  Gaps before, last, gained;
  int64_t steady = 0;  // iterations one after another in which all gaps have changed as in the one before
  for (int64_t k = 1; k <= most; ++k) {
    budget -= cost;
    if (!iteration.run()) return k;
    if (!iteration.advance()) return std::nullopt;
    if (k < first_look) {
      Gaps here = iteration.gaps();
      Gaps gain = gains(last, here);
      steady = gain == gained ? steady + 1 : 0;
      if (steady >= steady_iterations && seem_too_far(last, here, 1, most - k)) return std::nullopt;
      last = std::move(here);
      gained = std::move(gain);
      continue;
    }
    if (!std::has_single_bit(static_cast<uint64_t>(k))) continue;
    Gaps now = iteration.gaps();
    if (k > first_look && seem_too_far(before, now, k / 2, most - k)) return std::nullopt;
    before = std::move(now);
  }
  return std::nullopt;
}

std::optional<int64_t> follow_from(std::vector<ConstantRange> starts, IterationRanges& iteration, int64_t& budget) {
  iteration.begin(std::move(starts));
  return follow(iteration, budget);
}

std::optional<int64_t> count_by_sign(IterationRanges& iteration, int64_t& budget) {
  const std::vector<ConstantRange> whole = iteration.at_entry();
  for (size_t i = 0; i < whole.size(); ++i) {
    const unsigned bits = whole[i].getBitWidth();
    const llvm::APInt zero = llvm::APInt::getZero(bits), least = llvm::APInt::getSignedMinValue(bits);
    if (bits == 1 || !whole[i].getSignedMin().isNegative() || whole[i].getSignedMax().isNegative()) continue;
    std::optional<int64_t> most = 0;
    for (const ConstantRange& sign : {ConstantRange(zero, least), ConstantRange(least, zero)}) {
      std::vector<ConstantRange> part = whole;
      part[i] = whole[i].intersectWith(sign);
      const auto found = most ? follow_from(std::move(part), iteration, budget) : std::nullopt;
      most = found ? std::optional(std::max(*most, *found)) : std::nullopt;
    }
    if (most) return most;
  }
  return std::nullopt;
}

}  // namespace

// Nothing too if the budget does not suffice, which it takes from.
std::optional<Trips> trips_by_value_ranges(const TripContext& context) {
  for (const bool by_paths : {false, true}) {
    IterationRanges iteration(context, by_paths);
    if (!iteration.build()) continue;
    if (const auto found = follow_from(iteration.at_entry(), iteration, context.range_budget)) return at_most(found);
    if (!by_paths) continue;
    if (const auto found = count_by_sign(iteration, context.range_budget)) return at_most(found);
  }
  return std::nullopt;
}

}  // namespace warpspan::lift
