// SPDX-License-Identifier: GPL-3.0-or-later
// Sums, products, minima of integers, with carries.
#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "tests/machine_code/interpreter/lane.hpp"

namespace warpspan::machine_code {

namespace {

// The three sources of an addition and what carries into it.
template <typename Sum, typename Addend>
void add_three(Lane& lane, int bits, const Addend& addend, const std::array<size_t, 2>& carries, Sum& sum) {
  sum = 0;
  for (size_t source = 3; source <= 5; ++source) sum += addend(source);
  if (lane.has(Modifier::extended)) {
    for (const size_t carry : carries) sum += lane.flag(carry) ? 1 : 0;
  }
  const auto over = static_cast<unsigned>(sum >> bits);
  lane.set_flag(1, over >= 1);
  lane.set_flag(2, over >= 2);
}

// With its minus, which 32 bits may not hold.
int64_t signed_of(const Lane& lane, size_t source) {
  const auto value = int64_t{static_cast<int32_t>(lane.word(source))};
  return lane.operand(source).negated && value == INT32_MIN ? -value : value;
}

void iadd3(Lane& lane) {
  uint64_t sum = 0;
  add_three(
      lane, 32, [&](size_t source) { return lane.addend(source); }, {6, 7}, sum);
  lane.set(0, static_cast<uint32_t>(sum));
}

void iadd3_pair(Lane& lane) {
  UnsignedWide sum = 0;
  add_three(
      lane, 64, [&](size_t source) { return lane.wide_addend(source); }, {6, 7}, sum);
  lane.set_pair(0, static_cast<uint64_t>(sum));
}

void iadd(Lane& lane) {
  uint64_t sum = lane.addend(2) + lane.addend(3);
  if (lane.has(Modifier::extended)) sum += lane.flag(4) ? 1 : 0;
  lane.set_flag(1, sum >> 32 != 0);
  lane.set(0, static_cast<uint32_t>(sum));
}

void iadd_pair(Lane& lane) {
  UnsignedWide sum = lane.wide_addend(2) + lane.wide_addend(3);
  if (lane.has(Modifier::extended)) sum += lane.flag(4) ? 1 : 0;
  lane.set_flag(1, sum >> 64 != 0);
  lane.set_pair(0, static_cast<uint64_t>(sum));
}

// Of words, or of each half of them.
void viadd(Lane& lane) {
  const uint32_t a = lane.word(1), b = lane.word(2);
  if (lane.has(Modifier::pairs)) {
    if (lane.operand(1).negated || lane.operand(2).negated) return lane.refuse("a minus of halves");
    return lane.set(0, ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16);
  }
  if (!lane.has(Modifier::saturated)) return lane.set(0, a + b);
  const int64_t sum = signed_of(lane, 1) + signed_of(lane, 2);
  lane.set(0, static_cast<uint32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX)));
}

// (a << s) + b; with .HI the upper half of {c, a} << s instead, with .SX32 the sign of a for c. A minus of a is that of
// what was shifted.
void lea(Lane& lane) {
  if (lane.operand(2).negated || lane.operand(2).inverted) return lane.refuse("the sign of a shifted source");
  const unsigned shift = lane.modifier(Modifier::shift_amount);
  const uint32_t low = lane.word(2);
  uint64_t shifted = low;
  if (lane.has(Modifier::high)) {
    const uint32_t sign = static_cast<int32_t>(low) < 0 ? UINT32_MAX : 0;
    shifted |= uint64_t{lane.has(Modifier::sign_extend) ? sign : lane.word(4)} << 32;
    shifted = shifted << shift >> 32;
  } else {
    shifted = static_cast<uint32_t>(shifted << shift);
  }
  uint64_t sum = shifted + lane.addend(3);
  if (lane.has(Modifier::extended)) sum += lane.flag(5) ? 1 : 0;
  lane.set_flag(1, sum >> 32 != 0);
  lane.set(0, static_cast<uint32_t>(sum));
}

// Of 32-bit factors.
uint64_t product(const Lane& lane) {
  const uint32_t a = lane.word(2), b = lane.word(3);
  if (!lane.has(Modifier::is_signed)) return uint64_t{a} * b;
  return static_cast<uint64_t>(int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b));
}

uint64_t carry_in(const Lane& lane) { return lane.has(Modifier::extended) && lane.flag(5) ? 1 : 0; }

void imad(Lane& lane) {
  if (lane.writes(1)) return lane.refuse("the carry of a product");
  lane.set(0, static_cast<uint32_t>(product(lane) + lane.addend(4) + carry_in(lane)));
}

