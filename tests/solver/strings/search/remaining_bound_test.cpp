// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/search/remaining_bound.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>

#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/certificate/verify.hpp"
#include "solver/strings/schedules/string.hpp"
#include "tests/solver/strings/problems.hpp"
#include "tests/thinned.hpp"

using namespace warpspan::solver;

namespace {

using Counts = std::vector<int64_t>;

// The longest path from a state to the end, by trying all ways in which workers may leave the positions.
class LongestWays {
 public:
  LongestWays(std::vector<int> symbols, std::vector<int64_t> servers)
      : symbols_(std::move(symbols)), servers_(std::move(servers)) {}

  int64_t from(const Counts& counts) {
    const auto known = known_.find(counts);
    if (known != known_.end()) return known->second;
    int64_t longest = 0;
    Counts leaving(counts.size());
    for_each_step(counts, leaving, 0, [&](const Counts& next) { longest = std::max(longest, 1 + from(next)); });
    return known_[counts] = longest;
  }

  // All states that were met.
  const std::map<Counts, int64_t>& known() const { return known_; }

 private:
  template <typename Visit>
  void for_each_step(const Counts& counts, Counts& leaving, size_t position, const Visit& visit) {
    if (position < counts.size()) {
      for (int64_t n = 0; n <= counts[position]; ++n) {
        leaving[position] = n;
        for_each_step(counts, leaving, position + 1, visit);
      }
      return;
    }
    std::vector<int64_t> ready(servers_.size()), executing(servers_.size());
    Counts next = counts;
    int64_t all = 0;
    for (size_t p = 0; p < counts.size(); ++p) {
      ready[static_cast<size_t>(symbols_[p])] += counts[p];
      executing[static_cast<size_t>(symbols_[p])] += leaving[p];
      next[p] -= leaving[p];
      if (p + 1 < counts.size()) next[p + 1] += leaving[p];
      all += leaving[p];
    }
    bool work_conserving = all > 0;
    for (size_t k = 0; k < servers_.size(); ++k) {
      work_conserving = work_conserving && executing[k] == std::min(ready[k], servers_[k]);
    }
    if (work_conserving) visit(next);
  }

  std::vector<int> symbols_;
  std::vector<int64_t> servers_;
  std::map<Counts, int64_t> known_;
};

std::vector<int> classes(const StringProblem& problem) { return expand(problem.string, 1000).value(); }

Counts start_of(const StringProblem& problem) {
  Counts counts(classes(problem).size());
  counts[0] = problem.workers;
  return counts;
}

RemainingBound bound_of(const StringProblem& problem, const Certificate* certificate) {
  auto bound = RemainingBound::make(classes(problem), problem.workers, problem.servers, certificate);
  REQUIRE(bound);
  return *bound;
}

struct Gap {
  int64_t states = 0;
  int64_t exact = 0;  // states whose bound is the longest path itself
};

// Holds in every state that can be reached, and at the start it is the least of the bounds known there.
void require_safe(const StringProblem& problem, const Certificate* certificate, LongestWays& ways, Gap& gap) {
  RemainingBound bound = bound_of(problem, certificate);
  for (const auto& [counts, longest] : ways.known()) {
    const int64_t cycles = bound.cycles_from(counts);
    REQUIRE(cycles >= longest);
    REQUIRE(bound.is_at_most(counts, cycles));
    REQUIRE((cycles == 0 || !bound.is_at_most(counts, cycles - 1)));
    ++gap.states;
    gap.exact += cycles == longest ? 1 : 0;
  }
  int64_t at_start = list_bound(problem).makespan.value();
  if (certificate != nullptr && problem.workers >= certificate->least_workers &&
      problem.workers <= certificate->most_workers) {
    const auto line = verify_certificate(*certificate);
    at_start = std::min(at_start, makespan_on(*line, problem.workers).value().value());
  }
  REQUIRE(bound.cycles_from(start_of(problem)) == at_start);
}

LongestWays ways_of(const StringProblem& problem) {
  LongestWays ways(classes(problem), problem.servers);
  ways.from(start_of(problem));
  return ways;
}

}  // namespace

