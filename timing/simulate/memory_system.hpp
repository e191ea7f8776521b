// SPDX-License-Identifier: GPL-3.0-or-later
// The L1, the way to the L2, the L2 and memory, as one multiprocessor among equal ones sees them.
//
// The L1 keeps lines of 128 bytes and knows which of their sectors it has. What is beyond has rates, of which the
// multiprocessor has its share, and latencies; the L2 loses lines at random once more has moved through it than it
// holds. Atomics on one address, and in one slice of the L2, follow one another, those of all multiprocessors. Which
// sectors others have brought to the L2 is guessed from how often blocks of this multiprocessor ask for what an earlier
// one has asked for.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "timing/simulate/figures.hpp"
#include "timing/simulate/flat_map.hpp"
#include "timing/simulate/recent.hpp"
#include "timing/simulate/sharing.hpp"

namespace warpspan::timing {

// Of sectors that the multiprocessor asked for.
struct MemoryTraffic {
  double loaded = 0, beyond_l1 = 0, from_memory = 0, stored = 0;
};

class MemorySystem {
 public:
  // l1_bytes: what shared memory leaves of it.
  MemorySystem(const SimulatedMachine& machine, const SectorSharing& sharing, double l1_bytes, int64_t resident);

  struct Asker {
    int64_t block = 0;  // its number among those that are simulated
    ir::InstructionId instruction = 0;
  };
  // When the last of the sectors is there.
  double load(double now, std::span<const uint64_t> sectors, const Asker& asker, bool past_l1);
  // When they are on the way. whole: each is written as a whole.
  double store(double now, std::span<const uint64_t> sectors, bool whole);

  struct Atomic {
    double done = 0;    // with the result
    double behind = 0;  // so far behind, after `now`, that the load/store units wait
  };
  struct AtomicRequest {
    double lanes = 1, passes = 1;  // passes: lanes of its sectors that follow one another
    bool floating_point = false, wraps = false;
    bool returns = true;  // a result
  };
  Atomic atomic(double now, std::span<const uint64_t> sectors, const Asker& asker, const AtomicRequest& request);

  // Lines that are asked for without a result, and sectors of a bulk reduction: when they are on the way.
  double name_lines(double now, double lines);
  double reduce(double now, std::span<const uint64_t> sectors);

  const MemoryTraffic& traffic() const { return traffic_; }

 private:
  using Line = std::array<double, ir::sectors_of_line>;  // by sector, when it is there; below 0: it is not

  // Of a sector that was asked for.
  struct Use {
    double moved = -1;  // how much had moved through the L2 when it was used last; below 0: it was not
    int64_t block = 0;
    bool is_known() const { return moved >= 0; }
  };
  // What is known of a line beyond the L1.
  struct FarLine {
    std::array<Use, ir::sectors_of_line> uses;
    std::array<double, 2> arrival{};  // by 64 bytes: when they come from memory; 0: they were not asked for
    std::array<bool, ir::sectors_of_line> written{};
  };
  // How often an instruction asks for what earlier blocks have asked for.
  struct Reuse {
    double found = 0, blocks = 0;  // blocks: that could have, added up
  };

  FarLine& far_line(uint64_t sector) {
    const auto [place, added] = places_.try_emplace(sector / ir::sectors_of_line, static_cast<uint32_t>(far_.size()));
    if (added) far_.emplace_back();
    return far_[*place];
  }
  bool use_first(uint64_t sector, int64_t block);
  double beyond_l1(double now, uint64_t sector, const Asker& asker);
  double absent(const Asker& asker, double users) const;
  double share() const { return sharing_.active() / machine_.multiprocessors; }

  const SimulatedMachine& machine_;
  const SectorSharing& sharing_;
  int64_t resident_;
  MemoryTraffic traffic_;
  RecentlyUsed<Line> l1_;
  std::vector<FarLine> far_;                         // in the order in which they were asked for first
  FlatMap<uint32_t> places_;                         // of those in it, by line
  FlatMap<Reuse> reuse_;                             // by instruction
  std::array<double, l2_slices> slices_{};           // when they are free for atomics
  std::array<double, l2_slices> slices_of_lines_{};  // the same for requests of lines
  FlatMap<double> addresses_;                        // by sector: the same for atomics on it
  double read_sector_ = 0, memory_sector_ = 0;       // cycles of each for the share of the multiprocessor
  double moved_ = 0, lost_ = 0, missing_ = 0, written_ = 0;
  double port_free_ = 0, memory_free_ = 0;
};

}  // namespace warpspan::timing
