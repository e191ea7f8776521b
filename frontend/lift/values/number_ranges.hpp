// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges of numbers, by what they are computed from.
#pragma once

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <functional>

namespace warpspan::lift {

// Unsigned or signed range of a value, wherever it is computed.
using RangeOf = std::function<llvm::ConstantRange(llvm::Value&, bool is_signed)>;

// The range that `known` has of a number, cut by what the operations that compute it make of the ranges of their
// operands: those of a quotient and a remainder, with the sign that a selection gives it.
llvm::ConstantRange range_of_number(llvm::Value& value, bool is_signed, const RangeOf& known);

// Whether numbers of the range, so far from each other at most, are not on both sides of the end of their type, which
// holds the distance.
bool is_clear_of_end(const llvm::ConstantRange& range, uint64_t distance, bool is_signed);

}  // namespace warpspan::lift
