// SPDX-License-Identifier: GPL-3.0-or-later
// Which branches may send the lanes of a warp to different successors.
#include <algorithm>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;

namespace {

// The kernel's first block, which branches on %p1.
ir::BlockFlow first_block(const std::string& before, const ir::Launch& launch = block_of(256)) {
  const auto facts = test::facts_of(before + "\n@%p1 bra $end;\nmov.u32 %r30, 1;\n$end:\nret;", launch);
  return facts.blocks.front();
}

// Whether it ends in a branch that may diverge.
bool diverges(const std::string& before, const ir::Launch& launch = block_of(256)) {
  return first_block(before, launch).divergent;
}

bool warps_differ_if_zero(const std::string& value) {
  return first_block(value + "\nsetp.eq.s32 %p1, %r1, 0;").warps_differ;
}

bool diverges_if_zero(const std::string& value, const ir::Launch& launch = block_of(256)) {
  return diverges(value + "\nsetp.eq.s32 %p1, %r1, 0;", launch);
}

}  // namespace

// Without a model of warps the analysis would say that nothing diverges.
TEST_CASE("the thread's position diverges, the block's does not") {
  CHECK(diverges_if_zero("mov.u32 %r1, %tid.x;"));
  CHECK(diverges_if_zero("mov.u32 %r1, %laneid;"));
  CHECK(diverges_if_zero("mov.u32 %r1, %lanemask_lt;"));
  CHECK_FALSE(diverges_if_zero("mov.u32 %r1, %ctaid.x;"));
  CHECK_FALSE(diverges_if_zero("mov.u32 %r1, %nctaid.x;"));
  CHECK_FALSE(diverges_if_zero("mov.u32 %r1, %warpid;"));
  CHECK_FALSE(diverges_if_zero("ld.param.u32 %r1, [n];"));
  CHECK(diverges_if_zero("ld.param.u32 %r2, [n];\nmov.u32 %r3, %tid.x;\nadd.s32 %r1, %r2, %r3;"));
}

TEST_CASE("values loaded together from one address are the same") {
  const std::string p =
      "ld.param.u64 %d1, [p];\nmov.u32 %r2, %tid.x;\nmul.wide.u32 %d2, %r2, 4;\nadd.s64 %d3, %d1, %d2;\n";
  CHECK_FALSE(diverges_if_zero(p + "ld.global.u32 %r1, [%d1];"));
  CHECK_FALSE(diverges_if_zero(p + "ld.shared.u32 %r1, [tile+4];"));
  CHECK(diverges_if_zero(p + "ld.global.u32 %r1, [%d3];"));
  // A generic or local address may mean each lane's own memory.
  CHECK(diverges_if_zero(p + "ld.u32 %r1, [%d1];"));
  CHECK(diverges_if_zero(p + "ld.local.u32 %r1, [%d1];"));
  CHECK(diverges_if_zero(p + "atom.global.add.u32 %r1, [%d1], 1;"));
}

// A loop that counts in the lower bits of a register which has something of the thread's number in others.
TEST_CASE("bits that nothing depends on make no difference") {
  const auto lanes_part = [](const std::string& mask) {
    const auto facts = test::facts_of("mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, " + mask +
                                      ";\n$again:\nand.b32 %r3, %r2, 255;\nsetp.ge.u32 %p1, %r3, 5;\n"
                                      "add.s32 %r2, %r2, 1;\n@!%p1 bra $again;\nret;");
    return std::any_of(facts.blocks.begin(), facts.blocks.end(), [](const ir::BlockFlow& b) { return b.divergent; });
  };
  CHECK_FALSE(lanes_part("0xffff0000"));
  CHECK_FALSE(lanes_part("0x100"));
  CHECK(lanes_part("0xffff0001"));
  CHECK(lanes_part("0x8"));
}

TEST_CASE("what the warps of a block have in common") {
  CHECK_FALSE(warps_differ_if_zero("mov.u32 %r1, %ctaid.x;"));
  CHECK_FALSE(warps_differ_if_zero("ld.param.u32 %r2, [n];\npopc.b32 %r1, %r2;"));
  CHECK(warps_differ_if_zero("mov.u32 %r1, %warpid;"));
  CHECK(warps_differ_if_zero("mov.u32 %r2, %tid.x;\nshr.u32 %r1, %r2, 5;"));
  CHECK(warps_differ_if_zero("ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];"));  // another one may write it
  CHECK(warps_differ_if_zero("ld.shared.u32 %r1, [tile+4];"));
  CHECK(warps_differ_if_zero("mov.u32 %r1, %clock;"));
}

