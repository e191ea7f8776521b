// SPDX-License-Identifier: GPL-3.0-or-later
// Euclid's divisions with rest, against all numbers that may stand in memory.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::trips_of;
using Trips = std::vector<std::string>;

namespace {

struct Shape {
  std::string limit = {};  // of what has been loaded
  std::string iteration = "rem.u32 %r3, %r1, %r2;\nmov.u32 %r1, %r2;\nmov.u32 %r2, %r3;\n";
  std::string test = "setp.ne.u32 %p1, %r2, 0;\n";
  bool at_begin = true;
};

std::string ptx_of(const Shape& s) {
  const std::string start =
      "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nld.global.u32 %r2, [%d1+4];\n" + s.limit;
  if (s.at_begin) return start + "$L: " + s.test + "@!%p1 bra $end;\n" + s.iteration + "bra.uni $L;\n$end: ret;";
  return start + "$L:\n" + s.iteration + s.test + "@%p1 bra $L;\nret;";
}

constexpr const char* signed_iteration = "rem.s32 %r3, %r1, %r2;\nmov.u32 %r1, %r2;\nmov.u32 %r2, %r3;\n";
constexpr const char* by_quotient =
    "div.s32 %r4, %r1, %r2;\nmul.lo.s32 %r5, %r4, %r2;\nsub.s32 %r3, %r1, %r5;\nmov.u32 %r1, %r2;\n"
    "mov.u32 %r2, %r3;\n";

bool is_bounded(const Shape& s) { return test::facts_of(ptx_of(s)).loops.at(0).trip_count.has_value(); }

// From (b_1, b_2) on, how many of them are not 0.
int64_t steps(int64_t b, int64_t next) {
  int64_t count = b == 0 ? 0 : 1;
  while (b != 0 && next != 0) {
    const int64_t rest = b % next;
    b = next;
    next = rest;
    ++count;
  }
  return count;
}

// The test that narrows 64 bits, as it is compiled.
std::string wide(const std::string& mask, const std::string& narrow = "%d3", const std::string& rest = "rem.u64") {
  return "ld.param.u64 %d1, [p];\nld.global.u64 %d2, [%d1];\nld.global.u64 %d3, [%d1+8];\nsetp.eq.s64 %p1, %d3, 0;\n"
         "@%p1 bra $end;\n$L:\nmov.u64 %d4, %d3;\nor.b64 %d5, %d2, %d4;\nand.b64 %d5, %d5, " +
         mask + ";\nsetp.eq.s64 %p2, %d5, 0;\n@%p2 bra $low;\n" + rest + " %d3, %d2, %d4;\nbra.uni $join;\n$low:\n" +
         "cvt.u32.u64 %r2, " + narrow + ";\ncvt.u32.u64 %r3, %d2;\nrem.u32 %r4, %r3, %r2;\ncvt.u64.u32 %d3, %r4;\n" +
         "$join:\nsetp.ne.s64 %p3, %d3, 0;\nmov.u64 %d2, %d4;\n@%p3 bra $L;\n$end: ret;";
}

}  // namespace

TEST_CASE("Euclid's algorithm has as many iterations as numbers of Fibonacci fit its type") {
  CHECK(trips_of(ptx_of({})) == Trips{"$L: 47"});
  CHECK(trips_of(ptx_of({.at_begin = false})) == Trips{"$L: 46"});
  CHECK(trips_of(ptx_of({.test = "setp.gt.u32 %p1, %r2, 0;\n"})) == Trips{"$L: 47"});
  const std::string not_negative = "and.b32 %r1, %r1, 0x7fffffff;\nand.b32 %r2, %r2, 0x7fffffff;\n";
  CHECK(trips_of(ptx_of({.limit = not_negative, .iteration = signed_iteration})) == Trips{"$L: 46"});
  CHECK(trips_of(wide("-4294967296")) == Trips{"$L: 92"});
}

