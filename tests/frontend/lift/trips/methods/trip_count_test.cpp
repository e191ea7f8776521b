// SPDX-License-Identifier: GPL-3.0-or-later
// How often loops run: what scalar evolution and the simulation of counters find, and what they must not.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::facts_of;
using test::trips_of;
using test::with_argument;
using test::with_grid;

namespace {

using Strings = std::vector<std::string>;

// j = start; do { body; j = j + step; } while (j compared with limit).
std::string do_while(const std::string& start, const std::string& step, const std::string& test,
                     const std::string& limit, const std::string& body = "") {
  return "ld.param.u32 %r5, [n];\nmov.u32 %r6, %tid.x;\nmov.u32 %r7, %ntid.x;\nmov.u32 %r1, " + start + ";\n$L:\n" +
         body + step + "\nsetp." + test + " %p1, %r1, " + limit + ";\n@%p1 bra $L;\nret;";
}

const std::string unknown_n = "$L: ? its exit test depends on parameter 'n', whose value is not known";
const std::string no_count = "$L: ? its exit test is not a count towards a limit that is known";

}  // namespace

TEST_CASE("loops over constants") {
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 1;", "lt.s32", "100")) == Strings{"$L: 100"});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 1;", "lo.u32", "100")) == Strings{"$L: 100"});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 3;", "lt.s32", "100")) == Strings{"$L: 34"});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 1;", "ne.s32", "100")) == Strings{"$L: 100"});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 4;", "ne.s32", "100")) == Strings{"$L: 25"});
  CHECK(trips_of(do_while("100", "add.s32 %r1, %r1, -1;", "ne.s32", "0")) == Strings{"$L: 100"});
  CHECK(trips_of(do_while("100", "sub.s32 %r1, %r1, 1;", "gt.s32", "0")) == Strings{"$L: 100"});
  CHECK(trips_of(do_while("200", "add.s32 %r1, %r1, 1;", "lt.s32", "100")) == Strings{"$L: 1"});
}

TEST_CASE("a loop that passes its limit and wraps is counted to where it ends") {
  // From 0 by 2 to an odd limit: never equal.
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 2;", "ne.s32", "7")) == Strings{no_count});
  // 1 + 3 * 1431655765 = 2^32.
  CHECK(trips_of(do_while("1", "add.s32 %r1, %r1, 3;", "ne.s32", "0")) == Strings{"$L: 1431655765"});
  // A count down from 0 wraps around its type.
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, -1;", "ne.s32", "0")) == Strings{"$L: 4294967296"});
  // The limit is so near the end of the type that adding 3 jumps over it, to negative numbers: it goes on.
  CHECK(trips_of(do_while("2147483640", "add.s32 %r1, %r1, 3;", "lt.s32", "2147483647")) != Strings{"$L: 3"});
  // Away from the limit, though 2^32 - 4, from the first value on, is a multiple of 9.
  CHECK(trips_of(do_while("16", "add.s32 %r1, %r1, -9;", "lt.s32", "11")) == Strings{no_count});
}

TEST_CASE("limits that are not known") {
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 1;", "lt.s32", "%r5")) == Strings{unknown_n});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 2;", "ne.s32", "%r5")) == Strings{unknown_n});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 3;", "lt.s32", "%r5")) == Strings{unknown_n});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 256;", "lt.s32", "%r5")) == Strings{unknown_n});
  CHECK(trips_of(do_while("%r5", "add.s32 %r1, %r1, -1;", "ne.s32", "0")) == Strings{unknown_n});
  // Whatever it starts with, nothing is left after 32 shifts; scalar evolution allows one more.
  CHECK(trips_of(do_while("%r5", "shr.u32 %r1, %r1, 1;", "ne.s32", "0")) == Strings{"$L: 32"});
}

TEST_CASE("arguments and launch sizes make limits known") {
  const auto n = [](const std::string& value) { return with_argument(block_of(256), "n", value); };
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 1;", "lt.s32", "%r5"), n("1000")) == Strings{"$L: 1000"});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 1;", "lt.s32", "%r5"), n("0x3e8")) == Strings{"$L: 1000"});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 1;", "lt.s32", "%r5"), n("-5")) == Strings{"$L: 1"});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 2;", "ne.s32", "%r5"), n("10")) == Strings{"$L: 5"});
  CHECK(trips_of(do_while("0", "add.s32 %r1, %r1, 2;", "ne.s32", "%r5"), n("11")) == Strings{no_count});
  // i = tid; i < n; i += ntid: thread 0 runs longest.
  CHECK(trips_of(do_while("%r6", "add.s32 %r1, %r1, %r7;", "lt.s32", "%r5"), n("1000")) == Strings{"$L: 4"});
  CHECK(trips_of(do_while("%r6", "add.s32 %r1, %r1, %r7;", "lt.s32", "%r5"),
                 with_argument(block_of(32), "n", "1000")) == Strings{"$L: 32"});
}

