// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp waits for on its worst path, written down while its clock runs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/kernel.hpp"
#include "ir/path_record.hpp"

namespace warpspan::timing {

inline constexpr ir::InstructionId nobody = UINT32_MAX;

// Cycles from the last issue on until something is over, and the instruction that makes it last. 0 cycles: nobody.
struct Delay {
  int64_t cycles = 0;
  ir::InstructionId cause = nobody;
};

// The longer one; the first if they are equal.
inline const Delay& longer(const Delay& a, const Delay& b) { return b.cycles > a.cycles ? b : a; }

// The cycles of one warp, by what it waits for.
struct WarpWaits {
  std::vector<int64_t> cycles;      // by instruction: in which the warp waits because of it
  std::vector<int64_t> executions;  // by block
};

class WaitRecord {
 public:
  using Node = ir::PathRecord::Node;

  ir::PathRecord& path() { return path_; }

  // One wait after another of a run of a block, and then the node of the run after `before`.
  void add(const Delay& wait);
  Node after_run(Node before, ir::BlockId block);
  // The node of one wait more.
  Node after_wait(Node before, const Delay& wait);

  // What adds up to a node. Nothing if it exceeds 64 bits or the record is incomplete.
  std::optional<WarpWaits> waits(Node end, size_t instructions, size_t blocks) const;

 private:
  struct Run {
    Node node = ir::PathRecord::nothing;
    ir::BlockId block = ir::no_block;
    size_t end = 0;  // of its waits, in waits_
  };
  static constexpr size_t most_waits = size_t{1} << 24;  // 256 MiB

  ir::PathRecord path_;
  std::vector<Run> runs_;
  std::vector<Delay> waits_;
};

}  // namespace warpspan::timing
