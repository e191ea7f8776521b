// SPDX-License-Identifier: GPL-3.0-or-later
// Guards and branches that decide which threads access, and which warps and blocks have one.
#include "tests/frontend/lift/accesses/described_accesses.hpp"

using namespace warpspan;
using namespace warpspan::test::described;
using test::block_of;
using test::with_argument;
using test::with_grid;

TEST_CASE("a guard decides which threads access, as a branch does") {
  const std::string guarded =
      "setp.ge.s32 %p1, %r3, %r4;\nmov.u32 %r9, %r3;\nmul.wide.s32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\n";
  const ir::Launch launch = with_argument(with_grid(block_of(256), 80), "n", "20000");
  const std::string dense = "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,80000) 2 9 626 dense";
  CHECK(access_of(guarded + "@!%p1 ld.global.u32 %r10, [%d3];\n", launch) == dense);
  CHECK(access_of(guarded + "@%p1 ld.global.u32 %r10, [%d3];\n", launch) != dense);
  // By a value of which nothing is known.
  CHECK(access_of(guarded + "ld.shared.u32 %r11, [tile];\nsetp.eq.s32 %p2, %r11, 0;\n@%p2 ld.global.u32 %r10, [%d3];\n",
                  launch) == "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,81920) 2 9 641");
  // Two halves of a row under two guards are not one row.
  const auto both = accesses_of(
      "setp.lt.s32 %p1, %r1, 100;\nmul.wide.s32 %d2, %r3, 8;\nadd.s64 %d3, %d1, %d2;\n"
      "@%p1 ld.global.u32 %r10, [%d3];\n@!%p1 ld.global.u32 %r11, [%d3+4];\n",
      large);
  REQUIRE(both.size() == 2);
  CHECK(both[0].find("dense") == std::string::npos);
  CHECK(both[1].find("dense") == std::string::npos);
}

TEST_CASE("what instructions with one guard wrote is what others with it read") {
  const std::string body =
      "setp.lt.s32 %p1, %r1, 40;\nmov.b64 %d3, 0;\nmul.wide.s32 %d2, %r3, 4;\n@%p1 add.s64 %d3, %d1, %d2;\n";
  CHECK(access_of(body + "@%p1 ld.global.u32 %r10, [%d3];\n", large) ==
        "p: 4 * threadIdx.x + 1024 * blockIdx.x [0,64672) 2 9 507");
  CHECK(access_of(body + "@!%p1 ld.global.u32 %r10, [%d3];\n", large).find('p') == std::string::npos);
  // The predicate has changed in between.
  CHECK(access_of(body + "setp.gt.s32 %p1, %r1, 50;\n@%p1 ld.global.u32 %r10, [%d3];\n", large).substr(0, 2) == "?:");
}

TEST_CASE("a guard may let only part of the warps of a block access") {
  const auto partial = [](const std::string& condition) {
    const ir::Flow flow = test::facts_of(
        start + condition + "mul.wide.s32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\n@%p1 ld.global.u32 %r10, [%d3];\nret;",
        large);
    REQUIRE(flow.partial_accesses.size() <= 1);
    return flow.partial_accesses.empty() ? 0 : flow.partial_accesses.front().warps;
  };
  CHECK(partial("setp.eq.s32 %p1, %r1, 0;\n") == 1);
  CHECK(partial("setp.lt.s32 %p1, %r1, 33;\n") == 2);
  CHECK(partial("setp.gt.s32 %p1, %r1, 100;\n") == 5);
  CHECK(partial("setp.lt.s32 %p1, %r1, 225;\n") == 0);  // all eight
  CHECK(partial("setp.lt.s32 %p1, %r4, 7;\n") == 0);    // the same for all
  CHECK(partial("ld.shared.u32 %r11, [tile];\nsetp.lt.s32 %p1, %r11, 7;\n") == 0);
}

TEST_CASE("a guard may let only some blocks access, also of one warp each") {
  const auto partial = [](const std::string& condition, const ir::Launch& launch) {
    const ir::Flow flow = test::facts_of(
        start + condition + "mul.wide.s32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\n@%p1 ld.global.u32 %r10, [%d3];\nret;",
        launch);
    if (flow.partial_accesses.empty() || !flow.partial_accesses.front().blocks) return std::string("all");
    const ir::PartialAccess& found = flow.partial_accesses.front();
    return std::to_string(found.warps) + " in " + std::to_string(found.blocks->some) + " of " +
           std::to_string(found.blocks->all);
  };
  const ir::Launch four = with_grid(block_of(64), 4), of_one = with_grid(block_of(32), 4);
  CHECK(partial("setp.eq.s32 %p1, %r2, 1;\n", four) == "2 in 1 of 4");
  CHECK(partial("setp.eq.s32 %p1, %r3, 0;\n", four) == "1 in 1 of 4");
  CHECK(partial("setp.lt.s32 %p1, %r2, 3;\n", of_one) == "1 in 3 of 4");
  CHECK(partial("setp.lt.s32 %p1, %r2, 4;\n", of_one) == "all");
  CHECK(partial("setp.eq.s32 %p1, %r1, 0;\n", four) == "all");
}

TEST_CASE("a guard by the smaller or the larger of two numbers is one by both") {
  const auto behind = [](const std::string& guard) {
    return access_of("sub.s32 %r6, 40, %r2;\n" + guard + "@%p1 bra E;\nmov.u32 %r9, %r3;\n" + load + "E:\n", large);
  };
  CHECK(behind("min.s32 %r7, %r3, %r6;\nsetp.le.s32 %p1, %r7, 6;\n").find("[28,34816)") != std::string::npos);
  // One of them suffices.
  CHECK(behind("max.s32 %r7, %r3, %r6;\nsetp.le.s32 %p1, %r7, 6;\n").find("[0,65536)") != std::string::npos);
}

TEST_CASE("a guard that never holds lets no warp access") {
  const auto warps = [](const std::string& condition) {
    return test::facts_of(start + "mul.wide.s32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\n" + condition +
                              "@%p1 ld.global.u32 %r10, [%d3];\n$end:\nret;",
                          large)
        .partial_accesses;
  };
  // Behind a branch that only others take.
  const auto never = warps("setp.ge.s32 %p2, %r1, 40;\n@%p2 bra $end;\nsetp.ge.s32 %p1, %r1, 40;\n");
  REQUIRE(never.size() == 1);
  CHECK(never.front().warps == 0);
  CHECK(warps("setp.ge.s32 %p2, %r1, 40;\n@!%p2 bra $end;\nsetp.ge.s32 %p1, %r1, 40;\n").empty());
}