TEST_CASE("the bound of Euclid's algorithm is what the worst numbers need") {
  for (int64_t limit = 0; limit < 150; ++limit) {
    int64_t most = 0;
    for (int64_t b = 0; b <= limit; ++b) {
      for (int64_t next = 0; next < std::max<int64_t>(b, 1); ++next) most = std::max(most, steps(b, next));
    }
    const std::string smaller = "min.u32 %r2, %r2, " + std::to_string(limit) + ";\n";
    INFO(limit);
    const auto at_begin = test::facts_of(ptx_of({.limit = smaller})).loops.at(0).trip_count;
    const auto at_end = test::facts_of(ptx_of({.limit = smaller, .at_begin = false})).loops.at(0).trip_count;
    REQUIRE(at_begin);
    CHECK(*at_begin == most + 1);
    // With 0 at first the rest is any number, and one more iteration comes.
    REQUIRE(at_end);
    CHECK(*at_end == std::max<int64_t>(most, 2));
  }
}

TEST_CASE("with signs it is an assumption what the least number leaves, divided by -1, unless that cannot come") {
  const auto flow = [](const Shape& s) { return test::facts_of(ptx_of(s)); };
  for (const char* iteration : {signed_iteration, by_quotient}) {
    // 2^31 is above F(46), and below F(47).
    CHECK(flow({.iteration = iteration}).loops.at(0).trip_count == 46);
    CHECK(flow({.iteration = iteration}).divides_least);
    const std::string half = "and.b32 %r2, %r2, 0x7fffffff;\n", both = "and.b32 %r1, %r1, 0x7fffffff;\n" + half;
    CHECK(flow({.limit = half, .iteration = iteration}).divides_least);
    CHECK(flow({.limit = both, .iteration = iteration}).loops.at(0).trip_count == 46);
    CHECK_FALSE(flow({.limit = both, .iteration = iteration}).divides_least);
  }
  CHECK_FALSE(flow({}).divides_least);
  CHECK(trips_of(wide("-4294967296", "%d3", "rem.s64")) == Trips{"$L: 91"});
}

TEST_CASE("with signs no numbers need more iterations than are reported") {
  for (int64_t limit = 1; limit < 40; ++limit) {
    const std::string between =
        "min.s32 %r2, %r2, " + std::to_string(limit) + ";\nmax.s32 %r2, %r2, " + std::to_string(-limit) + ";\n";
    int64_t most = 0;
    for (int64_t b = -limit; b <= limit; ++b) {
      for (int64_t next = -limit; next <= limit; ++next) {
        if (std::abs(next) < std::max<int64_t>(std::abs(b), 1)) most = std::max(most, steps(b, next));
      }
    }
    INFO(limit);
    for (const char* iteration : {signed_iteration, by_quotient}) {
      const auto at_begin = test::facts_of(ptx_of({.limit = between, .iteration = iteration})).loops.at(0).trip_count;
      REQUIRE(at_begin);
      CHECK(*at_begin == most + 1);
      const auto at_end =
          test::facts_of(ptx_of({.limit = between, .iteration = iteration, .at_begin = false})).loops.at(0).trip_count;
      REQUIRE(at_end);
      CHECK(*at_end == std::max<int64_t>(most, 2));
    }
  }
}

