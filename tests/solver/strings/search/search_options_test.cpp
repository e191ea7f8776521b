// SPDX-License-Identifier: GPL-3.0-or-later
// The exact search with a witness, in threads, and with a schedule.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <thread>

#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/schedules/string.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/problems.hpp"
#include "tests/thinned.hpp"

using namespace warpspan::solver;

namespace {

SearchLimits on_threads(unsigned threads) {
  SearchLimits limits;
  limits.threads = threads;
  return limits;
}

std::optional<int64_t> makespan_of_schedule(const StringProblem& problem, const SearchResult& result) {
  if (!result.schedule || static_cast<int64_t>(result.schedule->cycles.size()) != problem.workers) return std::nullopt;
  return makespan_of(*result.schedule, expand(problem.string, 10'000).value(), problem.servers);
}

// Leaving states out changes neither the value nor, where one is found, the schedule's length; whatever is known.
void require_same_when_pruned(const StringProblem& problem, const Certificate* certificate) {
  SearchOptions options;
  options.schedule = true;
  const SearchResult all = exact_search(problem, {}, options);
  const int64_t worst = all.bound.makespan.value();
  REQUIRE(makespan_of_schedule(problem, all) == worst);
  for (const Certificate* with : {static_cast<const Certificate*>(nullptr), certificate}) {
    options.certificate = with;
    for (const int64_t below : {0, 1}) {
      options.witness = worst - below;
      const SearchResult pruned = exact_search(problem, {}, options);
      REQUIRE(pruned.bound.makespan == worst);
      REQUIRE(pruned.bound.status == Status::optimal);
      REQUIRE(pruned.statistics.states <= all.statistics.states);
      REQUIRE(pruned.statistics.dropped <= pruned.statistics.states);
      REQUIRE((below == 0 || pruned.schedule));
      if (pruned.schedule) {
        REQUIRE(makespan_of_schedule(problem, pruned) == worst);
        REQUIRE(pruned.bound.remark.empty());
      } else {
        REQUIRE(pruned.bound.remark == "no schedule is longer than the one that was known");
      }
    }
  }
}

bool same_work(const SearchStatistics& a, const SearchStatistics& b) {
  return a.states == b.states && a.dropped == b.dropped && a.steps == b.steps && a.resident_states == b.resident_states;
}

}  // namespace

TEST_CASE("states that do not matter are left out: all strings of up to five symbols over two classes") {
  for (const std::string& text : warpspan::test::thinned(two_class_strings(5))) {
    for (const std::vector<int64_t>& servers : std::vector<std::vector<int64_t>>{{1, 1}, {2, 1}, {1, 2}, {2, 2}}) {
      const auto certificate = certificate_bound(problem(text, 3, servers)).certificate;
      REQUIRE(certificate);
      for (int64_t workers = 1; workers <= 4; ++workers) {
        INFO(text << " with " << workers << " workers, servers " << servers[0] << ", " << servers[1]);
        require_same_when_pruned(problem(text, workers, servers), &*certificate);
      }
    }
  }
}

TEST_CASE("states that do not matter are left out: random strings over three classes") {
  std::mt19937 random(23);
  for (size_t i = 0; i < 40; i += warpspan::test::taken_one_in) {
    std::string text;
    for (size_t length = 3 + random() % 5; text.size() < length;) text += "LCS"[random() % 3];
    std::vector<int64_t> servers;
    while (servers.size() < 3) servers.push_back(1 + static_cast<int64_t>(random() % 2));
    const StringProblem instance = problem(text, 2 + static_cast<int64_t>(random() % 6), servers);
    INFO(text << " with " << instance.workers << " workers");
    const auto certificate = certificate_bound(instance).certificate;
    REQUIRE(certificate);
    require_same_when_pruned(instance, &*certificate);
  }
}

TEST_CASE("a good witness and a certificate spare most of the search") {
  const StringProblem instance = problem("LLCCLLCC", 12, {1, 1});
  const int64_t worst = 63;  // 5 W + 3
  const auto certificate = certificate_bound(instance).certificate;
  REQUIRE(certificate);
  SearchOptions options;
  options.certificate = &*certificate;
  const SearchResult all = exact_search(instance, {}, options);
  REQUIRE(all.bound.makespan == worst);
  CHECK(all.statistics.dropped == 0);
  options.witness = worst - 1;
  const SearchResult most = exact_search(instance, {}, options);
  CHECK(most.bound.makespan == worst);
  CHECK(most.statistics.states * 2 < all.statistics.states);
  options.witness = worst;
  const SearchResult none = exact_search(instance, {}, options);
  CHECK(none.bound.makespan == worst);
  CHECK(none.bound.safe);
  CHECK(none.statistics.states == 1);
  CHECK(none.statistics.dropped == 1);
}

TEST_CASE("a certificate of another problem is not used") {
  const auto certificate = certificate_bound(problem("LC", 3, {1, 1})).certificate;
  REQUIRE(certificate);
  SearchOptions options;
  options.certificate = &*certificate;
  options.witness = 6;
  const SearchResult result = exact_search(problem("LLC", 3, {1, 1}), {}, options);
  CHECK(result.bound.makespan == 7);
  CHECK(result.bound.remark == "certificate not used: the certificate is one of another problem");
}

TEST_CASE("threads change neither the value nor the schedule nor what is visited") {
  const auto check = [](const StringProblem& instance, SearchOptions options, std::vector<unsigned> threads) {
    options.schedule = true;
    const SearchResult one = exact_search(instance, on_threads(1), options);
    REQUIRE(one.schedule.has_value());
    REQUIRE(one.statistics.resident_states > 10'000);  // so that threads are at work
    for (const unsigned n : threads) {
      const SearchResult several = exact_search(instance, on_threads(n), options);
      CHECK(several.bound.makespan == one.bound.makespan);
      CHECK(same_work(several.statistics, one.statistics));
      REQUIRE(several.schedule.has_value());
      CHECK(several.schedule->cycles == one.schedule->cycles);
    }
  };
  check(problem("LLCCLLCC", 15, {1, 1}), {}, {2, 3, 0});
  check({{symbol('L', 8), symbol('C', 8), symbol('L')}, 7, {1, 1}}, {}, {2});  // two words a state
  const StringProblem instance = problem("LLCCLLCC", 20, {1, 1});
  const auto certificate = certificate_bound(instance).certificate;
  REQUIRE(certificate);
  SearchOptions options;
  options.certificate = &*certificate;
  options.witness = 102;
  check(instance, options, {2});
}

TEST_CASE("threads meet the limits") {
  const StringProblem instance = problem("LLCCLLCC", 60, {1, 1});
  SearchLimits limits = on_threads(3);
  limits.memory = 4 << 20;
  const SearchResult large = exact_search(instance, limits);
  CHECK(large.bound.status == Status::too_large);
  CHECK(large.statistics.memory <= limits.memory);
  CHECK(large.statistics.resident_states > 8192);  // so many that threads were at work

  limits = on_threads(3);
  limits.seconds = 0.15;
  const SearchResult late = exact_search(instance, limits);
  CHECK(late.bound.status == Status::time_limit);
  CHECK(late.bound.remark == "out of time");
  CHECK(late.statistics.states > 0);

  std::atomic<bool> cancel = false;
  limits = on_threads(3);
  limits.cancel = &cancel;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    cancel = true;
  });
  const Bound cancelled = exact_search(instance, limits).bound;
  canceller.join();
  CHECK(cancelled.status == Status::time_limit);
  CHECK(cancelled.remark == "cancelled");
}

TEST_CASE("schedules of the exact makespan") {
  SearchOptions options;
  options.schedule = true;
  const auto check = [&](const StringProblem& instance) {
    const SearchResult result = exact_search(instance, {}, options);
    REQUIRE(result.bound.makespan.has_value());
    CHECK(result.bound.remark.empty());
    CHECK(makespan_of_schedule(instance, result) == result.bound.makespan);
  };
  check(problem("LLCLL", 24, {1, 1}));
  check(problem("LLCSLC", 6, {1, 2, 1}));
  check(problem("LLC", 1, {1, 1}));
  check(problem("LLC", 3, {3, 3}));
  check({{symbol('L', 40)}, 3, {1}});
  check({{symbol('L', 100)}, 2, {1}});
  CHECK_FALSE(exact_search(problem("LLC", 3, {1, 1})).schedule.has_value());
  // Both workers are identical and start together: the first leaves first.
  CHECK(exact_search(problem("L", 2, {1}), {}, options).schedule->cycles ==
        std::vector<std::vector<int64_t>>{{1}, {2}});
}

TEST_CASE("a schedule that does not fit costs nothing but itself") {
  const StringProblem instance = problem("LLCLL", 24, {1, 1});
  const SearchResult plain = exact_search(instance);
  SearchOptions options;
  options.schedule = true;
  bool without = false, with = false;
  for (int64_t memory = plain.statistics.memory; memory < int64_t{1} << 23; memory *= 2) {
    SearchLimits limits;
    limits.memory = memory;
    const SearchResult result = exact_search(instance, limits, options);
    REQUIRE(result.bound.makespan == plain.bound.makespan);
    REQUIRE(result.statistics.memory <= memory);
    REQUIRE(result.bound.remark == (result.schedule ? "" : "a schedule did not fit into memory"));
    without = without || !result.schedule;
    with = with || result.schedule;
  }
  CHECK(without);
  CHECK(with);
  const SearchResult together = exact_search({{symbol('L', int64_t{1} << 40)}, 2, {2}}, {}, options);
  CHECK(together.bound.makespan == int64_t{1} << 40);
  CHECK(together.bound.remark == "a schedule did not fit into memory");
}

TEST_CASE("a long search tells how far it is") {
  SearchOptions options;
  std::vector<double> parts;
  std::vector<int64_t> states;
  const auto caller = std::this_thread::get_id();
  options.progress = [&](double done, int64_t visited) {
    REQUIRE(std::this_thread::get_id() == caller);
    parts.push_back(done);
    states.push_back(visited);
  };
  SearchLimits limits = on_threads(2);
  limits.seconds = 1;
  const double seconds = exact_search(problem("LLCCLLCC", 40, {1, 1}), limits, options).bound.seconds;
  REQUIRE(parts.size() >= 2);
  CHECK(static_cast<double>(parts.size()) <= 10 * seconds);
  CHECK(std::is_sorted(parts.begin(), parts.end()));
  CHECK(std::is_sorted(states.begin(), states.end()));
  CHECK(parts.front() >= 0);
  CHECK(parts.back() <= 1);
  CHECK(states.back() > 0);
}
