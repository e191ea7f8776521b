// SPDX-License-Identifier: GPL-3.0-or-later
// What is left of counts that were unrolled, as ptxas does it: 16, 8 and 4 iterations at once.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

struct Steps {
  std::string number;  // sets x, of which x & ~3 iterations are done here
  std::string guard = "sub.u32 %r2, %r1, 1;\nsetp.lt.u32 %p1, %r2, 3;\n@%p1 bra $E;\n";
  std::string first_step = "-16", second_step = "-8", last_step = "-4";
  std::string rest = "or.pred %p3, %p2, %p5;\n";  // whether iterations are left, or none have been done
};

std::string text_of(const Steps& steps) {
  return "mov.u32 %r9, %tid.x;\n" + steps.number + steps.guard +
         "and.b32 %r3, %r1, 3;\nsub.s32 %r4, %r1, %r3;\n"
         "setp.le.s32 %p1, %r4, 0;\n@%p1 bra $L;\n"
         "setp.eq.s32 %p5, %r4, %r4;\n"
         "setp.le.s32 %p2, %r4, 12;\n@%p2 bra $C;\n"
         "setp.ne.s32 %p5, %r4, %r4;\n"
         "$A:\nadd.s32 %r4, %r4, " +
         steps.first_step +
         ";\nsetp.gt.s32 %p2, %r4, 12;\n@%p2 bra $A;\n"
         "$C:\nsetp.le.s32 %p2, %r4, 4;\n@%p2 bra $D;\n"
         "setp.ne.s32 %p5, %r4, %r4;\nadd.s32 %r4, %r4, " +
         steps.second_step +
         ";\n"
         "$D:\nsetp.ne.s32 %p2, %r4, 0;\n" +
         steps.rest +
         "@!%p3 bra $E;\n"
         "$L:\nadd.s32 %r4, %r4, " +
         steps.last_step +
         ";\nsetp.ne.s32 %p4, %r4, 0;\n@%p4 bra $L;\n"
         "$E:\nret;";
}

ir::Loop loop_of(const std::string& text) {
  const ir::Flow facts = test::facts_of(text);
  const auto loop =
      std::find_if(facts.loops.begin(), facts.loops.end(), [](const ir::Loop& l) { return l.label == "$L"; });
  REQUIRE(loop != facts.loops.end());
  return *loop;
}

std::optional<int64_t> trips(const Steps& steps) { return loop_of(text_of(steps)).trip_count; }

// x, any multiple of s, is counted down to an end, by way of at most 3 s above it where it is above.
struct Rest {
  int step = 4;
  int end = 0;
  std::string in_loop;
};

std::string text_of(const Rest& rest) {
  const std::string s = std::to_string(rest.step), e = std::to_string(rest.end);
  return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nand.b32 %r1, %r1, -" + s + ";\nsetp.le.s32 %p1, %r1, " +
         e + ";\n@%p1 bra $L;\nand.b32 %r1, %r1, " + std::to_string(3 * rest.step) +
         ";\nsetp.eq.s32 %p2, %r1, 0;\n@%p2 bra $E;\nadd.s32 %r1, %r1, " + e + ";\n$L:\n" + rest.in_loop +
         "add.s32 %r1, %r1, -" + s + ";\nsetp.ne.s32 %p3, %r1, " + e + ";\n@%p3 bra $L;\n$E:\nret;";
}

// How often the header runs by what is in memory; 0: it is not entered. Steps come to the end again after 2^32 / s.
int64_t runs(const Rest& rest, uint32_t number) {
  auto x = static_cast<int32_t>(number & -static_cast<uint32_t>(rest.step));
  if (x > rest.end) {
    x &= 3 * rest.step;
    if (x == 0) return 0;
    x += rest.end;
  }
  const uint32_t left = static_cast<uint32_t>(x) - static_cast<uint32_t>(rest.end);
  return (left == 0 ? int64_t{1} << 32 : int64_t{left}) / rest.step;
}

// x counts up to the multiple of 4 that is left of a limit: by 16 while more than 12 are missing, by 8 if more than 4
// are, and then by 4.
struct StepsUp {
  std::string guard = "setp.gt.u32 %p1, %r8, 60;\n@%p1 bra $E;\n";
  std::string more = "-12";  // x is below the limit and this in all iterations by 16
  std::string first_step = "16", second_step = "8", last_step = "4";
  std::string missing = "4";
};

