// SPDX-License-Identifier: GPL-3.0-or-later
// How a warp moves through its code.
#include <algorithm>
#include <bit>

#include "frontend/sass/words/bits.hpp"
#include "tests/machine_code/interpreter/warp.hpp"

namespace warpspan::machine_code {

namespace {

template <typename Do>
void for_each_lane(LaneSet lanes, const Do& act) {
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) != 0) act(lane);
  }
}

// The operand of a kind, counted from `first`; operand_count if there is none.
size_t operand_of(const sass::Instruction& instruction, sass::RegisterClass wanted, size_t first = 0) {
  for (; first < instruction.operand_count; ++first) {
    const sass::Operand& operand = instruction.operand_values[first];
    if (operand.kind == sass::OperandKind::registers && operand.register_class == wanted) break;
  }
  return first;
}

}  // namespace

LaneSet Warp::holding(Machine& machine, LaneSet lanes, size_t operand) const {
  LaneSet result = 0;
  for_each_lane(lanes, [&](unsigned number) {
    if (Lane(machine, number).flag(operand)) result |= LaneSet{1} << number;
  });
  return result;
}

// The chosen lanes go where their targets say, byte offsets; the others behind the instruction.
void Warp::transfer(Machine& machine, size_t group, LaneSet chosen,
                    const std::array<uint64_t, lanes_of_warp>& targets) {
  const Convergence::Group here = control_.groups()[group];
  std::vector<Convergence::Way> ways;
  const auto add = [&](uint32_t to, LaneSet who) {
    const auto same = std::find_if(ways.begin(), ways.end(), [to](const auto& way) { return way.to == to; });
    if (same == ways.end())
      ways.push_back({to, who});
    else
      same->lanes |= who;
  };
  for_each_lane(chosen, [&](unsigned lane) {
    const auto to = around_.program.at(targets[lane]);
    if (!to) return machine.refuse("it leads out of the code");
    add(*to, LaneSet{1} << lane);
  });
  if ((here.lanes & ~chosen) != 0) add(here.at + 1, here.lanes & ~chosen);
  if (!machine.refusal.empty()) return;
  for (const Convergence::Way& way : ways) ways_[here.at].insert(way.to);
  if (ways.size() == 1) return control_.go(group, ways.front().to);
  record_.parted[here.at] = true;
  if (around_.launch.order == reference::Order::fall_first) std::reverse(ways.begin(), ways.end());
  control_.part(group, ways);
}

// BRA.CONV and BRA.DIV ask whether all lanes of the warp are there, or those of a mask in a uniform register, which bit
// 30 inverts up to sm_90. What follows where they are not brings them together, so a wrong answer that they are not
// does no harm.
bool Warp::converged(Machine& machine, LaneSet lanes) const {
  LaneSet mask = UINT32_MAX;
  for (const sass::Operand& operand : machine.instruction.operands()) {
    if (operand.kind != sass::OperandKind::registers || operand.register_class != sass::RegisterClass::uniform)
      continue;
    mask = operand.first == sass::no_register ? 0 : registers_.uniform[operand.first];
    if (around_.program.architecture < 100 && sass::bit(machine.instruction.word, 30)) mask = ~mask;
  }
  return (mask & control_.alive() & ~lanes) == 0;
}

// BRA has one or two predicates, BRX and BRXU a register that is added to the label.
void Warp::branch(Machine& machine, size_t group, LaneSet lanes) {
  const sass::Instruction& instruction = machine.instruction;
  constexpr unsigned diverged = 2;
  const unsigned kind = instruction.modifier(Modifier::branch).value_or(0);
  if (instruction.has(Modifier::any)) return machine.refuse("a branch of the warp if any lane takes it");
  std::array<uint64_t, lanes_of_warp> targets{};
  for (size_t i = 0; i < instruction.operand_count; ++i) {
    const sass::Operand& operand = instruction.operand_values[i];
    const bool predicate = operand.register_class == sass::RegisterClass::predicate ||
                           operand.register_class == sass::RegisterClass::uniform_predicate;
    if (operand.kind == sass::OperandKind::registers && predicate) {
      lanes = holding(machine, lanes, i);
    } else if (operand.kind == sass::OperandKind::registers && instruction.mnemonic() != "BRA") {
      for_each_lane(lanes, [&](unsigned lane) { targets[lane] += Lane(machine, lane).pair(i); });
    } else if (operand.kind == sass::OperandKind::label) {
      for (uint64_t& target : targets) target += static_cast<uint64_t>(operand.value);
    }
  }
  if (kind >= diverged) {
    if (converged(machine, lanes) == (kind == diverged)) lanes = 0;
  }
  transfer(machine, group, lanes, targets);
}

void Warp::leave(Machine& machine, size_t group, LaneSet lanes) {
  const Convergence::Group here = control_.groups()[group];
  lanes = holding(machine, lanes, 0);
  if (lanes == 0) return control_.go(group, here.at + 1);
  if (lanes != here.lanes) record_.parted[here.at] = true;
  control_.go(group, here.at + 1);
  control_.end(group, lanes);
}

// CALL and RET: the label, and a register that is added to it; or an address, as a number or in a register. RET has a
// predicate too.
void Warp::call(Machine& machine, size_t group, LaneSet lanes) {
  const sass::Operand& first = machine.instruction.operand_values[0];
  uint64_t label = machine.instruction.target().value_or(UINT64_MAX);
  if (machine.instruction.mnemonic() == "CALL.ABS") label = 0;
  if (first.kind == sass::OperandKind::immediate) label = static_cast<uint32_t>(first.value);
  if (machine.instruction.has(Modifier::absolute)) label = 0;
  const size_t address = operand_of(machine.instruction, sass::RegisterClass::general);
  const size_t condition = operand_of(machine.instruction, sass::RegisterClass::predicate);
  if (condition < machine.instruction.operand_count) lanes = holding(machine, lanes, condition);
  std::array<uint64_t, lanes_of_warp> targets{};
  for_each_lane(lanes, [&](unsigned lane) {
    targets[lane] = label;
    if (address < machine.instruction.operand_count) targets[lane] += Lane(machine, lane).pair(address);
  });
  transfer(machine, group, lanes, targets);
}

