// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/interpreter/divergence.hpp"

#include <algorithm>

namespace warpspan::reference {

Divergence::Divergence(LaneSet lanes, uint32_t end) : end_(end) {
  running_.push_back(add({0, lanes, end, no_group, 0, false}));
  settle(running_.back());
}

uint32_t Divergence::add(const Group& group) {
  if (unused_.empty()) {
    groups_.push_back(group);
    return static_cast<uint32_t>(groups_.size() - 1);
  }
  const uint32_t index = unused_.back();
  unused_.pop_back();
  groups_[index] = group;
  return index;
}

void Divergence::stop_running(uint32_t group) { running_.erase(std::find(running_.begin(), running_.end(), group)); }

void Divergence::go(uint32_t group, uint32_t to) {
  groups_[group].step = to;
  settle(group);
}

// Ends the group if it has come to where it joins others, or has no lanes left; then the one that waited for it may
// have become complete.
void Divergence::settle(uint32_t group) {
  while (group != no_group) {
    const Group here = groups_[group];
    const bool ended = here.step == end_ || here.lanes == 0;
    if (!ended && here.step != here.join) return;
    stop_running(group);
    unused_.push_back(group);
    if (here.parent == no_group) return;
    Group& waiting = groups_[here.parent];
    if (!ended) waiting.lanes |= here.lanes;
    if (--waiting.children > 0) return;
    running_.push_back(here.parent);
    group = here.parent;
  }
}

void Divergence::part(uint32_t group, const std::vector<Way>& ways, uint32_t join) {
  const Group before = groups_[group];
  stop_running(group);
  uint32_t parent = group;
  if (before.parent != no_group && before.join == join) {  // those who wait for this group wait for its parts
    parent = before.parent;
    unused_.push_back(group);
    --groups_[parent].children;
  } else {
    groups_[group].step = join;
    groups_[group].lanes = 0;
  }
  groups_[parent].children += static_cast<uint32_t>(ways.size());
  std::vector<uint32_t> parts;
  for (auto way = ways.rbegin(); way != ways.rend(); ++way) {
    parts.push_back(add({way->to, way->lanes, join, parent, 0, false}));
    running_.push_back(parts.back());
  }
  for (const uint32_t part : parts) settle(part);
}

bool Divergence::release_barrier() {
  std::vector<uint32_t> released;
  for (const uint32_t group : running_) {
    if (!groups_[group].at_barrier) continue;
    groups_[group].at_barrier = false;
    released.push_back(group);
  }
  for (const uint32_t group : released) go(group, groups_[group].step + 1);
  return !released.empty();
}

}  // namespace warpspan::reference