std::string text_of(const StepsUp& steps) {
  return "ld.param.u64 %d1, [p];\nld.global.u32 %r9, [%d1];\nand.b32 %r8, %r9, 63;\nsub.s32 %r1, 64, %r8;\n" +
         steps.guard +
         "and.b32 %r3, %r1, -4;\nmov.u32 %r4, 0;\nsetp.le.s32 %p1, %r3, 0;\n@%p1 bra $L;\nsetp.eq.s32 %p5, %r4, %r4;\n"
         "setp.le.s32 %p2, %r3, 12;\n@%p2 bra $C;\nsetp.ne.s32 %p5, %r4, %r4;\nadd.s32 %r7, %r3, " +
         steps.more + ";\n$A:\nadd.s32 %r4, %r4, " + steps.first_step +
         ";\nsetp.lt.s32 %p2, %r4, %r7;\n@%p2 bra $A;\n$C:\nsub.s32 %r6, %r3, %r4;\nsetp.le.s32 %p2, %r6, " +
         steps.missing + ";\n@%p2 bra $D;\nsetp.ne.s32 %p5, %r4, %r4;\nadd.s32 %r4, %r4, " + steps.second_step +
         ";\n$D:\nsetp.eq.s32 %p2, %r3, %r4;\nnot.pred %p6, %p5;\nand.pred %p7, %p6, %p2;\n@%p7 bra $E;\n"
         "$L:\nadd.s32 %r4, %r4, " +
         steps.last_step + ";\nsetp.ne.s32 %p4, %r3, %r4;\n@%p4 bra $L;\n$E:\nret;";
}

const std::string from_memory = "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\n";
const std::string small = from_memory + "and.b32 %r1, %r1, 63;\nadd.u32 %r1, %r1, 1;\n";

}  // namespace

TEST_CASE("what is left when 16 and 8 iterations were done at once is done in one step") {
  CHECK(trips({.number = small}) == 1);
}

// As ptxas counts in a triangle: x = (n & ~3) - 1 by n = i + 1, to -1.
TEST_CASE("what is left of a count that ends beside zero") {
  const auto ends_at = [](int end) {
    const std::string e = std::to_string(end);
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r9, [%d1];\nand.b32 %r1, %r9, 15;\n"
           "setp.lt.u32 %p1, %r1, 3;\n@%p1 bra $E;\nadd.s32 %r2, %r1, 1;\nand.b32 %r3, %r2, 3;\nsub.s32 %r4, %r1, "
           "%r3;\n"
           "setp.le.s32 %p2, %r4, 11;\n@%p2 bra $C;\n$A:\nadd.s32 %r4, %r4, -16;\nsetp.gt.s32 %p2, %r4, 11;\n"
           "@%p2 bra $A;\nbra.uni $D;\n$C:\nsetp.le.s32 %p2, %r4, 3;\n@%p2 bra $D;\nadd.s32 %r4, %r4, -8;\n$D:\n"
           "setp.eq.s32 %p2, %r4, " +
           e + ";\n@%p2 bra $E;\n$L:\nadd.s32 %r4, %r4, -4;\nsetp.ne.s32 %p4, %r4, " + e + ";\n@%p4 bra $L;\n$E:\nret;";
  };
  const auto last = [&](int end) { return loop_of(ends_at(end)).trip_count; };
  CHECK(last(-1) == 1);
  CHECK(last(-2) == std::nullopt);  // it passes by
}

TEST_CASE("steps that leave another rest, and what may come in as 0 or below, are not bounded so") {
  CHECK(trips({.number = small, .second_step = "-4"}) == 2);             // 8 may be left
  CHECK(trips({.number = small, .second_step = "-6"}) == std::nullopt);  // no multiple of 4
  CHECK(trips({.number = small, .guard = ""}) == std::nullopt);          // 0 comes in
  CHECK(trips({.number = from_memory + "and.b32 %r1, %r1, 63;\n"}) == std::nullopt);
  CHECK(trips({.number = from_memory}) == std::nullopt);  // and negative numbers
  CHECK(trips({.number = small, .rest = "setp.eq.s32 %p3, %r4, %r4;\n"}) == std::nullopt);
  CHECK(trips({.number = small, .last_step = "-8"}) == std::nullopt);
}

