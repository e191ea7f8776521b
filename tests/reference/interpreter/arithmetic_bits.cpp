// SPDX-License-Identifier: GPL-3.0-or-later
// Logic, shifts and single bits: PTX ISA 9.7.1.14 to 9.7.1.20, 9.7.8, 9.7.9.7.
#include <bit>

#include "tests/reference/interpreter/arithmetic.hpp"
#include "tests/reference/interpreter/integers.hpp"

namespace warpspan::reference {

namespace {

std::optional<Evaluate> logic_evaluator(const ptx::Form& form) {
  const IntegerType t = integer_type(form.type());
  const std::string_view name = form.opcode->name;
  if (name == "and") return [t](const uint64_t* s) { return Outcome{t.wrap(s[0] & s[1])}; };
  if (name == "or") return [t](const uint64_t* s) { return Outcome{t.wrap(s[0] | s[1])}; };
  if (name == "xor") return [t](const uint64_t* s) { return Outcome{t.wrap(s[0] ^ s[1])}; };
  if (name == "not") return [t](const uint64_t* s) { return Outcome{t.wrap(~s[0])}; };
  if (name == "cnot") return [t](const uint64_t* s) { return Outcome{t.wrap(s[0]) == 0 ? uint64_t{1} : 0}; };
  if (name == "lop3" && form.modifiers.empty()) {
    return [t](const uint64_t* s) {
      uint64_t result = 0;
      for (int bit = 0; bit < t.bits; ++bit) {
        const uint64_t row = (s[0] >> bit & 1) * 4 + (s[1] >> bit & 1) * 2 + (s[2] >> bit & 1);
        result |= (s[3] >> row & 1) << bit;
      }
      return Outcome{result};
    };
  }
  return std::nullopt;
}

// Amounts are 32-bit unsigned and clamped to the width.
std::optional<Evaluate> shift_evaluator(const ptx::Form& form) {
  const IntegerType t = integer_type(form.type());
  const std::string_view name = form.opcode->name;
  if (name == "shl") {
    return [t](const uint64_t* s) {
      const uint64_t amount = s[1] & low_bits(32);
      return Outcome{amount >= static_cast<uint64_t>(t.bits) ? 0 : t.extend(s[0] << amount)};
    };
  }
  if (name == "shr") {
    return [t](const uint64_t* s) {
      const uint64_t amount = std::min<uint64_t>(s[1] & low_bits(32), static_cast<uint64_t>(t.bits));
      if (t.is_signed) return Outcome{static_cast<uint64_t>(t.as_signed(s[0]) >> std::min<uint64_t>(amount, 63))};
      return Outcome{amount >= 64 ? 0 : t.as_unsigned(s[0]) >> amount};
    };
  }
  if (name == "shf.l" || name == "shf.r") {
    return [left = name == "shf.l", wrap = form.has("wrap")](const uint64_t* s) {
      const uint64_t both = (s[1] & low_bits(32)) << 32 | (s[0] & low_bits(32));
      const uint64_t given = s[2] & low_bits(32);
      const uint64_t amount = wrap ? given % 32 : std::min<uint64_t>(given, 32);
      return Outcome{(left ? both >> (32 - amount) : both >> amount) & low_bits(32)};
    };
  }
  return std::nullopt;
}

uint64_t reverse(const IntegerType& t, uint64_t value) {
  uint64_t result = 0;
  for (int bit = 0; bit < t.bits; ++bit) result |= (value >> bit & 1) << (t.bits - 1 - bit);
  return result;
}

// The number of the highest bit that differs from the sign; 2^32 - 1 if none does.
uint64_t highest_bit(const IntegerType& t, uint64_t value) {
  const uint64_t looked_at = t.is_signed && t.as_signed(value) < 0 ? t.wrap(~value) : t.wrap(value);
  return looked_at == 0 ? low_bits(32) : static_cast<uint64_t>(63 - std::countl_zero(looked_at));
}

std::optional<Evaluate> count_evaluator(const ptx::Form& form) {
  const IntegerType t = integer_type(form.type());
  const std::string_view name = form.opcode->name;
  if (name == "popc")
    return [t](const uint64_t* s) { return Outcome{static_cast<uint64_t>(std::popcount(t.wrap(s[0])))}; };
  if (name == "clz") {
    return [t](const uint64_t* s) {
      return Outcome{static_cast<uint64_t>(std::countl_zero(t.wrap(s[0])) - (64 - t.bits))};
    };
  }
  if (name == "brev") return [t](const uint64_t* s) { return Outcome{reverse(t, s[0])}; };
  if (name == "bfind") {
    return [t, amount = form.has("shiftamt")](const uint64_t* s) {
      const uint64_t highest = highest_bit(t, s[0]);
      return Outcome{amount && highest != low_bits(32) ? static_cast<uint64_t>(t.bits) - 1 - highest : highest};
    };
  }
  return std::nullopt;
}

uint64_t extract(const IntegerType& t, uint64_t value, uint64_t position, uint64_t length) {
  const auto top = static_cast<uint64_t>(t.bits - 1);
  const bool sign = t.is_signed && length != 0 && (value >> std::min(position + length - 1, top) & 1) != 0;
  uint64_t result = 0;
  for (uint64_t i = 0; i <= top; ++i) {
    const bool bit = i < length && position + i <= top ? (value >> (position + i) & 1) != 0 : sign;
    result |= uint64_t{bit} << i;
  }
  return result;
}

uint64_t insert(const IntegerType& t, uint64_t field, uint64_t into, uint64_t position, uint64_t length) {
  const auto top = static_cast<uint64_t>(t.bits - 1);
  for (uint64_t i = 0; i < length && position + i <= top; ++i) {
    into = (into & ~(uint64_t{1} << (position + i))) | (field >> i & 1) << (position + i);
  }
  return t.wrap(into);
}

std::optional<Evaluate> field_evaluator(const ptx::Form& form) {
  const IntegerType t = integer_type(form.type());
  const std::string_view name = form.opcode->name;
  if (name == "bfe") {
    return [t](const uint64_t* s) { return Outcome{t.extend(extract(t, s[0], s[1] & 0xff, s[2] & 0xff))}; };
  }
  if (name == "bfi") {
    return [t](const uint64_t* s) { return Outcome{insert(t, s[0], s[1], s[2] & 0xff, s[3] & 0xff)}; };
  }
  if (name == "prmt" && form.modifiers.empty()) {
    return [](const uint64_t* s) {
      const uint64_t bytes = (s[1] & low_bits(32)) << 32 | (s[0] & low_bits(32));
      uint64_t result = 0;
      for (int i = 0; i < 4; ++i) {
        const uint64_t selector = s[2] >> (4 * i) & 15;
        const uint64_t byte = bytes >> (8 * (selector & 7)) & 255;
        result |= ((selector & 8) != 0 ? (byte >= 128 ? 255 : 0) : byte) << (8 * i);
      }
      return Outcome{result};
    };
  }
  return std::nullopt;
}

}  // namespace

std::optional<Evaluate> bits_evaluator(const ptx::Form& form) {
  for (const auto family : {logic_evaluator, shift_evaluator, count_evaluator, field_evaluator}) {
    if (auto evaluate = family(form)) return evaluate;
  }
  return std::nullopt;
}

}  // namespace warpspan::reference
