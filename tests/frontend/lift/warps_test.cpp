// SPDX-License-Identifier: GPL-3.0-or-later
// How many warps of a block of threads, and blocks of the grid, may execute a block of the kernel.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;

namespace {

const std::string positions =
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, %ctaid.x;\nld.param.u32 %r4, [n];\n";

// Of the block with the last store to shared memory.
ir::BlockFlow flow_of(const std::string& body, const ir::Launch& launch) {
  const test::Analyzed analyzed = test::analyze(test::kernel_k(body), launch);
  REQUIRE(analyzed.facts.ok());
  for (size_t b = analyzed.kernel.blocks.size(); b-- > 0;) {
    const ir::Block& block = analyzed.kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Operation& operation = analyzed.kernel.operation(analyzed.kernel.instructions[i]);
      if (operation.kind == ir::OperationKind::store_shared) return analyzed.facts->blocks[b];
    }
  }
  FAIL("no store");
  return {};
}

// Who executes what stands behind a guard, which leaves if the condition on %p1 holds.
ir::BlockFlow behind(const std::string& condition, const ir::Launch& launch) {
  return flow_of(positions + condition + "\n@%p1 bra $end;\nst.shared.u32 [tile], %r1;\n$end:\nret;", launch);
}

std::optional<int64_t> warps_behind(const std::string& condition, const ir::Launch& launch = block_of(256)) {
  return behind(condition, launch).warps;
}

// "2 of 4"; "all".
std::string blocks_behind(const std::string& condition, const ir::Launch& launch) {
  const ir::BlockFlow flow = behind(condition, launch);
  if (!flow.blocks) return "all";
  CHECK(flow.warps);
  return std::to_string(flow.blocks->some) + " of " + std::to_string(flow.blocks->all);
}

std::optional<int64_t> warps_in(const std::string& body, const ir::Launch& launch) {
  return flow_of(body, launch).warps;
}

}  // namespace

TEST_CASE("warps behind a test of the thread's position") {
  CHECK(warps_behind("setp.ne.s32 %p1, %r1, 0;") == 1);
  CHECK(warps_behind("setp.ne.s32 %p1, %r1, 77;") == 1);
  CHECK(warps_behind("setp.ge.u32 %p1, %r1, 64;") == 2);
  CHECK(warps_behind("setp.gt.u32 %p1, %r1, 64;") == 3);
  CHECK(warps_behind("setp.lt.u32 %p1, %r1, 64;") == 6);
  CHECK(warps_behind("setp.ge.u32 %p1, %r1, 256;") == std::nullopt);
  CHECK(warps_behind("setp.ge.s32 %p1, %r1, 1;", block_of(70)) == 1);
  CHECK(warps_behind("setp.lt.s32 %p1, %r1, 69;", block_of(70)) == 1);
  // One lane of each warp.
  CHECK(warps_behind("and.b32 %r5, %r1, 31;\nsetp.ne.s32 %p1, %r5, 0;") == std::nullopt);
  CHECK(warps_behind("shr.u32 %r5, %r1, 5;\nsetp.ge.u32 %p1, %r5, 3;") == 3);
  CHECK(warps_behind("setp.ne.s32 %p1, %r1, 0;", block_of(32)) == std::nullopt);
}

TEST_CASE("warps behind a test of two or three dimensions") {
  const ir::Launch launch = block_of(16, 16);
  CHECK(warps_behind("setp.ge.u32 %p1, %r2, 4;", launch) == 2);
  CHECK(warps_behind("setp.ne.s32 %p1, %r2, 5;", launch) == 1);
  CHECK(warps_behind("setp.ne.s32 %p1, %r1, 0;", launch) == std::nullopt);  // a column: all warps have a thread of it
  CHECK(warps_behind("or.b32 %r5, %r1, %r2;\nsetp.ne.s32 %p1, %r5, 0;", launch) == 1);
  CHECK(warps_behind("mov.u32 %r5, %tid.z;\nsetp.ne.s32 %p1, %r5, 1;", block_of(8, 8, 4)) == 2);
}

TEST_CASE("warps behind a test of what is not known of a thread") {
  CHECK(warps_behind("setp.ge.s32 %p1, %r1, %r4;") == std::nullopt);
  CHECK(warps_behind("setp.ge.s32 %p1, %r1, %r4;", test::with_argument(block_of(256), "n", "40")) == 2);
  CHECK(warps_behind("setp.ne.s32 %p1, %r3, 0;") == std::nullopt);
  CHECK(warps_behind("ld.shared.u32 %r5, [tile];\nsetp.ne.s32 %p1, %r5, 0;") == std::nullopt);
  // Each thread of the grid below 300: of some block all warps.
  const std::string global = "mad.lo.s32 %r5, %r3, 256, %r1;\nsetp.ge.s32 %p1, %r5, 300;";
  CHECK(warps_behind(global) == std::nullopt);
  CHECK(warps_behind(global, test::with_grid(block_of(256), 4)) == 8);
  CHECK(warps_behind("mad.lo.s32 %r5, %r3, 256, %r1;\nsetp.ge.s32 %p1, %r5, 40;", test::with_grid(block_of(256), 4)) ==
        2);
}

