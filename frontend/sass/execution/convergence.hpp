// SPDX-License-Identifier: GPL-3.0-or-later
// Where the lanes of a warp are. Lanes that diverge make groups, and groups become one again where the code says so: at
// a BSYNC, by the lanes that a barrier register names, and at a WARPSYNC, by its mask.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/sass/execution/lanes.hpp"

namespace warpspan::execution {

inline constexpr unsigned barrier_registers = 16;

class Convergence {
 public:
  enum class Wait : uint8_t {
    none,
    register_lanes,  // for the lanes of a barrier register
    mask,            // for those of a mask
    block,           // for a barrier of the block
  };
  struct Group {
    uint32_t at = 0;  // number of the instruction
    LaneSet lanes = 0;
    Wait wait = Wait::none;
    unsigned number = 0;  // of what it waits for
  };
  struct Successor {
    uint32_t to = 0;
    LaneSet lanes = 0;
  };

  explicit Convergence(LaneSet lanes) : alive_(lanes), groups_{{0, lanes, Wait::none, 0}} {}

  LaneSet alive() const { return alive_; }
  // The group that became able to move last, and has not been postponed since.
  std::optional<size_t> choose() const;
  // All other groups that can move go first.
  void postpone(size_t group);
  Group& group(size_t index) { return groups_[index]; }

  void diverge(size_t group, const std::vector<Successor>& successors);
  // Lanes end, others of the group go on behind.
  void end(size_t group, LaneSet lanes);
  void wait(size_t group, Wait kind, unsigned number, LaneSet lanes);
  void wait_for_masks(size_t group, const Words& masks, LaneSet lanes);

  LaneSet barrier(unsigned number, unsigned lane) const { return barriers_[number][lane]; }
  void set_barrier(unsigned number, unsigned lane, LaneSet lanes) { barriers_[number][lane] = lanes; }
  // Others wait for these lanes no more.
  void leave_barrier(unsigned number, LaneSet lanes);

  // Of a barrier of the block: lanes that wait for it, which then go on.
  LaneSet waiting(unsigned number) const;
  void release(unsigned number);

 private:
  void release_waiting();
  bool release_some();

  LaneSet alive_;
  std::vector<Group> groups_;
  std::array<Words, barrier_registers> barriers_{};  // what each lane has in it
  Words masks_{};
};

}  // namespace warpspan::execution
