// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/witness/witness.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>

#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/schedules/string.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/brute_force.hpp"
#include "tests/solver/strings/problems.hpp"
#include "tests/solver/strings/vectors.hpp"

using namespace warpspan::solver;

namespace {

// A valid witness; the schedule and every policy are what they are said to be.
int64_t witness(const StringProblem& problem, const Certificate* guide = nullptr, const WitnessLimits& limits = {}) {
  const WitnessResult result = find_witness(problem, guide, limits);
  REQUIRE(result.bound.status == Status::optimal);
  REQUIRE(result.bound.makespan.has_value());
  REQUIRE(result.schedule.has_value());
  const auto symbols = expand(problem.string, 1'000'000);
  REQUIRE(makespan_of(*result.schedule, *symbols, problem.servers) == result.bound.makespan);
  REQUIRE(static_cast<int64_t>(result.schedule->cycles.size()) == problem.workers);
  REQUIRE(result.runs.size() >= 6);
  int64_t longest = 0;
  for (const PolicyRun& run : result.runs) longest = std::max(longest, run.makespan);
  REQUIRE(longest == result.bound.makespan);
  return *result.bound.makespan;
}

int64_t exact(const StringProblem& problem) { return exact_search(problem).bound.makespan.value(); }

struct Bracket {
  int64_t witness;
  int64_t bound;
};
Bracket bracket(const StringProblem& problem) {
  const CertificateResult certificate = certificate_bound(problem);
  WitnessLimits limits;
  limits.enough = certificate.bound.makespan;
  limits.effort = 50'000'000;
  return {witness(problem, certificate.certificate ? &*certificate.certificate : nullptr, limits),
          certificate.bound.makespan.value()};
}

int64_t one_to(std::mt19937& random, uint32_t most) { return 1 + static_cast<int64_t>(random() % most); }

}  // namespace

TEST_CASE("on all short strings over two classes the witness is the worst case") {
  for (const std::string& text : two_class_strings(4)) {
    for (int64_t workers = 1; workers <= 4; ++workers) {
      for (const std::vector<int64_t>& servers : {std::vector<int64_t>{1, 1}, {2, 1}, {1, 2}, {2, 2}}) {
        INFO(text << ", " << workers << " workers, servers " << servers[0] << " and " << servers[1]);
        const StringProblem small = problem(text, workers, servers);
        REQUIRE(witness(small) == exact(small));
      }
    }
  }
}

TEST_CASE("on random strings over three classes the witness is the worst case") {
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    std::string text;
    for (size_t i = 0, length = 3 + random() % 5; i < length; ++i) text += "LCS"[random() % 3];
    const std::vector<int64_t> servers = {one_to(random, 2), one_to(random, 2), 1};
    const StringProblem small = problem(text, 1 + one_to(random, 4), servers);
    INFO(text << ", " << small.workers << " workers");
    REQUIRE(witness(small) == exact(small));
  }
}

TEST_CASE("on all vectors of exact makespans the witness is the worst case") {
  WitnessLimits limits;
  limits.effort = 5'000'000;
  for (const Vector& vector : exact_makespans()) {
    INFO(vector.row);
    REQUIRE(witness(vector.problem, nullptr, limits) == vector.makespan);
  }
}

TEST_CASE("witness and certificate meet where no exact search can follow") {
  const auto meet = [](const StringProblem& large, int64_t makespan) {
    const Bracket found = bracket(large);
    CHECK(found.witness == makespan);
    CHECK(found.bound == makespan);
  };
  meet(problem("LLCLL", 600, {1, 1}), 2401);
  meet(problem("LLCLLCLL", 420, {1, 1}), 2522);
  meet({{symbol('C'), group(letters("LLC"), 20), symbol('L')}, 48, {1, 2}}, 1989);
  meet({{symbol('C'), group(letters("LLC"), 200), symbol('L')}, 48, {1, 2}}, 19449);
  meet(problem("LCCL", 50, {1, 1}), 102);
  meet(problem("LLCCLLCC", 50, {1, 1}), 253);
  meet(problem("LCCLLC", 50, {1, 1}), 153);
}

TEST_CASE("a certificate guides the search to the bound of a long string") {
  std::mt19937 random(2012);
  for (const int64_t workers : {8, 16}) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += random() % 2 == 0 ? "LL" : "C";
    const StringProblem large = problem(text, workers, {1, 1});
    const Bracket found = bracket(large);
    INFO(text << ", " << workers << " workers");
    CHECK(found.witness == found.bound);
    WitnessLimits limits;
    limits.effort = 0;
    CHECK(witness(large, nullptr, limits) < found.witness);
  }
}

