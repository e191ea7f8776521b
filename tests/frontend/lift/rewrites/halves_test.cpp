// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of 64 bits whose halves a loop keeps apart.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::trips_of;
using test::with_argument;

namespace {

// w counts down to 0 by `step` in the registers %r1 and %r2, which `between` may do something to.
std::string counted_down(int step, const std::string& between = "") {
  return "ld.param.u64 %d1, [w];\nmov.b64 {%r1, %r2}, %d1;\n$L:\nmov.b64 %d2, {%r1, %r2};\nadd.s64 %d3, %d2, -" +
         std::to_string(step) + ";\nmov.b64 {%r1, %r2}, %d3;\n" + between +
         "mov.b64 %d4, {%r1, %r2};\nsetp.gt.s64 %p1, %d4, 0;\n@%p1 bra $L;\nret;";
}

ir::Launch w_is(int64_t w) { return with_argument(block_of(32), "w", std::to_string(w)); }

}  // namespace

TEST_CASE("a number whose halves are two phis is counted as one") {
  CHECK(trips_of(counted_down(1), w_is(1000)) == std::vector<std::string>{"$L: 1000"});
  CHECK(trips_of(counted_down(4), w_is(10'000'000'000)) == std::vector<std::string>{"$L: 2500000000"});
}

TEST_CASE("what is selected by halves is selected as a whole") {
  const std::string selects =
      "ld.param.u32 %r5, [n];\nsetp.eq.u32 %p2, %r5, 7;\nselp.b32 %r3, %r1, 0, %p2;\nselp.b32 %r4, %r2, 0, %p2;\n"
      "mov.b32 %r1, %r3;\nmov.b32 %r2, %r4;\n";
  CHECK(trips_of(counted_down(1, selects), with_argument(w_is(1000), "n", "7")) ==
        std::vector<std::string>{"$L: 1000"});
}

TEST_CASE("halves that are exchanged are no halves of one number") {
  const std::string swaps = "mov.b32 %r3, %r1;\nmov.b32 %r1, %r2;\nmov.b32 %r2, %r3;\n";
  const auto trips = trips_of(counted_down(1, swaps), w_is(1000));
  REQUIRE(trips.size() == 1);
  CHECK(trips[0] != "$L: 1000");  // 999 * 2^32 is greater than 0, and so on
}

TEST_CASE("a sum of numbers whose upper halves were exchanged is that of the numbers") {
  // w and -1, and w and another number of which nothing is known.
  const auto sum = [](const std::string& low, const std::string& high) {
    return "ld.param.u64 %d1, [w];\nld.global.u64 %d9, [%d1];\nmov.b64 {%r5, %r6}, %d9;\n$L:\nmov.b64 {%r1, %r2}, "
           "%d1;\n"
           "mov.b32 %r3, -1;\nmov.b32 %r4, -1;\nmov.b64 %d2, {%r1, " +
           high + "};\nmov.b64 %d3, {" + low +
           ", %r2};\nadd.s64 %d1, %d2, %d3;\nsetp.gt.s64 %p1, %d1, 0;\n@%p1 bra $L;\nret;";
  };
  CHECK(trips_of(sum("%r3", "%r4"), w_is(1000)) == std::vector<std::string>{"$L: 1000"});
  CHECK(trips_of(sum("%r3", "%r6"), w_is(1000)) != std::vector<std::string>{"$L: 1000"});
}

TEST_CASE("a lower half that is complemented and selected by itself is one of the number that is so") {
  // max(~w, -5) goes up to 0; its lower half is calculated for itself.
  const auto limited = [](int64_t lower_limit) {
    return "ld.param.u64 %d1, [w];\nmov.b64 {%r1, %r9}, %d1;\nnot.b32 %r2, %r1;\nnot.b64 %d2, %d1;\n"
           "setp.gt.s64 %p1, %d2, -5;\nselp.b32 %r3, %r2, " +
           std::to_string(lower_limit) +
           ", %p1;\nselp.b64 %d3, %d2, -5, %p1;\nmov.b64 {%r8, %r4}, %d3;\n"
           "mov.b64 %d4, {%r3, %r4};\nsetp.ge.s64 %p1, %d4, 0;\n@%p1 bra $E;\n$L:\nadd.s64 %d4, %d4, 1;\nsetp.lt.s64 "
           "%p1, %d4, 0;\n@%p1 bra $L;\n$E:\nret;";
  };
  CHECK(trips_of(limited(-5), block_of(32)) == std::vector<std::string>{"$L: 5"});
  CHECK(trips_of(limited(-6), block_of(32)) != std::vector<std::string>{"$L: 5"});
}

TEST_CASE("a counter that is joined with an upper half that stays is counted by itself") {
  // %r1 counts to 100 in the lower half of a number, of whose upper half nothing is known.
  const auto counted = [](const std::string& start, const std::string& between = "") {
    return "ld.param.u64 %d1, [w];\nld.global.u64 %d9, [%d1];\nmov.b64 {%r5, %r2}, %d9;\nmov.u32 %r1, " + start +
           ";\nmov.b64 %d2, {%r1, %r2};\n$L:\nmov.b64 {%r3, %r4}, %d2;\nadd.s32 %r3, %r3, 1;\n" + between +
           "mov.b64 %d2, {%r3, %r2};\nsetp.ne.s32 %p1, %r3, 100;\n@%p1 bra $L;\nret;";
  };
  CHECK(trips_of(counted("%tid.x"), block_of(32)) == std::vector<std::string>{"$L: 100"});
  CHECK(trips_of(counted("0"), block_of(32)) == std::vector<std::string>{"$L: 100"});
  // It is what was the upper half before.
  CHECK(trips_of(counted("0", "mov.b32 %r2, %r4;\nmov.b32 %r3, %r2;\n"), block_of(32)) !=
        std::vector<std::string>{"$L: 100"});
}
