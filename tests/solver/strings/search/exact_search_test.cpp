// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/search/exact_search.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "tests/solver/strings/brute_force.hpp"
#include "tests/solver/strings/problems.hpp"
#include "tests/solver/strings/vectors.hpp"

using namespace warpspan::solver;

namespace {

int64_t exact(const StringProblem& problem) {
  const Bound bound = exact_search(problem).bound;
  REQUIRE(bound.status == Status::optimal);
  REQUIRE(bound.makespan.has_value());
  return *bound.makespan;
}

}  // namespace

TEST_CASE("all vectors of exact makespans") {
  for (const Vector& vector : exact_makespans()) {
    INFO(vector.row);
    REQUIRE(exact(vector.problem) == vector.makespan);
  }
}

TEST_CASE("the exact bound's standing and statistics") {
  const SearchResult result = exact_search(problem("LLCLL", 48, {1, 1}));
  CHECK(result.bound.makespan == 193);
  CHECK(result.bound.method == "exact");
  CHECK(result.bound.kind == Kind::exact);
  CHECK(result.bound.safe);
  CHECK(result.bound.remark.empty());
  CHECK(result.bound.assumptions.size() == 3);
  CHECK(result.statistics.states == 520575);
  CHECK(result.statistics.steps > result.statistics.states);
  CHECK(result.statistics.resident_states < 20000);
  CHECK(result.statistics.memory < 100 * result.statistics.resident_states);
}

TEST_CASE("one worker, or a server for every worker, takes the length of the string") {
  CHECK(exact(problem("LLCLL", 1, {1, 1})) == 5);
  CHECK(exact(problem("LLCLL", 7, {7, 9})) == 5);
  CHECK(exact({{group({symbol('L', 3), symbol('C')}, 1'000'000'000'000)}, 1, {1, 1}}) == 4'000'000'000'000);
}

TEST_CASE("servers beyond the number of workers change nothing") {
  for (const char* text : {"LLC", "LCL", "CLLCL"}) {
    for (int64_t workers = 2; workers <= 5; ++workers) {
      const int64_t expected = exact(problem(text, workers, {1, workers}));
      CHECK(exact(problem(text, workers, {1, workers + 1})) == expected);
      CHECK(exact(problem(text, workers, {1, INT64_MAX})) == expected);
    }
  }
}

TEST_CASE("the classes' numbers do not matter") {
  for (const char* text : {"LLCSC", "SCLLC", "LSLCC"}) {
    std::string renamed = text;
    for (char& letter : renamed) letter = letter == 'L' ? 'S' : letter == 'S' ? 'C' : 'L';
    CHECK(exact(problem(text, 5, {1, 2, 1})) == exact(problem(renamed, 5, {2, 1, 1})));
  }
}

TEST_CASE("loops give the value of the string written out") {
  const StringProblem looped{{symbol('C'), group({symbol('L', 2), symbol('C')}, 3), symbol('L')}, 6, {1, 2}};
  CHECK(exact(looped) == exact(problem("CLLCLLCLLCL", 6, {1, 2})));
}

TEST_CASE("large states and many servers") {
  // Where a single class with one server is contended, the value is W * I.
  CHECK(exact({{symbol('L', 40)}, 3, {1}}) == 120);    // two words a state
  CHECK(exact({{symbol('L', 500)}, 2, {1}}) == 1000);  // sixteen
  CHECK(exact({{symbol('L')}, 1'000'000, {1}}) == 1'000'000);
  CHECK(exact({{symbol('L')}, 1'000'000, {999'999}}) == 2);
  CHECK(exact(problem("LL", 60, {1, 1})) == 120);
}

TEST_CASE("a search that needs more memory than allowed says so") {
  SearchLimits limits;
  limits.memory = 100'000;
  const SearchResult result = exact_search(problem("LLCLL", 48, {1, 1}), limits);
  CHECK(result.bound.status == Status::too_large);
  CHECK(result.bound.remark == "the states need more than 100000 bytes of memory");
  CHECK_FALSE(result.bound.makespan.has_value());
  CHECK_FALSE(result.bound.safe);
  CHECK(result.statistics.memory <= 100'000);
  CHECK(result.statistics.states > 0);
  // A step that alone has more choices than fit.
  limits.memory = 1 << 20;
  CHECK(exact_search({letters(std::string(30, 'L')), 90, {30}}, limits).bound.status == Status::too_large);
  // Not even the layers that one step may reach fit.
  CHECK(exact_search({letters("L"), 1'000'000, {999'999}}, limits).bound.status == Status::too_large);
  for (limits.memory = 0; limits.memory < 4096; limits.memory += 64) {
    const SearchResult small = exact_search(problem("LLC", 3, {1, 1}), limits);
    REQUIRE((small.bound.makespan == 7 || small.bound.status == Status::too_large));
    REQUIRE(small.statistics.memory <= limits.memory);
  }
}

TEST_CASE("problems that no search could hold are refused at once") {
  const Bound longer = exact_search({{symbol('L', 513)}, 2, {1}}).bound;
  CHECK(longer.status == Status::too_large);
  CHECK(longer.remark == "with 2 workers the string may have 512 symbols");
  const Bound endless = exact_search({{symbol('L', INT64_MAX)}, 2, {1}}).bound;
  CHECK(endless.status == Status::too_large);
  CHECK(endless.remark == "the workers execute more than 4294967294 symbols");
  const Bound crowded = exact_search({{symbol('L')}, int64_t{1} << 40, {1}}).bound;
  CHECK(crowded.status == Status::too_large);
  CHECK(crowded.remark == "the workers execute more than 4294967294 symbols");
}

TEST_CASE("a length that overflows gives no value") {
  const Term inner = group({symbol('L')}, int64_t{1} << 40);
  const Bound bound = exact_search({{group({inner}, int64_t{1} << 40)}, 1, {1}}).bound;
  CHECK(bound.status == Status::overflow);
  CHECK_FALSE(bound.makespan.has_value());
}

TEST_CASE("a search without time ends with the time limit") {
  SearchLimits limits;
  limits.seconds = 0;
  const Bound bound = exact_search(problem("LLC", 3, {1, 1}), limits).bound;
  CHECK(bound.status == Status::time_limit);
  CHECK(bound.remark == "out of time");
  CHECK_FALSE(bound.makespan.has_value());
  CHECK_FALSE(bound.safe);
}

TEST_CASE("a long search ends when its time is up") {
  SearchLimits limits;
  limits.seconds = 0.02;
  const SearchResult result = exact_search(problem("LLCCLLCC", 60, {1, 1}), limits);
  CHECK(result.bound.status == Status::time_limit);
  CHECK(result.bound.remark == "out of time");
  CHECK(result.statistics.states > 0);
}

TEST_CASE("a long search ends when it is cancelled") {
  std::atomic<bool> cancel = false;
  SearchLimits limits;
  limits.cancel = &cancel;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancel = true;
  });
  const Bound many_states = exact_search(problem("LLCCLLCC", 60, {1, 1}), limits).bound;
  canceller.join();
  CHECK(many_states.status == Status::time_limit);
  CHECK(many_states.remark == "cancelled");
  CHECK(exact_search(problem("LLC", 3, {1, 1}), limits).bound.status == Status::time_limit);
}

TEST_CASE("the exact search refuses a problem that is none") {
  const Bound bound = exact_search(problem("LLC", 3, {1, 0})).bound;
  CHECK(bound.status == Status::not_applicable);
  CHECK(bound.remark == "class 1 has 0 servers");
  CHECK_FALSE(bound.safe);
}