TEST_CASE("the standing of a witness") {
  const WitnessResult result = find_witness(problem("LLCSLCCSL", 8, {1, 1, 1}), nullptr);
  CHECK(result.bound.method == "witness");
  CHECK(result.bound.kind == Kind::lower);
  CHECK_FALSE(result.bound.safe);
  CHECK(result.bound.makespan == 37);
  CHECK(result.bound.remark == "a schedule of policy guided");
  CHECK(result.bound.assumptions.size() == 3);
  REQUIRE(result.runs.size() == 7);
  CHECK(result.runs[0].policy == Policy::convoy);
  CHECK(result.runs[1].policy == Policy::starve_one);
  CHECK(result.runs[2].policy == Policy::loose_round_robin);
  CHECK(result.runs[3].policy == Policy::greedy_then_oldest);
  CHECK(result.runs[4].policy == Policy::two_level);
  CHECK(result.runs[5].policy == Policy::variable_rate);
  CHECK(result.runs[6].policy == Policy::guided);
  CHECK(find_witness(problem("LLCCLLCC", 5, {1, 1}), nullptr).bound.remark == "a schedule of policy convoy");
}

TEST_CASE("a witness that is enough needs no guided search") {
  const StringProblem large = problem("LLCSLCCSL", 8, {1, 1, 1});
  WitnessLimits limits;
  limits.enough = 36;
  CHECK(witness(large, nullptr, limits) == 36);  // starve-one's
  limits.enough = 37;
  CHECK(witness(large, nullptr, limits) == 37);
}

TEST_CASE("the same witness again") {
  const StringProblem large = problem("LLCSLCCSLLCCCSLSSCL", 9, {1, 2, 1});
  WitnessLimits limits;
  limits.effort = 5'000'000;
  const WitnessResult once = find_witness(large, nullptr, limits);
  const WitnessResult again = find_witness(large, nullptr, limits);
  CHECK(once.schedule->cycles == again.schedule->cycles);
  CHECK(once.bound.remark == again.bound.remark);
}

TEST_CASE("witnesses without contention") {
  CHECK(witness(problem("LLCLL", 1, {1, 1})) == 5);
  CHECK(witness(problem("LLCLL", 7, {7, 9})) == 5);
  CHECK(witness(problem("LLCLL", 7, {INT64_MAX, INT64_MAX})) == 5);
  CHECK(witness(problem("L", 1, {1})) == 1);
  CHECK(witness(problem("L", 1000, {1})) == 1000);
  CHECK(witness(problem("L", 1000, {999})) == 2);
  CHECK(witness(problem("CC", 4, {1, 2})) == 5);
}

TEST_CASE("a certificate of another problem does no harm") {
  const auto other = certificate_bound(problem("LLC", 4, {1, 1})).certificate;
  REQUIRE(other.has_value());
  CHECK(witness(problem("LLCLL", 8, {1, 1}), &*other) == 33);
}

TEST_CASE("witnesses of problems that are too large are refused at once") {
  const auto begin = std::chrono::steady_clock::now();
  const auto refused = [](const StringProblem& large) {
    const WitnessResult result = find_witness(large, nullptr);
    CHECK(result.bound.status == Status::too_large);
    CHECK_FALSE(result.bound.makespan.has_value());
    CHECK_FALSE(result.schedule.has_value());
    CHECK(result.runs.empty());
    return result.bound.remark;
  };
  CHECK(refused(problem("LLC", 1'000'000'000, {1, 1})) == "there are more than 1000000 workers: 1000000000");
  CHECK(refused({{symbol('L', 21)}, 1'000'000, {1}}) == "the workers execute more than 20000000 symbols: 21000000");
  CHECK(refused({{symbol('L', 10'000'001)}, 2, {1}}) == "the workers execute more than 20000000 symbols: 20000002");
  CHECK(refused({{group({group({symbol('L')}, 1'000'000)}, 1'000'000)}, 1, {1}}) ==
        "the workers execute more than 20000000 symbols: 1000000000000");
  CHECK(refused({{symbol('L', INT64_MAX)}, 2, {1}}) == "the workers execute more than 20000000 symbols");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(1));
}

TEST_CASE("a witness of a problem that is none is refused") {
  const WitnessResult result = find_witness(problem("LLC", 3, {1, 0}), nullptr);
  CHECK(result.bound.status == Status::not_applicable);
  CHECK(result.bound.remark == "class 1 has 0 servers");
  CHECK_FALSE(result.bound.makespan.has_value());
}

TEST_CASE("without time there is no witness") {
  WitnessLimits limits;
  limits.seconds = 0;
  const WitnessResult result = find_witness(problem("LLC", 3, {1, 1}), nullptr, limits);
  CHECK(result.bound.status == Status::time_limit);
  CHECK(result.bound.remark == "out of time");
  CHECK_FALSE(result.bound.makespan.has_value());
  CHECK_FALSE(result.schedule.has_value());
  std::atomic<bool> cancel = true;
  limits = {};
  limits.cancel = &cancel;
  CHECK(find_witness(problem("LLC", 3, {1, 1}), nullptr, limits).bound.remark == "cancelled");
}

TEST_CASE("when the time is up the witness is what was found so far") {
  WitnessLimits limits;
  limits.seconds = 0.3;
  limits.effort = INT64_MAX;
  const WitnessResult result = find_witness(problem("LLCSLCCSLLCCCSLSSCL", 24, {1, 1, 1}), nullptr, limits);
  CHECK(result.bound.status == Status::time_limit);
  CHECK(result.bound.makespan.value_or(0) >= 225);
  CHECK(result.schedule.has_value());
  CHECK(result.bound.seconds < 10);
}
