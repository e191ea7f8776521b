// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that a counter of cycles ends.
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

struct Wait {
  std::string start = "mov.u64 %d2, %clock64;\n";
  std::string iteration = "mov.u64 %d3, %clock64;\nsub.s64 %d4, %d3, %d2;\n";
  std::string test = "setp.lt.s64 %p1, %d4, %d1;\n";
  std::string last = {};  // after the test
  std::string number = "1000";
};

ir::Loop loop_of(const Wait& wait) {
  const std::string text = "ld.param.u64 %d1, [w];\ncvt.u32.u64 %r1, %d1;\n" + wait.start + "$L:\n" + wait.iteration +
                           wait.test + wait.last + "@%p1 bra $L;\nret;";
  const ir::Launch block = test::block_of(64);
  const ir::Flow facts =
      test::facts_of(text, wait.number.empty() ? block : test::with_argument(block, "w", wait.number));
  REQUIRE(facts.loops.size() == 1);
  const ir::Loop& loop = facts.loops[0];
  CHECK(loop.clock.has_value() == (loop.source == ir::TripCountSource::clock));
  if (loop.clock) CHECK(loop.trip_count == loop.clock->cycles - 1 + loop.clock->more);
  return loop;
}

using Limit = std::optional<ir::ClockLimit>;
Limit limit(const Wait& wait) { return loop_of(wait).clock; }

constexpr int64_t half64 = INT64_MAX, half32 = int64_t{1} << 31, all32 = int64_t{1} << 32;

const std::string start32 = "mov.u32 %r2, %clock;\n";
const std::string turn32 = "mov.u32 %r3, %clock;\nsub.s32 %r4, %r3, %r2;\n";
const std::string iteration_of_half = "mov.u64 %d3, %clock64;\nsub.s64 %d4, %d3, %d2;\nand.b64 %d4, %d4, 4294967295;\n";

}  // namespace

TEST_CASE("a loop that waits for the cycle counter looks at it once a cycle at most") {
  const ir::Loop loop = loop_of({});
  CHECK(loop.clock == ir::ClockLimit{1000, half64 - 999, 1});
  CHECK(loop.trip_count == 1000);
  CHECK(loop.obstacle.empty());
  CHECK(loop.fewest_trips == 1);
  CHECK(limit({.test = "setp.le.s64 %p1, %d4, %d1;\n"}) == ir::ClockLimit{1001, half64 - 1000, 1});
  CHECK(limit({.test = "setp.lt.u64 %p1, %d4, %d1;\n"}) == ir::ClockLimit{1000, half64, 1});
  CHECK(limit({.test = "setp.gt.s64 %p1, %d1, %d4;\n"}) == ir::ClockLimit{1000, half64 - 999, 1});
  CHECK(limit({.test = "setp.ge.s64 %p1, %d4, %d1;\nnot.pred %p1, %p1;\n"}) == ir::ClockLimit{1000, half64 - 999, 1});
  CHECK(limit({.test = "setp.lt.s64 %p1, %d4, 77;\n", .number = {}}) == ir::ClockLimit{77, half64 - 76, 1});
  CHECK(limit({.number = "10..1000"}) == ir::ClockLimit{1000, half64 - 999, 1});
  // It is left at once.
  CHECK(loop_of({.number = "0"}).trip_count == 1);
  CHECK(loop_of({.number = "-5"}).trip_count == 1);
  CHECK(loop_of({.number = "1"}).trip_count == 1);
}

TEST_CASE("differences of 32 bits go round") {
  const auto unsigned32 = [](const std::string& number) {
    return limit({start32, turn32, "setp.lt.u32 %p1, %r4, %r1;\n", {}, number});
  };
  CHECK(unsigned32("1000") == ir::ClockLimit{1000, all32 - 1000, 1});
  CHECK(unsigned32("3000000000") == ir::ClockLimit{3000000000, all32 - 3000000000, 1});
  CHECK(unsigned32("4000000000") == std::nullopt);  // less than 2^30 before it goes round
  CHECK(unsigned32("4294967295") == std::nullopt);
  const auto signed32 = [](const std::string& number) {
    return limit({start32, turn32, "setp.lt.s32 %p1, %r4, %r1;\n", {}, number});
  };
  CHECK(signed32("1000") == ir::ClockLimit{1000, half32 - 1000, 1});
  CHECK(signed32("1073741824") == ir::ClockLimit{1073741824, half32 / 2, 1});
  CHECK(signed32("1073741825") == std::nullopt);
  CHECK(signed32("2147483647") == std::nullopt);
  CHECK(signed32("-5") == ir::ClockLimit{1, half32 - 1, 1});
  // The low half of 64 bits, which is below every number of 33 bits.
  CHECK(limit({.iteration = iteration_of_half, .number = "10000000"}) == ir::ClockLimit{10000000, all32 - 10000000, 1});
  CHECK(limit({.iteration = iteration_of_half, .number = "4294967296"}) == std::nullopt);
  CHECK(limit({.iteration = iteration_of_half, .number = "5000000000"}) == std::nullopt);
  CHECK(limit({.iteration = "mov.u64 %d3, %clock64;\nsub.s64 %d4, %d3, %d2;\ncvt.u32.u64 %r4, %d4;\n",
               .test = "setp.lt.u32 %p1, %r4, %r1;\n"}) == ir::ClockLimit{1000, all32 - 1000, 1});
  CHECK(limit({.start = "mov.u64 %d2, %clock64;\ncvt.u32.u64 %r2, %d2;\n",
               .iteration = "mov.u64 %d3, %clock64;\ncvt.u32.u64 %r3, %d3;\nsub.s32 %r4, %r3, %r2;\ncvt.u64.u32 %d4, "
                            "%r4;\n"}) == ir::ClockLimit{1000, all32 - 1000, 1});
  CHECK(limit({start32, turn32 + "cvt.s64.s32 %d4, %r4;\n"}) == ir::ClockLimit{1000, half32 - 1000, 1});
  // Numbers of 64 bits that are made of 32 each: their difference jumps where one of them goes round.
  const std::string wide = "mov.u32 %r2, %clock;\ncvt.s64.s32 %d2, %r2;\n";
  CHECK(limit({.start = wide, .iteration = "mov.u32 %r3, %clock;\ncvt.s64.s32 %d3, %r3;\nsub.s64 %d4, %d3, %d2;\n"}) ==
        std::nullopt);
}