TEST_CASE("what is not quite Euclid's algorithm is not bounded") {
  // The quotient of other numbers; another factor; the rest with its terms exchanged.
  const auto by = [](const std::string& division, const std::string& product, const std::string& rest) {
    return Shape{.iteration = division + product + rest + "mov.u32 %r1, %r2;\nmov.u32 %r2, %r3;\n"};
  };
  const std::string division = "div.s32 %r4, %r1, %r2;\n", product = "mul.lo.s32 %r5, %r4, %r2;\n";
  CHECK(is_bounded(by(division, product, "sub.s32 %r3, %r1, %r5;\n")));
  CHECK_FALSE(is_bounded(by(division, product, "sub.s32 %r3, %r5, %r1;\n")));
  CHECK_FALSE(is_bounded(by("div.s32 %r4, %r2, %r1;\n", product, "sub.s32 %r3, %r1, %r5;\n")));
  CHECK_FALSE(is_bounded(by(division, "mul.lo.s32 %r5, %r4, %r1;\n", "sub.s32 %r3, %r1, %r5;\n")));
  CHECK_FALSE(is_bounded(by(division, product, "sub.s32 %r3, %r2, %r5;\n")));
  // Exchanged; another number; another divisor; the rest and one.
  CHECK_FALSE(is_bounded({.iteration = "rem.u32 %r3, %r2, %r1;\nmov.u32 %r1, %r2;\nmov.u32 %r2, %r3;\n"}));
  CHECK_FALSE(is_bounded({.iteration = "rem.u32 %r3, %r1, %r2;\nadd.u32 %r1, %r2, 1;\nmov.u32 %r2, %r3;\n"}));
  CHECK_FALSE(is_bounded({.iteration = "ld.global.u32 %r4, [%d1+8];\nrem.u32 %r3, %r1, %r4;\nmov.u32 %r1, %r2;\n"
                                       "mov.u32 %r2, %r3;\n"}));
  CHECK_FALSE(is_bounded({.iteration = "rem.u32 %r3, %r1, %r2;\nmov.u32 %r1, %r2;\nadd.u32 %r2, %r3, 1;\n"}));
  // Sometimes something else than the rest.
  CHECK_FALSE(is_bounded({.iteration = "rem.u32 %r3, %r1, %r2;\nmov.u32 %r1, %r2;\nld.global.u32 %r4, [%d1+8];\n"
                                       "setp.lt.u32 %p2, %r4, 7;\nselp.b32 %r2, %r3, %r4, %p2;\n"}));
  // With 0 it goes on.
  CHECK_FALSE(is_bounded({.test = "setp.ne.u32 %p1, %r2, 1;\n"}));
  CHECK_FALSE(is_bounded({.test = "setp.ge.u32 %p1, %r2, 0;\n"}));
  CHECK_FALSE(is_bounded({.test = "setp.ne.u32 %p1, %r1, 0;\n"}));
}

TEST_CASE("a remainder of absolute values with the sign of what is divided is one with signs") {
  const auto by = [](const std::string& magnitudes, const std::string& rest, const std::string& choice) {
    return Shape{.iteration =
                     magnitudes + rest + "neg.s32 %r7, %r6;\n" + choice + "mov.u32 %r1, %r2;\nmov.u32 %r2, %r3;\n"};
  };
  const std::string magnitudes = "abs.s32 %r4, %r1;\nabs.s32 %r5, %r2;\n", rest = "rem.u32 %r6, %r4, %r5;\n";
  const std::string not_negative = "setp.ge.s32 %p2, %r1, 0;\nselp.b32 %r3, %r6, %r7, %p2;\n";
  CHECK(trips_of(ptx_of(by(magnitudes, rest, not_negative))) == Trips{"$L: 46"});
  CHECK(is_bounded(by(magnitudes, rest, "setp.lt.s32 %p2, %r1, 0;\nselp.b32 %r3, %r7, %r6, %p2;\n")));
  // The sign of the divisor; a test with another number; the sign the other way round is still a smaller number, but
  // not what is shown. The quotient exchanged; other numbers.
  CHECK_FALSE(is_bounded(by(magnitudes, rest, "setp.ge.s32 %p2, %r2, 0;\nselp.b32 %r3, %r6, %r7, %p2;\n")));
  CHECK_FALSE(is_bounded(by(magnitudes, rest, "setp.ge.s32 %p2, %r1, 0;\nselp.b32 %r3, %r7, %r6, %p2;\n")));
  CHECK_FALSE(is_bounded(by(magnitudes, "rem.u32 %r6, %r5, %r4;\n", not_negative)));
  CHECK_FALSE(is_bounded(by("mov.b32 %r4, %r1;\nabs.s32 %r5, %r2;\n", rest, not_negative)));
  CHECK_FALSE(is_bounded(by("abs.s32 %r4, %r1;\nmov.b32 %r5, %r2;\n", rest, not_negative)));
  CHECK_FALSE(is_bounded(by("abs.s32 %r4, %r1;\nabs.s32 %r5, %r1;\n", rest, not_negative)));
}

TEST_CASE("a remainder of fewer bits counts only where both numbers have no more") {
  const auto is_bounded = [](const std::string& body) {
    return test::facts_of(body).loops.at(0).trip_count.has_value();
  };
  CHECK_FALSE(is_bounded(wide("-8589934592")));  // bit 32 may be set
  CHECK_FALSE(is_bounded(wide("-4294967296", "%d1")));
}
