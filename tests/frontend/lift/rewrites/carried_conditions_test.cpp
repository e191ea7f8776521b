// SPDX-License-Identifier: GPL-3.0-or-later
// Predicates that an iteration of a loop computes for the next one.
#include <catch2/catch.hpp>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using Trips = std::vector<std::string>;

namespace {

// while (i < 100) ++i, where the header asks what stands in %p1: before the loop `begin`, then `next`.
std::string asked(const std::string& begin, const std::string& next, const std::string& start = "0") {
  return "ld.param.u64 %d1, [p];\nld.param.u32 %r9, [n];\nmov.u32 %r1, " + start + ";\n" + begin +
         "$L: @!%p1 bra $end;\nld.volatile.global.u32 %r8, [%d1];\nsetp.eq.s32 %p3, %r8, 3;\n" + next +
         "bra.uni $L;\n$end: ret;";
}

const std::string rises = "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 100;\n";

std::optional<int64_t> trips(const std::string& body) { return test::facts_of(body).loops.at(0).trip_count; }

}  // namespace

TEST_CASE("a predicate is the comparison that it was before the loop and is at the end of each iteration") {
  CHECK(trips(asked("setp.lt.s32 %p1, %r1, 100;\n", rises)) == 101);
  CHECK(trips(asked("setp.gt.s32 %p1, 100, %r1;\n", rises)) == 101);
  CHECK(trips(asked("setp.lt.s32 %p1, %r1, 100;\n", rises, "200")) == 1);
  // It stays what it was where the counter does.
  CHECK(trips(asked("setp.lt.s32 %p1, %r1, 100;\n", "@%p3 bra $L;\n" + rises)).value_or(101) >= 101);
}

TEST_CASE(
    "a predicate that is something else in the first iteration, or in some iteration, is not taken for the "
    "comparison") {
  // The first iteration is entered though the comparison does not hold.
  CHECK(trips(asked("setp.lt.s32 %p1, 0, 100;\n", rises, "200")).value_or(2) >= 2);
  CHECK(trips(asked("setp.eq.s32 %p1, %r9, 7;\n", rises, "200")).value_or(2) >= 2);
  // An iteration that memory decides on leaves it true.
  CHECK_FALSE(trips(asked("setp.lt.s32 %p1, %r1, 100;\n", rises + "or.pred %p1, %p1, %p3;\n")));
  CHECK_FALSE(trips(asked("setp.lt.s32 %p1, %r1, 100;\n", "setp.lt.s32 %p1, %r1, 100;\n")));
  // It is of the counter before it was moved back.
  CHECK_FALSE(trips(asked("setp.lt.s32 %p1, %r1, 100;\n", rises + "@%p3 add.s32 %r1, %r1, -1;\n")));
}

TEST_CASE("a predicate that some paths of an iteration leave as it was is that of a counter that they leave too") {
  // if (memory says) { ++i; p = i < 100; } else { ++j; q = j < 50; } while (p || q), and only what is left.
  const auto body = [](const std::string& first) {
    return "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\nsetp.lt.s32 %p1, %r1, 100;\n"
           "setp.lt.s32 %p2, %r2, 50;\n$L: ld.volatile.global.u32 %r8, [%d1];\nsetp.eq.s32 %p3, %r8, 3;\n"
           "not.pred %p4, %p2;\nor.pred %p3, %p3, %p4;\nand.pred %p3, %p3, %p1;\n@%p3 bra $first;\n"
           "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p2, %r2, 50;\nbra.uni $test;\n$first: add.s32 %r1, %r1, 1;\n" +
           first + "$test: or.pred %p5, %p1, %p2;\n@%p5 bra $L;\nret;";
  };
  CHECK(test::trips_of(body("setp.lt.s32 %p1, %r1, 100;\n")) == Trips{"$L: 151"});
  CHECK_FALSE(trips(body("")));                              // it stays true for ever
  CHECK_FALSE(trips(body("setp.lt.s32 %p1, %r2, 100;\n")));  // of the other counter
  CHECK_FALSE(trips(body("setp.lt.s32 %p1, %r8, 100;\n")));  // of memory
}