TEST_CASE("barriers at which all warps of the block meet") {
  const auto partial = [](const std::string& barrier, const ir::Launch& launch = block_of(96)) {
    return !test::facts_of("mov.u32 %r1, 96;\nsetp.ne.u32 %p1, %r1, 0;\n" + barrier + ";\nret;", launch)
                .partial_barriers.empty();
  };
  CHECK_FALSE(partial("bar.sync 0"));
  CHECK_FALSE(partial("bar.sync %r1"));
  CHECK_FALSE(partial("barrier.sync.aligned 3"));
  CHECK_FALSE(partial("bar.sync 0, 96"));
  CHECK_FALSE(partial("bar.red.popc.u32 %r2, 0, %p1"));
  CHECK_FALSE(partial("bar.red.popc.u32 %r2, 0, 96, %p1"));
  CHECK(partial("bar.sync 0, 64"));
  CHECK(partial("bar.sync 0, 96", block_of(128)));
  CHECK(partial("bar.sync 0, %r1"));
  CHECK(partial("bar.red.popc.u32 %r2, 0, 64, %p1"));
  CHECK(partial("bar.arrive 0, 96"));
}

TEST_CASE("a barrier with a guard is one at which all warps meet if they agree on it") {
  const auto partial = [](const std::string& guard, const std::string& barrier = "bar.sync 0") {
    return !test::facts_of(guard + "\n@%p1 " + barrier + ";\nret;", block_of(96)).partial_barriers.empty();
  };
  const std::string tid = "mov.u32 %r1, %tid.x;\n";
  CHECK_FALSE(partial("ld.param.u32 %r1, [n];\nsetp.ne.u32 %p1, %r1, 0;"));
  CHECK_FALSE(partial("mov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p1, %r1, 0;"));
  CHECK_FALSE(partial("ld.param.u32 %r1, [n];\nsetp.ne.u32 %p1, %r1, 0;", "bar.sync 0, 96"));
  CHECK(partial("ld.param.u32 %r1, [n];\nsetp.ne.u32 %p1, %r1, 0;", "bar.sync 0, 64"));
  CHECK(partial("ld.param.u32 %r1, [n];\nsetp.ne.u32 %p1, %r1, 0;", "bar.arrive 0, 96"));
  CHECK(partial(tid + "setp.lt.u32 %p1, %r1, 32;"));  // warps differ
  CHECK(partial(tid + "and.b32 %r2, %r1, 1;\nsetp.ne.u32 %p1, %r2, 0;"));
  CHECK(partial("ld.shared.u32 %r1, [tile+4];\nsetp.ne.u32 %p1, %r1, 0;"));  // another warp may write it
  // Of a loop that all leave together, and of one that they leave in different iterations.
  const auto loop = [&](const std::string& limit) {
    return partial(tid + limit +
                   "mov.u32 %r2, 0;\n$L:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r3;\n@%p1 bra $L;\n"
                   "setp.ne.u32 %p1, %r2, 4;");
  };
  CHECK_FALSE(loop("mov.u32 %r3, 5;\n"));
  CHECK(loop("add.u32 %r3, %r1, 1;\n"));
}

TEST_CASE("exchange between lanes") {
  CHECK(diverges_if_zero("mov.u32 %r2, 0;\nshfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;"));
  CHECK(diverges_if_zero("setp.eq.s32 %p2, 1, 1;\nvote.sync.ballot.b32 %r1, %p2, -1;"));
  CHECK(diverges_if_zero("activemask.b32 %r1;"));
}

TEST_CASE("arithmetic keeps what its operands share") {
  const std::string f = "ld.param.u32 %r2, [n];\ncvt.rn.f32.u32 %f1, %r2;\nmul.f32 %f2, %f1, %f1;\n";
  CHECK_FALSE(diverges(f + "setp.gt.f32 %p1, %f2, 0f40800000;"));
  CHECK_FALSE(diverges(f + "sqrt.approx.f32 %f3, %f2;\nsetp.gt.f32 %p1, %f3, 0f40800000;"));
  CHECK(diverges(f + "mov.u32 %r3, %tid.x;\ncvt.rn.f32.u32 %f3, %r3;\nsetp.gt.f32 %p1, %f3, %f2;"));
  CHECK_FALSE(diverges_if_zero("ld.param.u32 %r2, [n];\npopc.b32 %r3, %r2;\nmin.s32 %r1, %r3, %r2;"));
  CHECK(diverges_if_zero("mov.u32 %r1, %clock;"));
  CHECK(diverges_if_zero("add.s32 %r1, %r2, %r2;"));  // never set
}

