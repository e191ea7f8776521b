// SPDX-License-Identifier: GPL-3.0-or-later
// Absolute values of one number, calculated twice.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

TEST_CASE("the absolute value of a number is the same however it is calculated") {
  // From one absolute value less another, and 5, down to 0.
  const auto trips = [](const std::string& second) {
    return test::trips_of(
        "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nneg.s32 %r2, %r1;\n"
        "setp.lt.s32 %p1, %r1, 0;\nselp.b32 %r3, %r2, %r1, %p1;\n" +
            second +
            "sub.s32 %r9, %r3, %r4;\nadd.s32 %r9, %r9, 5;\n$L:\nadd.s32 %r9, %r9, -1;\n"
            "setp.ne.s32 %p2, %r9, 0;\n@%p2 bra $L;\nret;",
        test::block_of(32));
  };
  const std::vector<std::string> five = {"$L: 5"};
  CHECK(trips("setp.gt.s32 %p1, %r1, 0;\nselp.b32 %r4, %r1, %r2, %p1;\n") == five);
  CHECK(trips("setp.gt.s32 %p1, %r1, -1;\nselp.b32 %r4, %r1, %r2, %p1;\n") == five);
  CHECK(trips("setp.gt.s32 %p1, %r1, 1;\nselp.b32 %r4, %r1, %r2, %p1;\n") != five);  // 1 becomes -1
}