TEST_CASE("warps behind nested tests, of which each counts") {
  const auto behind = [](const std::string& outer, const std::string& inner) {
    return warps_in(
        positions + outer + "\n@%p1 bra $end;\n" + inner + "\n@%p2 bra $end;\nst.shared.u32 [tile], %r1;\n$end:\nret;",
        block_of(256));
  };
  CHECK(behind("setp.ge.u32 %p1, %r1, 128;", "setp.lt.u32 %p2, %r1, 96;") == 1);
  CHECK(behind("setp.ge.u32 %p1, %r1, 128;", "setp.ge.s32 %p2, %r4, 5;") == 4);
  CHECK(behind("setp.ge.u32 %p1, %r1, 128;", "shr.u32 %r5, %r1, 5;\nsetp.lt.u32 %p2, %r5, 4;") == 0);
}

TEST_CASE("warps behind a test of a counter") {
  // Iteration i is for threads below 64 i + 1: warp 0 in iteration 0, and 3 warps in the second of two.
  const auto in_loop = [](const std::string& test, int trips) {
    return warps_in(positions + "mov.u32 %r9, 0;\n$top:\nshl.b32 %r8, %r9, 6;\n" + test +
                        "\n@%p1 bra $next;\nst.shared.u32 [tile], %r1;\n$next:\nadd.s32 %r9, %r9, 1;\n"
                        "setp.lt.s32 %p2, %r9, " +
                        std::to_string(trips) + ";\n@%p2 bra $top;\nret;",
                    block_of(256));
  };
  CHECK(in_loop("setp.gt.s32 %p1, %r1, %r8;", 1) == 1);
  CHECK(in_loop("setp.gt.s32 %p1, %r1, %r8;", 2) == 3);
  CHECK(in_loop("setp.gt.s32 %p1, %r1, %r8;", 5) == std::nullopt);
  CHECK(in_loop("setp.ge.s32 %p1, %r9, 1;", 5) == std::nullopt);
}

TEST_CASE("warps behind what some threads leave") {
  CHECK(warps_in(positions + "setp.ge.u32 %p1, %r1, 96;\n@%p1 ret;\nst.shared.u32 [tile], %r1;\nret;", block_of(256)) ==
        3);
  // Both paths lead here.
  CHECK(warps_in(positions + "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra $here;\nst.shared.u32 [tile], "
                             "%r1;\n$here:\nst.shared.u32 [tile], %r1;\nret;",
                 block_of(256)) == std::nullopt);
}

TEST_CASE("blocks behind a test of their position") {
  const ir::Launch launch = test::with_grid(block_of(256), 4);
  CHECK(blocks_behind("setp.ne.s32 %p1, %r3, 0;", launch) == "1 of 4");
  CHECK(blocks_behind("setp.ge.u32 %p1, %r3, 3;", launch) == "3 of 4");
  CHECK(blocks_behind("setp.lt.u32 %p1, %r3, 3;", launch) == "1 of 4");
  CHECK(blocks_behind("setp.ge.u32 %p1, %r3, 4;", launch) == "all");
  CHECK(blocks_behind("setp.ne.s32 %p1, %r1, 0;", launch) == "all");
  CHECK(blocks_behind("setp.ne.s32 %p1, %r3, 0;", block_of(256)) == "all");  // of an unknown grid
  const std::string place = "mad.lo.s32 %r5, %r3, 256, %r1;\n";
  CHECK(blocks_behind(place + "setp.ge.s32 %p1, %r5, 512;", launch) == "2 of 4");
  CHECK(blocks_behind(place + "setp.ge.s32 %p1, %r5, 513;", launch) == "3 of 4");
  CHECK(blocks_behind(place + "setp.lt.s32 %p1, %r5, 1023;", launch) == "1 of 4");
  CHECK(blocks_behind(place + "setp.ge.s32 %p1, %r5, %r4;", launch) == "all");
  CHECK(blocks_behind(place + "setp.ge.s32 %p1, %r5, %r4;", test::with_argument(launch, "n", "1")) == "1 of 4");
  CHECK(blocks_behind("ld.shared.u32 %r5, [tile];\nsetp.ne.s32 %p1, %r5, %r3;", launch) == "all");
  // Of both: a column and a row.
  const ir::Launch plane = test::with_grid(block_of(64), 8, 5);
  const std::string row = "mov.u32 %r5, %ctaid.y;\n";
  CHECK(blocks_behind(row + "setp.ne.s32 %p1, %r5, 2;", plane) == "8 of 40");
  CHECK(blocks_behind(row + "add.s32 %r6, %r3, %r5;\nsetp.ge.s32 %p1, %r6, 3;", plane) == "9 of 40");
}
