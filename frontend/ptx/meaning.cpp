#include "frontend/ptx/meaning.hpp"

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
  bool is_unsigned;  // whatever the type
};
constexpr std::array<ComparisonWord, 10> comparison_words = {{
    {"eq", Comparison::equal, false},
    {"ne", Comparison::not_equal, false},
    {"lt", Comparison::less, false},
    {"le", Comparison::less_or_equal, false},
    {"gt", Comparison::greater, false},
    {"ge", Comparison::greater_or_equal, false},
    {"lo", Comparison::less, true},
    {"ls", Comparison::less_or_equal, true},
    {"hi", Comparison::greater, true},
    {"hs", Comparison::greater_or_equal, true},
}};

const ComparisonWord* comparison_of(const Form& form) {
  const auto found = std::find_if(comparison_words.begin(), comparison_words.end(),
                                  [&](const ComparisonWord& word) { return form.has(word.modifier); });
  return found == comparison_words.end() ? nullptr : &*found;
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
bool holds(Computation computation, const Form& form) {
  const Type type = source_type(computation, form);
  switch (computation) {
    case Computation::unknown: return false;
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
  }
  return false;
}

}  // namespace

ir::Semantics semantics_of(const Meaning& meaning, const Form& form) {
  ir::Semantics result;
  result.pure = meaning.pure;
  if (!holds(meaning.computation, form)) return result;
  result.computation = meaning.computation;
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
    result.is_signed = result.is_signed && !word.is_unsigned;
    result.connective = connective_of(form);
  }
  result.wraps = form.has("wrap");
  result.from_top = form.has("shiftamt");
  if (meaning.computation == Computation::to_generic || meaning.computation == Computation::from_generic) {
    result.space = window_of(form);
  }
  result.may_leave_block = form.has("shared::cluster");
  return result;
}

}  // namespace warpspan::ptx
