// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison and selection, PTX ISA 9.7.6.
#include <array>
#include <bit>
#include <cmath>

#include "tests/reference/interpreter/arithmetic.hpp"
#include "tests/reference/interpreter/floats.hpp"
#include "tests/reference/interpreter/integers.hpp"

namespace warpspan::reference {

namespace {

enum class Order : uint8_t { less, equal, greater, unordered };

Order order_of(const ptx::Form& form, ptx::Type type, uint64_t a, uint64_t b, bool as_unsigned) {
  const auto compare = [](auto x, auto y) { return x < y ? Order::less : x == y ? Order::equal : Order::greater; };
  if (is_float(type)) {
    const double x = flushed(form, type, float_value(type, a));
    const double y = flushed(form, type, float_value(type, b));
    return std::isnan(x) || std::isnan(y) ? Order::unordered : compare(x, y);
  }
  const IntegerType t = integer_type(type);
  return t.is_signed && !as_unsigned ? compare(t.as_signed(a), t.as_signed(b))
                                     : compare(t.as_unsigned(a), t.as_unsigned(b));
}

// A comparison: which orders satisfy it.
struct Comparison {
  std::string_view name;
  bool less, equal, greater, unordered;
  bool as_unsigned = false;
};

constexpr std::array<Comparison, 18> comparisons = {{
    {"eq", false, true, false, false},
    {"ne", true, false, true, false},
    {"lt", true, false, false, false},
    {"le", true, true, false, false},
    {"gt", false, false, true, false},
    {"ge", false, true, true, false},
    {"lo", true, false, false, false, true},
    {"ls", true, true, false, false, true},
    {"hi", false, false, true, false, true},
    {"hs", false, true, true, false, true},
    {"equ", false, true, false, true},
    {"neu", true, false, true, true},
    {"ltu", true, false, false, true},
    {"leu", true, true, false, true},
    {"gtu", false, false, true, true},
    {"geu", false, true, true, true},
    {"num", true, true, true, false},
    {"nan", false, false, false, true},
}};

std::optional<Comparison> comparison_of(const ptx::Form& form) {
  for (const Comparison& comparison : comparisons) {
    if (form.has(comparison.name)) return comparison;
  }
  return std::nullopt;
}

bool holds(const ptx::Form& form, const Comparison& comparison, ptx::Type type, const uint64_t* s) {
  switch (order_of(form, type, s[0], s[1], comparison.as_unsigned)) {
    case Order::less: return comparison.less;
    case Order::equal: return comparison.equal;
    case Order::greater: return comparison.greater;
    case Order::unordered: return comparison.unordered;
  }
  return false;
}

// Combines a truth with the third source, if the form says how.
bool combine(char how, bool truth, const uint64_t* s) {
  const bool other = how != ' ' && (s[2] & 1) != 0;
  switch (how) {
    case 'a': return truth && other;
    case 'o': return truth || other;
    case 'x': return truth != other;
    default: return truth;
  }
}

char combination_of(const ptx::Form& form) {
  return form.has("and") ? 'a' : form.has("or") ? 'o' : form.has("xor") ? 'x' : ' ';
}

// setp d|q: both are combined with the third source, q with the comparison's opposite.
std::optional<Evaluate> test_evaluator(const ptx::Form& form) {
  const std::string_view name = form.opcode->name;
  const auto comparison = comparison_of(form);
  if ((name != "setp" && name != "set") || !comparison || form.types.empty()) return std::nullopt;
  const ptx::Type compared = form.types.back();
  const char how = combination_of(form);
  const auto test = [f = &form, c = *comparison, compared, how](const uint64_t* s) {
    const bool truth = holds(*f, c, compared, s);
    return std::make_pair(combine(how, truth, s), combine(how, !truth, s));
  };
  if (name == "setp") {
    return [test](const uint64_t* s) {
      const auto [first, second] = test(s);
      return Outcome{first ? uint64_t{1} : 0, second};
    };
  }
  const uint64_t yes = form.type() == ptx::Type::f32 ? std::bit_cast<uint32_t>(1.0F) : UINT64_MAX;
  return [test, yes](const uint64_t* s) { return Outcome{test(s).first ? yes : 0}; };
}

}  // namespace

std::optional<Evaluate> comparison_evaluator(const ptx::Form& form) {
  if (auto evaluate = test_evaluator(form)) return evaluate;
  const std::string_view name = form.opcode->name;
  if (name == "selp") return [](const uint64_t* s) { return Outcome{(s[2] & 1) != 0 ? s[0] : s[1]}; };
  if (name == "slct") {  // chooses the first where the third is not negative
    const ptx::Type type = form.types.back();
    return [type](const uint64_t* s) {
      const bool first = is_float(type) ? float_value(type, s[2]) >= 0 : integer_type(type).as_signed(s[2]) >= 0;
      return Outcome{first ? s[0] : s[1]};
    };
  }
  return std::nullopt;
}

}  // namespace warpspan::reference