TEST_CASE("a grid-stride loop needs the grid") {
  const std::string body =
      "ld.param.u32 %r5, [n];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
      "mad.lo.s32 %r1, %r2, %r3, %r4;\nmov.u32 %r6, %nctaid.x;\nmul.lo.s32 %r7, %r6, %r3;\n"
      "setp.ge.s32 %p1, %r1, %r5;\n@%p1 bra $end;\n"
      "$L:\nadd.s32 %r1, %r1, %r7;\nsetp.lt.s32 %p1, %r1, %r5;\n@%p1 bra $L;\n$end:\nret;";
  const auto n = with_argument(block_of(256), "n", "100000");
  CHECK(trips_of(body, with_grid(n, 10)) == Strings{"$L: 40"});
  CHECK(trips_of(body, with_grid(n, 1000)) == Strings{"$L: 1"});
  CHECK(trips_of(body, n) ==
        Strings{"$L: ? its exit test depends on %ctaid.x and %nctaid.x, whose values are not known without the grid"});
}

TEST_CASE("counters that are shifted or multiplied") {
  CHECK(trips_of(do_while("512", "shr.u32 %r1, %r1, 1;", "gt.s32", "0")) == Strings{"$L: 10"});
  CHECK(trips_of(do_while("512", "shr.u32 %r1, %r1, 1;", "ne.s32", "32")) == Strings{"$L: 4"});
  CHECK(trips_of(do_while("1", "shl.b32 %r1, %r1, 1;", "lt.s32", "1024")) == Strings{"$L: 10"});
  CHECK(trips_of(do_while("1", "mul.lo.s32 %r1, %r1, 3;", "lt.s32", "1000")) == Strings{"$L: 7"});
  CHECK(trips_of(do_while("%r7", "shr.u32 %r1, %r1, 1;", "ne.s32", "0")) == Strings{"$L: 9"});
  // The largest thread, 255, halves to 0 in eight steps.
  CHECK(trips_of(do_while("%r6", "shr.u32 %r1, %r1, 1;", "ne.s32", "0")) == Strings{"$L: 8"});
  // 0 shifted left stays below any limit.
  CHECK(trips_of(do_while("0", "shl.b32 %r1, %r1, 1;", "lt.s32", "1024")) == Strings{no_count});
}

TEST_CASE("guards before a loop bound what it starts with") {
  // The rest of an unrolled loop: n & 3 iterations, and none if that is 0.
  const std::string rest =
      "ld.param.u32 %r5, [n];\nand.b32 %r1, %r5, 3;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $end;\n"
      "$L:\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $L;\n$end:\nret;";
  CHECK(trips_of(rest) == Strings{"$L: 3"});
  CHECK(trips_of(rest, with_argument(block_of(32), "n", "1024")) == Strings{"$L: 1"});
  // 0 < n < 1025.
  const std::string guarded =
      "ld.param.u32 %r5, [n];\nmov.u32 %r1, 0;\nadd.s32 %r2, %r5, -1;\nsetp.gt.u32 %p1, %r2, 1023;\n@%p1 bra $end;\n"
      "$L:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r5;\n@%p1 bra $L;\n$end:\nret;";
  CHECK(trips_of(guarded) == Strings{"$L: 1024"});
}

TEST_CASE("the main loop of an unrolled loop") {
  const std::string body =
      "ld.param.u32 %r5, [n];\nand.b32 %r2, %r5, 3;\nsub.s32 %r3, %r5, %r2;\nsetp.lt.u32 %p1, %r5, 4;\n@%p1 bra $end;\n"
      "$L:\nadd.s32 %r3, %r3, -4;\nsetp.ne.s32 %p1, %r3, 0;\n@%p1 bra $L;\n$end:\nret;";
  CHECK(trips_of(body, with_argument(block_of(32), "n", "1027")) == Strings{"$L: 256"});
  CHECK(trips_of(body) == Strings{unknown_n});
}

TEST_CASE("a test at the head counts the last, failing iteration") {
  const std::string body =
      "mov.u32 %r1, 0;\n$L:\nsetp.ge.s32 %p1, %r1, 10;\n@%p1 bra $end;\nadd.s32 %r1, %r1, 1;\nbra $L;\n$end:\nret;";
  CHECK(trips_of(body) == Strings{"$L: 11"});
}

TEST_CASE("counters of other widths") {
  CHECK(trips_of("mov.u64 %d1, 0;\n$L:\nadd.s64 %d1, %d1, 1;\nsetp.lt.s64 %p1, %d1, 100;\n@%p1 bra $L;\nret;") ==
        Strings{"$L: 100"});
  CHECK(trips_of("ld.param.u64 %d2, [w];\nmov.u64 %d1, 0;\n$L:\nadd.s64 %d1, %d1, 1;\nsetp.lt.s64 %p1, %d1, %d2;\n"
                 "@%p1 bra $L;\nret;",
                 with_argument(block_of(32), "w", "5000000000")) == Strings{"$L: 5000000000"});
  CHECK(trips_of("mov.u16 %h1, 0;\n$L:\nadd.s16 %h1, %h1, 1;\nsetp.lt.u16 %p1, %h1, 100;\n@%p1 bra $L;\nret;") ==
        Strings{"$L: 100"});
  // A 16-bit parameter bounds its loop by itself.
  CHECK(trips_of("ld.param.u16 %h2, [h];\ncvt.u32.u16 %r2, %h2;\nmov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\n"
                 "setp.lt.s32 %p1, %r1, %r2;\n@%p1 bra $L;\nret;") == Strings{"$L: 65535"});
}

