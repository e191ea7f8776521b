// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that begin where the remainder of an unrolled loop, which some paths bypass, left off.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::facts_of;
using test::transactions_of;
using test::with_argument;

namespace {

constexpr int threads = 64;

// for (i = tid; i < n; i += 64) as nvcc unrolls it: count % 4 iterations one by one, and the others in fours.
std::string unrolled(const std::string& before_fours = "", const std::string& in_rest = "") {
  return "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [n];\nld.param.u64 %d1, [p];\nsetp.ge.s32 %p1, %r1, %r2;\n"
         "@%p1 bra $end;\nnot.b32 %r3, %r1;\nadd.s32 %r3, %r3, %r2;\ndiv.u32 %r4, %r3, 64;\nadd.s32 %r5, %r4, 1;\n"
         "and.b32 %r6, %r5, 3;\nsetp.eq.s32 %p2, %r6, 0;\n@%p2 bra $fours;\n"
         "$R:\nadd.s32 %r1, %r1, 64;\nadd.s32 %r6, %r6, -1;\n" +
         in_rest +
         "setp.ne.s32 %p3, %r6, 0;\n@%p3 bra $R;\n"
         "$fours:\nsetp.lt.u32 %p4, %r4, 3;\n@%p4 bra $end;\n" +
         before_fours +
         "$F:\nmul.wide.s32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r8, [%d3];\nadd.s32 %r1, %r1, 256;\n"
         "setp.lt.s32 %p5, %r1, %r2;\n@%p5 bra $F;\n$end:\nret;";
}

ir::Launch n_is(int64_t n) { return with_argument(block_of(threads), "n", std::to_string(n)); }

// Whether no thread runs the loops more often, and of the fours one has at most one iteration less.
void check(int64_t n, const std::vector<ir::Loop>& loops) {
  int64_t rest = 1, fours = 1;
  for (int64_t thread = 0; thread < std::min<int64_t>(threads, n); ++thread) {
    const int64_t count = (n - 1 - thread) / 64 + 1;
    rest = std::max(rest, count % 4);
    fours = std::max(fours, count / 4);
  }
  INFO(n);
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].trip_count == rest);
  CHECK(loops[1].trip_count.value() >= fours);
  CHECK(loops[1].trip_count.value() <= fours + 1);
}

}  // namespace

TEST_CASE("the loop of fours is counted whatever the threads have left of it") {
  for (int64_t n = 0; n < 2000; n += n < 600 ? 1 : 37) check(n, facts_of(unrolled(), n_is(n)).loops);
  check(1'000'000'001, facts_of(unrolled(), n_is(1'000'000'001)).loops);
}

TEST_CASE("lanes begin the loop of fours beside each other, or a stride apart") {
  CHECK(transactions_of(unrolled(), n_is(6400)) == std::vector<int>{2});
  CHECK(transactions_of(unrolled(), n_is(6401)) == std::vector<int>{3});  // lane 0 has an iteration more
}

TEST_CASE("what changes on one of the paths only is not the same on all") {
  // The rest is left early by threads of which nothing is known: each may be some iterations of 64 elements ahead.
  const std::string leaves = "ld.global.u32 %r9, [%d1];\nsetp.eq.s32 %p6, %r9, 7;\n@%p6 bra $fours;\n";
  CHECK(transactions_of(unrolled("", leaves), n_is(6401)).back() == 5);
  // Far away if the rest was passed by.
  const std::string moves = "@%p2 mad.lo.s32 %r1, %r1, 64, 1;\n";
  CHECK(transactions_of(unrolled(moves), n_is(6399)).back() == 32);  // threads 0 to 62
}

// Where an iteration may pass the test by, the counter of 16 bits may go round before it is what the test asks for: v
// may then be larger than n.
TEST_CASE("a loop that may pass its only exit by does not end in the iteration that its counter tells") {
  const std::string body =
      "ld.param.u64 %d1, [p];\nld.param.u16 %h2, [h];\nmov.u16 %h1, 0;\nmov.u32 %r1, 0;\nsetp.eq.u16 %p1, %h2, 0;\n"
      "@%p1 bra $J;\n$L:\nld.volatile.global.u32 %r9, [%d1];\nsetp.eq.u32 %p2, %r9, 0;\n@%p2 bra $C;\n"
      "setp.eq.u16 %p3, %h1, %h2;\n@%p3 bra $J;\n$C:\nadd.u16 %h1, %h1, 1;\nadd.u32 %r1, %r1, 1;\nbra.uni $L;\n"
      "$J:\nmov.u32 %r2, 0;\n$M:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p4, %r2, %r1;\n@%p4 bra $M;\nret;";
  const auto loops = facts_of(body).loops;
  REQUIRE(loops.size() == 2);
  CHECK_FALSE(loops[1].trip_count);
}
