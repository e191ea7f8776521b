// SPDX-License-Identifier: GPL-3.0-or-later
// Floating point of 32 and 64 bits, PTX ISA 9.7.3, and conversions, 9.7.9.21. Approximations are what this processor
// has.
#include <array>
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/reference/interpreter/arithmetic.hpp"
#include "tests/reference/interpreter/floats.hpp"
#include "tests/reference/interpreter/integers.hpp"

namespace warpspan::reference {

namespace {

// To nearest where a form says nothing.
int rounding_of(const ptx::Form& form) {
  if (form.has("rz")) return FE_TOWARDZERO;
  if (form.has("rm")) return FE_DOWNWARD;
  return form.has("rp") ? FE_UPWARD : FE_TONEAREST;
}

// `compute` in a rounding mode. What it computes with is volatile, so that it stays between both.
template <typename Compute>
auto in_mode(int mode, const Compute& compute) {
  const int before = std::fegetround();
  std::fesetround(mode);
  const volatile auto result = compute();
  std::fesetround(before);
  return +result;
}

template <typename Number>
using Compute = Number (*)(const volatile Number*);

// Of zeros, and of numbers of which one is none: PTX ISA 9.7.3.10 and 11.
template <typename Number>
Number least(Number a, Number b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}

template <typename Number>
Compute<Number> binary_or_more(std::string_view name) {
  using In = const volatile Number*;
  if (name == "add") return [](In v) { return Number(v[0] + v[1]); };
  if (name == "sub") return [](In v) { return Number(v[0] - v[1]); };
  if (name == "mul") return [](In v) { return Number(v[0] * v[1]); };
  if (name == "div") return [](In v) { return Number(v[0] / v[1]); };
  if (name == "min") return [](In v) { return least<Number>(v[0], v[1]); };
  if (name == "max") return [](In v) { return -least<Number>(-v[0], -v[1]); };
  if (name == "copysign") return [](In v) { return std::copysign(Number(v[1]), Number(v[0])); };
  if (name == "fma" || name == "mad") {
    return [](In v) { return std::fma(Number(v[0]), Number(v[1]), Number(v[2])); };
  }
  return nullptr;
}

template <typename Number>
Compute<Number> unary(std::string_view name) {
  using In = const volatile Number*;
  if (name == "abs") return [](In v) { return std::fabs(Number(v[0])); };
  if (name == "neg") return [](In v) { return Number(-v[0]); };
  if (name == "rcp") return [](In v) { return Number(1 / v[0]); };
  if (name == "sqrt") return [](In v) { return std::sqrt(Number(v[0])); };
  if (name == "rsqrt") return [](In v) { return 1 / std::sqrt(Number(v[0])); };
  if (name == "sin") return [](In v) { return std::sin(Number(v[0])); };
  if (name == "cos") return [](In v) { return std::cos(Number(v[0])); };
  if (name == "lg2") return [](In v) { return std::log2(Number(v[0])); };
  if (name == "ex2") return [](In v) { return std::exp2(Number(v[0])); };
  if (name == "tanh") return [](In v) { return std::tanh(Number(v[0])); };
  return nullptr;
}

template <typename Number>
std::optional<Evaluate> float_evaluator(const ptx::Form& form) {
  const auto more = binary_or_more<Number>(form.opcode->name);
  const auto compute = more != nullptr ? more : unary<Number>(form.opcode->name);
  if (compute == nullptr || form.has("xorsign")) return std::nullopt;
  const size_t sources = more == nullptr ? 1 : form.opcode->name == "fma" || form.opcode->name == "mad" ? 3 : 2;
  return [f = &form, type = form.type(), compute, sources](const uint64_t* s) {
    volatile Number values[3] = {};
    bool has_none = false;
    for (size_t i = 0; i < sources; ++i) {
      values[i] = static_cast<Number>(flushed(*f, type, float_value(type, s[i])));
      has_none = has_none || std::isnan(Number(values[i]));
    }
    double result = static_cast<double>(in_mode(rounding_of(*f), [&] { return compute(values); }));
    if (f->has("NaN") && has_none) result = std::numeric_limits<double>::quiet_NaN();
    if (f->has("sat")) result = result > 0 ? std::fmin(result, 1.0) : 0.0;
    return Outcome{float_bits(type, flushed(*f, type, result))};
  };
}

// To a number without a fraction, if the form says so.
double rounded(const ptx::Form& form, double value) {
  if (form.has("rzi")) return std::trunc(value);
  if (form.has("rmi")) return std::floor(value);
  if (form.has("rpi")) return std::ceil(value);
  if (form.has("rni")) return std::nearbyint(value);
  return value;
}

// A float as an integer of the type: out of range becomes the nearest, not-a-number becomes 0.
uint64_t to_integer(const IntegerType& t, double value) {
  if (std::isnan(value)) return 0;
  if (t.is_signed) {
    if (value <= static_cast<double>(t.smallest())) return static_cast<uint64_t>(t.smallest());
    if (value >= std::ldexp(1.0, t.bits - 1)) return static_cast<uint64_t>(t.largest());
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  if (value <= 0) return 0;
  return value >= std::ldexp(1.0, t.bits) ? low_bits(t.bits) : static_cast<uint64_t>(value);
}

// Saturation to the destination's range.
uint64_t saturated(const IntegerType& from, const IntegerType& to, uint64_t value) {
  const auto wide =
      from.is_signed ? static_cast<Wide>(from.as_signed(value)) : static_cast<Wide>(from.as_unsigned(value));
  const Wide low = to.is_signed ? static_cast<Wide>(to.smallest()) : 0;
  const Wide high = to.is_signed ? static_cast<Wide>(to.largest()) : static_cast<Wide>(low_bits(to.bits));
  return static_cast<uint64_t>(std::clamp(wide, low, high));
}

Evaluate integer_conversion(const IntegerType& from, const IntegerType& to, bool saturate) {
  return [from, to, saturate](const uint64_t* s) {
    return Outcome{to.extend(saturate ? saturated(from, to, s[0]) : from.extend(s[0]))};
  };
}

}  // namespace

std::optional<Evaluate> float_evaluator(const ptx::Form& form) {
  if (form.types.size() != 1 || !is_float(form.type())) return std::nullopt;
  return form.type() == ptx::Type::f32 ? float_evaluator<float>(form) : float_evaluator<double>(form);
}

std::optional<Evaluate> conversion_evaluator(const ptx::Form& form) {
  const std::string_view name = form.opcode->name;
  if (name == "mov" && form.vector_size == 1) return [](const uint64_t* s) { return Outcome{s[0]}; };
  if (name != "cvt" || form.types.size() != 2) return std::nullopt;
  const ptx::Type to = form.types[0];
  const ptx::Type from = form.types[1];
  if (ptx::is_integer(to) && ptx::is_integer(from)) {
    return integer_conversion(integer_type(from), integer_type(to), form.has("sat"));
  }
  const ptx::Form* f = &form;
  const int mode = rounding_of(form);
  if (is_float(to) && is_float(from)) {
    return [to, from, f, mode](const uint64_t* s) {
      const volatile double value = rounded(*f, flushed(*f, from, float_value(from, s[0])));
      double result = in_mode(mode, [&] { return to == ptx::Type::f32 ? double(float(value)) : double(value); });
      if (f->has("sat")) result = result > 0 ? std::fmin(result, 1.0) : 0.0;
      return Outcome{float_bits(to, flushed(*f, to, result))};
    };
  }
  if (is_float(to) && ptx::is_integer(from)) {
    return [to, t = integer_type(from), mode](const uint64_t* s) {
      const volatile int64_t with_sign = t.as_signed(s[0]);
      const volatile uint64_t without = t.as_unsigned(s[0]);
      return Outcome{float_bits(to, in_mode(mode, [&] {
                                  if (to == ptx::Type::f32)
                                    return double(t.is_signed ? float(with_sign) : float(without));
                                  return t.is_signed ? double(with_sign) : double(without);
                                }))};
    };
  }
  if (ptx::is_integer(to) && is_float(from)) {
    return [t = integer_type(to), from, f](const uint64_t* s) {
      return Outcome{t.extend(to_integer(t, rounded(*f, flushed(*f, from, float_value(from, s[0])))))};
    };
  }
  return std::nullopt;
}

std::optional<Evaluate> evaluator_of(const ptx::Form& form) {
  for (const auto family :
       {integer_evaluator, bits_evaluator, comparison_evaluator, float_evaluator, conversion_evaluator}) {
    if (auto evaluate = family(form)) return evaluate;
  }
  return std::nullopt;
}

}  // namespace warpspan::reference
