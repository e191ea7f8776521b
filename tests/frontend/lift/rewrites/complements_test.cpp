// SPDX-License-Identifier: GPL-3.0-or-later
// Limits that compilers count down by complements, against what they compute.
#include <algorithm>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::trips_of;

namespace {

// From `begin`, which the text leaves in %r9, up to 0 by 1.
std::string counted_up(const std::string& text) {
  return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nld.global.u32 %r2, [%d1 + 4];\n" + text +
         "$L:\nadd.s32 %r9, %r9, 1;\nsetp.ne.s32 %p1, %r9, 0;\n@%p1 bra $L;\nret;";
}

}  // namespace

TEST_CASE("rows of fours that are limited twice, once by complements, are counted") {
  // As nvcc writes: for (k = 0; k < min(end - begin, 64); ++k), in fours.
  const auto loop = [](int most, const std::string& rest) {
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nld.global.u32 %r2, [%d1 + 4];\nsub.s32 %r3, %r2, %r1;\n"
           "min.s32 %r4, %r3, " +
           std::to_string(most) +
           ";\nsetp.lt.s32 %p1, %r4, 1;\n@%p1 bra $end;\nnot.b32 %r5, %r2;\nadd.s32 %r6, %r1, %r5;\nmax.s32 %r6, "
           "%r6, " +
           std::to_string(-most - 1) + ";\nmov.u32 %r7, " + rest +
           ";\nsub.s32 %r7, %r7, %r6;\nand.b32 %r8, %r4, 3;\nsetp.lt.u32 %p1, %r7, 3;\n@%p1 bra $end;\n"
           "sub.s32 %r9, %r4, %r8;\n$L:\nadd.s32 %r9, %r9, -4;\nsetp.ne.s32 %p1, %r9, 0;\n@%p1 bra $L;\n$end:\nret;";
  };
  CHECK(trips_of(loop(64, "-2"), block_of(32)) == std::vector<std::string>{"$L: 16"});
  CHECK(trips_of(loop(21, "-2"), block_of(32)) == std::vector<std::string>{"$L: 5"});
  // With another number the guard lets 0 pass, from where the counter wraps around.
  CHECK(trips_of(loop(64, "3"), block_of(32)) != std::vector<std::string>{"$L: 16"});
}

TEST_CASE("choices of a complement and a constant are complements of the other choice") {
  // ~x - ~y is y - x, so that what is left is x and a limit of it.
  const auto limited = [](const std::string& choice, int limit) {
    return counted_up("and.b32 %r1, %r1, 255;\nnot.b32 %r3, %r1;\n" + choice + " %r9, %r3, " + std::to_string(limit) +
                      ";\n");
  };
  CHECK(trips_of(limited("max.s32", -9), block_of(32)) == std::vector<std::string>{"$L: 9"});    // ~min(x, 8)
  CHECK(trips_of(limited("min.s32", -9), block_of(32)) == std::vector<std::string>{"$L: 256"});  // ~max(x, 8)
  CHECK(trips_of(limited("max.u32", -9), block_of(32)) == std::vector<std::string>{"$L: 9"});
  CHECK(trips_of(limited("min.u32", -9), block_of(32)) == std::vector<std::string>{"$L: 256"});
}

TEST_CASE("a constant less a complement is a sum") {
  // -12 - ~x = x - 11, of x from 0 to 7.
  CHECK(trips_of(counted_up("and.b32 %r1, %r1, 7;\nnot.b32 %r3, %r1;\nmov.u32 %r4, -12;\nsub.s32 %r9, %r4, %r3;\n"),
                 block_of(32)) == std::vector<std::string>{"$L: 11"});
}