TEST_CASE("nested loops, the inner one bounded by the outer") {
  const std::string triangle =
      "mov.u32 %r1, 0;\n$A:\nmov.u32 %r2, %r1;\n$B:\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 64;\n@%p1 bra $B;\n"
      "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 64;\n@%p1 bra $A;\nret;";
  CHECK(trips_of(triangle) == Strings{"$A: 64", "$B: 64"});
  // for (k = 2; k <= 256; k <<= 1) for (j = k >> 1; j > 0; j >>= 1)
  const std::string bitonic =
      "mov.u32 %r1, 2;\n$A:\nshr.u32 %r2, %r1, 1;\n$B:\nshr.u32 %r2, %r2, 1;\nsetp.ne.s32 %p1, %r2, 0;\n@%p1 bra $B;\n"
      "shl.b32 %r1, %r1, 1;\nsetp.le.s32 %p1, %r1, 256;\n@%p1 bra $A;\nret;";
  CHECK(trips_of(bitonic) == Strings{"$A: 8", "$B: 8"});
}

TEST_CASE("an inner loop over an outer counter without a bound has none either") {
  const std::string body =
      "ld.param.u32 %r5, [n];\nmov.u32 %r1, 0;\n$A:\nmov.u32 %r2, 0;\n$B:\nadd.s32 %r2, %r2, 1;\n"
      "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra $B;\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r5;\n@%p1 bra $A;\nret;";
  CHECK(trips_of(body) == Strings{"$A: ? its exit test depends on parameter 'n', whose value is not known",
                                  "$B: ? its exit test depends on parameter 'n', whose value is not known"});
}

TEST_CASE("two exits: the one that is known bounds the loop") {
  const std::string body =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\n$L:\nld.global.u32 %r2, [%d1];\nsetp.eq.s32 %p1, %r2, 0;\n@%p1 bra "
      "$end;\n"
      "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 50;\n@%p1 bra $L;\n$end:\nret;";
  CHECK(trips_of(body) == Strings{"$L: 50"});
}

TEST_CASE("loops that cannot be bounded say why") {
  CHECK(trips_of("$L:\nbra $L;\n") == Strings{"$L: ? it has no exit"});
  CHECK(trips_of("ld.param.u64 %d1, [p];\n$L:\nld.volatile.global.u32 %r2, [%d1];\nsetp.eq.s32 %p1, %r2, 0;\n"
                 "@%p1 bra $L;\nret;") ==
        Strings{"$L: ? its exit test depends on an element of the array of parameter 'p', loaded in line 15"});
  CHECK(trips_of("ld.param.u64 %d1, [p];\n$L:\natom.global.cas.b32 %r2, [%d1], 0, 1;\nsetp.ne.s32 %p1, %r2, 0;\n"
                 "@%p1 bra $L;\nret;") ==
        Strings{"$L: ? its exit test depends on the result of 'atom.global.cas.b32' in line 15"});
  CHECK(trips_of("$L:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 10;\n@%p1 bra $L;\nret;") ==
        Strings{"$L: ? its exit test depends on a register that may not have been set"});
  CHECK(trips_of("ld.param.u32 %r5, [n];\nld.param.u32 %r6, [m];\nmov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, %r6;\n"
                 "setp.lt.s32 %p1, %r1, %r5;\n@%p1 bra $L;\nret;") ==
        Strings{"$L: ? its exit test depends on parameter 'm' and parameter 'n', whose values are not known"});
}

TEST_CASE("what a loop waits for is named by what it reads") {
  CHECK(trips_of("$L:\nmov.u64 \t%d1, %clock64;\nsetp.lt.u64 %p1, %d1, 99;\n@%p1 bra $L;\nret;") ==
        Strings{"$L: ? its exit test depends on '%clock64', read in line 14"});
  CHECK(trips_of("ld.param.u64 %d1, [p];\nld.param.u64 %d2, [w];\nadd.u64 %d1, %d1, %d2;\n$L:\n"
                 "ld.global.u32 %r1, [%d1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra $L;\nret;") ==
        Strings{"$L: ? its exit test depends on a value loaded from memory in line 17"});
}

TEST_CASE("a guarded step may not be taken, so it counts nothing") {
  const std::string body =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\n$L:\nld.global.u32 %r2, [%d1];\nsetp.eq.s32 %p2, %r2, 0;\n"
      "@%p2 add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 50;\n@%p1 bra $L;\nret;";
  CHECK(trips_of(body) ==
        Strings{"$L: ? its exit test depends on an element of the array of parameter 'p', loaded in line 16"});
}

