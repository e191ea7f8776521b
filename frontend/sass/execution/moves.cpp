// SPDX-License-Identifier: GPL-3.0-or-later
// Moves, and predicates as bits of a register.
#include "frontend/sass/execution/operands.hpp"
#include "frontend/sass/execution/table.hpp"

namespace warpspan::execution {

namespace {

void mov_pair(Operands& in) { in.set_pair(0, in.pair(1)); }

// Of each four lanes a mask chooses some.
void mov(Operands& in) {
  const unsigned chosen = in.instruction().modifier(Modifier::lanes).value_or(15);
  if (chosen != 15) in.keep_lanes(lanes_with([chosen](unsigned i) { return (chosen >> i % 4 & 1) != 0; }));
  if (in.lanes() == 0) return;
  if (in.has(Modifier::wide)) return mov_pair(in);
  in.set(0, in.word(1));
}

// The mask chooses which predicates; they go to the byte of the result that the modifier names, the rest is the
// source's.
void p2r(Operands& in) {
  const bool uniform = in.operand(0).register_class == sass::RegisterClass::uniform;
  const auto mask = static_cast<uint32_t>(in.operand(3).value) & 0x7f;
  const unsigned shift = 8 * in.modifier(Modifier::byte);
  Words result = in.word(2);
  for (unsigned number = 0; number < 7; ++number) {
    if ((mask >> number & 1) == 0) continue;
    const uint32_t bit = uint32_t{1} << (shift + number);
    const LaneSet holds = !uniform                                    ? in.registers().predicates[number]
                          : in.registers().uniform_predicates[number] ? all_lanes
                                                                      : 0;
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = (result[i] & ~bit) | ((holds >> i & 1) != 0 ? bit : 0);
  }
  in.set(0, result);
}

void r2p(Operands& in) {
  const auto mask = static_cast<uint32_t>(in.operand(2).value);
  const unsigned shift = 8 * in.modifier(Modifier::byte);
  const Words& value = in.word(1);
  const bool uniform = in.operand(1).register_class == sass::RegisterClass::uniform;
  for (unsigned number = 0; number < 7; ++number) {
    if ((mask >> number & 1) == 0) continue;
    const LaneSet holds = lanes_with([&](unsigned i) { return (value[i] >> (shift + number) & 1) != 0; });
    if (uniform)
      in.set_uniform_predicate(number, holds);
    else
      in.set_predicate(number, holds);
  }
}

constexpr Row<Action> rows[] = {
    {"MOV", mov}, {"UMOV", mov},  {"MOV.64", mov_pair}, {"UMOV.64", mov_pair},
    {"P2R", p2r}, {"UP2UR", p2r}, {"R2P", r2p},         {"UR2UP", r2p},
};

}  // namespace

Action move_action(std::string_view mnemonic) { return find_row<Action>(rows, mnemonic); }

}  // namespace warpspan::execution
