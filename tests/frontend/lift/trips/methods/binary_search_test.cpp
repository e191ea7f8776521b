// SPDX-License-Identifier: GPL-3.0-or-later
// Binary searches: bounded by the interval, whatever stands in memory.
#include <catch2/catch.hpp>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::trips_of;
using Trips = std::vector<std::string>;

namespace {

struct Shape {
  int64_t low = 0, high = 1000;
  bool closed = false;
  bool at_begin = false;
  int middle = 0;  // 0: sum, with its sign bit; 1: sum, shifted; 2: low + half of the difference; 3: (low + high) / 2
  bool selects = true;      // else by a branch
  bool negates = false;     // one of both selects has the opposite condition
  const char* test = "lt";  // of open ones
};

std::string ptx_of(const Shape& s) {
  const std::string middles[] = {
      "add.s32 %r4, %r1, %r2;\nshr.u32 %r5, %r4, 31;\nadd.s32 %r4, %r4, %r5;\nshr.s32 %r3, %r4, 1;\n",
      "add.s32 %r4, %r2, %r1;\nshr.u32 %r3, %r4, 1;\n",
      "sub.s32 %r4, %r2, %r1;\nshr.u32 %r4, %r4, 1;\nadd.s32 %r3, %r1, %r4;\n",
      "add.s32 %r4, %r1, %r2;\ndiv.s32 %r3, %r4, 2;\n"};
  const std::string new_high = s.closed ? "add.s32 %r7, %r3, -1;\n" : "mov.u32 %r7, %r3;\n";
  const std::string change =
      s.selects
          ? "add.s32 %r6, %r3, 1;\n" + new_high + "selp.b32 %r1, %r6, %r1, %p1;\n" +
                (s.negates ? "not.pred %p3, %p1;\nselp.b32 %r2, %r7, %r2, %p3;\n" : "selp.b32 %r2, %r2, %r7, %p1;\n")
          : "@%p1 bra $right;\n" + new_high +
                "mov.u32 %r2, %r7;\nbra.uni $join;\n$right: add.s32 %r1, %r3, 1;\n$join:\n";
  const std::string test = std::string("setp.") + (s.closed ? "le" : s.test) + ".s32 %p2, %r1, %r2;\n";
  const std::string start = "ld.param.u64 %d1, [p];\nmov.u32 %r1, " + std::to_string(s.low) + ";\nmov.u32 %r2, " +
                            std::to_string(s.high) + ";\n";
  const std::string look =
      "mul.wide.s32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r8, [%d3];\nsetp.lt.s32 %p1, %r8, 77;\n";
  const std::string body = middles[s.middle] + look + change;
  if (s.at_begin) return start + "$L: " + test + "@!%p2 bra $end;\n" + body + "bra.uni $L;\n$end: ret;";
  return start + "$L:\n" + body + test + "@%p2 bra $L;\nret;";
}

// The most iterations over all answers, in wrapping arithmetic; the search of a sorted array is one of them.
int64_t longest(const Shape& s, int64_t low, int64_t high, bool first = true) {
  const auto goes_on = [&s](int64_t a, int64_t b) {
    return s.closed ? a <= b : std::string(s.test) == "ne" ? a != b : a < b;
  };
  if (s.at_begin || !first) {
    if (!goes_on(low, high)) return s.at_begin ? 1 : 0;
  }
  const int64_t middle = s.middle == 2 ? low + (high - low) / 2 : (low + high) / 2;
  return 1 + std::max(longest(s, middle + 1, high, false), longest(s, low, s.closed ? middle - 1 : middle, false));
}

}  // namespace

TEST_CASE("a binary search runs as often as its interval can be halved") {
  CHECK(trips_of(ptx_of({})) == Trips{"$L: 10"});
  CHECK(trips_of(ptx_of({.high = 1024})) == Trips{"$L: 11"});
  CHECK(trips_of(ptx_of({.high = 1024, .negates = true})) == Trips{"$L: 11"});
  CHECK(trips_of(ptx_of({.high = 1'000'000})) == Trips{"$L: 20"});
  CHECK(trips_of(ptx_of({.at_begin = true})) == Trips{"$L: 11"});
  CHECK(trips_of(ptx_of({.high = 999, .closed = true})) == Trips{"$L: 10"});
}