TEST_CASE("what is left of a count up to a limit, when 16 and 8 were done at once, is done in one step") {
  const auto of = [](const StepsUp& steps) { return loop_of(text_of(steps)).trip_count; };
  CHECK(of({}) == 1);
  CHECK(of({.second_step = "4"}) == 2);  // 8 may be left
  CHECK(of({.missing = "8"}) == 2);
  CHECK(of({.guard = ""}) == std::nullopt);  // none may be left, and is counted around
  CHECK(of({.guard = "setp.gt.u32 %p1, %r8, 61;\n@%p1 bra $E;\n"}) == std::nullopt);
  CHECK(of({.more = "-8"}) == std::nullopt);  // the limit may have been passed by 4
  CHECK(of({.first_step = "20"}) == std::nullopt);
  CHECK(of({.second_step = "12"}) == std::nullopt);
  CHECK(of({.second_step = "6"}) == std::nullopt);  // no multiple of 4
  CHECK(of({.missing = "0"}) == std::nullopt);
}

TEST_CASE("a guard may be one of another number: what is left is a constant more, or a constant less that one") {
  const auto of_number = [](const std::string& guard) {
    return trips({.number = from_memory + "and.b32 %r8, %r1, 63;\nsub.s32 %r1, 64, %r8;\n", .guard = guard});
  };
  CHECK(of_number("setp.gt.u32 %p1, %r8, 60;\n@%p1 bra $E;\n") == 1);
  CHECK(of_number("sub.s32 %r2, %r8, 64;\nsetp.gt.u32 %p1, %r2, -4;\n@%p1 bra $E;\n") == 1);
  CHECK(of_number("sub.s32 %r2, 62, %r8;\nsetp.lt.s32 %p1, %r2, 2;\n@%p1 bra $E;\n") == 1);
  CHECK(of_number("setp.gt.u32 %p1, %r8, 61;\n@%p1 bra $E;\n") == std::nullopt);  // 3 are left, none of them here
}

TEST_CASE("whether any have been done may be asked the other way round") {
  const std::string rest =
      "setp.eq.s32 %p2, %r4, 0;\nnot.pred %p6, %p5;\nand.pred %p7, %p6, %p2;\nnot.pred %p3, %p7;\n";
  CHECK(trips({.number = small, .rest = rest}) == 1);
}

TEST_CASE("where a count that is not positive may come in, it is short or very long") {
  ir::Loop loop = loop_of(text_of(Steps{.number = from_memory}));
  REQUIRE(loop.gap == ir::TripGap{1, int64_t{1} << 29});
  CHECK(loop.trip_count == std::nullopt);
  loop.trip_count = (int64_t{1} << 29) - 1;
  ir::close_gap(loop);
  CHECK(loop.trip_count == 1);
  loop.trip_count = int64_t{1} << 29;
  ir::close_gap(loop);
  CHECK(loop.trip_count == int64_t{1} << 29);
}

TEST_CASE("the gap is between all numbers of iterations, and no wider") {
  for (const int step : {2, 4, 8, 16}) {
    for (const int end : {0, 16, -16, -4096}) {
      const Rest rest{step, end, {}};
      const auto gap = loop_of(text_of(rest)).gap;
      INFO(step << " to " << end);
      REQUIRE(gap);
      std::mt19937 random(static_cast<unsigned>(step * 10'000 + end));
      int64_t most = 0, else_least = INT64_MAX;
      for (int i = 0; i < 100'000; ++i) {
        const uint32_t number = i < 50'000 ? static_cast<uint32_t>(random())
                                           : (i % 2 == 0 ? 0U : 1U << 31U) + static_cast<uint32_t>(i - 75'000);
        const int64_t count = runs(rest, number);
        if (count <= gap->most) most = std::max(most, count);
        if (count > gap->most) else_least = std::min(else_least, count);
      }
      CHECK(most == gap->most);
      CHECK(else_least == gap->else_least);
    }
  }
}

TEST_CASE("there is no gap where something else may end the loop") {
  const std::string leaves = "ld.volatile.global.u32 %r11, [%d1];\nsetp.eq.u32 %p5, %r11, 0;\n@%p5 bra $E;\n";
  CHECK(loop_of(text_of(Rest{4, 0, leaves})).gap == std::nullopt);
}
