// SPDX-License-Identifier: GPL-3.0-or-later
// Moves, constants, and predicates as bits of a register.
#include <algorithm>
#include <utility>

#include "tests/machine_code/interpreter/lane.hpp"

namespace warpspan::machine_code {

namespace {

void mov(Lane& lane) {
  const unsigned lanes = lane.instruction().modifier(Modifier::lanes).value_or(15);
  if ((lanes >> (lane.number() % 4) & 1) == 0) return;
  if (lane.has(Modifier::wide)) return lane.set_pair(0, lane.pair(1));
  lane.set(0, lane.word(1));
}

void mov_pair(Lane& lane) { lane.set_pair(0, lane.pair(1)); }

// The mask chooses which predicates; they go to the byte of the result that the modifier names, the rest is the
// source's.
void p2r(Lane& lane) {
  if (lane.operand(2).first != sass::no_register || lane.has(Modifier::byte)) return lane.refuse("P2R into a register");
  const auto mask = static_cast<uint32_t>(lane.operand(3).value);
  uint32_t result = 0;
  for (unsigned number = 0; number < 7; ++number) {
    if (lane.predicate(number)) result |= uint32_t{1} << number;
  }
  lane.set(0, result & mask);
}

void r2p(Lane& lane) {
  const auto mask = static_cast<uint32_t>(lane.operand(2).value);
  const uint32_t value = lane.word(1) >> (8 * lane.modifier(Modifier::byte));
  for (unsigned number = 0; number < 7; ++number) {
    if ((mask >> number & 1) != 0) lane.set_predicate(number, (value >> number & 1) != 0);
  }
}

unsigned bytes_of_size(unsigned size) {
  constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
  return bytes[size & 7];
}

// LDC, ULDC, LDCU.
void load_constant(Lane& lane) {
  const sass::Operand& from = lane.operand(1);
  const unsigned size = lane.modifier(Modifier::size);
  uint64_t offset = static_cast<uint64_t>(from.value);
  if (from.first != sass::no_register) offset += lane.general(from.first);
  if (from.second != sass::no_register) offset += lane.uniform(from.second);
  offset &= UINT32_MAX;
  const unsigned bytes = bytes_of_size(size);
  if (bytes < 4) {
    const uint64_t value = lane.constant(from.bank, offset, bytes);
    const reference::IntegerType type{static_cast<int>(8 * bytes), size == 1 || size == 3};
    return lane.set(0, static_cast<uint32_t>(type.extend(value)));
  }
  for (unsigned i = 0; i < bytes / 4; ++i)
    lane.set(0, static_cast<uint32_t>(lane.constant(from.bank, offset + 4 * i, 4)), i);
}

constexpr std::pair<std::string_view, Action> actions[] = {
    {"MOV", mov}, {"UMOV", mov},          {"MOV.64", mov_pair},    {"UMOV.64", mov_pair},   {"P2R", p2r},
    {"R2P", r2p}, {"LDC", load_constant}, {"ULDC", load_constant}, {"LDCU", load_constant},
};

}  // namespace

Action move_action(std::string_view mnemonic) {
  const auto found =
      std::find_if(std::begin(actions), std::end(actions), [&](const auto& each) { return each.first == mnemonic; });
  return found == std::end(actions) ? nullptr : found->second;
}

}  // namespace warpspan::machine_code