TEST_CASE("a guarded return or exit ends a loop") {
  CHECK(trips_of("mov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\nsetp.eq.s32 %p1, %r1, 9;\n@%p1 ret;\nbra $L;\n") ==
        Strings{"$L: 9"});
  CHECK(trips_of("mov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 9;\n@!%p1 exit;\nbra $L;\n") ==
        Strings{"$L: 9"});
}

TEST_CASE("loops with several back edges") {
  // if (odd) continue; the counter steps at the head.
  const std::string body =
      "mov.u32 %r1, -1;\n$L:\nadd.s32 %r1, %r1, 1;\nsetp.ge.s32 %p1, %r1, 20;\n@%p1 bra $end;\nand.b32 %r2, %r1, 1;\n"
      "setp.eq.s32 %p2, %r2, 0;\n@%p2 bra $L;\nmov.u32 %r3, %r1;\nbra $L;\n$end:\nret;";
  CHECK(trips_of(body) == Strings{"$L: 21"});
}

TEST_CASE("a negated test, as unoptimised code has it") {
  CHECK(trips_of("mov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 77;\nnot.pred %p2, %p1;\n"
                 "@%p2 bra $end;\nbra.uni $L;\n$end:\nret;") == Strings{"$L: 77"});
}

TEST_CASE("loops in functions that are called are bounded at each call") {
  const std::string text =
      ".func (.reg .b32 %result) f(.reg .b32 %count)\n{\n.reg .pred %p;\n.reg .b32 %i;\nmov.u32 %i, 0;\n$F:\n"
      "add.s32 %i, %i, 1;\nsetp.lt.s32 %p, %i, %count;\n@%p bra $F;\nmov.u32 %result, %i;\nret;\n}\n" +
      test::kernel_k("call (%r1), f, (7);\ncall (%r2), f, (9);\nret;");
  const auto analyzed = test::analyze(text, block_of(32));
  REQUIRE(analyzed.facts.ok());
  REQUIRE(analyzed.facts->loops.size() == 2);
  CHECK(analyzed.facts->loops[0].trip_count == 7);
  CHECK(analyzed.facts->loops[1].trip_count == 9);
}

TEST_CASE("an exit that not every iteration comes by bounds nothing") {
  const std::string body =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\nld.global.u32 %r2, [%d1];\n"
      "setp.eq.s32 %p1, %r2, 0;\n@%p1 bra $L;\nsetp.eq.s32 %p2, %r1, 5;\n@%p2 bra $end;\nbra $L;\n$end:\nret;";
  CHECK(trips_of(body) == Strings{no_count});
}

TEST_CASE("an exit on a condition that is not known does not make a type's range a bound") {
  const std::string body =
      "ld.param.u32 %r5, [n];\nld.param.f32 %f1, [m];\nmov.u32 %r1, 0;\n$L:\nmul.f32 %f1, %f1, %f1;\n"
      "setp.gt.f32 %p2, %f1, 0f40800000;\n@%p2 bra $end;\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, %r5;\n"
      "@%p1 bra $L;\n$end:\nret;";
  CHECK(trips_of(body) == Strings{"$L: ? its exit test depends on parameter 'n', whose value is not known"});
}

TEST_CASE("a loop behind a branch that is not taken in this launch") {
  const std::string body =
      "ld.param.u32 %r5, [n];\nsetp.eq.s32 %p1, %r5, 0;\n@%p1 bra $end;\nmov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\n"
      "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra $L;\n$end:\nret;";
  CHECK(trips_of(body) == Strings{"$L: 10"});
  CHECK(trips_of(body, with_argument(block_of(32), "n", "0")) == Strings{"$L: 1"});
}

TEST_CASE("a branch on the result of a division by zero may take either successor") {
  const std::string body =
      "mov.u32 %r5, 0;\ndiv.u32 %r6, 100, %r5;\nsetp.eq.s32 %p1, %r6, 7;\n@%p1 bra $end;\nmov.u32 %r1, 0;\n$L:\n"
      "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 10;\n@%p1 bra $L;\n$end:\nmov.u32 %r1, 0;\nsetp.ne.s32 %p1, %r6, "
      "7;\n"
      "@%p1 bra $over;\n$M:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 12;\n@%p1 bra $M;\n$over:\nret;";
  CHECK(trips_of(body) == Strings{"$L: 10", "$M: 12"});
}

