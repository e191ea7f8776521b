// SPDX-License-Identifier: GPL-3.0-or-later
// Loops whose beginning and end follow from a counter around them, by branches and sums.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using test::below;
using test::Random;

namespace {

// For k = 0 .. 15 the rest of k + 1 .. 15 behind pieces of 8, in steps of 4; %r9 is another number that goes around.
std::string triangle(const std::string& rest, const std::string& moved = "add.s32 %r9, %r9, 1;\n") {
  return "mov.u32 %r1, 0;\nmov.u32 %r9, 0;\n$O:\nsetp.gt.u32 %p1, %r1, 11;\n@%p1 bra $N;\nsub.s32 %r4, 15, %r1;\n"
         "and.b32 %r4, %r4, 3;\nadd.s32 %r3, %r1, 1;\nadd.s32 %r3, %r3, %r4;\nsetp.ge.s32 %p2, %r3, 9;\n@%p2 bra $J;\n"
         "add.s32 %r3, %r3, 8;\nsetp.eq.s32 %p1, %r3, 16;\n@%p1 bra $N;\n$J:\n" +
         rest + "$L:\nadd.s32 %r3, %r3, 4;\nsetp.ne.s32 %p1, %r3, 16;\n@%p1 bra $L;\n$N:\n" + moved +
         "add.s32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bra $O;\nret;";
}

std::optional<int64_t> inner_trips(const std::string& text) {
  const ir::Flow facts = test::facts_of(text);
  REQUIRE(facts.loops.size() == 2);
  return facts.loops[1].trip_count;
}

}  // namespace

TEST_CASE("a counter around a loop decides where the loop begins") {
  CHECK(inner_trips(triangle("")) == 1);
  CHECK(inner_trips(triangle("sub.s32 %r3, %r3, 8;\n")) == 3);
}

TEST_CASE("what other numbers that go around a loop decide is anything") {
  // 4 more once %r9 was 4: by what came before, not by k.
  const std::string before = "setp.eq.s32 %p3, %r9, 4;\n@%p3 sub.s32 %r3, %r3, 4;\n";
  CHECK(inner_trips(triangle(before, "setp.eq.s32 %p3, %r1, 2;\n@%p3 mov.u32 %r9, 4;\n")) != 1);
  CHECK(inner_trips(triangle("setp.eq.s32 %p3, %r1, 3;\n@%p3 sub.s32 %r3, %r3, 4;\n")) == 2);
}

// x is decided by earlier iterations, the start by k, and perhaps by x.
TEST_CASE("loops that begin where a counter around them decides run no more often than that") {
  Random random(1);
  int counted = 0;
  for (int i = 0; i < test::thinned_seeds(300); ++i) {
    const int64_t first = below(random, 5), step = 1 + below(random, 3), outer = 2 + below(random, 12);
    struct Piece {
      int64_t from, add, x_from, x_to;
      bool of_x;
    };
    std::vector<Piece> pieces;
    for (int64_t n = 1 + below(random, 3); n > 0; --n)
      pieces.push_back(
          {below(random, 40), below(random, 9), below(random, 40), below(random, 3), below(random, 4) == 0});
    const int64_t stride = 1 + below(random, 4), end = 40 + below(random, 10);
    std::string text = "mov.u32 %r1, " + std::to_string(first) + ";\nmov.u32 %r9, 0;\nmov.u32 %r2, 0;\n$O:\n";
    text += "mov.u32 %r3, %r1;\n";
    int label = 0;
    for (const Piece& piece : pieces) {
      const std::string skip = "$S" + std::to_string(label++);
      text += "setp.gt.s32 %p1, " + std::string(piece.of_x ? "%r9" : "%r3") + ", " +
              std::to_string(piece.from % (piece.of_x ? 3 : 40)) + ";\n@%p1 bra " + skip + ";\nadd.s32 %r3, %r3, " +
              std::to_string(piece.add) + ";\n" + skip + ":\n";
    }
    text += "$L:\nadd.s32 %r3, %r3, " + std::to_string(stride) + ";\nsetp.lt.s32 %p1, %r3, " + std::to_string(end) +
            ";\n@%p1 bra $L;\n";
    text += "setp.eq.s32 %p2, %r1, " + std::to_string(first + step * pieces[0].x_to) + ";\n@%p2 mov.u32 %r9, 2;\n";
    text += "add.s32 %r1, %r1, " + std::to_string(step) + ";\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, " +
            std::to_string(outer) + ";\n@%p1 bra $O;\nret;";
    int64_t most = 0, k = first, x = 0;
    for (int64_t n = 0; n < outer; ++n, k += step) {
      int64_t at = k, trips = 0;
      for (const Piece& piece : pieces) {
        const int64_t asked = piece.of_x ? x : at;
        if (!(asked > piece.from % (piece.of_x ? 3 : 40))) at += piece.add;
      }
      do at += stride, ++trips;
      while (at < end);
      most = std::max(most, trips);
      if (k == first + step * pieces[0].x_to) x = 2;
    }
    INFO(text);
    const auto found = inner_trips(text);
    if (!found) continue;
    CHECK(*found >= most);
    if (*found == most) ++counted;
  }
  CHECK(counted > test::thinned_seeds(300) / 3);
}