TEST_CASE("every form of it is bounded, and never below what may happen") {
  int64_t exact = 0, all = 0;
  for (const bool closed : {false, true}) {
    for (const bool at_begin : {false, true}) {
      for (const int middle : {0, 1, 2, 3}) {
        for (const bool selects : {false, true}) {
          for (const auto& [low, high] : {std::pair<int64_t, int64_t>{0, 1}, {0, 2}, {3, 10}, {0, 100}, {5, 5}}) {
            const Shape shape{low, high, closed, at_begin, middle, selects};
            INFO(ptx_of(shape));
            const auto facts = test::facts_of(ptx_of(shape));
            REQUIRE(facts.loops.size() == 1);
            REQUIRE(facts.loops[0].trip_count);
            const int64_t most = longest(shape, low, high);
            CHECK(*facts.loops[0].trip_count >= most);
            exact += *facts.loops[0].trip_count == most ? 1 : 0;
            ++all;
          }
        }
      }
    }
  }
  CHECK(exact == all);
}

TEST_CASE("a branch that skips empty intervals says that the ends are in order") {
  const auto body = [](const std::string& guard) {
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nand.b32 %r1, %r1, 255;\nld.global.u32 %r2, [%d1+4];\n"
           "min.s32 %r2, %r2, 512;\n" +
           guard +
           "$L:\nadd.s32 %r4, %r1, %r2;\nshr.u32 %r3, %r4, 1;\nld.global.u32 %r8, [%d1];\n"
           "setp.lt.s32 %p1, %r8, 77;\nadd.s32 %r6, %r3, 1;\nselp.b32 %r1, %r6, %r1, %p1;\n"
           "selp.b32 %r2, %r2, %r3, %p1;\nsetp.lt.s32 %p2, %r1, %r2;\n@%p2 bra $L;\n$end: ret;";
  };
  CHECK(trips_of(body("setp.ge.s32 %p3, %r1, %r2;\n@%p3 bra $end;\n")) == Trips{"$L: 10"});
  CHECK_FALSE(test::facts_of(body("")).loops.at(0).trip_count);
  CHECK_FALSE(test::facts_of(body("setp.ge.s32 %p3, %r2, %r1;\n@%p3 bra $end;\n")).loops.at(0).trip_count);
}

namespace {

// low and high become the middle, or one beyond it; what is tested of %r1 and %r2 sets %p2.
std::string search_of(int64_t low, int64_t high, const std::string& new_low, const std::string& new_high,
                      const std::string& test) {
  return "ld.param.u64 %d1, [p];\nmov.u32 %r1, " + std::to_string(low) + ";\nmov.u32 %r2, " + std::to_string(high) +
         ";\n$L:\n" + test + "@!%p2 bra $end;\nadd.s32 %r4, %r1, %r2;\nshr.u32 %r5, %r4, 31;\n" +
         "add.s32 %r4, %r4, %r5;\nshr.s32 %r3, %r4, 1;\nld.global.u32 %r8, [%d1];\nsetp.lt.s32 %p1, %r8, 77;\n" +
         "add.s32 %r6, %r3, " + new_low + ";\nadd.s32 %r7, %r3, " + new_high +
         ";\nselp.b32 %r1, %r6, %r1, %p1;\nselp.b32 %r2, %r2, %r7, %p1;\nbra.uni $L;\n$end: ret;";
}

const std::string next_to = "add.s32 %r9, %r1, 1;\n";
const std::string apart = "sub.s32 %r9, %r2, %r1;\n";

}  // namespace

