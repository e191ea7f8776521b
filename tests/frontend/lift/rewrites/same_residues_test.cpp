// SPDX-License-Identifier: GPL-3.0-or-later
// Low bits of numbers that differ: as of n - i and of a counter beside it.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::trips_of;

namespace {

// A triangle of 200 rows: of the 199 - i numbers of row i the lowest 3 bits are done first, as often as those of a
// counter beside i say, and the rest by sixteens and one eight.
std::string triangle(int start, int step, int mask = 7) {
  const auto text = [](int number) { return std::to_string(number); };
  return "mov.u32 %r1, 0;\nmov.u32 %r2, " + text(start) +
         ";\n$O:\nsub.s32 %r3, 199, %r1;\nand.b32 %r4, %r3, 7;\nadd.s32 %r5, %r1, 1;\nsetp.eq.s32 %p1, %r4, 0;\n"
         "@%p1 bra $J;\nand.b32 %r6, %r2, " +
         text(mask) +
         ";\nadd.s32 %r5, %r5, %r6;\n$J:\nsetp.lt.u32 %p2, %r3, 8;\n@%p2 bra $N;\nsub.s32 %r8, 200, %r5;\n"
         "setp.le.s32 %p5, %r8, 8;\n@%p5 bra $D;\n$A:\nadd.s32 %r8, %r8, -16;\nsetp.gt.s32 %p5, %r8, 8;\n@%p5 bra $A;\n"
         "$D:\nsetp.eq.s32 %p5, %r8, 0;\n@%p5 bra $N;\n$L:\nadd.s32 %r8, %r8, -8;\nsetp.ne.s32 %p3, %r8, 0;\n@%p3 bra "
         "$L;\n$N:\nadd.s32 %r2, %r2, " +
         text(step) + ";\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p4, %r1, 200;\n@%p4 bra $O;\nret;";
}

const std::vector<std::string> counted = {"$O: 200", "$A: 12", "$L: 1"};

}  // namespace

TEST_CASE("low bits of what is left are those of a counter that goes along") {
  CHECK(trips_of(triangle(207, 7), block_of(32)) == counted);
  CHECK(trips_of(triangle(-1, -1), block_of(32)) == counted);
}

TEST_CASE("low bits of another counter are others") {
  CHECK(trips_of(triangle(206, 7), block_of(32)) != counted);
  CHECK(trips_of(triangle(207, 5), block_of(32)) != counted);
  CHECK(trips_of(triangle(207, 7, 3), block_of(32)) != counted);
  CHECK(trips_of(triangle(207, 7, 15), block_of(32)) != counted);
}
