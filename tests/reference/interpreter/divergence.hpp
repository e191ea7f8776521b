// SPDX-License-Identifier: GPL-3.0-or-later
// Where the lanes of a warp stand: groups of lanes that execute together, and groups that wait for others to join.
//
// Groups form a tree. Where lanes part, their group waits at the branch's immediate post-dominator and each way becomes
// a group of its own below it; a group that comes there ends, and when the last one has come, the waiting one goes on
// with all lanes that did. Lanes that end on the way never come. Which of the running groups moves next is free: a
// stack of warp hardware always takes the newest.
#pragma once

#include <cstdint>
#include <vector>

namespace warpspan::reference {

using LaneSet = uint32_t;  // bit i: lane i

class Divergence {
 public:
  struct Way {
    uint32_t to = 0;
    LaneSet lanes = 0;
  };

  // All lanes at step 0; `end` is the step where lanes are done.
  Divergence(LaneSet lanes, uint32_t end);

  bool done() const { return running_.empty(); }
  // Groups that can move or stand at a barrier, oldest first.
  const std::vector<uint32_t>& running() const { return running_; }
  uint32_t step(uint32_t group) const { return groups_[group].step; }
  LaneSet lanes(uint32_t group) const { return groups_[group].lanes; }
  bool waits_at_barrier(uint32_t group) const { return groups_[group].at_barrier; }

  void go(uint32_t group, uint32_t to);
  // Two ways or more; the first is the newest.
  void part(uint32_t group, const std::vector<Way>& ways, uint32_t join);
  void wait_at_barrier(uint32_t group) { groups_[group].at_barrier = true; }
  // All groups at a barrier go on behind it; false if there are none.
  bool release_barrier();

 private:
  static constexpr uint32_t no_group = UINT32_MAX;
  struct Group {
    uint32_t step = 0;
    LaneSet lanes = 0;
    uint32_t join = 0;
    uint32_t parent = no_group;
    uint32_t children = 0;
    bool at_barrier = false;
  };

  uint32_t add(const Group& group);
  void settle(uint32_t group);
  void stop_running(uint32_t group);

  uint32_t end_;
  std::vector<Group> groups_;
  std::vector<uint32_t> unused_;
  std::vector<uint32_t> running_;
};

}  // namespace warpspan::reference