TEST_CASE("a search whose ends both become the middle goes on while they are two apart") {
  CHECK(trips_of(search_of(0, 1000, "0", "0", apart + "setp.gt.s32 %p2, %r9, 1;\n")) == Trips{"$L: 11"});
  CHECK(trips_of(search_of(0, 1000, "0", "0", apart + "setp.gt.u32 %p2, %r9, 1;\n")) == Trips{"$L: 11"});
  CHECK(trips_of(search_of(-1, 1000, "0", "0", next_to + "setp.lt.s32 %p2, %r9, %r2;\n")) == Trips{"$L: 11"});
  CHECK(trips_of(search_of(-1, 1000, "0", "0", next_to + "setp.ne.s32 %p2, %r9, %r2;\n")) == Trips{"$L: 11"});
  CHECK(trips_of(search_of(0, 1025, "0", "0", next_to + "setp.ne.s32 %p2, %r9, %r2;\n")) == Trips{"$L: 12"});
  CHECK(trips_of(search_of(0, 1024, "0", "0", next_to + "setp.ne.s32 %p2, %r9, %r2;\n")) == Trips{"$L: 11"});
  CHECK(trips_of(search_of(0, 1000, "0", "0", apart + "setp.gt.s32 %p2, %r9, 32;\n")) == Trips{"$L: 6"});
  CHECK(trips_of(search_of(0, 0, "0", "0", apart + "setp.gt.s32 %p2, %r9, 1;\n")) == Trips{"$L: 1"});
  CHECK(trips_of(search_of(9, 3, "0", "0", apart + "setp.gt.s32 %p2, %r9, 1;\n")) == Trips{"$L: 1"});
}

TEST_CASE("a search whose ends both become the middle is refused where they need not come to be one apart") {
  const auto is_bounded = [](const std::string& body) {
    return test::facts_of(body).loops.at(0).trip_count.has_value();
  };
  // One apart, the middle is low: it stays.
  CHECK_FALSE(is_bounded(search_of(0, 1000, "0", "0", apart + "setp.gt.s32 %p2, %r9, 0;\n")));
  CHECK_FALSE(is_bounded(search_of(0, 1000, "0", "0", "setp.ne.s32 %p2, %r1, %r2;\n")));
  // They are never one apart if they begin equal, or in the wrong order, which without a sign is far apart.
  CHECK_FALSE(is_bounded(search_of(5, 5, "0", "0", next_to + "setp.ne.s32 %p2, %r9, %r2;\n")));
  CHECK_FALSE(is_bounded(search_of(9, 3, "0", "0", apart + "setp.gt.u32 %p2, %r9, 1;\n")));
  // They may go past each other.
  CHECK_FALSE(is_bounded(search_of(0, 1000, "1", "0", next_to + "setp.ne.s32 %p2, %r9, %r2;\n")));
  CHECK_FALSE(is_bounded(search_of(0, 1000, "0", "-1", next_to + "setp.ne.s32 %p2, %r9, %r2;\n")));
  // high becomes -1, the largest number without a sign.
  CHECK_FALSE(is_bounded(search_of(0, 999, "1", "-1", "setp.le.u32 %p2, %r1, %r2;\n")));
  CHECK(trips_of(search_of(1, 1000, "1", "-1", "setp.le.u32 %p2, %r1, %r2;\n")) == Trips{"$L: 11"});
  // The middle jumps.
  CHECK_FALSE(is_bounded(search_of(0, 1000, "0", "1", next_to + "setp.ne.s32 %p2, %r9, %r2;\n")));
  CHECK_FALSE(is_bounded(search_of(0, 1000, "-1", "0", next_to + "setp.lt.s32 %p2, %r9, %r2;\n")));
}

TEST_CASE("a search that may come to two ends whose sum wraps is not bounded") {
  const std::string closed = "setp.le.s32 %p2, %r1, %r2;\n";
  CHECK(trips_of(search_of(0, (1 << 30) - 1, "1", "-1", closed)) == Trips{"$L: 32"});
  CHECK_FALSE(test::facts_of(search_of(0, 1 << 30, "1", "-1", closed)).loops.at(0).trip_count);
}

