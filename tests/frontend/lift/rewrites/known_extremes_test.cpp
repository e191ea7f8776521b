// SPDX-License-Identifier: GPL-3.0-or-later
// Minima and maxima of numbers a known distance apart, as in limits of unrolled loops.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::trips_of;
using Trips = std::vector<std::string>;

namespace {

// From what `choice` makes of x + 32 and x + 1, less x, down to 0 by 1; x is what the text leaves in %r1.
std::string counted(const std::string& text, const std::string& choice, const std::string& far = "32") {
  return text + "add.s32 %r2, %r1, " + far + ";\nadd.s32 %r3, %r1, 1;\n" + choice +
         " %r4, %r2, %r3;\nsub.s32 %r5, %r4, %r1;\n$L:\nadd.s32 %r5, %r5, -1;\nsetp.ne.s32 %p1, %r5, 0;\n@%p1 bra "
         "$L;\nret;";
}

const std::string position = "mov.u32 %r9, %tid.x;\nshl.b32 %r1, %r9, 5;\n";
const std::string anything = "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\n";

}  // namespace

TEST_CASE("the larger or smaller of two sums of a number is known where neither wraps") {
  CHECK(trips_of(counted(position, "max.s32"), block_of(64)) == Trips{"$L: 32"});
  CHECK(trips_of(counted(position, "min.s32"), block_of(64)) == Trips{"$L: 1"});
  CHECK(trips_of(counted(position, "max.u32"), block_of(64)) == Trips{"$L: 32"});
  CHECK(trips_of(counted(position, "min.u32"), block_of(64)) == Trips{"$L: 1"});
  CHECK(trips_of(counted(position, "max.s32", "-7"), block_of(64)) == Trips{"$L: 1"});
}

TEST_CASE("which of two sums is larger is not known where one may wrap") {
  CHECK(trips_of(counted(anything, "min.s32"), block_of(64)) != Trips{"$L: 1"});
  CHECK(trips_of(counted(anything, "min.u32"), block_of(64)) != Trips{"$L: 1"});
  // Without a sign x - 7 wraps for the first thread.
  CHECK(trips_of(counted(position, "max.u32", "-7"), block_of(64)) != Trips{"$L: 1"});
}

TEST_CASE("the larger or smaller of two numbers is known where their ranges meet in one at most") {
  // From 8, and how far a limit moves 2 tid in the direction in which it could, down to 0 by 1.
  const auto trips = [](const std::string& choice, const std::string& limit) {
    const std::string moved = choice.starts_with("max") ? "%r4, %r1" : "%r1, %r4";
    return trips_of("mov.u32 %r9, %tid.x;\nshl.b32 %r1, %r9, 1;\n" + choice + " %r4, " + limit +
                        ", %r1;\nsub.s32 %r5, " + moved +
                        ";\nadd.s32 %r5, %r5, 8;\n$L:\nadd.s32 %r5, %r5, -1;\nsetp.ne.s32 %p1, %r5, 0;\n@%p1 bra "
                        "$L;\nret;",
                    block_of(64));
  };
  CHECK(trips("max.s32", "0") == Trips{"$L: 8"});
  CHECK(trips("max.s32", "-5") == Trips{"$L: 8"});
  CHECK(trips("min.s32", "126") == Trips{"$L: 8"});
  CHECK(trips("min.u32", "-5") == Trips{"$L: 8"});
  CHECK(trips("max.s32", "1") != Trips{"$L: 8"});
  CHECK(trips("min.s32", "125") != Trips{"$L: 8"});
  CHECK(trips("max.u32", "-5") != Trips{"$L: 8"});
  CHECK(trips("min.s32", "-5") != Trips{"$L: 8"});
}
