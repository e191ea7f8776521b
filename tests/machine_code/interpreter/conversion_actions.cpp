// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions between integers and floating-point numbers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frontend/sass/words/bits.hpp"
#include "tests/machine_code/interpreter/lane.hpp"
#include "tests/machine_code/interpreter/rounding.hpp"

namespace warpspan::machine_code {

namespace {

constexpr unsigned bits_32 = 2, bits_64 = 3;  // of destination_size and source_size

double to_integral(unsigned rounding, double value) {
  switch (rounding) {
    case 0: return std::nearbyint(value);
    case 1: return std::floor(value);
    case 2: return std::ceil(value);
    default: return std::trunc(value);
  }
}

// What does not fit becomes the nearest that does; no number becomes 0 in 32 bits, else the smallest negative one.
template <typename Integer>
Integer saturated(double value) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value)) return sizeof(Integer) == 4 ? 0 : static_cast<Integer>(uint64_t{1} << 63);
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  if (value >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<Integer>(value);
}

void f2i(Lane& lane) {
  const unsigned from = lane.modifier(Modifier::source_size), to = lane.modifier(Modifier::destination_size);
  if (from < bits_32 || to < bits_32) return lane.refuse("a conversion of less than 32 bits");
  const double given = from == bits_64 ? lane.long_real(1) : static_cast<double>(lane.real(1));
  const double value = to_integral(lane.modifier(Modifier::rounding), given);
  const bool is_signed = lane.has(Modifier::destination_signed);
  if (to == bits_64)
    lane.set_pair(0, is_signed ? static_cast<uint64_t>(saturated<int64_t>(value)) : saturated<uint64_t>(value));
  else
    lane.set(0, is_signed ? static_cast<uint32_t>(saturated<int32_t>(value)) : saturated<uint32_t>(value));
}

template <typename Float>
Float from_integer(unsigned rounding, uint64_t value, bool is_signed) {
  constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  const int before = std::fegetround();
  std::fesetround(modes[rounding & 3]);
  volatile uint64_t given = value;
  volatile Float result = is_signed ? static_cast<Float>(static_cast<int64_t>(given)) : static_cast<Float>(given);
  std::fesetround(before);
  return result;
}

// Of less than 32 bits the lowest; a selector of others is at bit 60.
uint64_t integer_source(Lane& lane, unsigned size) {
  if (size == bits_64) return lane.pair(1);
  uint32_t value = lane.word(1);
  if (size < bits_32) {
    if (sass::field(lane.instruction().word, 60, 2) != 0) lane.refuse("a part of a register");
    const reference::IntegerType type{8 << size, lane.has(Modifier::source_signed)};
    value = static_cast<uint32_t>(type.extend(value));
  }
  return lane.has(Modifier::source_signed) ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)}) : value;
}

void i2f(Lane& lane) {
  const unsigned from = lane.modifier(Modifier::source_size), to = lane.modifier(Modifier::destination_size);
  if (to < bits_32) return lane.refuse("a conversion to less than 32 bits");
  const uint64_t value = integer_source(lane, from);
  const bool is_signed = lane.has(Modifier::source_signed);
  const unsigned rounding = lane.modifier(Modifier::rounding);
  if (to == bits_64)
    lane.set_long_real(0, from_integer<double>(rounding, value, is_signed));
  else
    lane.set_real(0, from_integer<float>(rounding, value, is_signed));
}

void i2fp(Lane& lane) {
  const bool is_signed = lane.has(Modifier::source_signed);
  lane.set_real(0, from_integer<float>(lane.modifier(Modifier::rounding), integer_source(lane, bits_32), is_signed));
}

void f2f(Lane& lane) {
  const unsigned from = lane.modifier(Modifier::source_size), to = lane.modifier(Modifier::destination_size);
  if (from < bits_32 || to < bits_32) return lane.refuse("a conversion of less than 32 bits");
  if (lane.has(Modifier::rounding)) return lane.refuse("a rounding of F2F");
  const double value = from == bits_64 ? lane.long_real(1) : static_cast<double>(lane.real(1));
  if (to == bits_64)
    lane.set_long_real(0, value);
  else
    lane.set_real(0, static_cast<float>(value));
}

void frnd(Lane& lane) {
  const unsigned from = lane.modifier(Modifier::source_size), to = lane.modifier(Modifier::destination_size);
  if (from < bits_32 || to != from) return lane.refuse("a conversion of less than 32 bits");
  const unsigned rounding = lane.modifier(Modifier::rounding);
  if (to == bits_64)
    lane.set_long_real(0, to_integral(rounding, lane.long_real(1)));
  else
    lane.set_real(0, static_cast<float>(to_integral(rounding, static_cast<double>(lane.real(1)))));
}

constexpr std::pair<std::string_view, Action> actions[] = {
    {"F2I", f2i}, {"I2F", i2f}, {"I2FP", i2fp}, {"UI2FP", i2fp}, {"UI2F", i2fp}, {"F2F", f2f}, {"FRND", frnd},
};

}  // namespace

Action conversion_action(std::string_view mnemonic) {
  const auto found =
      std::find_if(std::begin(actions), std::end(actions), [&](const auto& each) { return each.first == mnemonic; });
  return found == std::end(actions) ? nullptr : found->second;
}

}  // namespace warpspan::machine_code
