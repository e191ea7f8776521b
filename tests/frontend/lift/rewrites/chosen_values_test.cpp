// SPDX-License-Identifier: GPL-3.0-or-later
// Registers that are written under a guard, and read behind a branch on it.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;

namespace {

// Whether the lanes of a warp may get different values of %r1, which decides on a branch at $ask.
bool differs(const std::string& before) {
  const auto analyzed =
      test::analyze(test::kernel_k("ld.param.u32 %r5, [n];\nmov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r5, 0;\n" + before +
                                   "\n$ask:\nsetp.eq.s32 %p3, %r1, 7;\n@%p3 bra $end;\nmov.u32 %r30, 1;\n$end:\nret;"),
                    block_of(64));
  REQUIRE(analyzed.facts.ok());
  for (size_t b = 0; b < analyzed.kernel.blocks.size(); ++b) {
    if (analyzed.facts->blocks[b].divergent) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("behind a branch on its guard a register contains what was written there") {
  const std::string written = "@%p1 mov.u32 %r1, 5;\n";
  CHECK(differs(written));
  CHECK_FALSE(differs(written + "@%p1 bra $ask;\nmov.u32 %r1, 6;"));  // 5 by the branch, 6 behind it
  CHECK(differs(written + "@!%p1 bra $ask;\nmov.u32 %r1, 6;"));       // the thread's number by the branch
  CHECK_FALSE(differs("@!%p1 mov.u32 %r1, 5;\n@!%p1 bra $ask;\nmov.u32 %r1, 6;\n"));
}

TEST_CASE("a conjunction that holds decides its operands, one that does not decides none") {
  const std::string both = "setp.gt.s32 %p2, %r5, 100;\nand.pred %p4, %p1, %p2;\n@%p1 mov.u32 %r1, 5;\n";
  CHECK_FALSE(differs(both + "@%p4 bra $ask;\nmov.u32 %r1, 6;"));
  CHECK(differs(both + "@!%p4 bra $ask;\nmov.u32 %r1, 6;"));
}

TEST_CASE("a predicate that was written again decides nothing of what was written before") {
  CHECK(differs("@%p1 mov.u32 %r1, 5;\nsetp.eq.s32 %p1, %r5, 3;\n@%p1 bra $ask;\nmov.u32 %r1, 6;"));
  // In a loop: the register is of the iteration before.
  CHECK(
      differs("$loop:\n@%p1 bra $ask;\nadd.s32 %r5, %r5, 1;\nsetp.gt.s32 %p1, %r5, 9;\nsetp.gt.s32 %p2, %r5, 7;\n"
              "@%p2 mov.u32 %r1, 5;\n@%p1 bra $loop;\nmov.u32 %r1, 6;\nbra $ask;"));
}
