// SPDX-License-Identifier: GPL-3.0-or-later
// Logic, shifts, and what looks for bits.
#include <algorithm>
#include <bit>
#include <utility>

#include "tests/machine_code/interpreter/lane.hpp"

namespace warpspan::machine_code {

namespace {

// Bit 4a + 2b + c of the table, for each bit of a, b and c.
uint32_t looked_up(unsigned table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (unsigned entry = 0; entry < 8; ++entry) {
    if ((table >> entry & 1) != 0) result |= (entry & 4 ? a : ~a) & (entry & 2 ? b : ~b) & (entry & 1 ? c : ~c);
  }
  return result;
}

void lop3(Lane& lane) {
  const uint32_t result = looked_up(lane.modifier(Modifier::lut), lane.word(2), lane.word(3), lane.word(4));
  const bool other = lane.flag(5);
  lane.set_flag(0, lane.has(Modifier::predicate_and) ? result != 0 && other : result != 0 || other);
  lane.set(1, result);
}

void set_looked_up(Lane& lane, uint32_t a, uint32_t b, uint32_t c) {
  const bool first = (looked_up(lane.modifier(Modifier::lut), a, b, c) & 1) != 0;
  const bool second = (looked_up(lane.modifier(Modifier::second_lut), a, b, c) & 1) != 0;
  lane.set_flag(0, first);
  lane.set_flag(1, second);
}

void plop3(Lane& lane) { set_looked_up(lane, lane.flag(2) ? 1 : 0, lane.flag(3) ? 1 : 0, lane.flag(4) ? 1 : 0); }

// The same of the signs of words.
void plop3_of_signs(Lane& lane) { set_looked_up(lane, lane.word(2) >> 31, lane.word(3) >> 31, lane.word(4) >> 31); }

uint64_t shifted(uint64_t value, unsigned amount, bool right, bool is_signed) {
  if (!right) return amount >= 64 ? 0 : value << amount;
  if (!is_signed) return amount >= 64 ? 0 : value >> amount;
  return static_cast<uint64_t>(static_cast<int64_t>(value) >> std::min(amount, 63U));
}

// {c, a} is shifted, and a half of it taken.
void shf(Lane& lane) {
  const unsigned type = lane.modifier(Modifier::shift_type);  // S64 U64 S32 U32
  const unsigned bits = type < 2 ? 64 : 32;
  const uint32_t given = lane.word(2);
  const unsigned amount = lane.has(Modifier::wrap) ? given % bits : std::min<uint32_t>(given, bits);
  const uint64_t value = lane.word(1) | uint64_t{lane.word(3)} << 32;
  const uint64_t result = shifted(value, amount, lane.has(Modifier::shift_right), type % 2 == 0);
  lane.set(0, static_cast<uint32_t>(lane.has(Modifier::high) ? result >> 32 : result));
}

// The lowest b bits of a, extended.
void sgxt(Lane& lane) {
  const uint32_t given = lane.word(2);
  const unsigned bits = lane.has(Modifier::wrap) ? given % 32 : std::min<uint32_t>(given, 32);
  if (bits == 0) return lane.set(0, 0);
  const uint32_t left = lane.word(1) << (32 - bits);
  lane.set(0, lane.has(Modifier::is_signed) ? static_cast<uint32_t>(static_cast<int32_t>(left) >> (32 - bits))
                                            : left >> (32 - bits));
}

// b ones from bit a on.
void bmsk(Lane& lane) {
  const uint32_t at = lane.has(Modifier::wrap) ? lane.word(1) % 32 : std::min<uint32_t>(lane.word(1), 32);
  const uint32_t count = lane.has(Modifier::wrap) ? lane.word(2) % 32 : std::min<uint32_t>(lane.word(2), 32);
  lane.set(0, static_cast<uint32_t>(((uint64_t{1} << count) - 1) << at));
}

// Of the two registers c, a with a the lower, the byte that each 4 bits of the selector say; bit 3: its sign instead.
void prmt(Lane& lane) {
  if (lane.has(Modifier::permute)) return lane.refuse("a mode of PRMT");
  const uint64_t bytes = lane.word(1) | uint64_t{lane.word(3)} << 32;
  const uint32_t selector = lane.word(2);
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const uint32_t which = selector >> (4 * i) & 15;
    auto byte = static_cast<uint32_t>(bytes >> (8 * (which & 7)) & 0xff);
    if ((which & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  lane.set(0, result);
}

void popc(Lane& lane) { lane.set(0, static_cast<uint32_t>(std::popcount(lane.word(1)))); }

void brev(Lane& lane) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= (lane.word(1) >> i & 1) << (31 - i);
  lane.set(0, result);
}

// The highest bit that is set, or that is not the sign; all ones if there is none.
void flo(Lane& lane) {
  uint32_t value = lane.word(2);
  if (lane.has(Modifier::is_signed) && static_cast<int32_t>(value) < 0) value = ~value;
  lane.set_flag(1, value != 0);
  const auto zeros = static_cast<uint32_t>(std::countl_zero(value));
  lane.set(0, value == 0 ? UINT32_MAX : lane.has(Modifier::shift_position) ? zeros : 31 - zeros);
}

constexpr std::pair<std::string_view, Action> actions[] = {
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

Action bits_action(std::string_view mnemonic) {
  const auto found =
      std::find_if(std::begin(actions), std::end(actions), [&](const auto& each) { return each.first == mnemonic; });
  return found == std::end(actions) ? nullptr : found->second;
}

}  // namespace warpspan::machine_code
