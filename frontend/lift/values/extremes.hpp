// SPDX-License-Identifier: GPL-3.0-or-later
// Selections of the smaller or the larger of two numbers, and of absolute values.
#pragma once

#include <llvm/IR/Value.h>

#include <optional>

namespace warpspan::lift {

struct Extreme {
  llvm::Value *a = nullptr, *b = nullptr;
  bool is_least = false, is_signed = false;  // the smaller one; as numbers with a sign
};

// Nothing if the value is no such selection.
std::optional<Extreme> extreme_of(const llvm::Value& value);

// The number whose absolute value it is; null if it is none.
llvm::Value* signed_number(llvm::Value& value);

}  // namespace warpspan::lift