// BSSY, BREAK, BMOV.
void Warp::barrier_register(Machine& machine, size_t group, LaneSet lanes) {
  const sass::Instruction& instruction = machine.instruction;
  const size_t index = operand_of(instruction, sass::RegisterClass::barrier);
  if (index == instruction.operand_count || instruction.operand_values[index].first >= barrier_registers)
    return machine.refuse("a barrier register");
  const unsigned number = instruction.operand_values[index].first;
  const auto here = control_.groups()[group].at;
  control_.go(group, here + 1);
  if (instruction.mnemonic() == "BMOV") {
    const sass::Operand& source = instruction.operand_values[1];
    if (index == 0 && source.kind == sass::OperandKind::immediate &&
        instruction.modifier(Modifier::clear) == std::nullopt) {
      for_each_lane(lanes,
                    [&](unsigned lane) { control_.set_barrier(number, lane, static_cast<LaneSet>(source.value)); });
      return;
    }
    const bool between = index == 0 && source.register_class == sass::RegisterClass::barrier;
    if (between && source.kind == sass::OperandKind::registers && source.first < barrier_registers) {
      for_each_lane(lanes, [&](unsigned lane) {
        control_.set_barrier(number, lane, control_.barrier(source.first, lane));
        if (instruction.has(Modifier::clear)) control_.set_barrier(source.first, lane, 0);
      });
      return;
    }
    const size_t general = operand_of(instruction, sass::RegisterClass::general);
    if (general == instruction.operand_count) return machine.refuse("a barrier register that is no number");
    for_each_lane(lanes, [&](unsigned lane) {
      Lane seen(machine, lane);
      if (index == 0) return control_.set_barrier(number, lane, seen.register_word(general));
      seen.set(general, control_.barrier(number, lane));
      if (instruction.has(Modifier::clear)) control_.set_barrier(number, lane, 0);
    });
    return;
  }
  lanes = holding(machine, lanes, operand_of(instruction, sass::RegisterClass::predicate));
  if (instruction.mnemonic() == "BREAK") return control_.leave_barrier(number, lanes);
  for_each_lane(lanes, [&](unsigned lane) { control_.set_barrier(number, lane, lanes); });
}

// With .COLLECTIVE lanes that had parted execute together up to ENDCOLLECTIVE, and then go to the target, where a BSYNC
// sorts them. Known only where that is the next instruction.
bool Warp::ends_collective(const sass::Instruction& instruction) const {
  const auto target = around_.program.at(instruction.target().value_or(UINT64_MAX));
  return target && *target > 0 && around_.program.instructions[*target - 1].mnemonic() == "ENDCOLLECTIVE";
}

// BSYNC and WARPSYNC. The mask 0 in the word is .ALL.
void Warp::wait_for_warp(Machine& machine, size_t group, LaneSet lanes) {
  const sass::Instruction& instruction = machine.instruction;
  lanes = holding(machine, lanes, operand_of(instruction, sass::RegisterClass::predicate));
  if (instruction.mnemonic() == "BSYNC")
    return control_.wait_at_barrier(group, instruction.operand_values[0].first, lanes);
  if (instruction.has(Modifier::collective) && !ends_collective(instruction)) return machine.refuse("its way back");
  const sass::Operand& mask = instruction.operand_values[0];
  const bool all = mask.kind == sass::OperandKind::immediate && mask.value == 0;
  std::array<LaneSet, lanes_of_warp> masks{};
  for_each_lane(lanes, [&](unsigned lane) { masks[lane] = all ? UINT32_MAX : Lane(machine, lane).word(0); });
  control_.wait_for_mask(group, masks, lanes);
}

// BAR.SYNC with a barrier and a number of threads, which may be left out, in words or registers.
void Warp::wait_for_block(Machine& machine, size_t group, LaneSet lanes) {
  const sass::Instruction& instruction = machine.instruction;
  if (instruction.modifier(Modifier::barrier_operation).value_or(0) != 0)
    return machine.refuse("a barrier that does not wait, or reduces");
  if (instruction.operand_count != 3) return machine.refuse("a barrier named by one register");
  if (lanes == 0) return control_.go(group, control_.groups()[group].at + 1);
  const Lane first(machine, static_cast<unsigned>(std::countr_zero(lanes)));
  const uint32_t barrier = first.word(0) & 15;
  expected_[barrier] = first.word(1) & 0xfff;
  control_.wait_for_block(group, barrier, lanes);
}

bool Warp::control(Machine& machine, size_t group, LaneSet lanes) {
  const std::string_view name = machine.instruction.mnemonic();
  const auto is = [name](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is({"BRA", "BRX", "BRXU"}))
    branch(machine, group, lanes);
  else if (is({"EXIT"}))
    leave(machine, group, lanes);
  else if (is({"CALL.REL", "CALL.ABS", "RET"}))
    call(machine, group, lanes);
  else if (is({"BSSY", "BREAK", "BMOV"}))
    barrier_register(machine, group, lanes);
  else if (is({"BSYNC", "WARPSYNC"}))
    wait_for_warp(machine, group, lanes);
  else if (is({"BAR"}))
    wait_for_block(machine, group, lanes);
  else
    return false;
  return true;
}

}  // namespace warpspan::machine_code
