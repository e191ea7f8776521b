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
      s.selects ? "add.s32 %r6, %r3, 1;\n" + new_high + "selp.b32 %r1, %r6, %r1, %p1;\nselp.b32 %r2, %r2, %r7, %p1;\n"
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

// The most turns over all ways to answer, in wrapping arithmetic; the search of a sorted array is one of them.
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
  CHECK(trips_of(ptx_of({.high = 1'000'000})) == Trips{"$L: 20"});
  CHECK(trips_of(ptx_of({.at_begin = true})) == Trips{"$L: 11"});
  CHECK(trips_of(ptx_of({.high = 999, .closed = true})) == Trips{"$L: 10"});
}

TEST_CASE("every way to write it is bounded, and never below what may happen") {
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

TEST_CASE("an interval that may not be halved is not bounded") {
  const auto is_bounded = [](const Shape& shape) {
    return test::facts_of(ptx_of(shape)).loops.at(0).trip_count.has_value();
  };
  // The sum of both would wrap.
  CHECK_FALSE(is_bounded({.low = 2'000'000'000, .high = 2'100'000'000}));
  // It begins the wrong way round, and never ends.
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
