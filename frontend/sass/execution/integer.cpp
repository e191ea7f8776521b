// SPDX-License-Identifier: GPL-3.0-or-later
// Sums, products, minima of integers, with carries.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "frontend/sass/execution/operands.hpp"
#include "frontend/sass/execution/table.hpp"

namespace warpspan::execution {

namespace {

__extension__ using Wide = unsigned __int128;

LaneSet carries(const Longs& sums, unsigned least) {
  return lanes_with([&](unsigned i) { return sums[i] >> 32 >= least; });
}

Words low_halves(const Longs& values) {
  Words low;
  for (unsigned i = 0; i < warp_lanes; ++i) low[i] = static_cast<uint32_t>(values[i]);
  return low;
}

void add_flag(Longs& sums, LaneSet flag) {
  for (unsigned i = 0; i < warp_lanes; ++i) sums[i] += flag >> i & 1;
}

void iadd3(Operands& in) {
  if (!in.writes(1) && !in.writes(2) && !in.has(Modifier::extended)) {
    const Words &a = in.word(3), &b = in.word(4), &c = in.word(5);
    Words sum;
    for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = a[i] + b[i] + c[i];
    return in.set(0, sum);
  }
  const Longs &a = in.addend(3), &b = in.addend(4), &c = in.addend(5);
  Longs sum;
  for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = a[i] + b[i] + c[i];
  if (in.has(Modifier::extended)) {
    add_flag(sum, in.flag(6));
    add_flag(sum, in.flag(7));
  }
  in.set_flag(1, carries(sum, 1));
  in.set_flag(2, carries(sum, 2));
  in.set(0, low_halves(sum));
}

// An addend of 64 bits, as the adder gets it.
Wide wide_addend(Operands& in, const Longs& plain, size_t index, unsigned lane) {
  const sass::Operand& from = in.operand(index);
  return from.negated && !from.inverted && plain[lane] == 0 ? Wide{1} << 64 : Wide{plain[lane]};
}

// With sources from one on, and then carries, so many of each.
void add_pairs(Operands& in, size_t result, size_t first, size_t sources, size_t flags) {
  std::array<Wide, warp_lanes> sum{};
  for (size_t source = first; source < first + sources; ++source) {
    const Longs& value = in.pair(source);
    for (unsigned i = 0; i < warp_lanes; ++i) sum[i] += wide_addend(in, value, source, i);
  }
  for (size_t flag = first + sources; flag < first + sources + flags && in.has(Modifier::extended); ++flag) {
    const LaneSet carry = in.flag(flag);
    for (unsigned i = 0; i < warp_lanes; ++i) sum[i] += carry >> i & 1;
  }
  Longs low;
  for (unsigned i = 0; i < warp_lanes; ++i) low[i] = static_cast<uint64_t>(sum[i]);
  for (size_t flag = 1; flag < first; ++flag)
    in.set_flag(flag, lanes_with([&](unsigned i) { return sum[i] >> 64 >= flag; }));
  in.set_pair(result, low);
}

void iadd3_pair(Operands& in) { add_pairs(in, 0, 3, 3, 2); }
void iadd_pair(Operands& in) { add_pairs(in, 0, 2, 2, 1); }

void iadd(Operands& in) {
  const Longs &a = in.addend(2), &b = in.addend(3);
  Longs sum;
  for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = a[i] + b[i];
  if (in.has(Modifier::extended)) add_flag(sum, in.flag(4));
  in.set_flag(1, carries(sum, 1));
  in.set(0, low_halves(sum));
}

// With its minus, which 32 bits may not hold.
int64_t signed_of(const Operands& in, const Words& values, size_t index, unsigned lane) {
  const auto value = int64_t{static_cast<int32_t>(values[lane])};
  return in.operand(index).negated && value == INT32_MIN ? -value : value;
}

void viadd(Operands& in) {
  const Words &a = in.word(1), &b = in.word(2);
  Words sum;
  if (in.has(Modifier::pairs)) {
    if (in.operand(1).negated || in.operand(2).negated || in.has(Modifier::saturated)) return in.refuse();
    for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = ((a[i] + b[i]) & 0xffff) | ((a[i] >> 16) + (b[i] >> 16)) << 16;
  } else if (in.has(Modifier::saturated)) {
    for (unsigned i = 0; i < warp_lanes; ++i) {
      const int64_t exact = signed_of(in, a, 1, i) + signed_of(in, b, 2, i);
      sum[i] = static_cast<uint32_t>(std::clamp<int64_t>(exact, INT32_MIN, INT32_MAX));
    }
  } else {
    for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = a[i] + b[i];
  }
  in.set(0, sum);
}

// (a << s) + b; with .HI the upper half of {c, a} << s instead, with .SX32 the sign of a for c. A minus of a is that of
// what was shifted.
void lea(Operands& in) {
  if (in.operand(2).negated || in.operand(2).inverted) return in.refuse();
  const unsigned shift = in.modifier(Modifier::shift_amount);
  const Words& low = in.word(2);
  Longs sum = in.addend(3);
  if (in.has(Modifier::high)) {
    const bool extends = in.has(Modifier::sign_extend);
    const Words& high = extends ? low : in.word(4);
    for (unsigned i = 0; i < warp_lanes; ++i) {
      const uint32_t upper = extends ? static_cast<uint32_t>(static_cast<int32_t>(low[i]) >> 31) : high[i];
      sum[i] += (low[i] | uint64_t{upper} << 32) << shift >> 32;
    }
  } else {
    for (unsigned i = 0; i < warp_lanes; ++i) sum[i] += low[i] << shift;
  }
  if (in.has(Modifier::extended)) add_flag(sum, in.flag(5));
  if (in.writes(1)) in.set_flag(1, carries(sum, 1));
  in.set(0, low_halves(sum));
}

// Of 32-bit factors.
void multiply(Operands& in, Longs& product) {
  const Words &a = in.word(2), &b = in.word(3);
  if (in.has(Modifier::is_signed)) {
    for (unsigned i = 0; i < warp_lanes; ++i)
      product[i] = static_cast<uint64_t>(int64_t{static_cast<int32_t>(a[i])} * static_cast<int32_t>(b[i]));
  } else {
    for (unsigned i = 0; i < warp_lanes; ++i) product[i] = uint64_t{a[i]} * b[i];
  }
}

LaneSet carry_in(Operands& in) { return in.has(Modifier::extended) ? in.flag(5) : 0; }

void imad(Operands& in) {
  if (in.writes(1)) return in.refuse();
  const Words &a = in.word(2), &b = in.word(3), &c = in.word(4);
  const LaneSet carry = carry_in(in);
  Words sum;
  for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = a[i] * b[i] + c[i];
  if (carry != 0) for_each_lane(carry, [&](unsigned i) { ++sum[i]; });
  in.set(0, sum);
}

// The carry is that of the sum of 64 bits: the product and c. It is known for factors without sign only.
void multiply_wide(Operands& in, Longs& sum) {
  if (in.writes(1) && in.has(Modifier::is_signed)) in.refuse();
  Longs product;
  multiply(in, product);
  const Longs& third = in.pair(4);
  const LaneSet carry = carry_in(in);
  for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = product[i] + third[i] + (carry >> i & 1);
  if (!in.writes(1)) return;
  in.set_flag(1, lanes_with([&](unsigned i) {
                return (Wide{product[i]} + wide_addend(in, third, 4, i) + (carry >> i & 1)) >> 64 != 0;
              }));
}

void imad_wide(Operands& in) {
  Longs sum;
  multiply_wide(in, sum);
  in.set_pair(0, sum);
}

void imad_high(Operands& in) {
  Longs sum;
  multiply_wide(in, sum);
  for (unsigned i = 0; i < warp_lanes; ++i) sum[i] >>= 32;
  in.set(0, low_halves(sum));
}

void iabs(Operands& in) {
  Words value = in.word(1);
  for (unsigned i = 0; i < warp_lanes; ++i) {
    if (static_cast<int32_t>(value[i]) < 0) value[i] = 0 - value[i];
  }
  in.set(0, value);
}

template <typename Word>
Word distance(Word a, Word b) {
  return static_cast<Word>(a < b ? b - a : a - b);
}

// |a - b| + c
void vabsdiff(Operands& in) {
  const Words &a = in.word(1), &b = in.word(2), &c = in.word(3);
  const uint32_t shifted = in.has(Modifier::is_signed) ? uint32_t{1} << 31 : 0;
  Words sum;
  for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = distance(a[i] ^ shifted, b[i] ^ shifted) + c[i];
  in.set(0, sum);
}

// The lowest bits of a value, extended.
uint32_t part(uint32_t value, unsigned bits, bool is_signed) {
  const uint32_t left = value << (32 - bits);
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(left) >> (32 - bits)) : left >> (32 - bits);
}

// c and the products of four bytes with four, or (2A) of two halves with the two lower bytes or (.HI) the two upper
// ones. Bits 73 and 74 tell which source has signs, bits 76 and 77 which products.
void idp(Operands& in) {
  const bool halves = in.bit(76), upper = in.bit(77);
  const unsigned parts = halves ? 2 : 4, bits = halves ? 16 : 8, first = upper ? 16 : 0;
  const Words &a = in.word(1), &b = in.word(2);
  Words sum = in.word(3);
  for (unsigned i = 0; i < warp_lanes; ++i) {
    for (unsigned each = 0; each < parts; ++each)
      sum[i] += part(a[i] >> each * bits, bits, in.bit(73)) * part(b[i] >> (first + each * 8), 8, in.bit(74));
  }
  in.set(0, sum);
}

template <typename Word>
Word lesser_or_greater(Word a, Word b, bool is_signed, bool lesser) {
  using Signed = std::make_signed_t<Word>;
  const bool less = is_signed ? static_cast<Signed>(a) < static_cast<Signed>(b) : a < b;
  return less == lesser ? a : b;
}

// Of sm_100 and later: with predicates, and of 32 or 64 bits.
void minimum_of_either(Operands& in) {
  if (in.writes(0) || in.writes(1) || in.writes(6)) return in.refuse();
  const bool is_signed = in.has(Modifier::is_signed);
  const LaneSet lesser = in.flag(5);
  if (in.has(Modifier::wide)) {
    const Longs &a = in.pair(3), &b = in.pair(4);
    Longs result;
    for (unsigned i = 0; i < warp_lanes; ++i)
      result[i] = lesser_or_greater(a[i], b[i], is_signed, (lesser >> i & 1) != 0);
    return in.set_pair(2, result);
  }
  const Words &a = in.word(3), &b = in.word(4);
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i)
    result[i] = lesser_or_greater(a[i], b[i], is_signed, (lesser >> i & 1) != 0);
  in.set(2, result);
}

