// SPDX-License-Identifier: GPL-3.0-or-later
// How far floating-point numbers may move from one lane of a warp to the next: what is left of an index that is
// computed with them, as that of an image that is resized. The theorem and its proof open real_steps.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "frontend/lift/values/lane_steps.hpp"
#include "ir/semantics.hpp"

namespace warpspan::lift {

// Steps and slack of real numbers, and the range in which they are; all in units of 2^-20, of which the numbers need be
// no multiples.
struct RealSteps {
  static constexpr int unit_bits = 20;

  LaneSteps steps;
  int64_t lowest = 0, highest = 0;
};

// A number of 32 or 64 bits: mantissa * 2^exponent.
struct ExactFloat {
  int64_t mantissa = 0;
  int exponent = 0;
};
// Nothing if the bits are none of a finite number.
std::optional<ExactFloat> exact_float(uint64_t value, unsigned bits);

// Each nothing where something does not fit. What is rounded is rounded once, to 32 bits or more, in any direction.
std::optional<RealSteps> reals_of(const ExactFloat& constant);
std::optional<RealSteps> reals_of(const LaneSteps& integers, int64_t lowest, int64_t highest);
std::optional<RealSteps> sum(const RealSteps& a, const RealSteps& b);
RealSteps negative(const RealSteps& a);
std::optional<RealSteps> product(const RealSteps& a, const ExactFloat& factor);
std::optional<RealSteps> rounded(const RealSteps& a);
RealSteps smaller(const RealSteps& a, const RealSteps& b);
// Whole numbers, rounded so; the integers are in [lowest, highest].
struct WholeSteps {
  LaneSteps steps;
  int64_t lowest = 0, highest = 0;
};
WholeSteps whole(const RealSteps& a, ir::Rounding rounding);

}  // namespace warpspan::lift
