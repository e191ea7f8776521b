// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point arithmetic against that of this processor, which rounds as IEEE 754 says, in all four modes.
#include "frontend/lift/translation/floats.hpp"

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

using namespace warpspan;
using ir::Comparison;
using ir::Computation;
using ir::Rounding;
using lift::FloatOperation;

namespace {

using Bits = std::optional<uint64_t>;

const std::vector<Rounding> roundings = {Rounding::none, Rounding::nearest, Rounding::zero, Rounding::down,
                                         Rounding::up};

int host_mode(Rounding rounding) {
  switch (rounding) {
    case Rounding::zero: return FE_TOWARDZERO;
    case Rounding::down: return FE_DOWNWARD;
    case Rounding::up: return FE_UPWARD;
    default: return FE_TONEAREST;
  }
}

template <typename Number>
using BitsOf = std::conditional_t<sizeof(Number) == 4, uint32_t, uint64_t>;
template <typename Number>
constexpr unsigned width = 8 * sizeof(Number);

template <typename Number>
uint64_t bits(Number value) {
  return std::bit_cast<BitsOf<Number>>(value);
}
template <typename Number>
Number number(uint64_t value) {
  return std::bit_cast<Number>(static_cast<BitsOf<Number>>(value));
}

// What flushing to zero changes, in an operand or in a result.
template <typename Number>
bool is_flushed(Number value, bool of_result) {
  constexpr Number least = std::numeric_limits<Number>::min();
  if (sizeof(Number) != 4 || value == 0) return false;
  return of_result ? std::fabs(value) <= least : std::fabs(value) < least;
}

template <typename Number>
Bits expected_of(Number result) {
  return std::isnan(result) || is_flushed(result, true) ? std::nullopt : Bits(bits(result));
}

// What the processor computes in a mode, and whether it had to round.
template <typename Function>
auto computed(Rounding rounding, bool& is_exact, const Function& function) {
  std::fesetround(host_mode(rounding));
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile auto result = function();
  is_exact = std::fetestexcept(FE_INEXACT | FE_OVERFLOW | FE_UNDERFLOW) == 0;
  std::fesetround(FE_TONEAREST);
  return result;
}

// Where arithmetic changes its rules, whole numbers, and anything.
template <typename Number>
std::vector<Number> special_numbers() {
  using Limits = std::numeric_limits<Number>;
  const Number whole = std::ldexp(Number(1), Limits::digits);
  const std::vector<Number> positive = {0,
                                        1,
                                        Number(0.1),
                                        Number(0.5),
                                        Number(1.5),
                                        Number(2.5),
                                        3,
                                        255,
                                        whole,
                                        whole - 1,
                                        whole + 2,
                                        std::ldexp(Number(1), 31),
                                        std::ldexp(Number(1), 63),
                                        Limits::min(),
                                        std::nextafter(Limits::min(), Number(1)),
                                        std::nextafter(Limits::min(), Number(0)),
                                        Limits::denorm_min(),
                                        std::sqrt(Limits::min()),
                                        Limits::max(),
                                        Limits::infinity(),
                                        Limits::quiet_NaN()};
  std::vector<Number> all = positive;
  for (const Number value : positive) all.push_back(-value);
  return all;
}

template <typename Number>
std::vector<std::array<Number, 3>> operands() {
  std::vector<std::array<Number, 3>> all;
  const auto special = special_numbers<Number>();
  std::mt19937_64 random(7);
  const auto any_special = [&] { return special[random() % special.size()]; };
  for (const Number a : special) {
    for (const Number b : special) all.push_back({a, b, any_special()});
  }
  for (int i = 0; i < 4000; ++i) {
    const auto near = [&] { return std::ldexp(Number(int64_t(random() % 4096) - 2048), int(random() % 40) - 20); };
    all.push_back({number<Number>(random()), number<Number>(random()), number<Number>(random())});
    all.push_back({near(), near(), near()});
    all.push_back({any_special(), near(), any_special()});
    all.push_back({number<Number>(random()), any_special(), number<Number>(random())});
  }
  return all;
}

template <typename Number>
struct Arithmetic {
  Computation computation;
  int operands;
  Number (*on_host)(const volatile Number* v);
};

template <typename Number>
const std::vector<Arithmetic<Number>> arithmetic = {
    {Computation::float_add, 2, [](const volatile Number* v) -> Number { return v[0] + v[1]; }},
    {Computation::float_subtract, 2, [](const volatile Number* v) -> Number { return v[0] - v[1]; }},
    {Computation::float_multiply, 2, [](const volatile Number* v) -> Number { return v[0] * v[1]; }},
    {Computation::float_divide, 2, [](const volatile Number* v) -> Number { return v[0] / v[1]; }},
    {Computation::float_multiply_add, 3, [](const volatile Number* v) -> Number { return std::fma(v[0], v[1], v[2]); }},
    {Computation::float_absolute, 1, [](const volatile Number* v) -> Number { return std::fabs(v[0]); }},
    {Computation::float_negate, 1, [](const volatile Number* v) -> Number { return -v[0]; }},
    {Computation::float_to_whole, 1, [](const volatile Number* v) -> Number { return std::nearbyint(v[0]); }},
};

template <typename Number>
void check_arithmetic() {
  for (const auto& row : arithmetic<Number>) {
    for (const auto& v : operands<Number>()) {
      std::array<uint64_t, 3> given = {bits(v[0]), bits(v[1]), bits(v[2])};
      bool has_flushed = false;
      for (int i = 0; i < row.operands; ++i) has_flushed = has_flushed || is_flushed(v[i], false);
      for (const Rounding rounding : roundings) {
        bool is_exact = false;
        const std::array<volatile Number, 3> at_run_time = {v[0], v[1], v[2]};
        const Number result = computed(rounding, is_exact, [&] { return row.on_host(at_run_time.data()); });
        Bits expected = has_flushed ? std::nullopt : expected_of(result);
        const bool may_fuse = row.computation == Computation::float_multiply && rounding == Rounding::none;
        if (may_fuse && !is_exact) expected = std::nullopt;
        const Bits found =
            compute(FloatOperation{row.computation, rounding}, given.data(), width<Number>, width<Number>);
        if (found == expected) continue;
        INFO(description(row.computation) << " of " << v[0] << ", " << v[1] << ", " << v[2] << ", rounding "
                                          << static_cast<int>(rounding) << ": " << result);
        REQUIRE(found == expected);
      }
    }
  }
}

struct Predicate {
  Comparison comparison;
  bool or_unordered;
  bool (*on_host)(double a, double b);
};
const std::vector<Predicate> predicates = {
    {Comparison::equal, false, [](double a, double b) { return a == b; }},
    {Comparison::not_equal, false, [](double a, double b) { return a < b || a > b; }},
    {Comparison::less, false, [](double a, double b) { return a < b; }},
    {Comparison::less_or_equal, false, [](double a, double b) { return a <= b; }},
    {Comparison::greater, false, [](double a, double b) { return a > b; }},
    {Comparison::greater_or_equal, false, [](double a, double b) { return a >= b; }},
    {Comparison::equal, true, [](double a, double b) { return !(a < b || a > b); }},
    {Comparison::not_equal, true, [](double a, double b) { return !(a == b); }},
    {Comparison::less, true, [](double a, double b) { return !(a >= b); }},
    {Comparison::less_or_equal, true, [](double a, double b) { return !(a > b); }},
    {Comparison::greater, true, [](double a, double b) { return !(a <= b); }},
    {Comparison::greater_or_equal, true, [](double a, double b) { return !(a < b); }},
    {Comparison::ordered, false, [](double a, double b) { return a == a && b == b; }},
    {Comparison::unordered, false, [](double a, double b) { return a != a || b != b; }},
};

template <typename Number>
void check_comparisons() {
  for (const auto& v : operands<Number>()) {
    const std::array<uint64_t, 2> given = {bits(v[0]), bits(v[1])};
    const bool has_flushed = is_flushed(v[0], false) || is_flushed(v[1], false);
    for (const Predicate& row : predicates) {
      const Bits expected = has_flushed ? std::nullopt : Bits(row.on_host(v[0], v[1]) ? 1 : 0);
      const FloatOperation operation{Computation::float_compare, Rounding::none, row.comparison, row.or_unordered};
      if (compute(operation, given.data(), width<Number>, 1) == expected) continue;
      INFO(v[0] << ", " << v[1] << ": " << static_cast<int>(row.comparison) << (row.or_unordered ? "u" : ""));
      REQUIRE(compute(operation, given.data(), width<Number>, 1) == expected);
    }
  }
}

// Of one that is not a number the other, PTX ISA 9.7.3.11; +0 is larger than -0.
template <typename Number>
void check_minimum_and_maximum() {
  for (const auto& v : operands<Number>()) {
    const std::array<uint64_t, 2> given = {bits(v[0]), bits(v[1])};
    const bool has_flushed = is_flushed(v[0], false) || is_flushed(v[1], false);
    const bool are_zeros = v[0] == 0 && v[1] == 0;
    const bool any_negative = std::signbit(v[0]) || std::signbit(v[1]);
    const bool all_negative = std::signbit(v[0]) && std::signbit(v[1]);
    const Number zero_least = any_negative ? -Number(0) : Number(0), zero_most = all_negative ? -Number(0) : Number(0);
    const Number least = are_zeros ? zero_least : std::isnan(v[0]) || v[1] < v[0] ? v[1] : v[0];
    const Number most = are_zeros ? zero_most : std::isnan(v[0]) || v[1] > v[0] ? v[1] : v[0];
    const auto found = [&](Computation what) {
      return compute(FloatOperation{what}, given.data(), width<Number>, width<Number>);
    };
    INFO(v[0] << ", " << v[1]);
    REQUIRE(found(Computation::float_minimum) == (has_flushed ? std::nullopt : expected_of(least)));
    REQUIRE(found(Computation::float_maximum) == (has_flushed ? std::nullopt : expected_of(most)));
  }
}

template <typename Integer, typename Number>
void check_integers() {
  constexpr unsigned integer_width = 8 * sizeof(Integer);
  constexpr bool is_signed = std::is_signed_v<Integer>;
  const uint64_t mask = UINT64_MAX >> (64 - integer_width);
  std::mt19937_64 random(11);
  for (int i = 0; i < 3000; ++i) {
    const auto integer = static_cast<Integer>(random() >> random() % 64);
    const uint64_t given = static_cast<uint64_t>(integer) & mask;
    for (const Rounding rounding : roundings) {
      bool is_exact = false;
      const Number result = computed(rounding, is_exact, [&]() -> Number {
        const volatile long double wide = integer;
        return static_cast<Number>(wide);
      });
      FloatOperation operation{Computation::float_from_integer, rounding};
      operation.is_signed = is_signed;
      REQUIRE(compute(operation, &given, integer_width, width<Number>) == Bits(bits(result)));
    }
  }
  for (const auto& v : operands<Number>()) {
    const uint64_t given = bits(v[0]);
    for (const Rounding rounding : roundings) {
      bool is_exact = false;
      const volatile Number at_run_time = v[0];
      const long double whole = computed(rounding, is_exact, [&] { return std::nearbyint(at_run_time); });
      const bool fits = whole >= static_cast<long double>(std::numeric_limits<Integer>::min()) &&
                        whole <= static_cast<long double>(std::numeric_limits<Integer>::max());
      const Bits expected = !fits || is_flushed(v[0], false)
                                ? std::nullopt
                                : Bits(static_cast<uint64_t>(static_cast<Integer>(whole)) & mask);
      FloatOperation operation{Computation::float_to_integer, rounding};
      operation.is_signed = is_signed;
      INFO(v[0] << " to " << (is_signed ? "s" : "u") << integer_width << ", rounding " << static_cast<int>(rounding));
      REQUIRE(compute(operation, &given, width<Number>, integer_width) == expected);
    }
  }
}

template <typename From, typename To>
void check_widths() {
  for (const auto& v : operands<From>()) {
    const uint64_t given = bits(v[0]);
    for (const Rounding rounding : roundings) {
      bool is_exact = false;
      const volatile From at_run_time = v[0];
      const To result = computed(rounding, is_exact, [&]() -> To { return static_cast<To>(at_run_time); });
      const Bits expected = is_flushed(v[0], false) ? std::nullopt : expected_of(result);
      INFO(v[0]);
      REQUIRE(compute(FloatOperation{Computation::float_convert, rounding}, &given, width<From>, width<To>) ==
              expected);
    }
  }
}

}  // namespace

