// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/warp.hpp"

#include <algorithm>

#include "frontend/sass/words/print.hpp"

namespace warpspan::execution {

namespace {

// Of a group of lanes while others could move, so that none waits for ever for a lock that another has.
constexpr int64_t most_steps_of_group = 4096;

LaneSet lanes_in_block(const ir::Extent& block, uint32_t warp) {
  const int64_t threads = block.x * block.y * block.z - int64_t{warp} * warp_lanes;
  return threads >= warp_lanes ? all_lanes : (LaneSet{1} << threads) - 1;
}

}  // namespace

Warp::Warp(BlockState& block, const Banks& banks, Registers& registers, uint32_t number)
    : Operands(banks, registers), block_(block), number_(number), control_(lanes_in_block(block.block, number)) {}

LaneSet Warp::guarded(const sass::Guard& guard, LaneSet lanes) const {
  LaneSet holds = all_lanes;
  if (guard.number != sass::no_register) {
    holds = guard.uniform ? (registers_.uniform_predicates[guard.number] ? all_lanes : 0)
                          : registers_.predicates[guard.number];
  }
  return lanes & (guard.negated ? ~holds : holds);
}

void Warp::note(const ir::TracedRequest& request) {
  trace_.requests.push_back(request);
  if (!trace_.steps.empty()) trace_.steps.back().request = static_cast<int32_t>(trace_.requests.size()) - 1;
}

Origins Warp::origins_of(const std::vector<uint16_t>& registers) const {
  Origins origins = 0;
  for (const uint16_t each : registers) origins |= origins_[each];
  return origins;
}

// What the instruction that is executed writes derives from what its sources do, and from what it loads.
void Warp::follow_data() {
  const Origins origins = loaded_ | ready_->constants | origins_of(ready_->reads);
  const bool all = lanes_ == control_.alive();
  for (const uint16_t each : ready_->writes) origins_[each] = origins | (all ? Origins{0} : origins_[each]);
}

// Lanes that have diverged share uniform registers: one that others of them have written since is not theirs.
void Warp::note_uniform(LaneSet group) {
  const auto is_uniform = [](uint16_t reg) {
    return (reg >= uniform_base && reg < predicate_base) || reg >= uniform_predicate_base;
  };
  const bool all = group == control_.alive();
  if (all && !some_wrote_) return;
  for (const uint16_t each : ready_->reads) {
    if (is_uniform(each) && writers_[each] != 0 && (group & ~writers_[each]) != 0) block_.uniform_apart = true;
  }
  for (const uint16_t each : ready_->writes) {
    if (lanes_ == 0 || !is_uniform(each)) continue;
    writers_[each] = all ? 0 : group;
    some_wrote_ = some_wrote_ || !all;
  }
}

// What is not known here writes zeros, and true.
void Warp::forget() {
  block_.unknown.insert(ready_->instruction->known() ? std::string(ready_->instruction->mnemonic())
                                                     : sass::to_string(*ready_->instruction));
  refused_ = false;
  for (size_t i = 0; i < instruction().operand_count; ++i) {
    const sass::Operand& to = operand(i);
    if (to.kind != sass::OperandKind::registers || to.role == sass::Role::read) continue;
    if (to.is_predicate()) {
      if (to.count <= 1) set_flag(i, all_lanes);
    } else if (to.register_class != sass::RegisterClass::barrier) {
      for (unsigned word = 0; word < std::max<unsigned>(to.count, 1); ++word) set(i, Words{}, word);
    }
  }
}

void Warp::execute() {
  loaded_ = 0;
  if (ready_->action != nullptr)
    ready_->action(*this);
  else if (ready_->effect != nullptr)
    (this->*ready_->effect)();
  else if (!ready_->known)
    refused_ = true;
  else
    return;
  if (refused_) forget();
  follow_data();
}

// Until lanes diverge or wait, or for so many steps.
void Warp::run_group(size_t index, int64_t most_steps) {
  Convergence::Group& group = control_.group(index);
  const LaneSet all = group.lanes;
  for (int64_t i = 0; i < most_steps; ++i) {
    if (group.at >= block_.program.size()) {
      block_.stopped = "a warp runs over the end of the code";
      return;
    }
    if (block_.steps >= block_.most_steps) {
      block_.stopped = "a block needs more than " + std::to_string(block_.most_steps) + " steps";
      return;
    }
    ready_ = &block_.program[group.at];
    ++block_.steps;
    if (ready_->id != ir::no_instruction) trace_.steps.push_back({ready_->id, -1, all});
    lanes_ = guarded(ready_->instruction->guard, all);
    note_uniform(all);
    if (ready_->flow != Flow::next) return transfer(index, lanes_);
    if (lanes_ != 0) execute();
    if (suspended_) {  // it is tried again
      --block_.steps;
      if (ready_->id != ir::no_instruction) trace_.steps.pop_back();
      return control_.postpone(index);
    }
    ++group.at;
  }
}

bool Warp::run(int64_t most_steps) {
  const int64_t begin = block_.steps;
  int64_t since = begin;
  suspended_ = false;
  while (block_.stopped.empty() && block_.steps - begin < most_steps) {
    const auto group = control_.choose();
    if (!group) break;
    run_group(*group, std::min(most_steps - (block_.steps - begin), most_steps_of_group));
    if (suspended_) break;
    if (block_.steps - since < most_steps_of_group) continue;
    since = block_.steps;
    if (const auto latest = control_.choose()) control_.postpone(*latest);
  }
  return block_.steps > begin;
}

void Warp::release(unsigned barrier, unsigned lanes, unsigned agreeing) {
  arrived_[barrier] = 0;
  agreeing_[barrier] = 0;
  if (control_.waiting(barrier) == 0) return;
  reduction_ = reduces_[barrier];
  reduced_lanes_ = lanes;
  reduced_agreeing_ = agreeing;
  trace_.steps.push_back({ir::TracedStep::wait, static_cast<int32_t>(barrier), 0});
  control_.release(barrier);
}

}  // namespace warpspan::execution
