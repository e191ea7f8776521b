// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/forms/meaning.hpp"

#include <algorithm>
#include <array>

namespace warpspan::ptx {
namespace {

using ir::Comparison;
using ir::Computation;
using ir::Connective;

bool is_signed(Type type) { return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64; }

// The type of what is computed with: of a comparison and a conversion the last, where the result has its own.
Type source_type(Computation computation, const Form& form) {
  if (form.types.empty()) return Type::none;
  const bool is_last = computation == Computation::compare || computation == Computation::compare_to_value ||
                       computation == Computation::convert;
  return is_last ? form.types.back() : form.types.front();
}

struct ComparisonWord {
  std::string_view modifier;
  Comparison comparison;
  bool is_unsigned = false;   // whatever the type
  bool or_unordered = false;  // of floating-point numbers
};
constexpr std::array<ComparisonWord, 18> comparison_words = {{
    {"eq", Comparison::equal},
    {"ne", Comparison::not_equal},
    {"lt", Comparison::less},
    {"le", Comparison::less_or_equal},
    {"gt", Comparison::greater},
    {"ge", Comparison::greater_or_equal},
    {"lo", Comparison::less, true},
    {"ls", Comparison::less_or_equal, true},
    {"hi", Comparison::greater, true},
    {"hs", Comparison::greater_or_equal, true},
    {"equ", Comparison::equal, false, true},
    {"neu", Comparison::not_equal, false, true},
    {"ltu", Comparison::less, false, true},
    {"leu", Comparison::less_or_equal, false, true},
    {"gtu", Comparison::greater, false, true},
    {"geu", Comparison::greater_or_equal, false, true},
    {"num", Comparison::ordered},
    {"nan", Comparison::unordered},
}};

const ComparisonWord* comparison_of(const Form& form) {
  const auto found = std::find_if(comparison_words.begin(), comparison_words.end(),
                                  [&](const ComparisonWord& word) { return form.has(word.modifier); });
  return found == comparison_words.end() ? nullptr : &*found;
}

struct RoundingWord {
  std::string_view modifier;
  ir::Rounding rounding;
  bool to_whole;  // to an integer, or to a number without a fraction
};
constexpr std::array<RoundingWord, 8> rounding_words = {{
    {"rn", ir::Rounding::nearest, false},
    {"rz", ir::Rounding::zero, false},
    {"rm", ir::Rounding::down, false},
    {"rp", ir::Rounding::up, false},
    {"rni", ir::Rounding::nearest, true},
    {"rzi", ir::Rounding::zero, true},
    {"rmi", ir::Rounding::down, true},
    {"rpi", ir::Rounding::up, true},
}};

const RoundingWord* rounding_of(const Form& form) {
  const auto found = std::find_if(rounding_words.begin(), rounding_words.end(),
                                  [&](const RoundingWord& word) { return form.has(word.modifier); });
  return found == rounding_words.end() ? nullptr : &*found;
}

Connective connective_of(const Form& form) {
  if (form.has("and")) return Connective::conjunction;
  if (form.has("or")) return Connective::disjunction;
  return form.has("xor") ? Connective::exclusive : Connective::none;
}

// The state space that a conversion of addresses names.
ir::MemorySpace window_of(const Form& form) {
  using ir::MemorySpace;
  for (const std::string_view modifier : form.modifiers) {
    if (modifier == "global") return MemorySpace::global;
    if (modifier == "const") return MemorySpace::constant;
    if (modifier == "local") return MemorySpace::local;
    if (modifier.starts_with("shared")) return MemorySpace::shared;
    if (modifier.starts_with("param")) return MemorySpace::parameter;
  }
  return MemorySpace::none;
}

// Whether the opcode's computation is what a word with these types and modifiers does.
bool applies(Computation computation, const Form& form) {
  const Type type = source_type(computation, form);
  switch (computation) {
    case Computation::add:
    case Computation::subtract:
    case Computation::multiply_low:
    case Computation::multiply_high:
    case Computation::multiply_wide:
    case Computation::absolute_difference:
    case Computation::divide:
    case Computation::remainder: return is_integer(type) && !form.has("sat");
    case Computation::multiply24_low:
    case Computation::multiply24_high: return bits(type) == 32 && !form.has("sat");
    case Computation::absolute:
    case Computation::negate: return is_signed(type);
    case Computation::minimum:
    case Computation::maximum: return is_integer(type) && form.modifiers.empty();
    case Computation::bit_and:
    case Computation::bit_or:
    case Computation::bit_xor:
    case Computation::bit_not:
    case Computation::logical_not: return is_integer(type) || type == Type::pred;
    case Computation::bit_table: return bits(type) == 32 && connective_of(form) == Connective::none;
    case Computation::funnel_shift_left:
    case Computation::funnel_shift_right: return bits(type) == 32;
    case Computation::shift_left:
    case Computation::shift_right:
    case Computation::extract_field:
    case Computation::insert_field:
    case Computation::count_ones:
    case Computation::count_leading_zeros:
    case Computation::find_highest_bit:
    case Computation::reverse_bits: return is_integer(type);
    case Computation::compare: return is_integer(type) && comparison_of(form) != nullptr;
    case Computation::compare_to_value:
      return is_integer(type) && comparison_of(form) != nullptr && form.types.size() == 2 &&
             (is_integer(form.type()) || form.type() == Type::f32);
    case Computation::select_by_sign: return form.types.size() == 2 && form.types.back() == Type::s32;
    case Computation::select:
    case Computation::copy: return bits(type) > 0;
    case Computation::convert:
      return form.types.size() == 2 && form.modifiers.empty() && is_integer(form.type()) && is_integer(type);
    case Computation::to_generic:
    case Computation::from_generic: return window_of(form) != ir::MemorySpace::none;
    case Computation::load:
    case Computation::store: return bits(type) >= 8;
    case Computation::allocate:
    case Computation::call: return true;
    default: return false;
  }
}

bool is_number(Type type) { return type == Type::f32 || type == Type::f64; }

// What a conversion computes where a floating-point number is its source or its result.
Computation number_conversion(const Form& form) {
  if (form.types.size() != 2) return Computation::unknown;
  const Type to = form.types[0], from = form.types[1];
  const RoundingWord* rounding = rounding_of(form);
  const bool to_whole = rounding != nullptr && rounding->to_whole;
  if (is_number(to) && is_integer(from) && !to_whole) return Computation::float_from_integer;
  if (is_integer(to) && is_number(from) && to_whole) return Computation::float_to_integer;
  if (!is_number(to) || !is_number(from)) return Computation::unknown;
  if (to == from) return to_whole ? Computation::float_to_whole : Computation::unknown;
  const bool is_exact = bits(to) > bits(from);
  return !to_whole && (is_exact || rounding != nullptr) ? Computation::float_convert : Computation::unknown;
}

// What the opcode's computation becomes on floating-point numbers of 32 and 64 bits. Saturation, approximations, and
// what else modifiers say besides the rounding make another function of it; .ftz only decides what none of them says.
Computation of_numbers(Computation computation, const Form& form) {
  const bool compares = computation == Computation::compare || computation == Computation::compare_to_value;
  if (compares) {
    if (!is_number(source_type(computation, form)) || comparison_of(form) == nullptr) return Computation::unknown;
    if (computation == Computation::compare) return Computation::float_compare;
    const bool fits = form.types.size() == 2 && (is_integer(form.type()) || form.type() == Type::f32);
    return fits ? Computation::float_compare_to_value : Computation::unknown;
  }
  const RoundingWord* rounding = rounding_of(form);
  for (const std::string_view modifier : form.modifiers) {
    if (modifier != "ftz" && (rounding == nullptr || modifier != rounding->modifier)) return Computation::unknown;
  }
  if (computation == Computation::convert) return number_conversion(form);
  if (form.types.size() != 1 || !is_number(form.type())) return Computation::unknown;
  switch (computation) {
    case Computation::add: return Computation::float_add;
    case Computation::subtract: return Computation::float_subtract;
    case Computation::absolute: return Computation::float_absolute;
    case Computation::negate: return Computation::float_negate;
    case Computation::minimum: return Computation::float_minimum;
    case Computation::maximum: return Computation::float_maximum;
    case Computation::divide: return rounding != nullptr ? Computation::float_divide : Computation::unknown;
    case Computation::float_multiply:
    case Computation::float_multiply_add: return computation;
    default: return Computation::unknown;
  }
}

}  // namespace

ir::Semantics semantics_of(const Meaning& meaning, const Form& form) {
  ir::Semantics result;
  result.pure = meaning.pure;
  result.computation = applies(meaning.computation, form) ? meaning.computation : of_numbers(meaning.computation, form);
  if (result.computation == Computation::unknown) return result;
  const Type type = source_type(meaning.computation, form);
  result.bits = static_cast<uint16_t>(bits(type));
  result.elements = static_cast<uint8_t>(form.vector_size);
  result.is_signed = is_signed(type);
  result.result_bits = static_cast<uint16_t>(bits(form.type()));
  // Loads and conversions fill a wider register by the sign of their type.
  const bool extends = meaning.computation == Computation::load || meaning.computation == Computation::convert;
  result.fills_with_sign = extends && is_signed(form.type());
  result.is_floating =
      form.type() != Type::none && !is_integer(form.type()) && form.type() != Type::pred && form.type() != Type::b128;
  if (meaning.computation == Computation::compare || meaning.computation == Computation::compare_to_value) {
    const ComparisonWord& word = *comparison_of(form);
    result.comparison = word.comparison;
    result.or_unordered = word.or_unordered;
    result.is_signed = result.is_signed && !word.is_unsigned;
    result.connective = connective_of(form);
  }
  if (ir::computes_floats(result.computation)) {
    const RoundingWord* rounding = rounding_of(form);
    result.rounding = rounding == nullptr ? ir::Rounding::none : rounding->rounding;
    if (result.computation == Computation::float_to_integer) result.is_signed = is_signed(form.type());
  }
  result.wraps = form.has("wrap");
  result.from_top = form.has("shiftamt");
  if (meaning.computation == Computation::to_generic || meaning.computation == Computation::from_generic) {
    result.space = window_of(form);
  }
  return result;
}

}  // namespace warpspan::ptx
