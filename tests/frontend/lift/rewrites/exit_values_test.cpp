// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that begin with what earlier ones left behind.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::facts_of;
using test::trips_of;
using test::with_argument;

namespace {

using Strings = std::vector<std::string>;

std::string loop(const std::string& label, int64_t trips) {
  return label + ": " + std::to_string(std::max<int64_t>(trips, 1));
}

ir::Launch n_is(int64_t n) { return with_argument(block_of(32), "n", std::to_string(n)); }

// Four iterations at once while more than three are left, two if more than one is, and one by one: %r1 counts down.
const std::string fours_twos_ones =
    "ld.param.u32 %r1, [n];\nsetp.lt.s32 %p1, %r1, 1;\n@%p1 bra $end;\nsetp.le.s32 %p1, %r1, 3;\n@%p1 bra $rest;\n"
    "$F:\nadd.s32 %r1, %r1, -4;\nsetp.gt.s32 %p1, %r1, 3;\n@%p1 bra $F;\n"
    "$rest:\nsetp.le.s32 %p1, %r1, 1;\n@%p1 bra $one;\nadd.s32 %r1, %r1, -2;\n$one:\n"
    "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra $end;\n"
    "$O:\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $O;\n$end:\nret;";

// for (; i + 3 < n; i += 4); for (; i < n; ++i), the second one by its distance to n, in integers of w bits in
// registers r.
std::string upwards(const std::string& w, const std::string& r) {
  const std::string i = r + "1";
  const std::string n = r + "5";
  return "ld.param.u" + w + " " + n + (w == "32" ? ", [n];\n" : ", [w];\n") + "mov.u" + w + " " + i +
         ", 0;\nsetp.lt.s" + w + " %p1, " + n + ", 4;\n@%p1 bra $rest;\n$F:\nadd.s" + w + " " + i + ", " + i +
         ", 4;\nadd.s" + w + " " + r + "6, " + i + ", 3;\nsetp.lt.s" + w + " %p1, " + r + "6, " + n +
         ";\n@%p1 bra $F;\n$rest:\nsetp.ge.s" + w + " %p1, " + i + ", " + n + ";\n@%p1 bra $end;\nsub.s" + w + " " + r +
         "7, " + n + ", " + i + ";\n$O:\nadd.s" + w + " " + r + "7, " + r + "7, -1;\nsetp.ne.s" + w + " %p1, " + r +
         "7, 0;\n@%p1 bra $O;\n$end:\nret;";
}

}  // namespace

TEST_CASE("what an unrolled loop leaves is known for every remainder") {
  for (int64_t n = 0; n < 21; ++n) {
    INFO(n);
    CHECK(trips_of(fours_twos_ones, n_is(n)) == Strings{loop("$F", n / 4), loop("$O", n % 4 % 2)});
    CHECK(trips_of(upwards("32", "%r"), n_is(n)) == Strings{loop("$F", n / 4), loop("$O", n % 4)});
    CHECK(trips_of(upwards("64", "%d"), with_argument(block_of(32), "w", std::to_string(n))) ==
          Strings{loop("$F", n / 4), loop("$O", n % 4)});
  }
  const auto huge = with_argument(block_of(32), "w", "5000000003");
  CHECK(trips_of(upwards("64", "%d"), huge) == Strings{"$F: 1250000000", "$O: 3"});
  const auto loops = facts_of(fours_twos_ones, n_is(10)).loops;
  CHECK(loops.at(1).source == ir::TripCountSource::not_entered);
}

TEST_CASE("what a loop leaves is not known without what it runs to") {
  const std::string why = "? its exit test depends on parameter 'n', whose value is not known";
  // But that it leaves less than four, and then less than two, whatever it runs to.
  CHECK(trips_of(fours_twos_ones) == Strings{"$F: " + why, "$O: 1"});
  CHECK(trips_of(upwards("32", "%r")) == Strings{"$F: " + why, "$O: " + why});
}

TEST_CASE("a counter that wraps leaves what it wrapped to") {
  // -16, -10, -4, 2: the third step ends it.
  CHECK(trips_of("mov.u32 %r1, -16;\n$L:\nadd.s32 %r1, %r1, 6;\nsetp.gt.u32 %p1, %r1, 100;\n@%p1 bra $L;\n"
                 "$M:\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $M;\nret;") ==
        Strings{"$L: 3", "$M: 2"});
  // 5 + 9 * 14563 = 2 * 2^16.
  CHECK(trips_of("mov.u16 %h1, 5;\nmov.u16 %h2, 0;\n$L:\nadd.s16 %h1, %h1, 9;\nadd.s16 %h2, %h2, 1;\n"
                 "setp.ne.u16 %p1, %h1, 0;\n@%p1 bra $L;\n$M:\nadd.s16 %h2, %h2, -1;\nsetp.ne.u16 %p1, %h2, 0;\n"
                 "@%p1 bra $M;\nret;") == Strings{"$L: 14563", "$M: 14563"});
}

TEST_CASE("loops that leave what an outer one goes on with") {
  // The inner loop leaves 3 each time; the outer one goes by it to 30.
  CHECK(trips_of("mov.u32 %r1, 0;\n$A:\nmov.u32 %r2, 15;\n$B:\nadd.s32 %r2, %r2, -4;\nsetp.gt.s32 %p1, %r2, 3;\n"
                 "@%p1 bra $B;\nadd.s32 %r1, %r1, %r2;\nsetp.lt.s32 %p1, %r1, 30;\n@%p1 bra $A;\n"
                 "$C:\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $C;\nret;") ==
        Strings{"$A: 10", "$B: 3", "$C: 30"});
}