TEST_CASE("floating-point arithmetic is that of the processor") {
  check_arithmetic<float>();
  check_arithmetic<double>();
}

TEST_CASE("floating-point comparisons are those of the processor, of what is not a number too") {
  check_comparisons<float>();
  check_comparisons<double>();
}

TEST_CASE("the smaller and the larger of two floating-point numbers") {
  check_minimum_and_maximum<float>();
  check_minimum_and_maximum<double>();
}

TEST_CASE("conversions between floating-point numbers and integers are those of the processor") {
  check_integers<int8_t, float>();
  check_integers<uint16_t, float>();
  check_integers<int32_t, float>();
  check_integers<uint32_t, float>();
  check_integers<int64_t, float>();
  check_integers<uint64_t, float>();
  check_integers<int16_t, double>();
  check_integers<int32_t, double>();
  check_integers<int64_t, double>();
  check_integers<uint64_t, double>();
  check_widths<float, double>();
  check_widths<double, float>();
}

TEST_CASE("the operation of a call on floating-point numbers is packed without loss") {
  const FloatOperation operation{Computation::float_to_integer, Rounding::up, Comparison::unordered, true, true};
  const FloatOperation again = lift::unpacked(lift::packed(operation));
  CHECK(again.computation == operation.computation);
  CHECK(again.rounding == operation.rounding);
  CHECK(again.comparison == operation.comparison);
  CHECK(again.or_unordered);
  CHECK(again.is_signed);
}
