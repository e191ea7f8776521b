// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with so many branches in a row that the chain before a loop is cut.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::facts_of;

namespace {

std::string exits(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "setp.eq.u32 %p2, %r9, " + std::to_string(i) + ";\n@%p2 exit;\n";
  return text;
}

}  // namespace

TEST_CASE("loops in a row that end at the thread's number each have a bound") {
  std::string text = "mov.u32 %r9, %tid.x;\n";
  for (int i = 0; i < 150; ++i) {
    const std::string label = "L" + std::to_string(i);
    text +=
        "mov.u32 %r1, 0;\n" + label + ":\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %r9;\n@%p1 bra " + label + ";\n";
  }
  const auto facts = facts_of(text + "ret;", test::block_of(64));
  REQUIRE(facts.loops.size() == 150);
  for (const ir::Loop& loop : facts.loops) CHECK(loop.trip_count == 63);
}

TEST_CASE("a loop is bounded by its guard, however many branches come before that") {
  const std::string loop =
      "ld.param.u32 %r1, [n];\nsetp.gt.u32 %p1, %r1, 40;\n@%p1 exit;\nmov.u32 %r2, 0;\nL:\nadd.u32 %r2, %r2, 1;\n"
      "setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nret;";
  for (const int before : {0, 200, 2000}) {
    const auto facts = facts_of("mov.u32 %r9, %tid.x;\n" + exits(before) + loop, test::block_of(64));
    REQUIRE(facts.loops.size() == 1);
    CHECK(facts.loops[0].trip_count == 40);
  }
}

TEST_CASE("a guarded indexed branch anywhere in a long chain keeps its guard and its index") {
  for (int before = 240; before < 270; ++before) {
    const auto facts = facts_of("mov.u32 %r9, %tid.x;\n" + exits(before) +
                                    "ts: .branchtargets A, B;\nsetp.eq.u32 %p1, 1, 1;\nand.b32 %r3, %r9, 1;\n"
                                    "@%p1 brx.idx %r3, ts;\nadd.u32 %r4, %r4, 1;\nA: ret;\nB: ret;",
                                test::block_of(64));
    CHECK(facts.blocks.at(static_cast<size_t>(before)).divergent);
    CHECK(facts.blocks.at(static_cast<size_t>(before)).reconvergence == ir::no_block);
  }
}
