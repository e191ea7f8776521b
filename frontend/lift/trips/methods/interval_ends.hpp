// SPDX-License-Identifier: GPL-3.0-or-later
// Two numbers, the ends of an interval, and what is computed from them with additions, subtractions and halves.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace warpspan::lift {

// low * (the one end) + high * (the other) + constant + half_sign * half, modulo 2^w. The half is of another number.
struct Terms {
  int64_t low = 0, high = 0, constant = 0;
  const llvm::Value* half = nullptr;
  int64_t half_sign = 0;
};

// What both are called where they are spoken of, and other values that are sums of them.
struct IntervalEnds {
  const llvm::Value* low = nullptr;
  const llvm::Value* high = nullptr;
  llvm::SmallVector<std::pair<const llvm::Value*, Terms>, 2> sums = {};
};

// Nothing if it is computed otherwise.
std::optional<Terms> terms_of(const llvm::Value& value, const IntervalEnds& ends);

// Two phis of the header of a loop that has one latch, with the other phis of it that are sums of them in each
// iteration: when the loop is entered, and by what all become next.
IntervalEnds ends_of(const llvm::Loop& loop, const llvm::PHINode& low, const llvm::PHINode& high);

// The number that this one is the half of, if that is not negative: shifted, or with its sign bit added before, as
// divisions by 2 are compiled, or divided. It is floor(number / 2) then.
std::optional<Terms> whole_of(const llvm::Value& half, const IntervalEnds& ends);

// From least to most, signed.
struct Bounds {
  int64_t least = 0, most = 0;
};

// What a comparison implies of distance = high - low: it is at least `least`, or, if `is_unequal`, not least - 1. It
// implies so if what it compares fits its type: low + added_to_low and high + added_to_high, or direction * distance +
// added_to_distance.
struct DistanceTest {
  bool is_unequal = false;
  bool is_unsigned = false;
  int64_t least = 0;
  int64_t direction = 0;  // of a difference: 1 or -1; else 0
  int64_t added_to_low = 0, added_to_high = 0, added_to_distance = 0;

  // Whether it implies so for numbers of these bounds, of so many bits.
  bool holds_for(const Bounds& low, const Bounds& high, const Bounds& distance, unsigned bits) const;
};

// Nothing if it does not limit how far they are from each other.
std::optional<DistanceTest> distance_test(llvm::CmpInst::Predicate predicate, const llvm::Value& a,
                                          const llvm::Value& b, const IntervalEnds& ends);

}  // namespace warpspan::lift
