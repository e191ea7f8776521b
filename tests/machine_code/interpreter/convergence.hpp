// SPDX-License-Identifier: GPL-3.0-or-later
// Where the lanes of a warp stand: groups of lanes that execute together.
//
// A group parts at a branch that its lanes take differently. Groups come together only where the code says so. BSSY
// writes the lanes that are there into a barrier register; at BSYNC they wait until all of these that have not ended,
// or were taken out by BREAK, are there. WARPSYNC waits for the lanes of its mask. Each lane has its own copy of a
// barrier register: what a group writes, lanes of other groups do not see. Which of the groups that can move goes next
// is free.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/reference/generators/random.hpp"
#include "tests/reference/generators/turns.hpp"
#include "tests/reference/interpreter/divergence.hpp"
#include "tests/reference/interpreter/interpreter.hpp"

namespace warpspan::machine_code {

using reference::lanes_of_warp;
using reference::LaneSet;

inline constexpr unsigned barrier_registers = 16;

class Convergence {
 public:
  enum class Wait : uint8_t { none, barrier, mask, block };
  struct Group {
    uint32_t at = 0;  // number of the instruction
    LaneSet lanes = 0;
    Wait wait = Wait::none;
    unsigned barrier = 0;  // register, or barrier of the block
  };
  struct Way {
    uint32_t to = 0;
    LaneSet lanes = 0;
  };

  // All lanes at the first instruction.
  explicit Convergence(LaneSet lanes) : alive_(lanes) { groups_.push_back({0, lanes, Wait::none, 0}); }

  bool done() const { return groups_.empty(); }
  LaneSet alive() const { return alive_; }
  const std::vector<Group>& groups() const { return groups_; }
  // A group that can move; nothing if all wait or have ended. `last`: lanes of the one that moved last.
  std::optional<size_t> choose(reference::Order order, reference::Random& random, LaneSet last) const;

  void go(size_t group, uint32_t to) { groups_[group].at = to; }
  // One way or more; the first becomes the newest group.
  void part(size_t group, const std::vector<Way>& ways);
  void end(size_t group, LaneSet lanes);

  LaneSet barrier(unsigned number, unsigned lane) const { return barriers_[number][lane]; }
  void set_barrier(unsigned number, unsigned lane, LaneSet lanes) { barriers_[number][lane] = lanes; }
  void leave_barrier(unsigned number, LaneSet lanes);
  // These lanes of the group wait where it stands; the others go on behind it.
  void wait_at_barrier(size_t group, unsigned number, LaneSet lanes);
  void wait_for_mask(size_t group, const std::array<LaneSet, lanes_of_warp>& masks, LaneSet lanes);
  void wait_for_block(size_t group, unsigned number, LaneSet lanes);
  // How many lanes wait at a barrier of the block, and letting them go on.
  unsigned waiting(unsigned number) const;
  void release(unsigned number);

 private:
  void wait(size_t group, Wait kind, unsigned number, LaneSet lanes);
  void settle();
  bool settle_one();

  LaneSet alive_;
  std::vector<Group> groups_;  // oldest first
  std::array<std::array<LaneSet, lanes_of_warp>, barrier_registers> barriers_{};
  std::array<LaneSet, lanes_of_warp> masks_{};  // that a lane at WARPSYNC waits for
};

}  // namespace warpspan::machine_code
