// SPDX-License-Identifier: GPL-3.0-or-later
// Integers that cannot lie.
//
// A bound is a sum of products of trip counts, latencies and warp counts, and a wrapped sum would be a bound below a
// possible run. A checked integer carries a value and remembers whether anything that led to it has overflowed; the
// mark sticks, as NaN does in floating point, so a computation is written plainly and checked once, at its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace warpspan::support {

template <typename V>
class CheckedInteger {
 public:
  using Value = V;

  constexpr CheckedInteger() = default;
  constexpr CheckedInteger(int64_t value) : value_(value) {}  // NOLINT: an integer is an integer

  // The value, or nothing if an operation that led to it overflowed.
  constexpr std::optional<Value> value() const { return overflowed_ ? std::nullopt : std::optional<Value>(value_); }
  constexpr bool overflowed() const { return overflowed_; }
  // False if it overflowed.
  constexpr bool is_at_least(int64_t least) const { return !overflowed_ && value_ >= least; }

  friend constexpr CheckedInteger operator+(CheckedInteger a, CheckedInteger b) {
    CheckedInteger r;
    r.overflowed_ = __builtin_add_overflow(a.value_, b.value_, &r.value_) || a.overflowed_ || b.overflowed_;
    return r;
  }
  friend constexpr CheckedInteger operator-(CheckedInteger a, CheckedInteger b) {
    CheckedInteger r;
    r.overflowed_ = __builtin_sub_overflow(a.value_, b.value_, &r.value_) || a.overflowed_ || b.overflowed_;
    return r;
  }
  friend constexpr CheckedInteger operator*(CheckedInteger a, CheckedInteger b) {
    CheckedInteger r;
    r.overflowed_ = __builtin_mul_overflow(a.value_, b.value_, &r.value_) || a.overflowed_ || b.overflowed_;
    return r;
  }
  constexpr CheckedInteger& operator+=(CheckedInteger other) { return *this = *this + other; }
  constexpr CheckedInteger& operator-=(CheckedInteger other) { return *this = *this - other; }
  constexpr CheckedInteger& operator*=(CheckedInteger other) { return *this = *this * other; }

  // The larger of two; overflowed if either is, because either might have been the larger one.
  friend constexpr CheckedInteger max(CheckedInteger a, CheckedInteger b) {
    CheckedInteger r;
    r.value_ = std::max(a.value_, b.value_);
    r.overflowed_ = a.overflowed_ || b.overflowed_;
    return r;
  }
  // The smaller of two; overflowed if either is, because it is unknown by how much.
  friend constexpr CheckedInteger min(CheckedInteger a, CheckedInteger b) {
    CheckedInteger r;
    r.value_ = std::min(a.value_, b.value_);
    r.overflowed_ = a.overflowed_ || b.overflowed_;
    return r;
  }
  // Floor and ceiling of a / b for b > 0.
  friend constexpr CheckedInteger floor_divide(CheckedInteger a, int64_t b) {
    a.value_ = a.value_ / b - (a.value_ % b < 0 ? 1 : 0);
    return a;
  }
  friend constexpr CheckedInteger ceil_divide(CheckedInteger a, int64_t b) {
    a.value_ = a.value_ / b + (a.value_ % b > 0 ? 1 : 0);
    return a;
  }
  friend constexpr bool operator==(CheckedInteger a, CheckedInteger b) {
    return !a.overflowed_ && !b.overflowed_ && a.value_ == b.value_;
  }

 private:
  Value value_ = 0;
  bool overflowed_ = false;
};

using Integer = CheckedInteger<int64_t>;

// A product of two 64-bit values always fits; sums of many of them need not.
__extension__ using Int128 = __int128;
using WideInteger = CheckedInteger<Int128>;

}  // namespace warpspan::support