TEST_CASE("no schedule needs more than the remaining bound: strings over two classes") {
  Gap with_list, with_shortest, with_best;
  for (const std::string& text : warpspan::test::thinned(two_class_strings(5))) {
    for (const std::vector<int64_t>& servers : {Counts{1, 1}, Counts{2, 1}, Counts{1, 2}, Counts{2, 2}}) {
      CertificateLimits limits;
      limits.longest_context = 1;
      const auto shortest = certificate_bound(problem(text, 3, servers), limits).certificate;
      const auto best = certificate_bound(problem(text, 3, servers)).certificate;
      REQUIRE(shortest);
      REQUIRE(best);
      for (int64_t workers = 1; workers <= 4; ++workers) {
        INFO(text << " with " << workers << " workers, servers " << servers[0] << ", " << servers[1]);
        const StringProblem instance = problem(text, workers, servers);
        LongestWays ways = ways_of(instance);
        require_safe(instance, nullptr, ways, with_list);
        require_safe(instance, &*shortest, ways, with_shortest);
        require_safe(instance, &*best, ways, with_best);
      }
    }
  }
  CHECK(with_shortest.exact > with_list.exact);
  CHECK(with_best.exact > with_shortest.exact);
}

TEST_CASE("no schedule needs more than the remaining bound: random strings over three classes") {
  std::mt19937 random(7);
  Gap gap;
  for (size_t i = 0; i < 60; i += warpspan::test::taken_one_in) {
    std::string text;
    for (size_t length = 2 + random() % 5; text.size() < length;) text += "LCS"[random() % 3];
    std::vector<int64_t> servers;
    while (servers.size() < 3) servers.push_back(1 + static_cast<int64_t>(random() % 2));
    const StringProblem instance = problem(text, 2 + static_cast<int64_t>(random() % 3), servers);
    INFO(text << " with " << instance.workers << " workers");
    const auto certificate = certificate_bound(instance).certificate;
    REQUIRE(certificate);
    LongestWays ways = ways_of(instance);
    require_safe(instance, &*certificate, ways, gap);
  }
  CHECK(gap.exact * 10 > gap.states * 7);
}

TEST_CASE("the remaining bound of loops is that of the string written out") {
  const StringProblem looped{{group({symbol('L', 2), symbol('C', 2)}, 2)}, 3, {1, 1}};
  const auto certificate = certificate_bound(looped).certificate;
  REQUIRE(certificate);
  Gap gap;
  LongestWays ways = ways_of(looped);
  require_safe(looped, &*certificate, ways, gap);
  CHECK(bound_of(looped, &*certificate).cycles_from(start_of(looped)) == 18);
}

TEST_CASE("the remaining bound refuses what it cannot rest on") {
  const StringProblem instance = problem("LLC", 3, {1, 1});
  const auto certificate = certificate_bound(instance).certificate;
  REQUIRE(certificate);
  const auto message = [](const auto& bound) { return bound.errors().front().message; };
  const auto other_string = RemainingBound::make({0, 1, 0}, 3, {1, 1}, &*certificate);
  REQUIRE_FALSE(other_string);
  CHECK(message(other_string) == "the certificate is one of another problem");
  CHECK_FALSE(RemainingBound::make({0, 0}, 3, {1, 1}, &*certificate));
  CHECK_FALSE(RemainingBound::make({0, 0, 1}, 3, {1, 2}, &*certificate));
  Certificate wrong = *certificate;
  wrong.denominator *= 2;
  const auto unproven = RemainingBound::make({0, 0, 1}, 3, {1, 1}, &wrong);
  REQUIRE_FALSE(unproven);
  CHECK(message(unproven) == "a step lowers the potential by less than 1");
  const auto endless = RemainingBound::make({0, 0, 1}, INT64_MAX / 2, {1, 1});
  REQUIRE_FALSE(endless);
  CHECK(message(endless) == "a number on the way to the bound exceeds 2^63 - 1");
  CHECK(RemainingBound::make({0, 0, 1}, INT64_MAX / 3, {1, 1}));
  CHECK_FALSE(RemainingBound::make({0, 0, 1}, INT64_MAX / 3, {1, 1}, &*certificate));
}
