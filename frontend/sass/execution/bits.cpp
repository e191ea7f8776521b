// SPDX-License-Identifier: GPL-3.0-or-later
// Logic, shifts, and what looks for bits.
#include <algorithm>
#include <bit>

#include "frontend/sass/execution/operands.hpp"
#include "frontend/sass/execution/table.hpp"

namespace warpspan::execution {

namespace {

// Bit 4a + 2b + c of the table, for each bit of a, b and c: by c, then by b, then by a one of two is chosen.
uint32_t looked_up(unsigned table, uint32_t a, uint32_t b, uint32_t c) {
  const auto entry = [table](unsigned number) { return 0 - (table >> number & 1); };
  const auto choice = [](uint32_t by, uint32_t one, uint32_t zero) { return zero ^ (by & (one ^ zero)); };
  const uint32_t low = choice(b, choice(c, entry(3), entry(2)), choice(c, entry(1), entry(0)));
  const uint32_t high = choice(b, choice(c, entry(7), entry(6)), choice(c, entry(5), entry(4)));
  return choice(a, high, low);
}

void lop3(Operands& in) {
  const Words &a = in.word(2), &b = in.word(3), &c = in.word(4);
  const unsigned table = in.modifier(Modifier::lut);
  constexpr unsigned conjunction = 0xc0;  // of a and b
  Words result;
  if (table == conjunction) {
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = a[i] & b[i];
  } else {
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = looked_up(table, a[i], b[i], c[i]);
  }
  if (in.writes(0)) {
    const LaneSet some = lanes_with([&](unsigned i) { return result[i] != 0; }), other = in.flag(5);
    in.set_flag(0, in.has(Modifier::predicate_and) ? some & other : some | other);
  }
  in.set(1, result);
}

void set_looked_up(Operands& in, LaneSet a, LaneSet b, LaneSet c) {
  const LaneSet first = looked_up(in.modifier(Modifier::lut), a, b, c);
  const LaneSet second = looked_up(in.modifier(Modifier::second_lut), a, b, c);
  in.set_flag(0, first);
  in.set_flag(1, second);
}

void plop3(Operands& in) { set_looked_up(in, in.flag(2), in.flag(3), in.flag(4)); }

// The same of the signs of words.
void plop3_of_signs(Operands& in) {
  const auto signs = [&](size_t index) {
    const Words& value = in.word(index);
    return lanes_with([&](unsigned i) { return value[i] >> 31 != 0; });
  };
  set_looked_up(in, signs(2), signs(3), signs(4));
}

// {c, a} is shifted, and a half of it taken.
void shf(Operands& in) {
  const unsigned type = in.modifier(Modifier::shift_type);  // S64 U64 S32 U32
  const unsigned bits = type < 2 ? 64 : 32;
  const bool wraps = in.has(Modifier::wrap), right = in.has(Modifier::shift_right), is_signed = type % 2 == 0;
  const unsigned half = in.has(Modifier::high) ? 32 : 0;
  const Words &low = in.word(1), &given = in.word(2), &high = in.word(3);
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i) {
    const uint32_t amount = wraps ? given[i] % bits : std::min<uint32_t>(given[i], bits);
    const uint64_t value = low[i] | uint64_t{high[i]} << 32;
    const uint32_t most = std::min<uint32_t>(amount, 63);
    uint64_t shifted = right ? value >> most : value << most;
    if (amount > 63) shifted = 0;
    if (right && is_signed) shifted = static_cast<uint64_t>(static_cast<int64_t>(value) >> most);
    result[i] = static_cast<uint32_t>(shifted >> half);
  }
  in.set(0, result);
}

// The lowest b bits of a, extended.
void sgxt(Operands& in) {
  const bool wraps = in.has(Modifier::wrap), is_signed = in.has(Modifier::is_signed);
  const Words &value = in.word(1), &given = in.word(2);
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i) {
    const uint32_t bits = wraps ? given[i] % 32 : std::min<uint32_t>(given[i], 32);
    const uint64_t left = uint64_t{value[i]} << (64 - bits) % 64;
    const uint64_t extended =
        is_signed ? static_cast<uint64_t>(static_cast<int64_t>(left) >> (64 - bits) % 64) : left >> (64 - bits) % 64;
    result[i] = bits == 0 ? 0 : static_cast<uint32_t>(extended);
  }
  in.set(0, result);
}