TEST_CASE("how a trip count is known, and what some thread is sure to do") {
  const auto loop = [](const std::string& body, const ir::Launch& launch = block_of(256)) {
    return facts_of(body, launch).loops.at(0);
  };
  const auto n = [](const std::string& value) { return with_argument(block_of(256), "n", value); };
  using enum ir::TripCountSource;

  const ir::Loop exact = loop(do_while("0", "add.s32 %r1, %r1, 3;", "lt.s32", "100"));
  CHECK(exact.source == scalar_evolution);
  CHECK(exact.fewest_trips == 34);
  // Threads that start further on have fewer trips, but thread 0 has all four.
  const ir::Loop strided = loop(do_while("%r6", "add.s32 %r1, %r1, %r7;", "lt.s32", "%r5"), n("1000"));
  CHECK(strided.trip_count == 4);
  CHECK(strided.fewest_trips == 4);

  // Thread 0 goes by 0, 1, 4, 13, 40, 121 and 364 to 1,093.
  const ir::Loop tripled = loop(do_while("%r6", "mad.lo.s32 %r1, %r1, 3, 1;", "lt.s32", "1000"));
  CHECK(tripled.trip_count == 7);
  CHECK(tripled.source == simulation);
  CHECK(tripled.fewest_trips == 7);
  const ir::Loop shifted = loop(do_while("512", "shr.u32 %r1, %r1, 1;", "gt.s32", "0"));
  CHECK(shifted.source == scalar_evolution);  // 10 at most, which the simulation shows to happen
  CHECK(shifted.fewest_trips == 10);
  // Up to 32 with a start that is not known; 0 has one.
  const ir::Loop unknown = loop(do_while("%r5", "shr.u32 %r1, %r1, 1;", "ne.s32", "0"));
  CHECK(unknown.source == value_ranges);
  CHECK(unknown.fewest_trips == 1);
  CHECK(loop(do_while("0", "add.s32 %r1, %r1, 1;", "lt.s32", "%r5")).source == none);
}

TEST_CASE("a trip count that not all threads are sure to have is no least one") {
  const auto fewest = [](const std::string& body) { return facts_of(body, block_of(64)).loops.at(0).fewest_trips; };
  const std::string halve = "$L:\nshr.u32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $L;\n$end:\nret;";
  const std::string start = "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\n";
  CHECK(fewest(start + halve) == 6);  // thread 63
  // Only threads below 8 come to the loop, and thread 7 does.
  CHECK(fewest(start + "setp.ge.u32 %p2, %r1, 8;\n@%p2 bra $end;\n" + halve) == 3);
  // Which threads come to the loop is not known: perhaps only thread 0.
  const std::string unknown = "ld.global.u32 %r2, [%d1];\nsetp.eq.s32 %p2, %r2, 0;\n@%p2 bra ";
  CHECK(fewest(start + unknown + "$end;\n" + halve) == 1);
  // Two paths that both lead to the loop.
  CHECK(fewest(start + unknown + "$side;\nadd.s32 %r3, %r3, 1;\n$side:\n" + halve) == 6);
  // Threads may leave before the count ends.
  const std::string breaks =
      "$L:\nld.global.u32 %r2, [%d1];\nsetp.eq.s32 %p2, %r2, 0;\n@%p2 bra $end;\nshr.u32 %r1, %r1, 1;\n"
      "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra $L;\n$end:\nret;";
  CHECK(fewest(start + breaks) == 1);
  // Lanes are simulated beside threads: with 4 threads there is no lane 31.
  CHECK(facts_of("mov.u32 %r1, %laneid;\n" + halve, block_of(4)).loops.at(0).fewest_trips == 1);
}

TEST_CASE("a loop that the simulation finds no thread in") {
  const std::string body =
      "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 1;\nand.b32 %r2, %r2, 1;\nsetp.eq.s32 %p2, %r2, 0;\n@%p2 bra $end;\n"
      "$L:\nshr.u32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $L;\n$end:\nret;";
  const ir::Loop loop = facts_of(body, block_of(64)).loops.at(0);
  CHECK(loop.trip_count == 1);
  CHECK(loop.source == ir::TripCountSource::not_entered);
  CHECK(loop.fewest_trips == 1);
}

TEST_CASE("values of few bits bound loops by what they can be") {
  const std::string byte = "ld.param.u64 %d1, [p];\nld.global.u8 %h1, [%d1];\ncvt.u32.u16 %r5, %h1;\n";
  const auto until = [&](const std::string& before, const std::string& step, const std::string& test) {
    return trips_of(byte + before + "$L:\n" + step + "\n" + test + "\n@%p1 bra $L;\nret;");
  };
  const std::string zero = "mov.u32 %r1, 0;\n";
  CHECK(until(zero, "add.s32 %r1, %r1, 1;", "setp.lt.s32 %p1, %r1, %r5;") == Strings{"$L: 255"});
  CHECK(until(zero + "mul.lo.s32 %r5, %r5, 1000;\n", "add.s32 %r1, %r1, 1;", "setp.lt.s32 %p1, %r1, %r5;") ==
        Strings{"$L: 255000"});
  // From 15 at most, and one trip where nothing is left to shift.
  CHECK(until("and.b32 %r1, %r5, 15;\n", "shr.u32 %r1, %r1, 1;", "setp.ne.s32 %p1, %r1, 0;") == Strings{"$L: 4"});
  CHECK(until("and.b32 %r1, %r5, 7;\n", "mad.lo.s32 %r1, %r1, 3, 1;", "setp.lt.u32 %p1, %r1, 1000;") ==
        Strings{"$L: 7"});
  CHECK(until("shr.u32 %r1, %r5, 4;\nmul.lo.s32 %r1, %r1, %r1;\n", "mad.lo.s32 %r1, %r1, 3, 1;",
              "setp.lt.u32 %p1, %r1, 1000;") == Strings{"$L: 7"});
  // A value that is 0 where the loop is counted down from it, which the guard keeps out.
  CHECK(until("mov.u32 %r1, %r5;\nsetp.eq.s32 %p2, %r5, 0;\n@%p2 ret;\n", "add.s32 %r1, %r1, -1;",
              "setp.ne.s32 %p1, %r1, 0;") == Strings{"$L: 255"});
}

