// SPDX-License-Identifier: GPL-3.0-or-later
// What conditions say that came through phis of predicates.
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <tuple>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::trips_of;
using Trips = std::vector<std::string>;

namespace {

// i counts while i < 100 and the word is not 0, as compilers write it for debuggers: the first comparison decides
// whether the second one is made, and what comes of both is a predicate. `skipped` is what it is if not; the loop goes
// on while it is `goes_on`. `between` stands before the second one.
std::string short_circuit(const std::string& skipped, const std::string& goes_on, const std::string& second = "ne",
                          const std::string& between = "") {
  return "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\n$L:\nsetp.lt.s32 %p4, %r1, 100;\nmov.pred %p7, " + skipped +
         ";\n@!%p4 bra $join;\n" + between + "ld.u32 %r8, [%d1];\nsetp." + second + ".s32 %p7, %r8, 0;\n$join:\n@" +
         goes_on + "%p7 bra $body;\nret;\n$body:\nadd.s32 %r1, %r1, 1;\nbra.uni $L;";
}

bool is_bounded(const std::string& body) { return test::facts_of(body).loops.at(0).trip_count.has_value(); }

}  // namespace

TEST_CASE("a predicate that came by one path only implies what the branches of that path imply") {
  CHECK(trips_of(short_circuit("0", "")) == Trips{"$L: 101"});
  CHECK(trips_of(short_circuit("-1", "!")) == Trips{"$L: 101"});
  // A third condition between them.
  const std::string third = "ld.u32 %r9, [%d1+4];\nsetp.gt.s32 %p5, %r9, 3;\n@!%p5 bra $join;\n";
  CHECK(trips_of(short_circuit("0", "", "ne", third)) == Trips{"$L: 101"});
}

TEST_CASE("a predicate that may have come by a path that was skipped implies nothing") {
  CHECK_FALSE(is_bounded(short_circuit("-1", "")));
  CHECK_FALSE(is_bounded(short_circuit("0", "!")));
  // Two paths to the same value: i < 100 or the word before it.
  const std::string either =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\n$L:\nld.u32 %r9, [%d1+4];\nsetp.gt.s32 %p5, %r9, 3;\n"
      "@%p5 bra $second;\nsetp.lt.s32 %p4, %r1, 100;\nmov.pred %p7, 0;\n@!%p4 bra $join;\n$second:\n"
      "ld.u32 %r8, [%d1];\nsetp.ne.s32 %p7, %r8, 0;\n$join:\n@%p7 bra $body;\nret;\n$body:\nadd.s32 %r1, %r1, 1;\n"
      "bra.uni $L;";
  CHECK_FALSE(is_bounded(either));
}

// i moves by a predicate that the iteration before has set, j otherwise: i may move once more than it is below its
// limit.
TEST_CASE("a predicate of the iteration before implies nothing of this iteration") {
  const std::string body =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\nmov.u32 %r9, 1;\nsetp.eq.u32 %p1, %r9, 0;\n$L:\n"
      "add.s32 %r3, %r1, 1;\nadd.s32 %r4, %r2, 1;\nsetp.lt.s32 %p4, %r1, 5;\nld.global.u32 %r8, [%d1];\n"
      "setp.lt.s32 %p5, %r8, 5;\nand.pred %p6, %p4, %p5;\nselp.b32 %r1, %r3, %r1, %p1;\n"
      "selp.b32 %r2, %r2, %r4, %p1;\nmov.pred %p1, %p6;\nsetp.lt.s32 %p2, %r2, 7;\n@%p2 bra $L;\nret;";
  std::map<std::tuple<int, int, bool>, int> known;
  const std::function<int(int, int, bool)> most = [&](int i, int j, bool moves_i) {
    if (const auto found = known.find({i, j, moves_i}); found != known.end()) return found->second;
    int longest = 0;
    for (const bool answer : {false, true}) {
      const int new_i = i + (moves_i ? 1 : 0), new_j = j + (moves_i ? 0 : 1);
      longest = std::max(longest, 1 + (new_j < 7 ? most(new_i, new_j, i < 5 && answer) : 0));
    }
    return known[{i, j, moves_i}] = longest;
  };
  CHECK(most(0, 0, false) == 13);
  const auto reported = test::facts_of(body).loops.at(0).trip_count;
  if (reported) CHECK(*reported >= 13);
}

namespace {

// i and j go up by one each by a comparison of two words, until one of them is 1000.
std::string merge(const std::string& moves_i, const std::string& moves_j, const std::string& leaves = "") {
  return "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\n$L:\nld.global.u32 %r8, [%d1];\n"
         "ld.global.u32 %r9, [%d1+4];\n" +
         leaves + "setp." + moves_i +
         " %p1, %r8, %r9;\nselp.u32 %r5, 1, 0, %p1;\n"
         "add.u32 %r1, %r1, %r5;\nsetp." +
         moves_j +
         " %p2, %r8, %r9;\nselp.u32 %r6, 1, 0, %p2;\n"
         "add.u32 %r2, %r2, %r6;\nsetp.lt.s32 %p3, %r1, 1000;\nsetp.lt.s32 %p4, %r2, 1000;\n"
         "and.pred %p5, %p3, %p4;\n@%p5 bra $L;\n$end: ret;";
}

}  // namespace

TEST_CASE("comparisons of the same numbers cannot all be false") {
  CHECK(trips_of(merge("le.s32", "gt.s32")) == Trips{"$L: 1999"});
  CHECK(trips_of(merge("le.s32", "ge.s32")) == Trips{"$L: 1999"});
  CHECK(trips_of(merge("lt.u32", "ge.u32")) == Trips{"$L: 1999"});
  const std::string equal = "setp.eq.s32 %p6, %r8, %r9;\n@%p6 bra $end;\n";
  CHECK(trips_of(merge("lt.s32", "gt.s32", equal)) == Trips{"$L: 1999"});
}

TEST_CASE("comparisons that may all be false leave an iteration that moves nothing") {
  CHECK_FALSE(is_bounded(merge("lt.s32", "gt.s32")));
  CHECK_FALSE(is_bounded(merge("le.s32", "gt.u32")));
  // They are of numbers that are loaded anew.
  CHECK_FALSE(
      is_bounded(merge("lt.s32", "gt.s32", "setp.eq.s32 %p6, %r8, %r9;\n@%p6 bra $end;\nld.global.u32 %r8, [%d1];\n")));
  CHECK_FALSE(is_bounded(merge("lt.s32", "gt.s32", "setp.ne.s32 %p6, %r8, %r9;\n@%p6 bra $end;\n")));
}
