// SPDX-License-Identifier: GPL-3.0-or-later
// What lanes tell each other, and what they are told about themselves.
#include <algorithm>
#include <bit>

#include "tests/machine_code/interpreter/warp.hpp"

namespace warpspan::machine_code {

namespace {

constexpr uint64_t stack_limit = 0;  // where local memory begins that functions may use as their stack

template <typename Do>
void for_each_lane(LaneSet lanes, const Do& act) {
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) != 0) act(lane);
  }
}

uint32_t component(const ir::Extent& extent, int64_t which) {
  return static_cast<uint32_t>(which == 0 ? extent.x : which == 1 ? extent.y : extent.z);
}

unsigned first_of(LaneSet lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

}  // namespace

uint64_t Warp::special(Machine& machine, int64_t which, unsigned lane) const {
  const LaneSet own = LaneSet{1} << lane;
  const ir::Extent& block = around_.launch.block;
  const int64_t thread = int64_t{number_} * lanes_of_warp + lane;
  switch (which) {
    case 0: return lane;
    case 33: return static_cast<uint64_t>(thread % block.x);
    case 34: return static_cast<uint64_t>(thread / block.x % block.y);
    case 35: return static_cast<uint64_t>(thread / (block.x * block.y));
    case 37:
    case 38:
    case 39: return component(around_.block_number, which - 37);
    case 47: return reference::shared_window >> 32;
    case 55: return stack_limit;
    case 56: return own;
    case 57: return own - 1;
    case 58: return own | (own - 1);
    case 59: return ~(own | (own - 1));
    case 60: return ~(own - 1);
    case 80:
    case 82: return static_cast<uint64_t>(record_.steps);
    case 83: return 0;
    case 136: return 0;  // the block's number in its cluster
    case 255: return 0;
    default: machine.refuse("a special register"); return 0;
  }
}

void Warp::special_register(Machine& machine, LaneSet lanes) {
  const int64_t which = machine.instruction.operand_values[1].value;
  const bool uniform = machine.instruction.operand_values[0].register_class == sass::RegisterClass::uniform;
  for_each_lane(uniform ? lanes & -lanes : lanes, [&](unsigned number) {
    Lane lane(machine, number);
    const uint64_t value = special(machine, which, number);
    if (lane.operand(0).count == 2)
      lane.set_pair(0, value);
    else
      lane.set(0, static_cast<uint32_t>(value));
  });
}

// Of VOTE the lanes that say so go to the first result, what is asked to the second.
void Warp::vote(Machine& machine, LaneSet lanes) {
  const LaneSet yes = holding(machine, lanes, 2);
  bool outcome = false;
  switch (machine.instruction.modifier(Modifier::vote).value_or(0)) {
    case 0: outcome = yes == lanes; break;
    case 1: outcome = yes != 0; break;
    case 2: outcome = yes == lanes || yes == 0; break;
    default: return machine.refuse("a vote");
  }
  for_each_lane(lanes, [&](unsigned number) {
    Lane lane(machine, number);
    lane.set(0, yes);
    lane.set_flag(1, outcome);
  });
}

// As shfl of PTX ISA 9.7.9.6. A lane that reads from one that is not there keeps its own value.
void Warp::shuffle(Machine& machine, LaneSet lanes) {
  std::array<uint32_t, lanes_of_warp> given{};
  for_each_lane(lanes, [&](unsigned number) { given[number] = Lane(machine, number).word(2); });
  const unsigned kind = machine.instruction.modifier(Modifier::shuffle).value_or(0);  // IDX UP DOWN BFLY
  for_each_lane(lanes, [&](unsigned number) {
    Lane lane(machine, number);
    const auto distance = static_cast<int>(lane.word(3) & 31);
    const auto control = static_cast<int>(lane.word(4));
    const int clamp = control & 31, segment = control >> 8 & 31, own = static_cast<int>(number);
    const int most = (own & segment) | (clamp & ~segment);
    int from = (own & segment) | (distance & ~segment);
    if (kind == 1) from = own - distance;
    if (kind == 2) from = own + distance;
    if (kind == 3) from = own ^ distance;
    const bool valid = kind == 1 ? from >= most : from <= most;
    if (!valid || from < 0 || from > 31 || (lanes >> from & 1) == 0) from = own;
    lane.set(1, given[static_cast<size_t>(from)]);
    lane.set_flag(0, valid);
  });
}

// MATCH.ANY: the lanes that have the same value. MATCH: all lanes, if they have, and whether they do.
void Warp::match(Machine& machine, LaneSet lanes) {
  const bool wide = machine.instruction.has(Modifier::wide);
  const auto value = [&](unsigned number) {
    const Lane lane(machine, number);
    return wide ? lane.pair(2) : lane.word(2);
  };
  std::array<LaneSet, lanes_of_warp> same{};
  for_each_lane(lanes, [&](unsigned number) {
    for_each_lane(lanes, [&](unsigned other) {
      if (value(number) == value(other)) same[number] |= LaneSet{1} << other;
    });
  });
  const bool any = machine.instruction.has(Modifier::any);
  for_each_lane(lanes, [&](unsigned number) {
    const bool all = same[number] == lanes;
    Lane lane(machine, number);
    lane.set(1, any || all ? same[number] : 0);
    lane.set_flag(0, all);
  });
}

void Warp::reduce(Machine& machine, LaneSet lanes) {
  const unsigned kind = machine.instruction.modifier(Modifier::reduction).value_or(0);  // AND OR XOR SUM MIN MAX
  const bool is_signed = machine.instruction.has(Modifier::is_signed);
  uint32_t result = Lane(machine, first_of(lanes)).word(1);
  for_each_lane(lanes & (lanes - 1), [&](unsigned number) {
    const uint32_t own = Lane(machine, number).word(1);
    const bool less = is_signed ? static_cast<int32_t>(own) < static_cast<int32_t>(result) : own < result;
    switch (kind) {
      case 0: result &= own; break;
      case 1: result |= own; break;
      case 2: result ^= own; break;
      case 3: result += own; break;
      case 4: result = less ? own : result; break;
      case 5: result = less ? result : own; break;
      default: machine.refuse("a reduction");
    }
  });
  Lane(machine, first_of(lanes)).set(0, result);
}

// R2UR, of a value that is the same for all lanes.
void Warp::to_uniform(Machine& machine, LaneSet lanes) {
  Lane lane(machine, first_of(lanes));
  if (lane.writes(0) || lane.has(Modifier::joined)) return machine.refuse("R2UR of different values");
  for_each_lane(lanes, [&](unsigned number) {
    if (Lane(machine, number).word(2) != lane.word(2)) machine.refuse("the values of lanes differ");
  });
  lane.set(1, lane.word(2));
}

bool Warp::exchange(Machine& machine, LaneSet lanes) {
  const std::string_view name = machine.instruction.mnemonic();
  if (name == "S2R" || name == "S2UR" || name == "CS2R" || name == "CS2UR")
    special_register(machine, lanes);
  else if (name == "VOTE" || name == "VOTEU")
    vote(machine, lanes);
  else if (name == "SHFL")
    shuffle(machine, lanes);
  else if (name == "MATCH")
    match(machine, lanes);
  else if (name == "REDUX")
    reduce(machine, lanes);
  else if (name == "R2UR")
    to_uniform(machine, lanes);
  else
    return false;
  return true;
}

}  // namespace warpspan::machine_code
