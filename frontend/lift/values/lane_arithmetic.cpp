// SPDX-License-Identifier: GPL-3.0-or-later
// How the forms of lane_values.hpp pass through arithmetic.
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>

#include "frontend/lift/values/integers.hpp"
#include "frontend/lift/values/lane_values.hpp"

namespace warpspan::lift {

namespace {

constexpr unsigned most_groups = ir::warp_lanes;

unsigned zeros_of(uint64_t value) { return static_cast<unsigned>(std::countr_zero(value)); }

// A base that is a multiple of 2^bits is none.
LaneValue folded_to_width(LaneValue a, unsigned bits) {
  a.constant &= low_ones(bits);
  if (a.base_zeros < bits) return a;
  a.has_base = false;
  a.base_zeros = 64;
  a.groups = 1;
  a.cut.reset();
  return a;
}

}  // namespace

LaneValue LaneValues::without_cut(LaneValue a) {
  if (a.cut) a.groups *= 2;
  a.cut.reset();
  return a;
}

LaneValues::Form LaneValues::add(const LaneValue& a, const LaneValue& b, bool subtract, unsigned bits) {
  if (a.cut && b.cut) return add(without_cut(a), b, subtract, bits);
  LaneValue result;
  result.cut = a.cut ? a.cut : b.cut;
  result.has_base = a.has_base || b.has_base;
  result.base_zeros = std::min(a.base_zeros, b.base_zeros);
  result.groups = a.groups * b.groups;
  result.constant = subtract ? a.constant - b.constant : a.constant + b.constant;
  result.offsets = a.offsets;
  if (result.groups > most_groups) return std::nullopt;
  if (b.offsets != 0) {
    const auto table = tables_.make([&](size_t thread) -> std::optional<uint64_t> {
      const uint64_t x = tables_.values(a.offsets)[thread];
      const uint64_t y = tables_.values(b.offsets)[thread];
      return (subtract ? x - y : x + y) & low_ones(bits);
    });
    if (!table) return std::nullopt;
    result.offsets = *table;
  }
  return folded_to_width(result, bits);
}

LaneValues::Form LaneValues::scale(const LaneValue& a, uint64_t factor, unsigned bits) {
  if (factor == 0) return LaneValue{};
  LaneValue result = a;
  result.base_zeros = std::min(64U, a.base_zeros + zeros_of(factor));
  if (result.cut) result.cut->zeros = std::min(64U, result.cut->zeros + zeros_of(factor));
  result.constant = a.constant * factor;
  if (a.offsets != 0) {
    const auto table = tables_.make([&](size_t thread) -> std::optional<uint64_t> {
      return tables_.values(a.offsets)[thread] * factor & low_ones(bits);
    });
    if (!table) return std::nullopt;
    result.offsets = *table;
  }
  return folded_to_width(result, bits);
}

LaneValues::Form LaneValues::multiply(const LaneValue& a, const LaneValue& b, unsigned bits) {
  if (!a.has_base && a.offsets == 0) return scale(b, a.constant, bits);
  if (!b.has_base && b.offsets == 0) return scale(a, b.constant, bits);
  if (!is_same_in_warps(a) || !is_same_in_warps(b) || a.offsets != 0 || b.offsets != 0) return std::nullopt;
  LaneValue result;
  result.has_base = true;
  result.base_zeros = std::min(a.base_zeros, zeros_of(a.constant)) + std::min(b.base_zeros, zeros_of(b.constant));
  return folded_to_width(result, bits);
}

// or, xor: an addition where one side ends in zeros and the other fits into them.
LaneValues::Form LaneValues::combine_disjoint(const LaneValue& a, const LaneValue& b, unsigned bits) {
  const LaneValue& high = a.has_base ? a : b;
  const LaneValue& low = a.has_base ? b : a;
  if (low.has_base) return std::nullopt;
  uint64_t used = 0;
  uint64_t above = 0;
  for (size_t thread = 0; thread < tables_.threads(); ++thread) {
    used |= number(low, thread, bits);
    above |= number(high, thread, bits);
  }
  const unsigned room = std::min(high.base_zeros, zeros_of(above));
  return used > low_ones(room) ? std::nullopt : add(a, b, false, bits);
}

// Bits below the base's zeros are known; a mask of all bits from some such bit on keeps the base.
LaneValues::Form LaneValues::mask(const LaneValue& a, uint64_t mask, unsigned bits) {
  const unsigned top = 64 - static_cast<unsigned>(std::countl_zero(mask));
  const bool keeps_base = top > a.base_zeros;
  const unsigned cleared = zeros_of(mask);
  if (keeps_base && (mask != (low_ones(bits) & ~low_ones(cleared)) || cleared > a.base_zeros)) {
    return with_bits(llvm::Instruction::And, a, mask, bits);
  }
  const auto table =
      tables_.make([&](size_t thread) -> std::optional<uint64_t> { return number(a, thread, bits) & mask; });
  if (!table) return std::nullopt;
  LaneValue result = keeps_base ? a : LaneValue{};
  result.constant = 0;
  result.offsets = *table;
  return result;
}

// Of lanes that differ in no bits above the base's zeros: those bits make a base again, which the same lanes share.
// Where they do not differ at all of_shared knows more.
LaneValues::Form LaneValues::with_bits(unsigned opcode, const LaneValue& a, uint64_t other, unsigned bits) {
  if (tables_.is_same_in_warps(a.offsets)) return std::nullopt;
  const auto low = low_parts(a, a.base_zeros, bits);
  if (!low) return std::nullopt;
  const uint64_t of_low = other & low_ones(a.base_zeros);
  const auto table = tables_.make([&](size_t thread) -> std::optional<uint64_t> {
    const uint64_t own = tables_.values(*low)[thread];
    return opcode == llvm::Instruction::And  ? own & of_low
           : opcode == llvm::Instruction::Or ? own | of_low
                                             : own ^ of_low;
  });
  if (!table) return std::nullopt;
  LaneValue result = without_cut(a);
  result.constant = 0;
  result.offsets = *table;
  return folded_to_width(result, bits);
}

std::optional<TableId> LaneValues::low_parts(const LaneValue& a, unsigned zeros, unsigned bits) {
  const uint64_t low = low_ones(zeros);
  for (size_t thread = 0; thread < tables_.threads(); ++thread) {
    const size_t first = thread - thread % ir::warp_lanes;
    if (((number(a, thread, bits) ^ number(a, first, bits)) & ~low) != 0) return std::nullopt;
  }
  return tables_.make([&](size_t thread) -> std::optional<uint64_t> { return number(a, thread, bits) & low; });
}

// Nothing is carried into the base, so both parts are shifted alone, whether the sign is drawn in or not. Of lanes that
// differ in no bit that is left nothing but a base is left.
LaneValues::Form LaneValues::shift_right(const LaneValue& a, uint64_t amount, unsigned bits) {
  if (amount >= bits || (a.base_zeros < amount && tables_.is_same_in_warps(a.offsets))) return std::nullopt;
  const auto low = low_parts(a, a.base_zeros, bits);
  if (!low) return std::nullopt;
  const auto table =
      tables_.make([&](size_t thread) -> std::optional<uint64_t> { return tables_.values(*low)[thread] >> amount; });
  if (!table) return std::nullopt;
  LaneValue result = without_cut(a);
  result.base_zeros = a.base_zeros - std::min(a.base_zeros, static_cast<unsigned>(amount));
  result.constant = 0;
  result.offsets = *table;
  return result;
}

LaneValues::Form LaneValues::truncate(const LaneValue& a, unsigned bits) {
  LaneValue result = a;
  if (a.offsets != 0) {
    const auto table = tables_.make(
        [&](size_t thread) -> std::optional<uint64_t> { return tables_.values(a.offsets)[thread] & low_ones(bits); });
    if (!table) return std::nullopt;
    result.offsets = *table;
  }
  return folded_to_width(result, bits);
}

// The bases of both parts of a cut are moved by multiples of 2^bits.
LaneValues::Form LaneValues::extend(llvm::Instruction& instruction, const LaneValue& a, bool is_signed) {
  const unsigned bits = instruction.getOperand(0)->getType()->getIntegerBitWidth();
  const auto low = low_parts(a, a.base_zeros, bits);
  if (!low) return extend_with_carries(instruction, a, is_signed);
  LaneValue result = a;
  result.constant = 0;
  result.offsets = *low;
  if (result.cut) result.cut->zeros = std::min(result.cut->zeros, bits);
  return result;
}

std::optional<LaneValues::Distances> LaneValues::distances(const LaneValue& a, unsigned bits) {
  Distances result;
  const auto distance = [&](size_t thread) {
    return signed_value(number(a, thread, bits) - number(a, thread - thread % ir::warp_lanes, bits), bits);
  };
  int64_t least = 0;
  int64_t most = 0;
  for (size_t thread = 0; thread < tables_.threads(); ++thread) {
    if (thread % ir::warp_lanes == 0) least = most = 0;
    least = std::min(least, distance(thread));
    most = std::max(most, distance(thread));
    result.widest = std::max(result.widest, static_cast<uint64_t>(most) - static_cast<uint64_t>(least));
  }
  if (result.widest >= uint64_t{1} << (bits - 1)) return std::nullopt;
  const auto table =
      tables_.make([&](size_t thread) -> std::optional<uint64_t> { return static_cast<uint64_t>(distance(thread)); });
  if (!table) return std::nullopt;
  result.table = *table;
  return result;
}

bool LaneValues::stays_clear_of_end(llvm::Value& value, uint64_t distance, bool is_signed) const {
  return is_clear_of_end(range_of_(value, false).intersectWith(range_of_(value, true)), distance, is_signed);
}

// The offsets may carry over the end of the narrow type: then the lanes beyond it have another base. These are
// separated only if the range of the values leaves room for that. The bases differ by 2^bits.
LaneValues::Form LaneValues::extend_with_carries(llvm::Instruction& instruction, const LaneValue& a, bool is_signed) {
  const unsigned bits = instruction.getOperand(0)->getType()->getIntegerBitWidth();
  if (bits < 8 || bits > 32) return std::nullopt;
  const auto from_first = distances(a, bits);
  if (!from_first) return std::nullopt;
  const unsigned wide = instruction.getType()->getIntegerBitWidth();
  const auto table = tables_.make([&](size_t thread) -> std::optional<uint64_t> {
    return tables_.values(from_first->table)[thread] & low_ones(wide);
  });
  if (!table) return std::nullopt;
  LaneValue result = without_cut(a);
  result.constant = 0;
  result.offsets = *table;
  for (size_t first = 0; first < tables_.threads(); first += ir::warp_lanes) {
    result.base_zeros = std::min(result.base_zeros, zeros_of(number(a, first, bits)));
  }
  if (!stays_clear_of_end(*instruction.getOperand(0), from_first->widest, is_signed)) {
    result.cut = LaneValue::Cut{from_first->table, bits};
  }
  return result.groups > most_groups ? std::nullopt : Form(result);
}

// By a number that all lanes share. Where both are multiples of 2^zeros but for equal rests below, the quotients are
// the same. Else numbers that are less than the divisor apart have at most two quotients, one after the other.
LaneValues::Form LaneValues::divide(llvm::Instruction& instruction, const LaneValue& a, const LaneValue& b) {
  if (!is_same_in_warps(b)) return std::nullopt;
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  LaneValue result{.has_base = true, .base_zeros = 0, .groups = a.groups, .cut = a.cut};
  if (result.cut) result.cut->zeros = 0;
  if (b.offsets == 0 && low_parts(a, std::min({a.base_zeros, b.base_zeros, zeros_of(b.constant)}), bits)) return result;
  const auto from_first = distances(a, bits);
  if (!from_first || !range_of_(*instruction.getOperand(1), false).getUnsignedMin().ugt(from_first->widest) ||
      !stays_clear_of_end(*instruction.getOperand(0), from_first->widest, false)) {
    return std::nullopt;
  }
  result = without_cut(result);
  result.cut = LaneValue::Cut{from_first->table, 0};
  return result.groups > most_groups ? std::nullopt : Form(result);
}

}  // namespace warpspan::lift