// Three outcomes of a comparison: below, above, and the one that ends it.
TEST_CASE("ends that move by conditions of their own are distinguished by what ended the search") {
  const auto found = [](const std::string& above, const std::string& leaves) {
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r10, [%d1+4];\nmov.u32 %r1, 0;\nmov.u32 %r2, 999;\n$L:\n"
           "setp.gt.s32 %p2, %r1, %r2;\n@%p2 bra $end;\nadd.s32 %r4, %r1, %r2;\nshr.s32 %r3, %r4, 1;\n"
           "ld.global.u32 %r8, [%d1];\nsetp.lt.s32 %p3, %r8, %r10;\nsetp." +
           above + " %p4, %r8, %r10;\nadd.s32 %r6, %r3, 1;\nadd.s32 %r7, %r3, -1;\nsetp." + leaves +
           ".s32 %p5, %r8, %r10;\nselp.b32 %r1, %r6, %r1, %p3;\nselp.b32 %r2, %r7, %r2, %p4;\n"
           "@!%p5 bra $L;\n$end: ret;";
  };
  CHECK(trips_of(found("gt.s32", "eq")) == Trips{"$L: 11"});
  CHECK(trips_of(found("ge.s32", "lt")) != Trips{"$L: 11"});  // another loop: it ends with the first that is less
  CHECK_FALSE(test::facts_of(found("gt.s32", "gt")).loops.at(0).trip_count);  // equal: both stay
  CHECK_FALSE(
      test::facts_of(found("gt.u32", "eq")).loops.at(0).trip_count);  // without a sign it says nothing of the other
}

// The distance has a register of its own.
TEST_CASE("what is a sum of both ends in each iteration is seen as one") {
  const auto body = [](const std::string& first, const std::string& next) {
    return "ld.param.u64 %d1, [p];\nmov.u32 %r1, -1;\nmov.u32 %r2, 1000;\nmov.u32 %r9, " + first +
           ";\n$L:\nshr.u32 %r4, %r9, 1;\nadd.s32 %r3, %r4, %r1;\nld.global.u32 %r8, [%d1];\n"
           "setp.lt.s32 %p1, %r8, 77;\nselp.b32 %r1, %r3, %r1, %p1;\nselp.b32 %r2, %r2, %r3, %p1;\n"
           "sub.s32 %r9, " +
           next + ";\nsetp.gt.s32 %p3, %r9, 1;\n@%p3 bra $L;\nret;";
  };
  CHECK(trips_of(body("1001", "%r2, %r1")) == Trips{"$L: 10"});
  CHECK_FALSE(test::facts_of(body("1000", "%r2, %r1")).loops.at(0).trip_count);
  CHECK_FALSE(test::facts_of(body("1001", "%r1, %r2")).loops.at(0).trip_count.value_or(1) > 1);
}

TEST_CASE("an interval that may not be halved is not bounded") {
  const auto is_bounded = [](const Shape& shape) {
    return test::facts_of(ptx_of(shape)).loops.at(0).trip_count.has_value();
  };
  // The sum of both would wrap.
  CHECK_FALSE(is_bounded({.low = 2'000'000'000, .high = 2'100'000'000}));
  // It begins in the wrong order, and never ends.
  CHECK_FALSE(is_bounded({.low = 7, .high = 3, .test = "ne"}));
  // The middle stays: low = m.
  const std::string stays =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r2, 100;\n$L:\nadd.s32 %r4, %r1, %r2;\n"
      "shr.u32 %r3, %r4, 1;\nld.global.u32 %r8, [%d1];\nsetp.lt.s32 %p1, %r8, 77;\n"
      "selp.b32 %r1, %r3, %r1, %p1;\nselp.b32 %r2, %r2, %r3, %p1;\nsetp.lt.s32 %p2, %r1, %r2;\n"
      "@%p2 bra $L;\nret;";
  CHECK_FALSE(test::facts_of(stays).loops.at(0).trip_count);
  // Both may stay: the conditions are different ones.
  const std::string apart =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r2, 100;\n$L:\nadd.s32 %r4, %r1, %r2;\n"
      "shr.u32 %r3, %r4, 1;\nld.global.u32 %r8, [%d1];\nsetp.lt.s32 %p1, %r8, 77;\n"
      "ld.global.u32 %r9, [%d1+4];\nsetp.lt.s32 %p3, %r9, 77;\nadd.s32 %r6, %r3, 1;\n"
      "selp.b32 %r1, %r6, %r1, %p1;\nselp.b32 %r2, %r2, %r3, %p3;\nsetp.lt.s32 %p2, %r1, %r2;\n"
      "@%p2 bra $L;\nret;";
  CHECK_FALSE(test::facts_of(apart).loops.at(0).trip_count);
}