void imnmx(Operands& in) {
  if (in.instruction().modifier(Modifier::wide)) return minimum_of_either(in);
  const Words &a = in.word(1), &b = in.word(2);
  const LaneSet lesser = in.flag(3);
  const bool is_signed = in.has(Modifier::is_signed);
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i)
    result[i] = lesser_or_greater(a[i], b[i], is_signed, (lesser >> i & 1) != 0);
  in.set(0, result);
}

// U32 S32 U16x2 S16x2.
Words packed_minimum(const Operands& in, const Words& a, const Words& b, LaneSet lesser) {
  const unsigned packed = in.modifier(Modifier::packed);
  const bool is_signed = packed % 2 == 1;
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i) {
    const bool less = (lesser >> i & 1) != 0;
    if (packed < 2) {
      result[i] = lesser_or_greater(a[i], b[i], is_signed, less);
      continue;
    }
    const auto half = [&](unsigned shift) {
      const auto x = static_cast<uint16_t>(a[i] >> shift), y = static_cast<uint16_t>(b[i] >> shift);
      return uint32_t{lesser_or_greater(x, y, is_signed, less)} << shift;
    };
    result[i] = half(0) | half(16);
  }
  return result;
}

// .RELU: negative results become 0.
void set_extreme(Operands& in, const Words& value) {
  if (!in.has(Modifier::relu)) return in.set(0, value);
  if (in.modifier(Modifier::packed) % 2 == 0) return in.refuse();
  in.set(0, packed_minimum(in, value, Words{}, 0));
}

