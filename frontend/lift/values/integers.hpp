// SPDX-License-Identifier: GPL-3.0-or-later
// Integers of LLVM with up to 64 bits, as numbers.
#pragma once

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Value.h>

#include <cstdint>

namespace warpspan::lift {

// Of such an integer; 0 for all else.
inline unsigned bits_of(const llvm::Value& value) {
  const auto* type = llvm::dyn_cast<llvm::IntegerType>(value.getType());
  return type == nullptr || type->getBitWidth() > 64 ? 0 : type->getBitWidth();
}

// So many of the lowest bits, set.
constexpr uint64_t low_ones(unsigned bits) { return bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1; }

// So many of the lowest bits as a number with sign; at least one.
constexpr int64_t signed_value(uint64_t value, unsigned bits) {
  const unsigned unused = 64 - bits;
  return static_cast<int64_t>(value << unused) >> unused;
}

// How far it is from 0.
constexpr uint64_t size_of(int64_t a) { return a < 0 ? -static_cast<uint64_t>(a) : static_cast<uint64_t>(a); }

}  // namespace warpspan::lift
