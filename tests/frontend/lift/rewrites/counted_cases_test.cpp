// SPDX-License-Identifier: GPL-3.0-or-later
// Iterations left of an unrolled loop, each number with code of its own, and the count of those that follow.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::trips_of;

namespace {

struct Remainder {
  std::string first = "-1", second = "-2", third = "-3";  // what is added where 1, 2 or 3 are left
  std::string asked = "%r8";                              // by the second question
  std::string mask = "3";
};

// n is at most 100; behind code for n & 3 iterations fours follow down to 0.
std::string fours(const Remainder& rest) {
  return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nld.global.u32 %r9, [%d1 + 4];\nmin.s32 %r2, %r1, 100;\n"
         "setp.lt.s32 %p5, %r2, 4;\n@%p5 bra $end;\nand.b32 %r8, %r2, " +
         rest.mask + ";\nsetp.eq.s32 %p1, %r8, 0;\nmov.u32 %r6, %r2;\n@%p1 bra $J;\nsetp.eq.s32 %p2, " + rest.asked +
         ", 1;\nadd.s32 %r6, %r2, " + rest.first + ";\n@%p2 bra $J;\nsetp.ne.s32 %p3, %r8, 2;\nadd.s32 %r6, %r2, " +
         rest.second + ";\n@%p3 add.s32 %r6, %r2, " + rest.third +
         ";\n$J:\nmov.u32 %r7, 0;\n$L:\nadd.s32 %r6, %r6, -4;\nadd.s32 %r7, %r7, 1;\nsetp.ne.s32 %p4, %r6, 0;\n@%p4 "
         "bra "
         "$L;\n$end:\nret;";
}

const std::vector<std::string> counted = {"$L: 25"};

}  // namespace

TEST_CASE("what is left has code of its own for each number: a multiple of four follows") {
  CHECK(trips_of(fours({}), block_of(32)) == counted);
}

TEST_CASE("one number that has other code, or another question, leaves anything") {
  CHECK(trips_of(fours({"-1", "-2", "-2"}), block_of(32)) != counted);
  CHECK(trips_of(fours({"-2", "-2", "-3"}), block_of(32)) != counted);
  CHECK(trips_of(fours({"-1", "-1", "-3"}), block_of(32)) != counted);
  CHECK(trips_of(fours({"-1", "-2", "-3", "%r9"}), block_of(32)) != counted);
  CHECK(trips_of(fours({"-1", "-2", "-3", "%r8", "7"}), block_of(32)) != counted);
}
