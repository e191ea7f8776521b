// Integers that cannot lie.
//
// A bound is a sum of products of trip counts, latencies and warp counts, and a wrapped sum would be a bound below a
// possible run. Integer carries a 64-bit value and remembers whether anything that led to it has overflowed; the mark
// sticks, as NaN does in floating point, so a computation is written plainly and checked once, at its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace warpspan::support {

class Integer {
 public:
  constexpr Integer() = default;
  constexpr Integer(int64_t value) : value_(value) {}  // NOLINT: an integer is an Integer

  // The value, or nothing if an operation on the way to it overflowed.
  constexpr std::optional<int64_t> value() const { return overflowed_ ? std::nullopt : std::optional<int64_t>(value_); }
  constexpr bool overflowed() const { return overflowed_; }

  friend constexpr Integer operator+(Integer a, Integer b) {
    Integer r;
    r.overflowed_ = __builtin_add_overflow(a.value_, b.value_, &r.value_) || a.overflowed_ || b.overflowed_;
    return r;
  }
  friend constexpr Integer operator-(Integer a, Integer b) {
    Integer r;
    r.overflowed_ = __builtin_sub_overflow(a.value_, b.value_, &r.value_) || a.overflowed_ || b.overflowed_;
    return r;
  }
  friend constexpr Integer operator*(Integer a, Integer b) {
    Integer r;
    r.overflowed_ = __builtin_mul_overflow(a.value_, b.value_, &r.value_) || a.overflowed_ || b.overflowed_;
    return r;
  }
  constexpr Integer& operator+=(Integer other) { return *this = *this + other; }
  constexpr Integer& operator*=(Integer other) { return *this = *this * other; }

  // The larger of two; overflowed if either is, because either might have been the larger one.
  friend constexpr Integer max(Integer a, Integer b) {
    Integer r(std::max(a.value_, b.value_));
    r.overflowed_ = a.overflowed_ || b.overflowed_;
    return r;
  }
  // The smaller of two; overflowed if either is, because nobody knows how far.
  friend constexpr Integer min(Integer a, Integer b) {
    Integer r(std::min(a.value_, b.value_));
    r.overflowed_ = a.overflowed_ || b.overflowed_;
    return r;
  }
  // Floor and ceiling of a / b for b > 0.
  friend constexpr Integer floor_divide(Integer a, int64_t b) {
    Integer r(a.value_ / b - (a.value_ % b < 0 ? 1 : 0));
    r.overflowed_ = a.overflowed_;
    return r;
  }
  friend constexpr Integer ceil_divide(Integer a, int64_t b) {
    Integer r(a.value_ / b + (a.value_ % b > 0 ? 1 : 0));
    r.overflowed_ = a.overflowed_;
    return r;
  }
  friend constexpr bool operator==(Integer a, Integer b) {
    return !a.overflowed_ && !b.overflowed_ && a.value_ == b.value_;
  }

 private:
  int64_t value_ = 0;
  bool overflowed_ = false;
};

}  // namespace warpspan::support