TEST_CASE("code for debuggers tests at the top what the iteration before has read") {
  const std::string text =
      "ld.param.u64 %d1, [w];\nmov.u64 %d2, %clock64;\nmov.u64 %d5, 0;\nbra.uni $L;\n$L:\nmov.u64 %d6, %d5;\n"
      "setp.lt.s64 %p1, %d6, %d1;\nnot.pred %p2, %p1;\n@%p2 bra $E;\nbra.uni $B;\n$B:\nmov.u64 %d3, %clock64;\n"
      "cvt.u32.u64 %r3, %d3;\ncvt.u32.u64 %r2, %d2;\nsub.s32 %r4, %r3, %r2;\ncvt.u64.u32 %d5, %r4;\nbra.uni $L;\n$E:\n"
      "ret;";
  const ir::Flow facts = test::facts_of(text, test::with_argument(test::block_of(64), "w", "1000"));
  REQUIRE(facts.loops.size() == 1);
  CHECK(facts.loops[0].clock == ir::ClockLimit{1000, all32 - 1000, 2});
  CHECK(facts.loops[0].trip_count == 1001);
}

TEST_CASE("loops that the counter may not end are not bounded") {
  const std::string iteration = "mov.u64 %d3, %clock64;\nsub.s64 %d4, %d3, %d2;\n";
  CHECK(limit({.start = "mov.u64 %d2, %clock64;\nmov.u64 %d3, %clock64;\n", .iteration = "sub.s64 %d4, %d3, %d2;\n"}) ==
        std::nullopt);                                            // not read again
  CHECK(limit({.last = "mov.u64 %d2, %d3;\n"}) == std::nullopt);  // begins anew
  CHECK(limit({.last = "@%p2 mov.u64 %d2, %d3;\n"}) == std::nullopt);
  CHECK(limit({.test = "setp.gt.s64 %p1, %d4, %d1;\n"}) == std::nullopt);  // until too late
  CHECK(limit({.test = "setp.ne.s64 %p1, %d4, %d1;\n"}) == std::nullopt);  // only at one cycle
  CHECK(limit({.iteration = "mov.u64 %d3, %clock64;\nsub.s64 %d4, %d2, %d3;\n"}) ==
        std::nullopt);  // the other difference
  CHECK(limit({.iteration = "mov.u64 %d3, %clock64;\nadd.s64 %d4, %d2, %d3;\n"}) == std::nullopt);
  CHECK(limit({.iteration = "@%p2 mov.u64 %d3, %clock64;\nsub.s64 %d4, %d3, %d2;\n"}) ==
        std::nullopt);  // maybe not read
  CHECK(limit({.iteration = "mov.u64 %d3, %globaltimer;\nsub.s64 %d4, %d3, %d2;\n"}) == std::nullopt);
  CHECK(limit({.start = "mov.u64 %d2, %globaltimer;\n",
               .iteration = "mov.u64 %d3, %globaltimer;\nsub.s64 %d4, %d3, "
                            "%d2;\n"}) == std::nullopt);
  CHECK(limit({.start = "mov.u32 %r2, %clock;\ncvt.u64.u32 %d2, %r2;\n", .iteration = iteration_of_half}) ==
        std::nullopt);
  CHECK(limit({start32, "mov.u32 %r3, %clock_hi;\nsub.s32 %r4, %r3, %r2;\n", "setp.lt.u32 %p1, %r4, %r1;\n"}) ==
        std::nullopt);
  CHECK(limit({start32, "cvt.rn.f32.u32 %f3, %clock;\nmov.b32 %r3, %f3;\nsub.s32 %r4, %r3, %r2;\n",
               "setp.lt.u32 %p1, %r4, %r1;\n"}) == std::nullopt);
  CHECK(limit({.start = "ld.param.u64 %d2, [p];\n"}) == std::nullopt);  // no read of the counter
  CHECK(limit({.iteration = "mov.u64 %d3, %clock64;\nsub.s64 %d4, %d3, %d2;\nand.b64 %d4, %d4, 4294967294;\n"}) ==
        std::nullopt);
  CHECK(limit({.iteration = "mov.u64 %d3, %clock64;\nsub.s64 %d4, %d3, %d2;\nshr.u64 %d4, %d4, 1;\n"}) == std::nullopt);
  // One of two paths on which it goes on has no such test.
  CHECK(limit({.last = "setp.eq.u32 %p2, %r9, 7;\nor.pred %p1, %p1, %p2;\n"}) == std::nullopt);
  CHECK(limit({.last = "ld.global.u32 %r9, [%d9];\nsetp.eq.u32 %p2, %r9, 7;\nand.pred %p1, %p1, %p2;\n"}) ==
        ir::ClockLimit{1000, half64 - 999, 1});
  // A read within a loop inside may be an old one.
  const std::string inner =
      "ld.param.u64 %d1, [w];\nmov.u64 %d2, %clock64;\n$L:\n$M:\nmov.u64 %d3, %clock64;\nld.global.u32 %r9, [%d9];\n"
      "setp.eq.u32 %p2, %r9, 7;\n@%p2 bra $M;\nsub.s64 %d4, %d3, %d2;\nsetp.lt.s64 %p1, %d4, %d1;\n@%p1 bra $L;\nret;";
  for (const ir::Loop& loop : test::facts_of(inner, test::with_argument(test::block_of(64), "w", "1000")).loops) {
    CHECK_FALSE(loop.trip_count);
  }
}

