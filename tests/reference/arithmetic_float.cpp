// Floating point of 32 and 64 bits, PTX ISA 9.7.3, rounded to nearest; and conversions, 9.7.9.21.
#include <cmath>

#include "tests/reference/arithmetic.hpp"
#include "tests/reference/floats.hpp"
#include "tests/reference/integers.hpp"

namespace warpspan::reference {

namespace {

using Compute = double (*)(const double*);

Compute binary_or_more(std::string_view name) {
  if (name == "add") return [](const double* v) { return v[0] + v[1]; };
  if (name == "sub") return [](const double* v) { return v[0] - v[1]; };
  if (name == "mul") return [](const double* v) { return v[0] * v[1]; };
  if (name == "div") return [](const double* v) { return v[0] / v[1]; };
  if (name == "min") return [](const double* v) { return std::fmin(v[0], v[1]); };
  if (name == "max") return [](const double* v) { return std::fmax(v[0], v[1]); };
  if (name == "copysign") return [](const double* v) { return std::copysign(v[1], v[0]); };
  if (name == "fma" || name == "mad") return [](const double* v) { return std::fma(v[0], v[1], v[2]); };
  return nullptr;
}

Compute unary(std::string_view name) {
  if (name == "abs") return [](const double* v) { return std::fabs(v[0]); };
  if (name == "neg") return [](const double* v) { return -v[0]; };
  if (name == "rcp") return [](const double* v) { return 1 / v[0]; };
  if (name == "sqrt") return [](const double* v) { return std::sqrt(v[0]); };
  if (name == "rsqrt") return [](const double* v) { return 1 / std::sqrt(v[0]); };
  if (name == "sin") return [](const double* v) { return std::sin(v[0]); };
  if (name == "cos") return [](const double* v) { return std::cos(v[0]); };
  if (name == "lg2") return [](const double* v) { return std::log2(v[0]); };
  if (name == "ex2") return [](const double* v) { return std::exp2(v[0]); };
  if (name == "tanh") return [](const double* v) { return std::tanh(v[0]); };
  return nullptr;
}

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
  const ptx::Type type = form.type();
  if (!is_float(type) || form.types.size() != 1) return std::nullopt;
  const Compute more = binary_or_more(form.opcode->name);
  const Compute compute = more != nullptr ? more : unary(form.opcode->name);
  if (compute == nullptr) return std::nullopt;
  const int sources = more == nullptr ? 1 : form.opcode->name == "fma" || form.opcode->name == "mad" ? 3 : 2;
  return [type, compute, sources, saturate = form.has("sat")](const uint64_t* s) {
    double values[3] = {};
    for (int i = 0; i < sources; ++i) values[i] = float_value(type, s[i]);
    const double result = compute(values);
    return Outcome{float_bits(type, saturate ? std::fmin(std::fmax(result, 0.0), 1.0) : result)};
  };
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
  if (is_float(to) && is_float(from)) {
    return [to, from, f](const uint64_t* s) { return Outcome{float_bits(to, rounded(*f, float_value(from, s[0])))}; };
  }
  if (is_float(to) && ptx::is_integer(from)) {
    return [to, t = integer_type(from)](const uint64_t* s) {
      return Outcome{float_bits(
          to, t.is_signed ? static_cast<double>(t.as_signed(s[0])) : static_cast<double>(t.as_unsigned(s[0])))};
    };
  }
  if (ptx::is_integer(to) && is_float(from)) {
    return [t = integer_type(to), from, f](const uint64_t* s) {
      return Outcome{t.extend(to_integer(t, rounded(*f, float_value(from, s[0]))))};
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
