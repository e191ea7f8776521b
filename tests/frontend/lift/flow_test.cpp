// SPDX-License-Identifier: GPL-3.0-or-later
// Loops, the order of blocks, post-dominators, and what is refused.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::facts_of;
using Blocks = std::vector<ir::BlockId>;

namespace {

Blocks post_dominators(const ir::Flow& facts) {
  Blocks result;
  for (const ir::BlockFlow& block : facts.blocks) result.push_back(block.post_dominator);
  return result;
}

std::vector<ir::LoopId> loops_of_blocks(const ir::Flow& facts) {
  std::vector<ir::LoopId> result;
  for (const ir::BlockFlow& block : facts.blocks) result.push_back(block.loop);
  return result;
}

}  // namespace

TEST_CASE("a branch and its join") {
  const auto facts = facts_of(
      "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra $else;\nmov.u32 %r1, 1;\nbra $join;\n$else:\nmov.u32 %r1, 2;\n$join:\nret;");
  CHECK(post_dominators(facts) == Blocks{3, 3, 3, ir::no_block});
  REQUIRE(facts.order.size() == 4);
  CHECK(facts.order.front() == 0);
  CHECK(facts.order.back() == 3);
  CHECK(facts.loops.empty());
}

TEST_CASE("a guarded return has only the end in common") {
  const auto facts = facts_of("setp.eq.s32 %p1, %r1, 0;\n@%p1 ret;\nmov.u32 %r1, 1;\nret;");
  CHECK(post_dominators(facts) == Blocks{ir::no_block, ir::no_block});
}

TEST_CASE("nested and neighbouring loops") {
  const auto facts = facts_of(
      "$A:\nmov.u32 %r2, 0;\n$B:\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $B;\nsetp.eq.s32 %p2, %r1, 1;\n@%p2 bra $A;\n"
      "$C:\nsetp.eq.s32 %p3, %r1, 2;\n@%p3 bra $C;\nret;");
  REQUIRE(facts.loops.size() == 3);
  const auto& loops = facts.loops;
  CHECK(loops[0].label == "$A");
  CHECK(loops[0].parent == ir::no_loop);
  CHECK(loops[0].line == 14);
  CHECK(loops[1].label == "$B");
  CHECK(loops[1].parent == 0);
  CHECK(loops[2].label == "$C");
  CHECK(loops[2].parent == ir::no_loop);
  CHECK(loops_of_blocks(facts) == std::vector<ir::LoopId>{0, 1, 0, 2, ir::no_loop});
  CHECK(post_dominators(facts) == Blocks{1, 2, 3, 4, ir::no_block});
  CHECK(facts.order == Blocks{0, 1, 2, 3, 4});
}

TEST_CASE("blocks that nothing leads to") {
  const auto facts = facts_of("bra $end;\nmov.u32 %r1, 1;\n$L:\nadd.s32 %r1, %r1, 1;\nbra $L;\n$end:\nret;");
  CHECK(facts.blocks[0].reachable);
  CHECK_FALSE(facts.blocks[1].reachable);
  CHECK_FALSE(facts.blocks[2].reachable);
  CHECK(facts.order == Blocks{0, 3});
  CHECK(facts.loops.empty());
}

TEST_CASE("kernels without instructions, and that fall off their end") {
  CHECK(facts_of("").order == Blocks{0});
  CHECK(facts_of("mov.u32 %r1, 0;\nbra $end;\n$end:").order == Blocks{0, 1});
}

TEST_CASE("a loop that can be entered at two places is refused where it is") {
  const auto analyzed = test::analyze(
      test::kernel_k("setp.eq.s32 %p1, %r1, 0;\n@%p1 bra $B;\n$A:\nadd.s32 %r1, %r1, 1;\n$B:\nadd.s32 %r1, %r1, 2;\n"
                     "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra $A;\nret;"),
      block_of(32));
  REQUIRE(!analyzed.facts.ok());
  REQUIRE(analyzed.facts.errors().size() == 1);
  CHECK(
      render(analyzed.facts.errors()[0], false) ==
      "t.ptx:16:1: error: a loop can be entered at more than one place, so it cannot be bounded: '$A' (from line 14) "
      "and '$B' (from line 14)\n"
      "  add.s32 %r1, %r1, 1;\n"
      "  ^\n"
      "  help: let every path into the loop go through its first block; what jumps into a loop is a goto, or a switch "
      "around one\n");
}

TEST_CASE("all entries of a loop with several first blocks are reported, of the outermost such loop") {
  const auto analyzed = test::analyze(
      test::kernel_k("mov.u32 %r1, 0;\n$outer:\nsetp.eq.s32 %p1, %r1, 3;\n@%p1 bra $C;\nsetp.eq.s32 %p1, %r1, 4;\n"
                     "@%p1 bra $B;\n$A:\nadd.s32 %r1, %r1, 1;\n$B:\nadd.s32 %r1, %r1, 2;\n$C:\nadd.s32 %r1, %r1, 3;\n"
                     "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra $A;\nsetp.lt.s32 %p1, %r1, 99;\n@%p1 bra $outer;\nret;"),
      block_of(32));
  REQUIRE(!analyzed.facts.ok());
  REQUIRE(analyzed.facts.errors().size() == 1);
  CHECK(analyzed.facts.errors()[0].message ==
        "a loop can be entered at more than one place, so it cannot be bounded: '$A' (from line 18), '$B' (from line "
        "18) and '$C' (from line 16)");
}

TEST_CASE("the same input gives the same facts") {
  const std::string body =
      "mov.u32 %r1, 0;\n$A:\nmov.u32 %r2, %r1;\n$B:\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 64;\n@%p1 bra $B;\n"
      "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 64;\n@%p1 bra $A;\nret;";
  const auto first = facts_of(body);
  const auto second = facts_of(body);
  CHECK(first.order == second.order);
  CHECK(first.transactions == second.transactions);
  CHECK(loops_of_blocks(first) == loops_of_blocks(second));
}

TEST_CASE("a nest of many loops and a chain of many blocks") {
  std::string nest;
  for (int i = 0; i < 30; ++i) nest += "mov.u32 %r" + std::to_string(i) + ", 0;\n$L" + std::to_string(i) + ":\n";
  for (int i = 29; i >= 0; --i) {
    const std::string r = "%r" + std::to_string(i);
    nest += "add.s32 " + r + ", " + r + ", 1;\nsetp.lt.s32 %p1, " + r + ", 3;\n@%p1 bra $L" + std::to_string(i) + ";\n";
  }
  const auto facts = facts_of(nest + "ret;");
  REQUIRE(facts.loops.size() == 30);
  for (const ir::Loop& loop : facts.loops) CHECK(loop.trip_count == 3);
  std::string chain;
  for (int i = 0; i < 20000; ++i) chain += "@%p1 bra $C" + std::to_string(i) + ";\n$C" + std::to_string(i) + ":\n";
  CHECK(facts_of("setp.eq.s32 %p1, 1, 2;\n" + chain + "ret;").order.size() == 20001);
}
