// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/convergence.hpp"

#include <algorithm>

namespace warpspan::execution {

std::optional<size_t> Convergence::choose() const {
  for (size_t i = groups_.size(); i-- > 0;) {
    if (groups_[i].wait == Wait::none) return i;
  }
  return std::nullopt;
}

void Convergence::postpone(size_t group) {
  std::rotate(groups_.begin(), groups_.begin() + static_cast<std::ptrdiff_t>(group),
              groups_.begin() + static_cast<std::ptrdiff_t>(group) + 1);
}

void Convergence::diverge(size_t group, const std::vector<Successor>& successors) {
  groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(group));
  for (auto each = successors.rbegin(); each != successors.rend(); ++each)
    groups_.push_back({each->to, each->lanes, Wait::none, 0});
}

void Convergence::end(size_t group, LaneSet lanes) {
  alive_ &= ~lanes;
  groups_[group].lanes &= ~lanes;
  ++groups_[group].at;
  if (groups_[group].lanes == 0) groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(group));
  if (!groups_.empty()) release_waiting();
}

void Convergence::leave_barrier(unsigned number, LaneSet lanes) {
  for (LaneSet& expected : barriers_[number].lane) expected &= ~lanes;
  release_waiting();
}

void Convergence::wait(size_t group, Wait kind, unsigned number, LaneSet lanes) {
  const Group before = groups_[group];
  const LaneSet others = before.lanes & ~lanes;
  groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(group));
  if (lanes != 0) groups_.push_back({before.at, lanes, kind, number});
  if (others != 0) groups_.push_back({before.at + 1, others, Wait::none, 0});
  release_waiting();
}

void Convergence::wait_for_masks(size_t group, const Words& masks, LaneSet lanes) {
  for_each_lane(lanes, [&](unsigned lane) { masks_[lane] = masks[lane]; });
  wait(group, Wait::mask, 0, lanes);
}

LaneSet Convergence::waiting(unsigned number) const {
  LaneSet lanes = 0;
  for (const Group& group : groups_) {
    if (group.wait == Wait::block && group.number == number) lanes |= group.lanes;
  }
  return lanes;
}

void Convergence::release(unsigned number) {
  for (Group& group : groups_) {
    if (group.wait == Wait::block && group.number == number) group = {group.at + 1, group.lanes, Wait::none, 0};
  }
}

void Convergence::release_waiting() {
  while (release_some()) {
  }
}

// Lets the lanes that wait for each other go on, if all of them have come to the same instruction. Lanes that are there
// in another activation of a recursive function wait for others.
bool Convergence::release_some() {
  const auto awaited = [this](const Group& group, unsigned lane) {
    return (group.wait == Wait::mask ? masks_[lane] : barriers_[group.number][lane]) & alive_;
  };
  for (const Group& group : groups_) {
    if (group.wait != Wait::register_lanes && group.wait != Wait::mask) continue;
    const unsigned lane = first_lane(group.lanes);
    const Group place = group;
    const LaneSet expected = awaited(place, lane) | LaneSet{1} << lane;
    LaneSet there = 0, present = 0;
    for (const Group& other : groups_) {
      if (other.wait == place.wait && other.number == place.number && other.at == place.at) there |= other.lanes;
    }
    if ((expected & ~there) != 0) continue;
    for (const Group& other : groups_) {
      if (other.wait != place.wait || other.number != place.number || other.at != place.at) continue;
      for_each_lane(other.lanes, [&](unsigned each) {
        if ((awaited(other, each) | LaneSet{1} << each) == expected) present |= LaneSet{1} << each;
      });
    }
    if ((expected & ~present) != 0) continue;
    for (Group& other : groups_) other.lanes &= ~expected;
    std::erase_if(groups_, [](const Group& each) { return each.lanes == 0; });
    groups_.push_back({place.at + 1, expected, Wait::none, 0});
    return true;
  }
  return false;
}

}  // namespace warpspan::execution