// b ones from bit a on.
void bmsk(Operands& in) {
  const bool wraps = in.has(Modifier::wrap);
  const Words &first = in.word(1), &count = in.word(2);
  const auto limited = [wraps](uint32_t value) { return wraps ? value % 32 : std::min<uint32_t>(value, 32); };
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i)
    result[i] = static_cast<uint32_t>(((uint64_t{1} << limited(count[i])) - 1) << limited(first[i]));
  in.set(0, result);
}

// Of the two registers c, a with a the lower, the byte that each 4 bits of the selector say; bit 3: its sign instead.
uint32_t permuted(uint64_t bytes, uint32_t selector) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const uint32_t which = selector >> (4 * i) & 15;
    auto byte = static_cast<uint32_t>(bytes >> (8 * (which & 7)) & 0xff);
    if ((which & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

// The selector that a mode of PRMT makes of the two lowest bits of one; PTX ISA 9.0, 9.7.7.7.
uint32_t selector_of(unsigned mode, uint32_t given) {
  constexpr uint16_t selectors[][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543},  // F4E
      {0x5670, 0x6701, 0x7012, 0x0123},  // B4E
      {0x0000, 0x1111, 0x2222, 0x3333},  // RC8
      {0x3210, 0x3211, 0x3222, 0x3333},  // ECL
      {0x0000, 0x1110, 0x2210, 0x3210},  // ECR
      {0x1010, 0x3232, 0x1010, 0x3232},  // RC16
  };
  return mode == 0 ? given : selectors[mode - 1][given & 3];
}

void prmt(Operands& in) {
  const unsigned mode = in.modifier(Modifier::permute);
  if (mode > 6) return in.refuse();
  const Words &low = in.word(1), &selector = in.word(2), &high = in.word(3);
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i)
    result[i] = permuted(low[i] | uint64_t{high[i]} << 32, selector_of(mode, selector[i]));
  in.set(0, result);
}

void popc(Operands& in) {
  Words value = in.word(1);
  for (unsigned i = 0; i < warp_lanes; ++i) value[i] = static_cast<uint32_t>(std::popcount(value[i]));
  in.set(0, value);
}

void brev(Operands& in) {
  Words value = in.word(1);
  for (unsigned i = 0; i < warp_lanes; ++i) {
    uint32_t x = value[i];
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    value[i] = x >> 16 | x << 16;
  }
  in.set(0, value);
}

// The highest bit that is set, or that is not the sign; all ones if there is none.
void flo(Operands& in) {
  Words value = in.word(2);
  const bool is_signed = in.has(Modifier::is_signed), shifts = in.has(Modifier::shift_position);
  for (unsigned i = 0; i < warp_lanes; ++i) {
    if (is_signed && static_cast<int32_t>(value[i]) < 0) value[i] = ~value[i];
  }
  in.set_flag(1, lanes_with([&](unsigned i) { return value[i] != 0; }));
  for (unsigned i = 0; i < warp_lanes; ++i) {
    const auto zeros = static_cast<uint32_t>(std::countl_zero(value[i]));
    value[i] = value[i] == 0 ? UINT32_MAX : shifts ? zeros : 31 - zeros;
  }
  in.set(0, value);
}

constexpr Row<Action> rows[] = {
    {"LOP3", lop3},
    {"ULOP3", lop3},
    {"PLOP3", plop3},
    {"UPLOP3", plop3},
    {"PLOP3.SIGN", plop3_of_signs},
    {"UPLOP3.SIGN", plop3_of_signs},
    {"SHF", shf},
    {"USHF", shf},
    {"SGXT", sgxt},
    {"USGXT", sgxt},
    {"BMSK", bmsk},
    {"UBMSK", bmsk},
    {"PRMT", prmt},
    {"UPRMT", prmt},
    {"POPC", popc},
    {"UPOPC", popc},
    {"BREV", brev},
    {"UBREV", brev},
    {"FLO", flo},
    {"UFLO", flo},
};

}  // namespace

Action bits_action(std::string_view mnemonic) { return find_row<Action>(rows, mnemonic); }

}  // namespace warpspan::execution
