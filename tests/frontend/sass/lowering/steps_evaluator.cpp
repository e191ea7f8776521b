// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/frontend/sass/lowering/steps_evaluator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>

namespace warpspan::sass {

namespace {

using ir::Computation;
using Kind = ir::Operand::Kind;

uint64_t mask(unsigned bits) { return bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1; }

int64_t as_signed(uint64_t value, unsigned bits) { return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits); }

uint64_t shifted(const ir::Semantics& semantics, uint64_t value, uint32_t amount) {
  const unsigned bits = semantics.bits;
  if (semantics.computation == Computation::shift_left) return amount >= bits ? 0 : value << amount;
  if (!semantics.is_signed) return amount >= bits ? 0 : value >> amount;
  return static_cast<uint64_t>(as_signed(value, bits) >> std::min<uint32_t>(amount, bits - 1));
}

uint64_t looked_up(unsigned table, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 64; ++i) {
    const uint64_t entry = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
    result |= uint64_t{table >> entry & 1} << i;
  }
  return result;
}

uint64_t reversed(uint64_t value) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= (value >> i & 1) << (31 - i);
  return result;
}

// Of numbers without bits above their width.
std::optional<uint64_t> computed(const ir::Semantics& s, const std::vector<uint64_t>& v) {
  const uint64_t a = v[0], b = v.size() > 1 ? v[1] : 0, c = v.size() > 2 ? v[2] : 0;
  const int64_t sa = as_signed(a, s.bits), sb = as_signed(b, s.bits);
  const bool less = s.is_signed ? sa < sb : a < b;
  switch (s.computation) {
    case Computation::add: return a + b;
    case Computation::subtract: return a - b;
    case Computation::multiply_low: return a * b + c;
    case Computation::multiply_wide: return (s.is_signed ? static_cast<uint64_t>(sa * sb) : a * b) + c;
    case Computation::absolute: return sa < 0 ? 0 - a : a;
    case Computation::negate: return 0 - a;
    case Computation::minimum: return less ? a : b;
    case Computation::maximum: return less ? b : a;
    case Computation::bit_and: return a & b;
    case Computation::bit_or: return a | b;
    case Computation::bit_xor: return a ^ b;
    case Computation::bit_not: return ~a;
    case Computation::bit_table: return looked_up(static_cast<unsigned>(v[3]), a, b, c);
    case Computation::shift_left:
    case Computation::shift_right: return shifted(s, a, static_cast<uint32_t>(b));
    case Computation::count_ones: return std::popcount(a);
    case Computation::count_leading_zeros: return std::countl_zero(a) - (64 - s.bits);
    case Computation::reverse_bits: return reversed(a);
    case Computation::select: return c != 0 ? a : b;
    case Computation::convert: return s.is_signed ? static_cast<uint64_t>(sa) : a;
    default: return std::nullopt;
  }
}

