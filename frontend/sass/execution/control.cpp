// SPDX-License-Identifier: GPL-3.0-or-later
// How a warp moves through its code.
#include <algorithm>

#include "frontend/sass/execution/warp.hpp"

namespace warpspan::execution {

namespace {

// The operand of a class, counted from `first`; operand_count if there is none.
size_t operand_of(const sass::Instruction& instruction, sass::RegisterClass wanted, size_t first = 0) {
  for (; first < instruction.operand_count; ++first) {
    const sass::Operand& operand = instruction.operand_values[first];
    if (operand.kind == sass::OperandKind::registers && operand.register_class == wanted) break;
  }
  return first;
}

std::string place_of(const Program& program, const Ready& ready) {
  return program.code().place_of(static_cast<uint32_t>(ready.instruction->offset / sass::word_bytes));
}

}  // namespace

void Warp::transfer(size_t group, LaneSet lanes) {
  switch (ready_->flow) {
    case Flow::branch:
    case Flow::exit:
    case Flow::call: block_.deciding |= origins_of(ready_->reads) | ready_->constants; break;
    default: break;
  }
  switch (ready_->flow) {
    case Flow::next: break;
    case Flow::branch: return branch(group, lanes);
    case Flow::exit:
      lanes &= flag(0);
      if (lanes == 0)
        ++control_.group(group).at;
      else
        control_.end(group, lanes);
      return;
    case Flow::call: return call(group, lanes);
    case Flow::barrier_register: return barrier_register(group, lanes);
    case Flow::wait_for_lanes: return wait_for_lanes(group, lanes);
    case Flow::wait_for_block: return wait_for_block(group, lanes);
    case Flow::trap:
      if (lanes == 0)
        ++control_.group(group).at;
      else
        block_.stopped = "a warp comes to the trap at " + place_of(block_.program, *ready_);
      return;
    case Flow::outside: return call_outside(group, lanes);
  }
}

// The chosen lanes go where their targets say, byte offsets; the others behind the instruction.
void Warp::go(size_t group, LaneSet chosen, const Longs& targets) {
  Convergence::Group& here = control_.group(group);
  std::vector<Convergence::Successor> successors;
  const auto add = [&successors](uint32_t to, LaneSet who) {
    const auto same =
        std::find_if(successors.begin(), successors.end(), [to](const auto& each) { return each.to == to; });
    if (same == successors.end())
      successors.push_back({to, who});
    else
      same->lanes |= who;
  };
  for (LaneSet rest = chosen; rest != 0;) {
    const uint64_t target = targets[first_lane(rest)];
    const LaneSet same = rest & lanes_with([&](unsigned i) { return targets[i] == target; });
    const uint64_t number = target / sass::word_bytes;
    if (target % sass::word_bytes != 0 || number >= block_.program.size()) {
      block_.stopped = "the transfer of control at " + place_of(block_.program, *ready_) + " leads out of the code";
      return;
    }
    add(static_cast<uint32_t>(number), same);
    rest &= ~same;
  }
  if ((here.lanes & ~chosen) != 0) add(here.at + 1, here.lanes & ~chosen);
  if (successors.size() == 1)
    here.at = successors.front().to;
  else
    control_.diverge(group, successors);
}

// BRA.CONV and BRA.DIV ask whether all lanes of the warp are there, or those of a mask in a uniform register, which bit
// 30 inverts up to sm_90. What follows where they are not brings them together, so a wrong answer that they are not
// does no harm.
LaneSet Warp::converged(LaneSet lanes) const {
  LaneSet mask = all_lanes;
  const size_t index = operand_of(instruction(), sass::RegisterClass::uniform);
  if (index < instruction().operand_count) {
    mask = operand(index).first == sass::no_register ? 0 : registers_.uniform[operand(index).first];
    if (block_.program.code().architecture < 100 && bit(30)) mask = ~mask;
  }
  return (mask & control_.alive() & ~lanes) == 0 ? all_lanes : 0;
}

// BRA has one or two predicates, BRX and BRXU a register that is added to the label.
void Warp::branch(size_t group, LaneSet lanes) {
  constexpr unsigned diverged = 2;
  const LaneSet all = control_.group(group).lanes;
  const bool indexed = instruction().mnemonic().starts_with("BRX");
  Longs targets;
  targets.lane.fill(uint64_t{ready_->target} * sass::word_bytes);
  for (size_t i = 0; i < instruction().operand_count; ++i) {
    if (operand(i).kind != sass::OperandKind::registers) continue;
    if (operand(i).is_predicate()) {
      lanes &= flag(i);
    } else if (indexed) {
      const Longs& added = pair(i);
      for (unsigned lane = 0; lane < warp_lanes; ++lane) targets[lane] += added[lane];
    }
  }
  if (has(Modifier::any) && lanes != 0) lanes = all;
  const unsigned kind = modifier(Modifier::branch);
  if (kind >= diverged) lanes &= kind == diverged ? ~converged(lanes) : converged(lanes);
  if (!indexed && lanes == all && ready_->target < block_.program.size())
    control_.group(group).at = ready_->target;
  else if (lanes == 0)
    ++control_.group(group).at;
  else
    go(group, lanes, targets);
}

// CALL and RET: the label, and a register that is added to it; or an address, as a number or in a register.
void Warp::call(size_t group, LaneSet lanes) {
  const bool has_label = instruction().target() && !has(Modifier::absolute);
  uint64_t label = has_label ? uint64_t{ready_->target} * sass::word_bytes : 0;
  if (operand(0).kind == sass::OperandKind::immediate) label = static_cast<uint32_t>(operand(0).value);
  const size_t address = operand_of(instruction(), sass::RegisterClass::general);
  Longs targets;
  targets.lane.fill(label);
  if (address < instruction().operand_count) {
    const Longs& added = pair(address);
    for (unsigned lane = 0; lane < warp_lanes; ++lane) targets[lane] += added[lane];
  }
  go(group, lanes, targets);
}

// A failed assertion ends the thread; what other functions do is not known, and they return.
void Warp::call_outside(size_t group, LaneSet lanes) {
  const auto index = static_cast<uint32_t>(instruction().offset / sass::word_bytes);
  if (lanes != 0 && block_.program.code().reports_failed_assertion(index)) return control_.end(group, lanes);
  block_.unknown.insert("the call of " + block_.program.code().outside_calls.at(index));
  ++control_.group(group).at;
}

// BMOV: between barrier registers, or with a general register or a number.
void Warp::move_barrier_register(LaneSet lanes) {
  const size_t index = operand_of(instruction(), sass::RegisterClass::barrier);
  if (index == instruction().operand_count || operand(index).first >= barrier_registers) return forget();
  const unsigned number = operand(index).first;
  const bool clears = has(Modifier::clear);
  const sass::Operand& other = operand(index == 0 ? 1 : 0);
  if (index == 0 && other.kind == sass::OperandKind::immediate) {
    if (instruction().modifier(Modifier::clear)) return forget();  // of something else
    for_each_lane(lanes, [&](unsigned lane) { control_.set_barrier(number, lane, static_cast<LaneSet>(other.value)); });
  } else if (index == 0 && other.register_class == sass::RegisterClass::barrier) {
    for_each_lane(lanes, [&](unsigned lane) {
      control_.set_barrier(number, lane, control_.barrier(other.first % barrier_registers, lane));
      if (clears) control_.set_barrier(other.first % barrier_registers, lane, 0);
    });
  } else if (index == 0) {
    const Words& value = bare(1);
    for_each_lane(lanes, [&](unsigned lane) { control_.set_barrier(number, lane, value[lane]); });
  } else if (other.kind == sass::OperandKind::registers) {
    Words value{};
    for_each_lane(lanes, [&](unsigned lane) {
      value[lane] = control_.barrier(number, lane);
      if (clears) control_.set_barrier(number, lane, 0);
    });
    if (lanes != 0) set(0, value);
    for (const uint16_t each : ready_->writes) origins_[each] = 0;
  } else {
    forget();
  }
}

// BSSY, BREAK, BMOV.
void Warp::barrier_register(size_t group, LaneSet lanes) {
  ++control_.group(group).at;
  if (instruction().mnemonic() == "BMOV") return move_barrier_register(lanes);
  const unsigned number = operand(0).first % barrier_registers;
  lanes &= flag(operand_of(instruction(), sass::RegisterClass::predicate));
  if (instruction().mnemonic() == "BREAK") return control_.leave_barrier(number, lanes);
  for_each_lane(lanes, [&](unsigned lane) { control_.set_barrier(number, lane, lanes); });
}

// BSYNC and WARPSYNC, of which the mask 0 in the word is .ALL. Behind a WARPSYNC.COLLECTIVE lanes that had diverged
// execute together up to ENDCOLLECTIVE; then a BSYNC sorts them.
void Warp::wait_for_lanes(size_t group, LaneSet lanes) {
  lanes &= flag(operand_of(instruction(), sass::RegisterClass::predicate));
  const sass::Operand& first = operand(0);
  if (first.register_class == sass::RegisterClass::barrier && first.kind == sass::OperandKind::registers)
    return control_.wait(group, Wait::register_lanes, first.first % barrier_registers, lanes);
  Words masks;
  masks.lane.fill(all_lanes);
  const bool all = first.kind == sass::OperandKind::immediate && first.value == 0;
  if (!all && first.kind != sass::OperandKind::label) masks = word(0);
  control_.wait_for_masks(group, masks, lanes);
}

// BAR: a barrier and a number of threads, 0 for all, in words or registers, or both in one register. SYNC ARV RED SCAN.
void Warp::wait_for_block(size_t group, LaneSet lanes) {
  constexpr unsigned arrive_only = 1;
  if (lanes == 0) {
    ++control_.group(group).at;
    return;
  }
  const unsigned lane = first_lane(lanes);
  const bool one = instruction().operand_count < 3;
  const uint32_t barrier = word(0)[lane] % ir::barriers_of_block;
  expected_[barrier] = (one ? word(0)[lane] >> 16 : word(1)[lane]) & 0xfff;
  reduces_[barrier] = modifier(Modifier::barrier_reduction);
  agreeing_[barrier] +=
      static_cast<unsigned>(std::popcount(lanes & flag(static_cast<size_t>(instruction().operand_count) - 1)));
  const auto count = static_cast<uint32_t>(std::popcount(lanes));
  note({ir::TracedRequest::Kind::arrival, static_cast<uint8_t>(count), 0, 1, barrier, count});
  if (modifier(Modifier::barrier_operation) != arrive_only) return control_.wait(group, Wait::block, barrier, lanes);
  arrived_[barrier] += count;
  ++control_.group(group).at;
}

}  // namespace warpspan::execution
