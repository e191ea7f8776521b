// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

// Of a loop that goes on while the test sets %p1, from %r1 or %d1 up or down to %r2 or %d2.
bool counts_away(const std::string& step_and_test) {
  const auto analyzed =
      test::analyze(test::kernel_k("ld.param.u64 %d1, [w];\nld.param.u64 %d2, [p];\nld.param.u32 %r1, [n];\n"
                                   "ld.param.u32 %r2, [m];\n$L: st.volatile.global.u32 [%d2], %r1;\n" +
                                   step_and_test + "@%p1 bra $L;\nret;"),
                    test::block_of(32));
  REQUIRE(analyzed.facts.ok());
  REQUIRE(analyzed.facts->loops.size() == 1);
  return analyzed.facts->loops.front().counts_away;
}

}  // namespace

TEST_CASE("a loop counts away from its limit if it goes on on the side that its steps lead to") {
  for (const std::string sign : {"s", "u"}) {
    for (const std::string less : {"lt", "le"}) {
      const std::string test = "setp." + less + "." + sign;
      CHECK(counts_away("sub.s32 %r1, %r1, 2;\n" + test + "32 %p1, %r1, %r2;\n"));
      CHECK(counts_away("sub.s64 %d1, %d1, 1;\n" + test + "64 %p1, %d1, %d2;\n"));
      CHECK(counts_away("add.s32 %r1, %r1, 2;\n" + test + "32 %p1, %r2, %r1;\n"));
      CHECK_FALSE(counts_away("add.s32 %r1, %r1, 2;\n" + test + "32 %p1, %r1, %r2;\n"));
      CHECK_FALSE(counts_away("sub.s64 %d1, %d1, 2;\n" + test + "64 %p1, %d2, %d1;\n"));
    }
  }
  CHECK_FALSE(counts_away("sub.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 0;\n"));
  CHECK_FALSE(counts_away("sub.s32 %r1, %r1, 1;\nsetp.gt.s32 %p1, %r1, 0;\n"));
}

TEST_CASE("each of several tests that go on counts, and counters of fewer bits") {
  CHECK(counts_away("sub.s32 %r1, %r1, 2;\nsetp.lt.s32 %p1, %r1, %r2;\nsetp.gt.and.s32 %p1, %r2, 7, %p1;\n"));
  CHECK(counts_away("sub.s32 %r1, %r1, 2;\nand.b32 %r3, %r1, 65535;\nsetp.lt.u32 %p1, %r3, %r2;\n"));
  CHECK(counts_away("sub.s32 %r1, %r1, 2;\ncvt.u64.u32 %d3, %r1;\nsetp.lt.u64 %p1, %d3, %d1;\n"));
}
