// SPDX-License-Identifier: GPL-3.0-or-later
// Integer arithmetic, PTX ISA 9.7.1 and 9.7.2.
#include "tests/reference/interpreter/arithmetic.hpp"
#include "tests/reference/interpreter/integers.hpp"

namespace warpspan::reference {

namespace {

// The double-width product of two values of the type.
UnsignedWide product(const IntegerType& t, uint64_t a, uint64_t b) {
  if (t.is_signed) return static_cast<UnsignedWide>(static_cast<Wide>(t.as_signed(a)) * t.as_signed(b));
  return static_cast<UnsignedWide>(t.as_unsigned(a)) * t.as_unsigned(b);
}

Outcome with_carry(const IntegerType& t, uint64_t a, uint64_t b, bool carry) {
  const UnsignedWide sum = static_cast<UnsignedWide>(t.as_unsigned(a)) + t.as_unsigned(b) + (carry ? 1 : 0);
  return {t.extend(static_cast<uint64_t>(sum)), false, ((sum >> t.bits) & 1) != 0};
}

Outcome with_borrow(const IntegerType& t, uint64_t a, uint64_t b, bool borrow) {
  const UnsignedWide taken = static_cast<UnsignedWide>(t.as_unsigned(b)) + (borrow ? 1 : 0);
  return {t.extend(a - b - (borrow ? 1 : 0)), false, taken > t.as_unsigned(a)};
}

uint64_t clamp(const IntegerType& t, Wide value) {
  return static_cast<uint64_t>(std::clamp<Wide>(value, t.smallest(), t.largest()));
}

std::optional<Evaluate> sum_evaluator(const ptx::Form& form) {
  const IntegerType t = integer_type(form.type());
  const std::string_view name = form.opcode->name;
  if (name == "add" && form.has("sat")) {
    return
        [t](const uint64_t* s) { return Outcome{clamp(t, static_cast<Wide>(t.as_signed(s[0])) + t.as_signed(s[1]))}; };
  }
  if (name == "sub" && form.has("sat")) {
    return
        [t](const uint64_t* s) { return Outcome{clamp(t, static_cast<Wide>(t.as_signed(s[0])) - t.as_signed(s[1]))}; };
  }
  if (name == "add") return [t](const uint64_t* s) { return with_carry(t, s[0], s[1], false); };
  if (name == "sub") return [t](const uint64_t* s) { return with_borrow(t, s[0], s[1], false); };
  if (name == "addc") return [t](const uint64_t* s) { return with_carry(t, s[0], s[1], (s[2] & 1) != 0); };
  if (name == "subc") return [t](const uint64_t* s) { return with_borrow(t, s[0], s[1], (s[2] & 1) != 0); };
  return std::nullopt;
}

// Which part of the double-width product an opcode takes: its shift and the type of the result.
struct Part {
  int shift = 0;
  IntegerType result;
};

std::optional<Part> part_of(const ptx::Form& form, std::string_view stem) {
  const IntegerType t = integer_type(form.type());
  const std::string_view name = form.opcode->name;
  if (name.substr(0, stem.size()) != stem) return std::nullopt;
  const std::string_view part = name.substr(stem.size());
  if (part == ".lo") return Part{0, t};
  if (part == ".hi") return Part{t.bits, t};
  if (part == ".wide") return Part{0, {2 * t.bits, t.is_signed}};
  return std::nullopt;
}

std::optional<Evaluate> product_evaluator(const ptx::Form& form) {
  const IntegerType t = integer_type(form.type());
  if (const auto part = part_of(form, "mul")) {
    return [t, p = *part](const uint64_t* s) {
      return Outcome{p.result.extend(static_cast<uint64_t>(product(t, s[0], s[1]) >> p.shift))};
    };
  }
  for (const std::string_view stem : {"mad", "madc"}) {
    const auto part = part_of(form, stem);
    if (!part) continue;
    const bool saturate = form.has("sat");
    return [t, p = *part, saturate, carried = stem == "madc"](const uint64_t* s) {
      const uint64_t factor = static_cast<uint64_t>(product(t, s[0], s[1]) >> p.shift);
      if (saturate) return Outcome{clamp(p.result, static_cast<Wide>(p.result.as_signed(factor)) + t.as_signed(s[2]))};
      return with_carry(p.result, factor, s[2], carried && (s[3] & 1) != 0);
    };
  }
  return std::nullopt;
}

// The 48-bit product of the low 24 bits; .hi takes its upper 32 bits.
std::optional<Evaluate> product24_evaluator(const ptx::Form& form) {
  const std::string_view name = form.opcode->name;
  const bool adds = name == "mad24.lo" || name == "mad24.hi";
  if ((!adds && name != "mul24.lo" && name != "mul24.hi") || form.has("sat")) return std::nullopt;
  const IntegerType t = integer_type(form.type());
  const IntegerType narrow{24, t.is_signed};
  const int shift = name.substr(name.size() - 2) == "hi" ? 16 : 0;
  return [t, narrow, shift, adds](const uint64_t* s) {
    const uint64_t factor = static_cast<uint64_t>(product(narrow, s[0], s[1]) >> shift);
    return Outcome{t.extend(factor + (adds ? s[2] : 0))};
  };
}

uint64_t quotient(const IntegerType& t, uint64_t a, uint64_t b) {
  if (t.wrap(b) == 0) return UINT64_MAX;
  if (!t.is_signed) return t.as_unsigned(a) / t.as_unsigned(b);
  return static_cast<uint64_t>(static_cast<Wide>(t.as_signed(a)) / t.as_signed(b));
}

uint64_t remainder(const IntegerType& t, uint64_t a, uint64_t b) {
  return t.wrap(b) == 0 ? a : a - quotient(t, a, b) * b;
}

std::optional<Evaluate> division_evaluator(const ptx::Form& form) {
  const IntegerType t = integer_type(form.type());
  const std::string_view name = form.opcode->name;
  if (name == "div") return [t](const uint64_t* s) { return Outcome{t.extend(quotient(t, s[0], s[1]))}; };
  if (name == "rem") return [t](const uint64_t* s) { return Outcome{t.extend(remainder(t, s[0], s[1]))}; };
  return std::nullopt;
}

bool less(const IntegerType& t, uint64_t a, uint64_t b) {
  return t.is_signed ? t.as_signed(a) < t.as_signed(b) : t.as_unsigned(a) < t.as_unsigned(b);
}

std::optional<Evaluate> order_evaluator(const ptx::Form& form) {
  const IntegerType t = integer_type(form.type());
  const std::string_view name = form.opcode->name;
  if (name == "min" || name == "max") {
    return [t, smaller = name == "min", relu = form.has("relu")](const uint64_t* s) {
      const uint64_t chosen = less(t, s[0], s[1]) == smaller ? s[0] : s[1];
      return Outcome{relu && t.as_signed(chosen) < 0 ? 0 : t.extend(chosen)};
    };
  }
  if (name == "abs") return [t](const uint64_t* s) { return Outcome{t.extend(t.as_signed(s[0]) < 0 ? -s[0] : s[0])}; };
  if (name == "neg") return [t](const uint64_t* s) { return Outcome{t.extend(-s[0])}; };
  if (name == "sad") {
    return
        [t](const uint64_t* s) { return Outcome{t.extend(s[2] + (less(t, s[0], s[1]) ? s[1] - s[0] : s[0] - s[1]))}; };
  }
  return std::nullopt;
}

}  // namespace

std::optional<Evaluate> integer_evaluator(const ptx::Form& form) {
  if (!ptx::is_integer(form.type())) return std::nullopt;
  for (const auto family :
       {sum_evaluator, product_evaluator, product24_evaluator, division_evaluator, order_evaluator}) {
    if (auto evaluate = family(form)) return evaluate;
  }
  return std::nullopt;
}

}  // namespace warpspan::reference
