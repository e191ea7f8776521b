// SPDX-License-Identifier: GPL-3.0-or-later
// Where lanes that have diverged reconverge.
//
// Machine code shows it itself. BSSY names a barrier register and notes in it the lanes that have not diverged there;
// BSYNC makes those that come to it wait for all of them that have not ended; BREAK takes lanes out, and BMOV may,
// unless it gives back what the register contained where a function was called (CodeBlock::restored): then all is as if
// the function had not used the register. WARPSYNC with all lanes in its mask makes all of the warp wait that have not
// ended. Nothing else is taken to make lanes reconverge (docs/sass.md).
//
// So lanes that diverge at a branch have reconverged at the first of its post-dominators that begins with such a
// WARPSYNC, or with a BSYNC of a register that a BSSY which dominates the branch has set, no other that leads there,
// and that no lane is taken out of while it is what that BSSY made it; if there is none, nowhere before they end. At
// other blocks that begin with a BSYNC or a WARPSYNC and are reached on two paths from the branch some of them may
// reconverge before.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/words/code.hpp"
#include "ir/flow.hpp"
#include "ir/program.hpp"

namespace warpspan::sass {

class Reconvergence {
 public:
  Reconvergence(const Code& code, const std::vector<CodeBlock>& blocks);

  // ir::Body::reconvergence_points.
  const std::vector<ir::Body::ReconvergencePoint>& points() const { return points_; }

  // Accesses that lanes of a warp come to apart, though their paths have met, are not claimed to be dense any more.
  void spread_accesses(const ir::Kernel& kernel, ir::Flow& facts) const;
  // Branches that ask whether the lanes are together (BRA.CONV, BRA.DIV) are taken by all warps alike where no lane can
  // be apart from another or have ended before it. All warps have all their lanes.
  void join_questions(ir::Flow& facts) const;
  // Each group of lanes that comes to such a point executes the BSYNC or WARPSYNC there, while a block of the kernel
  // stands for what the lanes do jointly. Dividing a group makes one more for each successor besides the first, so
  // every divergent branch gets so many copies of what its reconvergence point begins with, before it. No more groups
  // come to a point than a warp has lanes: behind a loop of more iterations the copies stand there, unless what they
  // copy waits for scoreboards. Numbers of instructions in the facts follow. A block in which lanes only end is treated
  // alike. What each instruction was before, or is a copy of.
  std::vector<ir::InstructionId> add_arrivals(ir::Kernel& kernel, ir::Flow& facts) const;

 private:
  using Blocks = std::vector<uint32_t>;
  using State = std::vector<std::set<uint32_t>>;  // by barrier register: what may have set it

  const Instruction& first(uint32_t block) const { return code_.instructions[blocks_[block].first]; }
  const Instruction& last(uint32_t block) const {
    return code_.instructions[blocks_[block].first + blocks_[block].count - 1];
  }
  Blocks successors(uint32_t block) const;
  bool reconverges(uint32_t block) const;
  bool is_point(uint32_t branch, uint32_t block) const;
  bool only_ends(uint32_t block) const;
  Blocks reached(uint32_t from, uint32_t stop) const;
  bool counts_lanes(const ir::Flow& facts, uint32_t branch) const;
  Blocks reached_on_two_paths(uint32_t branch) const;
  static bool gives_back(const CodeBlock& block, uint32_t instruction);
  State behind(uint32_t block, const std::vector<State>& at);
  void find_setters();
  void find_dominators();

  const Code& code_;
  const std::vector<CodeBlock>& blocks_;
  std::vector<std::vector<Blocks>> setters_;   // by block and barrier register: BSSYs that may have set it, or none
  std::vector<std::vector<bool>> dominators_;  // by block: those that every path to it leads through
  std::vector<uint32_t> post_dominator_;       // by block: the immediate one
  // Barrier registers and BSSYs of them that some BREAK takes lanes out of.
  std::set<std::pair<uint8_t, uint32_t>> taken_out_;
  std::vector<ir::Body::ReconvergencePoint> points_;
};

}  // namespace warpspan::sass