TEST_CASE("a value that is loaded anew in each iteration is not the same one") {
  // The outer counter goes on by what is loaded, perhaps by 0: it is no counter, and may be any below 100 at the inner
  // loop. From 0 that comes to 1, 4, 13, 40, 121, 364 and 1093.
  const std::string body =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 1;\n$A:\nld.volatile.global.u32 %r2, [%d1];\nand.b32 %r2, %r2, 3;\n"
      "mov.u32 %r3, %r1;\n$L:\nmad.lo.s32 %r3, %r3, 3, 1;\nsetp.lt.u32 %p1, %r3, 1000;\n@%p1 bra $L;\n"
      "add.s32 %r1, %r1, %r2;\nsetp.lt.u32 %p1, %r1, 100;\n@%p1 bra $A;\nret;";
  CHECK(trips_of(body).at(1) == "$L: 7");
  // In the loop itself: the counter starts again whenever it likes.
  const std::string inside =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 1;\n$L:\nld.volatile.global.u32 %r2, [%d1];\nand.b32 %r2, %r2, 3;\n"
      "mad.lo.s32 %r1, %r1, %r2, 1;\nsetp.lt.u32 %p1, %r1, 1000;\n@%p1 bra $L;\nret;";
  CHECK(trips_of(inside).at(0).rfind("$L: ?", 0) == 0);
  // Between the loops, where the outer one does not matter: 6 trips from 1, and 7 from 0.
  const std::string between =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\n$A:\nld.volatile.global.u32 %r2, [%d1];\nand.b32 %r3, %r2, 3;\n"
      "$L:\nmad.lo.s32 %r3, %r3, 3, 1;\nsetp.lt.u32 %p1, %r3, 1000;\n@%p1 bra $L;\n"
      "add.s32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 100;\n@%p1 bra $A;\nret;";
  CHECK(trips_of(between) == Strings{"$A: 100", "$L: 7"});
}

TEST_CASE("a high count is a bound where what it depends on is known") {
  // From the block's and the thread's number by 16,384 to 1,000,000,000.
  const std::string body =
      "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r1, %r2, 256, %r3;\n$L:\nadd.s32 %r1, %r1, 16384;\n"
      "setp.lt.s32 %p1, %r1, 1000000000;\n@%p1 bra $L;\nret;";
  CHECK(trips_of(body, with_grid(block_of(256), 64)) == Strings{"$L: 61036"});
  // A byte that makes an unsigned limit negative says nothing, one that makes a limit of 2^31 does.
  const auto byte_limit = [](const std::string& limit, const std::string& test) {
    return trips_of("ld.param.u64 %d1, [p];\nld.global.u8 %h1, [%d1];\ncvt.u32.u16 %r5, %h1;\n" + limit +
                    "mov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 4;\nsetp." + test + " %p1, %r1, %r5;\n@%p1 bra $L;\nret;");
  };
  CHECK(byte_limit("sub.s32 %r5, 100, %r5;\n", "lt.u32") ==
        Strings{"$L: ? its exit test depends on an element of the array of parameter 'p', loaded in line 14"});
  CHECK(byte_limit("sub.s32 %r5, 100, %r5;\n", "lt.s32") == Strings{"$L: 25"});
  CHECK(byte_limit("mul.lo.s32 %r5, %r5, 4000000;\n", "lt.u32") == Strings{"$L: 255000000"});
}

TEST_CASE("an exit that no counter decides does not make a high count a bound") {
  // while (i < n && p[i] == 'x') i++: that p ends it says nothing of how often.
  const std::string body =
      "ld.param.u64 %d1, [p];\nld.param.u64 %d2, [w];\nld.global.u32 %r5, [%d2];\nmov.u32 %r1, 0;\n"
      "setp.lt.s32 %p1, %r5, 1;\n@%p1 bra $end;\n$L:\nld.global.u8 %h1, [%d1];\nsetp.ne.s16 %p2, %h1, 120;\n"
      "@%p2 bra $end;\nadd.s64 %d1, %d1, 1;\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r5;\n@%p1 bra $L;\n"
      "$end:\nret;";
  CHECK(trips_of(body) ==
        Strings{"$L: ? its exit test depends on an element of the array of parameter 'p', loaded in line 20"});
}

