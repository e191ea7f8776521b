// SPDX-License-Identifier: GPL-3.0-or-later
// Which sectors of global memory other multiprocessors use too. One multiprocessor is simulated; the others are taken
// to do the same at the same time, so a sector that several use is asked of memory once, and an atomic on it has lanes
// of all of them. A few blocks of others tell, adjacent ones and some that are far away; or all blocks of the launch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

#include "ir/execution/trace.hpp"
#include "timing/simulate/flat_map.hpp"

namespace warpspan::timing {

// That the block's requests to global memory name.
std::unordered_set<uint64_t> sectors_of(const ir::BlockTrace& block);

// Which part of the L2 serves a sector, about. On an H100, atomics and loads of lines side by side take as long as if
// pairs of lines alternated between two parts, eight lines in the same two; of lines that powers of two of bytes lie
// between, few are in one part, as with parts that are chosen by exclusive or of address bits.
inline constexpr size_t l2_slices = 64;
size_t slice_of(uint64_t sector);

class SectorSharing {
 public:
  // active: multiprocessors that have blocks. resident: blocks that one of them has at a time.
  SectorSharing(double active, double resident) : active_(active), resident_(resident) {}

  void add_near(const std::unordered_set<uint64_t>& sectors);
  void add_far(const std::unordered_set<uint64_t>& sectors);
  // Behind these: the sectors of the first block that is simulated. capacity: bytes that the L2 keeps.
  void set_own(const std::unordered_set<uint64_t>& sectors, double capacity);

  // Instead, of each block of the launch.
  void count(const ir::BlockTrace& block);
  // Besides, of those of the multiprocessor that is simulated, each of which stands for so many.
  void count_own(const ir::BlockTrace& block, double blocks);
  bool is_counted() const { return is_counted_; }  // both
  size_t counted_sectors() const { return requests_.size(); }

  // By how many multiprocessors it is used, about; by the block of that number among those that are simulated.
  double users_of(uint64_t sector, int64_t block) const;
  // How many atomics of all multiprocessors the slice of the sector has for each one of this multiprocessor.
  double atomics_of(uint64_t sector, int64_t block) const;
  double active() const { return active_; }
  // Which part of what blocks that run together ask for the L2 can keep.
  double cached() const { return cached_; }

 private:
  struct Users {
    double near = 0, far = 0;
  };
  struct Count {
    double all = 0, own = 0;
  };
  void add(const ir::BlockTrace& block, double Count::*which, double times);

  double active_, resident_;
  FlatMap<Users> users_;  // by sector
  bool is_counted_ = false;
  FlatMap<Count> requests_;  // likewise
  std::array<Count, l2_slices> atomics_{};
  double far_ = 0;    // blocks far away that were asked
  double usual_ = 1;  // multiprocessors that use a sector, adjacent blocks alone
  double cached_ = 1;
  double overlap_ = 0;  // probability that a block far away uses a sector that none of those asked does
};

}  // namespace warpspan::timing
