// SPDX-License-Identifier: GPL-3.0-or-later
// Counters that go down to zero and stay there, as the iterators of Numba do.
#pragma once

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Value.h>

namespace warpspan::lift {

// x, where the value is x less one while x, signed, is above zero, and x else: x + (x > 0 ? -1 : 0). Otherwise null.
const llvm::Value* saturated_counter(const llvm::Value& value);

// What that makes of numbers: a smaller one never becomes the larger of two.
llvm::ConstantRange saturated_decrement(const llvm::ConstantRange& numbers);

}  // namespace warpspan::lift