TEST_CASE("where the cycles are not known, an error asks for them") {
  const ir::Loop unknown = loop_of({.number = {}});
  CHECK_FALSE(unknown.trip_count);
  CHECK(unknown.obstacle == "its exit test depends on parameter 'w', whose value is not known");
  CHECK(unknown.remedies == std::vector<std::string>{"{argument} w=VALUE"});
  const ir::Loop round = loop_of({start32, turn32, "setp.lt.s32 %p1, %r4, %r1;\n", {}, "2147483647"});
  CHECK(round.obstacle == "the counter of cycles may go past what it waits for, and round, between two iterations");
  CHECK(loop_of({.iteration = "mov.u64 %d3, %globaltimer;\nsub.s64 %d4, %d3, %d2;\n"}).obstacle ==
        "its exit test depends on '%globaltimer', read in line 17");
}

// Threads that read a counter in cycles of their own choice, no further apart than the limit says, go round as often as
// it says at most; e, the comparison and what has been found are those of the machine, with all their wrapping.
TEST_CASE("no thread whose reads are as near as the limit says goes on longer") {
  std::mt19937 random(20261);
  const auto below = [&random](uint64_t n) { return (uint64_t{random()} << 32 | random()) % n; };
  const struct {
    std::string test;
    bool (*stays)(uint32_t d, uint32_t n);
  } tests[] = {
      {"setp.lt.u32", [](uint32_t d, uint32_t n) { return d < n; }},
      {"setp.le.u32", [](uint32_t d, uint32_t n) { return d <= n; }},
      {"setp.lt.s32", [](uint32_t d, uint32_t n) { return static_cast<int32_t>(d) < static_cast<int32_t>(n); }},
      {"setp.le.s32", [](uint32_t d, uint32_t n) { return static_cast<int32_t>(d) <= static_cast<int32_t>(n); }},
      {"setp.gt.s32", [](uint32_t d, uint32_t n) { return static_cast<int32_t>(d) > static_cast<int32_t>(n); }},
  };
  int bounded = 0;
  for (int round = 0; round < 200; ++round) {
    const auto& test = tests[round % 5];
    const uint32_t n = round % 3 == 0 ? static_cast<uint32_t>(below(40)) : static_cast<uint32_t>(below(all32));
    const Limit found = limit({start32, turn32, test.test + " %p1, %r4, %r1;\n", {}, std::to_string(uint64_t{n})});
    if (!found) continue;
    ++bounded;
    for (int run = 0; run < 50; ++run) {
      const uint64_t start = below(UINT64_MAX);
      const uint64_t longest = run % 2 == 0 ? static_cast<uint64_t>(found->apart) : 3;
      uint64_t e = 0;
      int64_t reads = 0, after = 0;
      for (bool goes_on = true; goes_on && after <= found->more && reads < 1000; ++reads) {
        e += 1 + below(longest);
        if (e >= static_cast<uint64_t>(found->cycles)) ++after;
        goes_on = test.stays(static_cast<uint32_t>(start + e) - static_cast<uint32_t>(start), n);
      }
      CHECK(after <= found->more);
      CHECK(reads <= found->cycles - 1 + found->more);
    }
  }
  CHECK(bounded > 80);
}