// The carry is that of the sum of 64 bits: the product and c. It is known for factors without sign only.
UnsignedWide product_sum(Lane& lane) {
  const sass::Operand& third = lane.operand(4);
  if (third.kind == sass::OperandKind::immediate && third.value < 0) lane.refuse("a negative immediate of 64 bits");
  if (lane.writes(1) && lane.has(Modifier::is_signed)) lane.refuse("the carry of a signed product");
  return UnsignedWide{product(lane)} + lane.wide_addend(4) + carry_in(lane);
}

void imad_wide(Lane& lane) {
  const UnsignedWide sum = product_sum(lane);
  lane.set_flag(1, sum >> 64 != 0);
  lane.set_pair(0, static_cast<uint64_t>(sum));
}

void imad_high(Lane& lane) {
  const UnsignedWide sum = product_sum(lane);
  lane.set_flag(1, sum >> 64 != 0);
  lane.set(0, static_cast<uint32_t>(static_cast<uint64_t>(sum) >> 32));
}

void iabs(Lane& lane) {
  const uint32_t value = lane.word(1);
  lane.set(0, static_cast<int32_t>(value) < 0 ? 0 - value : value);
}

// |a - b| + c
void vabsdiff(Lane& lane) {
  const uint32_t a = lane.word(1), b = lane.word(2);
  const bool less = lane.has(Modifier::is_signed) ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  lane.set(0, (less ? b - a : a - b) + lane.word(3));
}

template <typename Word>
Word lesser_or_greater(Word a, Word b, bool is_signed, bool lesser) {
  using Signed = std::make_signed_t<Word>;
  const bool less = is_signed ? static_cast<Signed>(a) < static_cast<Signed>(b) : a < b;
  return less == lesser ? a : b;
}

// Of sm_100 and later: with predicates, and of 32 or 64 bits.
void imnmx_of_either(Lane& lane) {
  if (lane.writes(0) || lane.writes(1) || lane.writes(6)) return lane.refuse("a minimum with predicates");
  const bool is_signed = lane.has(Modifier::is_signed), lesser = lane.flag(5);
  if (lane.has(Modifier::wide))
    return lane.set_pair(2, lesser_or_greater(lane.pair(3), lane.pair(4), is_signed, lesser));
  lane.set(2, lesser_or_greater(lane.word(3), lane.word(4), is_signed, lesser));
}

void imnmx(Lane& lane) {
  if (lane.instruction().modifier(Modifier::wide)) return imnmx_of_either(lane);
  lane.set(0, lesser_or_greater(lane.word(1), lane.word(2), lane.has(Modifier::is_signed), lane.flag(3)));
}

// U32 S32 U16x2 S16x2.
uint32_t packed_minimum(const Lane& lane, uint32_t a, uint32_t b, bool lesser) {
  const unsigned packed = lane.modifier(Modifier::packed);
  const bool is_signed = packed % 2 == 1;
  if (packed < 2) return lesser_or_greater(a, b, is_signed, lesser);
  const auto half = [&](unsigned shift) {
    const auto x = static_cast<uint16_t>(a >> shift), y = static_cast<uint16_t>(b >> shift);
    return uint32_t{lesser_or_greater(x, y, is_signed, lesser)} << shift;
  };
  return half(0) | half(16);
}

// .RELU: negative results become 0.
void set_extreme(Lane& lane, uint32_t value) {
  if (!lane.has(Modifier::relu)) return lane.set(0, value);
  if (lane.modifier(Modifier::packed) % 2 == 0) return lane.refuse(".RELU of numbers without sign");
  lane.set(0, packed_minimum(lane, value, 0, false));
}

void vimnmx(Lane& lane) {
  if (lane.writes(1) || lane.writes(2)) return lane.refuse("a minimum with predicates");
  set_extreme(lane, packed_minimum(lane, lane.word(3), lane.word(4), lane.flag(5)));
}

void vimnmx3(Lane& lane) {
  const bool lesser = lane.flag(4);
  set_extreme(lane,
              packed_minimum(lane, packed_minimum(lane, lane.word(1), lane.word(2), lesser), lane.word(3), lesser));
}

void viaddmnmx(Lane& lane) {
  if (lane.modifier(Modifier::packed) > 1) return lane.refuse("a sum of halves");
  set_extreme(lane, packed_minimum(lane, lane.word(1) + lane.word(2), lane.word(3), lane.flag(4)));
}

constexpr std::pair<std::string_view, Action> actions[] = {
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
    {"IMNMX", imnmx},
    {"VIMNMX", vimnmx},
    {"VIMNMX3", vimnmx3},
    {"UVIMNMX", vimnmx},
    {"UIMNMX", imnmx},
    {"VIADDMNMX", viaddmnmx},
};

}  // namespace

Action integer_action(std::string_view mnemonic) {
  const auto found =
      std::find_if(std::begin(actions), std::end(actions), [&](const auto& each) { return each.first == mnemonic; });
  return found == std::end(actions) ? nullptr : found->second;
}

}  // namespace warpspan::machine_code
