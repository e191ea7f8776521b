// Whole numbers for the check of certificates: no sum or product of a forged certificate wraps unseen.
#pragma once

#include <cstdint>
#include <optional>

namespace warpspan::solver {

// 128 bits, and whether anything that led to it has overflowed; the mark sticks. A weight times a count of positions
// fits, sums of many of them need not.
class WideInteger {
 public:
  __extension__ using Value = __int128;

  constexpr WideInteger() = default;
  constexpr WideInteger(int64_t value) : value_(value) {}  // NOLINT: an integer is an integer

  // Nothing if an operation on the way overflowed.
  constexpr std::optional<Value> value() const { return overflowed_ ? std::nullopt : std::optional<Value>(value_); }
  // False if it overflowed.
  constexpr bool is_at_least(int64_t least) const { return !overflowed_ && value_ >= least; }

  friend constexpr WideInteger operator+(WideInteger a, WideInteger b) {
    WideInteger r;
    r.overflowed_ = __builtin_add_overflow(a.value_, b.value_, &r.value_) || a.overflowed_ || b.overflowed_;
    return r;
  }
  friend constexpr WideInteger operator-(WideInteger a, WideInteger b) {
    WideInteger r;
    r.overflowed_ = __builtin_sub_overflow(a.value_, b.value_, &r.value_) || a.overflowed_ || b.overflowed_;
    return r;
  }
  friend constexpr WideInteger operator*(WideInteger a, WideInteger b) {
    WideInteger r;
    r.overflowed_ = __builtin_mul_overflow(a.value_, b.value_, &r.value_) || a.overflowed_ || b.overflowed_;
    return r;
  }
  constexpr WideInteger& operator+=(WideInteger other) { return *this = *this + other; }
  constexpr WideInteger& operator-=(WideInteger other) { return *this = *this - other; }

  // The smaller of two; overflowed if either is, because either might have been the smaller one.
  friend constexpr WideInteger min(WideInteger a, WideInteger b) {
    WideInteger r = b.value_ < a.value_ ? b : a;
    r.overflowed_ = a.overflowed_ || b.overflowed_;
    return r;
  }

 private:
  Value value_ = 0;
  bool overflowed_ = false;
};

}  // namespace warpspan::solver