TEST_CASE("conditions on which whole warps agree") {
  const std::string tid = "mov.u32 %r2, %tid.x;\n";
  CHECK_FALSE(diverges(tid + "setp.lt.u32 %p1, %r2, 32;"));
  CHECK_FALSE(diverges(tid + "setp.lt.u32 %p1, %r2, 64;"));
  CHECK(diverges(tid + "setp.lt.u32 %p1, %r2, 33;"));
  CHECK_FALSE(diverges_if_zero(tid + "shr.u32 %r1, %r2, 5;"));
  CHECK(diverges_if_zero(tid + "shr.u32 %r1, %r2, 4;"));
  // Rows of 32 threads are warps, rows of 16 are not.
  CHECK_FALSE(diverges_if_zero("mov.u32 %r1, %tid.y;", block_of(32, 8)));
  CHECK(diverges_if_zero("mov.u32 %r1, %tid.y;", block_of(16, 8)));
  CHECK_FALSE(diverges_if_zero("mov.u32 %r1, %tid.x;", block_of(1)));
  // The number of the warp in the grid, with unknown blocks.
  const std::string global =
      "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\n";
  CHECK_FALSE(diverges_if_zero(global + "shr.u32 %r1, %r5, 5;"));
  CHECK(diverges_if_zero(global + "shr.u32 %r1, %r5, 5;", block_of(100)));
}

TEST_CASE("what is selected by a divergent branch diverges") {
  const auto facts = test::facts_of(
      "mov.u32 %r2, %tid.x;\nmov.u32 %r1, 0;\nsetp.eq.s32 %p1, %r2, 0;\n@%p1 bra $join;\nmov.u32 %r1, 1;\n$join:\n"
      "setp.eq.s32 %p2, %r1, 0;\n@%p2 bra $end;\nmov.u32 %r3, 1;\n$end:\nret;");
  CHECK(facts.blocks[0].divergent);
  CHECK(facts.blocks[2].divergent);
  CHECK(
      diverges("mov.u32 %r2, %tid.x;\nsetp.eq.s32 %p2, %r2, 0;\nmov.u32 %r1, 0;\n@%p2 mov.u32 %r1, 1;\n"
               "setp.eq.s32 %p1, %r1, 0;"));
}

TEST_CASE("lanes that leave a loop at different iterations bring different counters") {
  const auto facts = test::facts_of(
      "mov.u32 %r2, %tid.x;\nmov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r2;\n@%p1 bra $L;\n"
      "setp.eq.s32 %p2, %r1, 5;\n@%p2 bra $end;\nmov.u32 %r3, 1;\n$end:\nret;");
  CHECK(facts.blocks[1].divergent);
  CHECK(facts.blocks[2].divergent);
  const auto uniform = test::facts_of(
      "ld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r2;\n@%p1 bra $L;\n"
      "setp.eq.s32 %p2, %r1, 5;\n@%p2 bra $end;\nmov.u32 %r3, 1;\n$end:\nret;");
  CHECK_FALSE(uniform.blocks[1].divergent);
  CHECK_FALSE(uniform.blocks[2].divergent);
}

// Whoever has left the loop earlier would compute the same now.
TEST_CASE("what a loop computes of values from before it is the same for lanes that leave at different iterations") {
  const auto after = [](const std::string& computed) {
    return test::facts_of("ld.param.u32 %r5, [n];\nmov.u32 %r2, %tid.x;\nmov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\n" +
                          computed +
                          "setp.lt.s32 %p1, %r1, %r2;\n@%p1 bra $L;\nsetp.eq.s32 %p2, %r9, 5;\n@%p2 bra $end;\n"
                          "mov.u32 %r3, 1;\n$end:\nret;")
        .blocks[2]
        .divergent;
  };
  CHECK_FALSE(after("mul.lo.s32 %r8, %r5, %r5;\nadd.s32 %r9, %r8, %r5;\n"));
  CHECK(after("mul.lo.s32 %r8, %r5, %r1;\nadd.s32 %r9, %r8, %r5;\n"));
}

// Six blocks: the sides of a divergent branch have branches of their own before they reconverge.
TEST_CASE("what several blocks a side select diverges") {
  const auto facts = test::facts_of(
      "ld.param.u32 %r5, [n];\nmov.u32 %r2, %tid.x;\nsetp.eq.s32 %p1, %r2, 0;\nsetp.eq.s32 %p2, %r5, 0;\n"
      "@%p1 bra $right;\n"
      "mov.u32 %r1, 1;\n@%p2 bra $join;\nmov.u32 %r6, 1;\nbra $join;\n"
      "$right:\nmov.u32 %r1, 2;\n@%p2 bra $join;\nmov.u32 %r6, 2;\nbra $join;\n"
      "$join:\nsetp.eq.s32 %p3, %r1, 1;\n@%p3 bra $end;\nmov.u32 %r3, 1;\n$end:\nret;");
  CHECK(facts.blocks[0].divergent);
  CHECK_FALSE(facts.blocks[1].divergent);
  CHECK_FALSE(facts.blocks[3].divergent);
  CHECK(facts.blocks[5].divergent);
}