void vimnmx(Operands& in) {
  if (in.writes(1) || in.writes(2)) return in.refuse();
  set_extreme(in, packed_minimum(in, in.word(3), in.word(4), in.flag(5)));
}

void vimnmx3(Operands& in) {
  const LaneSet lesser = in.flag(4);
  set_extreme(in, packed_minimum(in, packed_minimum(in, in.word(1), in.word(2), lesser), in.word(3), lesser));
}

void viaddmnmx(Operands& in) {
  if (in.modifier(Modifier::packed) > 1) return in.refuse();
  const Words &a = in.word(1), &b = in.word(2);
  Words sum;
  for (unsigned i = 0; i < warp_lanes; ++i) sum[i] = a[i] + b[i];
  set_extreme(in, packed_minimum(in, sum, in.word(3), in.flag(4)));
}

constexpr Row<Action> rows[] = {
    {"IADD3", iadd3},
    {"UIADD3", iadd3},
    {"UIADD3.64", iadd3_pair},
    {"IADD", iadd},
    {"IADD.64", iadd_pair},
    {"VIADD", viadd},
    {"UVIADD", viadd},
    {"LEA", lea},
    {"ULEA", lea},
    {"IMAD", imad},
    {"UIMAD", imad},
    {"IMAD.WIDE", imad_wide},
    {"UIMAD.WIDE", imad_wide},
    {"IMAD.HI", imad_high},
    {"UIMAD.HI", imad_high},
    {"IABS", iabs},
    {"VABSDIFF", vabsdiff},
    {"IDP", idp},
    {"IMNMX", imnmx},
    {"UIMNMX", imnmx},
    {"VIMNMX", vimnmx},
    {"UVIMNMX", vimnmx},
    {"VIMNMX3", vimnmx3},
    {"VIADDMNMX", viaddmnmx},
};

}  // namespace

Action integer_action(std::string_view mnemonic) { return find_row<Action>(rows, mnemonic); }

}  // namespace warpspan::execution