TEST_CASE("a count from a start of which only the type is known is none") {
  const std::string earlier =
      "ld.param.u64 %d1, [p];\nld.param.u32 %r5, [n];\nmov.u32 %r1, 1;\n$A:\nadd.s32 %r1, %r1, 3;\n"
      "setp.ne.s32 %p1, %r1, %r5;\n@%p1 bra $A;\n";
  const auto until = [&](const std::string& step, const std::string& test) {
    return trips_of(earlier + "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra $end;\n$L:\n" + step + "\n" + test +
                    "\n@%p1 bra $L;\n$end:\nret;")
        .at(1);
  };
  CHECK(until("add.s32 %r1, %r1, -1;", "setp.ne.s32 %p1, %r1, 0;") == unknown_n);
  CHECK(until("add.s32 %r1, %r1, 4;", "setp.lt.s32 %p1, %r1, 100;") == unknown_n);
  // 32 bits are shifted out all the same.
  CHECK(until("shr.u32 %r1, %r1, 1;", "setp.ne.s32 %p1, %r1, 0;") == "$L: 32");
}

TEST_CASE("an exact count that wraps around its type is one of a loop that is not entered") {
  // for (j = 0; j < 3; ++j) for (i = 0; i != (j & -4); i += 4), if j > 3.
  CHECK(trips_of("mov.u32 %r1, 0;\n$A:\nsetp.lt.s32 %p2, %r1, 4;\n@%p2 bra $next;\nand.b32 %r3, %r1, -4;\n"
                 "mov.u32 %r2, 0;\n$B:\nadd.s32 %r2, %r2, 4;\nsetp.ne.s32 %p1, %r2, %r3;\n@%p1 bra $B;\n$next:\n"
                 "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 3;\n@%p1 bra $A;\nret;") == Strings{"$A: 3", "$B: 1"});
}

TEST_CASE("what is left of an unrolled loop is nothing where all its counts are multiples") {
  // for (k = 0; k < 8 && 8 t + k < 1000000; ++k) by fours: the rest is max(-8, 8 t - 1000000) & 3, of 128,000 threads.
  const auto loops = facts_of(
                         "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.s32 %r1, %r1, 128, %r2;\n"
                         "shl.b32 %r1, %r1, 3;\nsetp.ge.s32 %p1, %r1, 1000000;\n@%p1 bra $end;\n"
                         "sub.s32 %r3, %r1, 1000000;\nmax.u32 %r3, %r3, -8;\nneg.s32 %r3, %r3;\n"
                         "and.b32 %r4, %r3, 3;\nsetp.eq.s32 %p1, %r4, 0;\n@%p1 bra $end;\n"
                         "$R:\nadd.s32 %r4, %r4, -1;\nsetp.ne.s32 %p1, %r4, 0;\n@%p1 bra $R;\n$end:\nret;",
                         with_grid(block_of(128), 1000))
                         .loops;
  CHECK(loops.at(0).trip_count == 1);
  CHECK(loops.at(0).source == ir::TripCountSource::not_entered);
}

TEST_CASE("the rest of an unrolled loop that is not entered leaves its counter where it was") {
  // for (i = start; i < n; i += 32) unrolled by four: first the rest, (n - start + 31) / 32 mod 4 iterations, then
  // fours.
  const auto unrolled = [](const std::string& start) {
    return "ld.param.u32 %r5, [n];\nmov.u32 %r6, %tid.x;\n" + start +
           "not.b32 %r2, %r1;\nadd.s32 %r2, %r2, %r5;\nshr.u32 %r3, %r2, 5;\nadd.s32 %r3, %r3, 1;\n"
           "and.b32 %r3, %r3, 3;\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra $fours;\n"
           "$R:\nadd.s32 %r1, %r1, 32;\nadd.s32 %r3, %r3, -1;\nsetp.ne.s32 %p1, %r3, 0;\n@%p1 bra $R;\n"
           "$fours:\nsetp.lt.u32 %p1, %r2, 96;\n@%p1 bra $end;\n"
           "$L:\nadd.s32 %r1, %r1, 128;\nsetp.lt.s32 %p1, %r1, %r5;\n@%p1 bra $L;\n$end:\nret;";
  };
  const auto n = [](int value) { return with_argument(block_of(64), "n", std::to_string(value)); };
  const std::string by_lane = unrolled("and.b32 %r1, %r6, 31;\n");
  CHECK(trips_of(by_lane, n(1024)) == Strings{"$R: 1", "$L: 8"});
  const auto loops = facts_of(by_lane, n(1024)).loops;
  CHECK(loops[0].source == ir::TripCountSource::not_entered);
  // Nothing here is a constant, so that only the simulation finds that the rest is not entered.
  const std::string by_thread = unrolled(
      "mov.u32 %r1, %r6;\nshl.b32 %r2, %r6, 1;\nand.b32 %r2, %r2, 1;\n"
      "mad.lo.s32 %r1, %r2, %r6, %r1;\nand.b32 %r1, %r1, 31;\n");
  CHECK(trips_of(by_thread, n(1024)) == Strings{"$R: 1", "$L: 8"});
}