// The host's arithmetic in a rounding. What it is given is volatile, so that nothing is computed before.
template <typename Operation>
auto rounded(ir::Rounding rounding, const Operation& operation) {
  constexpr int modes[] = {FE_TONEAREST, FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  const int before = std::fegetround();
  std::fesetround(modes[static_cast<size_t>(rounding)]);
  const volatile auto result = operation();
  std::fesetround(before);
  return +result;
}

float number_of(uint64_t bits, float) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
double number_of(uint64_t bits, double) { return std::bit_cast<double>(bits); }
uint64_t bits_of(float number) { return std::bit_cast<uint32_t>(number); }
uint64_t bits_of(double number) { return std::bit_cast<uint64_t>(number); }

std::optional<uint64_t> to_integer(const ir::Semantics& s, double value) {
  switch (s.rounding) {
    case ir::Rounding::down: value = std::floor(value); break;
    case ir::Rounding::up: value = std::ceil(value); break;
    case ir::Rounding::zero: value = std::trunc(value); break;
    default: value = std::nearbyint(value);
  }
  const double least = s.is_signed ? -0x1p31 : 0, end = s.is_signed ? 0x1p31 : 0x1p32;
  if (!(value >= least && value < end)) return std::nullopt;
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

// Nothing of what is not a number and of what is not normal, which the machine may take for 0, and of estimates.
template <typename Number>
std::optional<uint64_t> computed_number(const ir::Semantics& s, const std::vector<uint64_t>& v) {
  std::array<volatile Number, 3> n{};
  for (size_t i = 0; i < std::min(v.size(), n.size()); ++i) {
    n[i] = number_of(v[i], Number());
    if (!std::isnormal(n[i]) && n[i] != 0) return std::nullopt;
  }
  if (s.computation == Computation::float_to_integer) return to_integer(s, n[0]);
  Number result = 0;
  switch (s.computation) {
    case Computation::float_add: result = rounded(s.rounding, [&] { return n[0] + n[1]; }); break;
    case Computation::float_multiply: result = rounded(s.rounding, [&] { return n[0] * n[1]; }); break;
    case Computation::float_multiply_add:
      result = rounded(s.rounding, [&] { return std::fma(n[0], n[1], n[2]); });
      break;
    case Computation::float_minimum: result = std::fmin(n[0], n[1]); break;
    case Computation::float_maximum: result = std::fmax(n[0], n[1]); break;
    case Computation::float_absolute: result = std::fabs(n[0]); break;
    case Computation::float_negate: result = -n[0]; break;
    default: return std::nullopt;
  }
  return std::isnormal(result) ? std::optional<uint64_t>(bits_of(result)) : std::nullopt;
}

std::optional<uint64_t> computed_float(const ir::Semantics& s, const std::vector<uint64_t>& v) {
  if (s.computation == Computation::float_from_integer) {
    volatile auto integer = s.is_signed ? int64_t{static_cast<int32_t>(v[0])} : static_cast<int64_t>(v[0]);
    if (s.result_bits == 64) return bits_of(rounded(s.rounding, [&] { return static_cast<double>(integer); }));
    return bits_of(rounded(s.rounding, [&] { return static_cast<float>(integer); }));
  }
  return s.bits == 64 ? computed_number<double>(s, v) : computed_number<float>(s, v);
}

// Of a source, by its number: predicates have one, amounts 32, addends of wide products twice as many as factors.
unsigned source_bits(const ir::Semantics& s, size_t index) {
  if (s.computation == Computation::select && index == 2) return 1;
  if (s.computation == Computation::multiply_wide && index == 2) return 2U * s.bits;
  const bool shifts = s.computation == Computation::shift_left || s.computation == Computation::shift_right;
  if (shifts && index == 1) return 32;
  if (s.computation == Computation::bit_table && index == 3) return 8;
  return s.bits;
}

unsigned result_bits(const ir::Semantics& s) {
  if (s.computation == Computation::multiply_wide) return 2U * s.bits;
  if (s.computation == Computation::convert) return s.result_bits;
  if (s.computation == Computation::compare || s.computation == Computation::float_compare) return 1;
  return s.bits;
}

}  // namespace

StepsEvaluator::Value StepsEvaluator::get(ir::RegisterId reg) const {
  const auto known = values_.find(reg);
  return known == values_.end() ? std::nullopt : known->second;
}

void StepsEvaluator::run() {
  for (; next_ < body_.instructions.size(); ++next_) step(next_);
}

StepsEvaluator::Value StepsEvaluator::special(const ir::Operand& operand) const {
  const auto component = [&](const ir::Extent& extent) -> Value {
    return static_cast<uint64_t>(operand.component == 1 ? extent.x : operand.component == 2 ? extent.y : extent.z);
  };
  switch (static_cast<ir::SpecialValue>(operand.index)) {
    case ir::SpecialValue::block_extent: return component(block_);
    case ir::SpecialValue::grid_extent: return component(grid_);
    default: return std::nullopt;
  }
}

StepsEvaluator::Value StepsEvaluator::read(const ir::Operand& operand) const {
  switch (operand.kind) {
    case Kind::reg: {
      const Value value = get(operand.index);
      return value && operand.negated ? Value(*value ^ 1) : value;
    }
    case Kind::integer: return static_cast<uint64_t>(operand.value);
    case Kind::special: return special(operand);
    default: return std::nullopt;
  }
}

StepsEvaluator::Value StepsEvaluator::read(const ir::Operand& operand, unsigned bits) const {
  const Value value = read(operand);
  return value ? Value(*value & mask(bits)) : value;
}

StepsEvaluator::Value StepsEvaluator::load(const ir::Operand& address, unsigned bits) const {
  const ir::Operand& variable = body_.elements(address)[0];
  if (variable.kind != Kind::variable) return std::nullopt;
  const std::vector<uint8_t>& bytes = parameters_[variable.index];
  uint64_t value = 0;
  for (unsigned i = 0; i < bits / 8; ++i) {
    const auto at = static_cast<size_t>(address.value + variable.value) + i;
    if (at >= bytes.size()) return std::nullopt;
    value |= uint64_t{bytes[at]} << (8 * i);
  }
  return value;
}

StepsEvaluator::Value StepsEvaluator::compare(const ir::Semantics& s, std::span<const ir::Operand> sources,
                                              bool opposite) const {
  const Value a = read(sources[0], s.bits), b = read(sources[1], s.bits);
  if (!a || !b) return std::nullopt;
  bool less = s.is_signed ? as_signed(*a, s.bits) < as_signed(*b, s.bits) : *a < *b, equal = *a == *b;
  bool unordered = false;
  if (s.computation == Computation::float_compare) {
    const auto order = [&](auto x, auto y) {
      less = x < y;
      equal = x == y;
      unordered = std::isnan(x) || std::isnan(y);
      return std::fpclassify(x) != FP_SUBNORMAL && std::fpclassify(y) != FP_SUBNORMAL;
    };
    const bool is_known = s.bits == 64 ? order(number_of(*a, double()), number_of(*b, double()))
                                       : order(number_of(*a, float()), number_of(*b, float()));
    if (!is_known) return std::nullopt;
  }
  bool outcome = false;
  switch (s.comparison) {
    case ir::Comparison::equal: outcome = equal; break;
    case ir::Comparison::not_equal: outcome = !equal; break;
    case ir::Comparison::less: outcome = less; break;
    case ir::Comparison::less_or_equal: outcome = less || equal; break;
    case ir::Comparison::greater: outcome = !less && !equal; break;
    case ir::Comparison::greater_or_equal: outcome = !less; break;
    default: return std::nullopt;
  }
  if (unordered) outcome = s.or_unordered;
  outcome = outcome != opposite;
  if (sources.size() < 3) return outcome;
  const Value with = read(sources[2], 1);
  if (!with) return std::nullopt;
  switch (s.connective) {
    case ir::Connective::conjunction: return outcome && *with != 0;
    case ir::Connective::disjunction: return outcome || *with != 0;
    case ir::Connective::exclusive: return outcome != (*with != 0);
    default: return std::nullopt;
  }
}

StepsEvaluator::Value StepsEvaluator::compute(const ir::Semantics& s, std::span<const ir::Operand> sources) {
  if (s.computation == Computation::unknown) return std::nullopt;
  // Addresses that the launch decides on.
  if (s.computation == Computation::to_generic || s.computation == Computation::allocate) return std::nullopt;
  if (s.computation == Computation::load) return load(sources[0], s.bits);
  if (s.computation == Computation::copy && sources[0].kind == Kind::vector) {
    const auto parts = body_.elements(sources[0]);
    const Value low = read(parts[0], 32), high = read(parts[1], 32);
    return low && high ? Value(*low | *high << 32) : std::nullopt;
  }
  if (s.computation == Computation::copy) return read(sources[0], s.bits);
  std::vector<uint64_t> values;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Value value = read(sources[i], source_bits(s, i));
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (ir::computes_floats(s.computation)) return computed_float(s, values);
  const Value result = computed(s, values);
  if (!result) unknown_ = "a computation of number " + std::to_string(static_cast<int>(s.computation));
  return result;
}

void StepsEvaluator::write(const ir::Operand& result, Value value) {
  if (result.kind == Kind::reg) values_[result.index] = value;
}

void StepsEvaluator::step(ir::InstructionId i) {
  const ir::OperandRange& range = body_.instructions[i];
  const ir::Semantics& s = body_.operation(i).semantics;
  Value executed = 1;
  if (range.guard != ir::no_register) executed = get(range.guard);
  if (executed && range.guard != ir::no_register && (*executed != 0) == range.guard_negated) return;
  const auto results = body_.results(i);
  std::vector<Value> values(results.size());
  if (executed && !results.empty()) {
    if (s.computation == Computation::compare || s.computation == Computation::float_compare) {
      for (size_t r = 0; r < results.size(); ++r) values[r] = compare(s, body_.sources(i), r == 1);
    } else {
      values[0] = compute(s, body_.sources(i));
      if (values[0]) *values[0] &= mask(result_bits(s));
    }
  }
  for (size_t r = 0; r < results.size(); ++r) write(results[r], values[r]);
}

}  // namespace warpspan::sass