TEST_CASE("lanes that leave a loop by its header bring different values") {
  const auto facts = test::facts_of(
      "mov.u32 %r2, %tid.x;\nmov.u32 %r1, 0;\n$L:\nsetp.ge.s32 %p1, %r1, %r2;\n@%p1 bra $out;\n"
      "add.s32 %r1, %r1, 1;\nbra $L;\n$out:\n"
      "setp.eq.s32 %p2, %r1, 5;\n@%p2 bra $end;\nmov.u32 %r3, 1;\n$end:\nret;");
  CHECK(facts.blocks[3].divergent);
}

// The break itself is uniform, but only some lanes come to it.
TEST_CASE("a uniform break under a divergent condition lets some lanes out") {
  const auto facts = test::facts_of(
      "ld.param.u32 %r5, [n];\nmov.u32 %r2, %tid.x;\nmov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\n"
      "and.b32 %r4, %r2, %r1;\nsetp.eq.s32 %p1, %r4, 0;\n@%p1 bra $next;\n"
      "setp.eq.s32 %p2, %r1, %r5;\n@%p2 bra $out;\n$next:\nsetp.lt.s32 %p3, %r1, 100;\n@%p3 bra $L;\n"
      "$out:\nsetp.eq.s32 %p4, %r1, 5;\n@%p4 bra $end;\nmov.u32 %r3, 1;\n$end:\nret;");
  CHECK(facts.blocks[1].divergent);
  CHECK_FALSE(facts.blocks[2].divergent);
  CHECK(facts.blocks[4].divergent);
}

// Some lanes go round the outer loop and load anew, while the others wait at the header of the inner one.
TEST_CASE("lanes in different iterations meet inside a loop") {
  const auto facts = test::facts_of(
      "ld.param.u64 %d1, [p];\nmov.u32 %r2, %tid.x;\nmov.u32 %r9, 0;\n$outer:\nld.global.u32 %r1, [%d1];\n"
      "$inner:\nadd.s32 %r9, %r9, 1;\nsetp.gt.s32 %p1, %r9, 100;\n@%p1 bra $end;\n"
      "setp.eq.s32 %p2, %r1, 0;\n@%p2 bra $same;\nmov.u32 %r3, 1;\n$same:\nand.b32 %r4, %r2, %r9;\n"
      "setp.eq.s32 %p3, %r4, 0;\n@%p3 bra $outer;\nbra $inner;\n$end:\nret;",
      test::block_of(32));
  const auto& blocks = facts.blocks;
  CHECK(blocks[3].divergent);  // on %r1
  CHECK(blocks[5].divergent);
}

TEST_CASE("indexed branches diverge as their index does") {
  const std::string table = "$table: .branchtargets $a, $b, $c;\n";
  const std::string rest = "brx.idx %r1, $table;\n$a:\nmov.u32 %r2, 1;\n$b:\nmov.u32 %r2, 2;\n$c:\nret;";
  CHECK(test::facts_of(table + "mov.u32 %r1, %tid.x;\n" + rest).blocks[0].divergent);
  CHECK_FALSE(test::facts_of(table + "ld.param.u32 %r1, [n];\n" + rest).blocks[0].divergent);
  CHECK(test::facts_of(table + "mov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, 1, 2;\n@!%p1 " + rest).blocks[0].divergent);
}

TEST_CASE("an indexed branch reads its table once for each target that lanes may have") {
  const auto reads = [](const std::string& index, int targets) {
    std::string text = index + "\n$T: .branchtargets $A0";
    for (int i = 1; i < targets; ++i) text += ", $A" + std::to_string(i);
    text += ";\nbrx.idx %r1, $T;\n";
    for (int i = 0; i < targets; ++i) text += "$A" + std::to_string(i) + ": mov.u32 %r30, 1;\nbra.uni $end;\n";
    const auto transactions = test::facts_of(text + "$end: ret;", block_of(256)).transactions;
    return transactions.at(1);
  };
  CHECK(reads("mov.u32 %r1, %ctaid.x;", 5) <= 1);
  CHECK(reads("mov.u32 %r1, %tid.x;", 5) == 5);
  CHECK(reads("mov.u32 %r1, %tid.x;", 40) == 32);
}