TEST_CASE("a loop with an exit that is not known may leave anything it had") {
  const std::string down =
      "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra $end;\n$M:\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $M;\n"
      "$end:\nret;";
  const std::string unknown = "ld.volatile.global.u32 %r2, [%d1];\nsetp.eq.s32 %p2, %r2, 0;\n@%p2 bra $out;\n";
  CHECK(trips_of("ld.param.u64 %d1, [p];\nmov.u32 %r1, 50;\n$L:\n" + unknown +
                 "add.s32 %r1, %r1, -4;\nsetp.gt.s32 %p1, %r1, 3;\n@%p1 bra $L;\n$out:\n" + down) ==
        Strings{"$L: 12", "$M: 50"});
  // No other exit: what is left is not known, and that is no bound, although all that is added up is.
  CHECK(trips_of("ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\n$L:\n" + unknown + "add.s32 %r1, %r1, 1;\nbra $L;\n$out:\n" +
                 down) ==
        Strings{"$L: ? its exit test depends on an element of the array of parameter 'p', loaded in line 16",
                "$M: ? its exit test depends on an element of the array of parameter 'p', loaded in line 16"});
  // Of two exits that are counted the first one to come ends the loop: 2, 7, 12.
  CHECK(trips_of("mov.u32 %r1, 2;\nmov.u32 %r2, 9;\n$L:\nadd.s32 %r1, %r1, 5;\nsetp.gt.s32 %p2, %r1, 11;\n"
                 "@%p2 bra $out;\nadd.s32 %r2, %r2, -1;\nsetp.gt.s32 %p1, %r2, 3;\n@%p1 bra $L;\n$out:\n" +
                 down) == Strings{"$L: 2", "$M: 12"});
}

TEST_CASE("what only some iterations compute is not what the last one leaves") {
  const std::string body =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r3, 1;\n$L:\nld.volatile.global.u32 %r2, [%d1];\n"
      "setp.eq.s32 %p2, %r2, 0;\n@%p2 bra $next;\nadd.s32 %r3, %r1, 2;\n$next:\nadd.s32 %r1, %r1, 1;\n"
      "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra $L;\n$M:\nadd.s32 %r3, %r3, -1;\nsetp.ne.s32 %p1, %r3, 0;\n@%p1 bra $M;\n"
      "ret;";
  const auto loops = facts_of(body).loops;
  CHECK(loops.at(0).trip_count == 10);
  CHECK(loops.at(1).trip_count.value_or(11) >= 11);
}

TEST_CASE("a loop that never ends leaves nothing") {
  const auto loops = facts_of(
                         "mov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 2;\nsetp.ne.s32 %p1, %r1, 7;\n@%p1 bra $L;\n"
                         "$M:\nadd.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $M;\nret;")
                         .loops;
  CHECK_FALSE(loops.at(0).trip_count);
}

namespace {

// From what stands in memory, %r1, in so many steps of 4; then by what a sum is away from where that ended.
std::string from_memory(const std::string& exit, const std::string& sum = "add.s32 %r4, %r1, 40;\n") {
  return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nmov.u32 %r2, %r1;\nmov.u32 %r3, 0;\n$L:\n" + exit +
         "add.s32 %r2, %r2, 4;\nadd.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, 8;\n@%p1 bra $L;\n$out:\n" + sum +
         "sub.s32 %r5, %r4, %r2;\n$M:\nadd.s32 %r5, %r5, -1;\nsetp.ne.s32 %p1, %r5, 0;\n@%p1 bra $M;\nret;";
}

}  // namespace

TEST_CASE("a loop leaves what it began with and a constant more, whatever that is") {
  CHECK(trips_of(from_memory("")) == Strings{"$L: 8", "$M: 8"});
  CHECK(trips_of(from_memory("", "add.s32 %r4, %r1, 33;\n")) == Strings{"$L: 8", "$M: 1"});
  // Another number; a loop that may be left in its first iteration.
  CHECK_FALSE(facts_of(from_memory("", "ld.global.u32 %r4, [%d1 + 4];\n")).loops.at(1).trip_count.has_value());
  const auto sooner = from_memory("ld.volatile.global.u32 %r6, [%d1 + 8];\nsetp.eq.s32 %p2, %r6, 0;\n@%p2 bra $out;\n");
  CHECK(facts_of(sooner).loops.at(1).trip_count.value_or(40) >= 40);
}

TEST_CASE("what a loop began with is that of the last time") {
  // %r1 changes in each iteration of the outer loop, before the inner one begins there: 2 steps of 4 from there.
  const auto around = [](const std::string& change_before, const std::string& change_behind) {
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nmov.u32 %r6, 0;\n$A:\n" + change_before +
           "mov.u32 %r2, %r1;\nmov.u32 %r3, 0;\n$B:\nadd.s32 %r2, %r2, 4;\nadd.s32 %r3, %r3, 1;\n"
           "setp.lt.s32 %p1, %r3, 2;\n@%p1 bra $B;\n" +
           change_behind +
           "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p1, %r6, 5;\n@%p1 bra $A;\nadd.s32 %r4, %r1, 10;\n"
           "sub.s32 %r5, %r4, %r2;\n$M:\nadd.s32 %r5, %r5, -1;\nsetp.ne.s32 %p1, %r5, 0;\n@%p1 bra $M;\nret;";
  };
  const std::string load = "ld.volatile.global.u32 %r1, [%d1 + 4];\n";
  CHECK(trips_of(around("", "")) == Strings{"$A: 5", "$B: 2", "$M: 2"});
  CHECK(trips_of(around(load, "")) == Strings{"$A: 5", "$B: 2", "$M: 2"});
  CHECK_FALSE(facts_of(around("", load)).loops.at(2).trip_count.has_value());
}