TEST_CASE("what holds before a loop and on its back edge holds in each iteration") {
  // for (off = 512 b; off < 1000000; off += 512 * 108) for (i = tid; i < 4 * min(512, 1000000 - off); i += 128), in 64
  // bits, where a negative number would be a very large one.
  const auto body = [](const std::string& guard, const std::string& back) {
    return "mov.u32 %r1, %ctaid.x;\nshl.b32 %r1, %r1, 9;\nmov.u32 %r2, %tid.x;\ncvt.u64.u32 %d1, %r2;\n" + guard +
           "$A:\nsub.s32 %r3, 1000000, %r1;\nmin.s32 %r3, %r3, 512;\nmul.wide.s32 %d2, %r3, 4;\n"
           "setp.le.u64 %p2, %d2, %d1;\n@%p2 bra $next;\nmov.u64 %d3, %d1;\n"
           "$B:\nadd.s64 %d3, %d3, 128;\nsetp.lt.u64 %p3, %d3, %d2;\n@%p3 bra $B;\n"
           "$next:\nadd.s32 %r1, %r1, 55296;\nsetp." +
           back + " %p4, %r1, 1000000;\n@%p4 bra $A;\n$end:\nret;";
  };
  const ir::Launch launch = with_grid(block_of(128), 108);
  const std::string guard = "setp.ge.s32 %p1, %r1, 1000000;\n@%p1 bra $end;\n";
  CHECK(trips_of(body(guard, "lt.s32"), launch) == Strings{"$A: 19", "$B: 16"});
  // The last iteration has 999,936 or more, up to 1,055,231.
  const auto beyond = facts_of(body(guard, "le.s32").replace(0, 0, ""), launch).loops.at(1).trip_count;
  CHECK((!beyond || *beyond >= 16));
}

TEST_CASE("a limit that branches before the loop keep from the end of its type") {
  // c: 0 or 40; l: 51 or what is loaded, if that is less; while ((c += step) < l).
  const auto body = [](int step, const std::string& choice) {
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r5, [%d1];\nld.global.u32 %r6, [%d1+4];\nsetp.lt.s32 %p1, %r5, "
           "51;\n" +
           choice + "setp.eq.u32 %p2, %r6, 3;\nselp.b32 %r1, 40, 0, %p2;\n$L:\nadd.s32 %r1, %r1, " +
           std::to_string(step) + ";\nsetp.lt.s32 %p3, %r1, %r7;\n@%p3 bra $L;\nret;";
  };
  const std::string least = "selp.b32 %r7, %r5, 51, %p1;\n";
  for (int step = 1; step < 70; ++step) {
    INFO(step);
    int64_t most = 1;
    for (int c = step; c < 51; c += step) ++most;
    const auto found = facts_of(body(step, least)).loops.at(0).trip_count;
    REQUIRE(found);
    CHECK(*found >= most);
    CHECK(*found <= most + 1);
  }
  // Of what is loaded nothing is known.
  CHECK_FALSE(facts_of(body(4, "selp.b32 %r7, 51, %r5, %p1;\n")).loops.at(0).trip_count);
}

TEST_CASE("a pointer that goes towards another one into the same array") {
  // p + 4 tid towards p + 4 tid + `bytes`.
  const auto body = [](const std::string& bytes, const std::string& step, const std::string& test) {
    return "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nadd.s64 "
           "%d4, %d3, " +
           bytes + ";\n$L: ld.global.u32 %r2, [%d3];\nadd.s64 %d3, %d3, " + step + ";\nsetp." + test +
           " %p1, %d3, %d4;\n@%p1 bra $L;\nret;";
  };
  CHECK(trips_of(body("4000", "4", "lt.u64")) == std::vector<std::string>{"$L: 1000"});
  CHECK(trips_of(body("4000", "4", "lt.s64")) == std::vector<std::string>{"$L: 1000"});
  CHECK(trips_of(body("4000", "4", "ne.s64")) == std::vector<std::string>{"$L: 1000"});
  CHECK(trips_of(body("-4000", "-4", "gt.u64")) == std::vector<std::string>{"$L: 1000"});
  // It is never equal to the limit, and may wrap just before it passes.
  CHECK_FALSE(facts_of(body("4002", "4", "lt.u64")).loops.at(0).trip_count);
  // It goes on where both are equal.
  CHECK_FALSE(facts_of(body("4000", "4", "le.u64")).loops.at(0).trip_count);
}

TEST_CASE("a number that grows by a factor of a power of two is known as one that is shifted") {
  const auto trips = [](const std::string& grows) {
    return test::trips_of(
        "mov.u32 %r1, 1;\nmov.u32 %r2, 0;\n$L:\nmov.u32 %r3, %r1;\n$M:\nadd.s32 %r3, %r3, -1;\n"
        "setp.gt.s32 %p1, %r3, 0;\n@%p1 bra $M;\n" +
        grows + "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p2, %r2, 8;\n@%p2 bra $L;\nret;");
  };
  CHECK(trips("mul.lo.s32 %r1, %r1, 2;\n") == std::vector<std::string>{"$L: 8", "$M: 128"});
  CHECK(trips("mul.lo.s32 %r1, %r1, 8;\n") == std::vector<std::string>{"$L: 8", "$M: 2097152"});
}
