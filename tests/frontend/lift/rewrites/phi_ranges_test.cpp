// SPDX-License-Identifier: GPL-3.0-or-later
// What comes by an edge that is never taken says nothing of a phi.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::trips_of;
using test::with_argument;

TEST_CASE("the range of a phi is that of the edges that are taken") {
  // i = n < 1000 ? n - (what 8 bits in memory say) : anything; down to 0 by 4, with signs.
  const std::string text =
      "ld.param.u32 %r1, [n];\nld.param.u64 %d1, [p];\nsetp.ge.u32 %p1, %r1, 1000;\n@%p1 bra $other;\n"
      "ld.global.u8 %r2, [%d1];\nsub.s32 %r3, %r1, %r2;\nbra $join;\n$other:\nld.global.u32 %r3, [%d1];\n$join:\n"
      "add.s32 %r4, %r3, 4;\n$L:\nadd.s32 %r4, %r4, -4;\nsetp.gt.s32 %p2, %r4, 4;\n@%p2 bra $L;\nret;";
  CHECK(trips_of(text, with_argument(block_of(32), "n", "400")) == std::vector<std::string>{"$L: 100"});
  const auto unknown = trips_of(text, with_argument(block_of(32), "n", "4000"));  // the other edge is taken
  REQUIRE(unknown.size() == 1);
  CHECK(unknown[0] != "$L: 1000");
}
