// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of multiples of variables that take all values of a box, and how large they get.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpspan::lift {

// Each variable takes the values 0..count-1, whatever the others are; count is at least 1.
struct Box {
  std::vector<int64_t> counts;
};

// constant + sum of terms[v] * variable v; as many terms as the box has variables.
struct LinearForm {
  int64_t constant = 0;
  std::vector<int64_t> terms;

  friend bool operator==(const LinearForm&, const LinearForm&) = default;
};

// Both ends belong to it.
struct Interval {
  int64_t least = 0, most = 0;

  friend bool operator==(const Interval&, const Interval&) = default;
};

// The values of a form in a box; nothing where they do not fit 64 bits.
std::optional<Interval> values_of(const LinearForm& form, const Box& box);

// An interval with all values that a form takes at those points of the box where each of the conditions is at most 0.
// It may be wider than need be. Nothing if the values of the form in the box do not fit 64 bits, or there are none.
std::optional<Interval> values_under(const LinearForm& form, const Box& box, const std::vector<LinearForm>& conditions);

// a - factor * b; nothing where a number does not fit 64 bits.
std::optional<LinearForm> minus_multiple(const LinearForm& a, int64_t factor, const LinearForm& b);

}  // namespace warpspan::lift
