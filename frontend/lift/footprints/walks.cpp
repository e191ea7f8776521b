// SPDX-License-Identifier: GPL-3.0-or-later
// Let the accesses of a thread in an iteration of a loop begin in an interval of W + 1 bytes, s further in each
// iteration than in the one before, N of them each time the loop is entered, E times; in any order within an iteration,
// and not all of them in each. A visit of a line are all requests for it from one entry of the loop to the next.
//
// Theorem. There are at most E min(1 + ceil((W + |s| (N - 1)) / 128), N (1 + ceil(W / 128))) visits, and at a time at
// most 1 + ceil(W / 128) that have begun and not ended.
// Proof. An interval of n + 1 bytes is in at most 1 + ceil(n / 128) lines. In one entry a line is asked for only in
// iterations whose interval meets it. These follow one another, as the interval moves one way, and all lie in one of
// W + |s| (N - 1) + 1 bytes: that counts visits. A visit that has begun and not ended after some request of an
// iteration was made in it or before it, and will be in it or behind it, of one entry: its line meets the interval of
// that iteration. QED
#include "frontend/lift/footprints/walks.hpp"

#include <algorithm>
#include <cstdlib>

#include "ir/sizes.hpp"
#include "support/checked.hpp"

namespace warpspan::lift {

using support::Integer;

namespace {

// That an interval of so many bytes and one more is in.
Integer lines_of_interval(const Integer& bytes) { return ceil_divide(bytes, ir::memory_line_bytes) + 1; }

}  // namespace

std::optional<Visits> visits_of(const Steps& steps) {
  if (steps.stride == INT64_MIN) return std::nullopt;
  const Integer open = lines_of_interval(steps.width);
  const Integer row = lines_of_interval(Integer(std::abs(steps.stride)) * (steps.iterations - 1) + steps.width);
  const auto all = (min(row, open * steps.iterations) * steps.entries).value();
  const auto most = open.value();
  return all && most ? std::optional(Visits{*all, *most}) : std::nullopt;
}

}  // namespace warpspan::lift
