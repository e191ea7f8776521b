// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/interpreter/convergence.hpp"

#include <algorithm>
#include <bit>

namespace warpspan::machine_code {

std::optional<size_t> Convergence::choose(reference::Order order, reference::Random& random, LaneSet last) const {
  std::vector<size_t> free;
  for (size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].wait == Wait::none) free.push_back(i);
  }
  if (free.empty()) return std::nullopt;
  switch (order) {
    case reference::Order::taken_first:
    case reference::Order::fall_first: return free.back();
    case reference::Order::any_at_split:
      for (const size_t group : free) {
        if (groups_[group].lanes == last) return group;
      }
      break;
    case reference::Order::any_at_step:
    case reference::Order::starved: break;  // of warps, not of groups
  }
  return random.of(free);
}

void Convergence::part(size_t group, const std::vector<Way>& ways) {
  groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(group));
  for (auto way = ways.rbegin(); way != ways.rend(); ++way) groups_.push_back({way->to, way->lanes, Wait::none, 0});
}

void Convergence::end(size_t group, LaneSet lanes) {
  alive_ &= ~lanes;
  groups_[group].lanes &= ~lanes;
  if (groups_[group].lanes == 0) groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(group));
  settle();
}

void Convergence::leave_barrier(unsigned number, LaneSet lanes) {
  for (LaneSet& expected : barriers_[number]) {
    if ((expected & lanes) != 0) expected &= ~lanes;
  }
  settle();
}

void Convergence::wait(size_t group, Wait kind, unsigned number, LaneSet lanes) {
  const Group before = groups_[group];
  groups_[group] = {before.at, lanes, kind, number};
  if (before.lanes != lanes) groups_.push_back({before.at + 1, before.lanes & ~lanes, Wait::none, 0});
  if (lanes == 0) groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(group));
  settle();
}

void Convergence::wait_at_barrier(size_t group, unsigned number, LaneSet lanes) {
  wait(group, Wait::barrier, number, lanes);
}

void Convergence::wait_for_mask(size_t group, const std::array<LaneSet, lanes_of_warp>& masks, LaneSet lanes) {
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) != 0) masks_[lane] = masks[lane];
  }
  wait(group, Wait::mask, 0, lanes);
}

void Convergence::wait_for_block(size_t group, unsigned number, LaneSet lanes) {
  wait(group, Wait::block, number, lanes);
}

unsigned Convergence::waiting(unsigned number) const {
  int count = 0;
  for (const Group& group : groups_) {
    if (group.wait == Wait::block && group.barrier == number) count += std::popcount(group.lanes);
  }
  return static_cast<unsigned>(count);
}

void Convergence::release(unsigned number) {
  for (Group& group : groups_) {
    if (group.wait == Wait::block && group.barrier == number) group = {group.at + 1, group.lanes, Wait::none, 0};
  }
}

void Convergence::settle() {
  while (settle_one()) {
  }
}

// Lets the lanes of one barrier or mask go on, if all of them have come to the same instruction.
bool Convergence::settle_one() {
  for (const Group& group : groups_) {
    if (group.wait != Wait::barrier && group.wait != Wait::mask) continue;
    const auto lane = static_cast<unsigned>(std::countr_zero(group.lanes));
    const LaneSet own = LaneSet{1} << lane;
    const LaneSet expected =
        ((group.wait == Wait::mask ? masks_[lane] : barriers_[group.barrier][lane]) & alive_) | own;
    LaneSet present = 0;
    for (const Group& other : groups_) {
      if (other.wait == group.wait && other.barrier == group.barrier && other.at == group.at) present |= other.lanes;
    }
    if ((expected & ~present) != 0) continue;
    const Group joined{group.at + 1, expected, Wait::none, 0};
    const Wait kind = group.wait;
    for (Group& other : groups_) {
      if (other.wait == kind && other.at + 1 == joined.at) other.lanes &= ~expected;
    }
    std::erase_if(groups_, [](const Group& each) { return each.lanes == 0; });
    groups_.push_back(joined);
    return true;
  }
  return false;
}

}  // namespace warpspan::machine_code
