// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/finish_times.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace warpspan::solver::response_times;
using warpspan::support::Rational;

namespace {

constexpr Job k1{4, 2};
constexpr Job k2{6, 7};
constexpr Job k3{6, 2};
constexpr Job k4{5, 5};

using Times = std::vector<int64_t>;

std::vector<Rational> halves(const std::vector<int64_t>& twice) {
  std::vector<Rational> times;
  for (const int64_t value : twice) times.push_back(*warpspan::support::make_rational(value, 2));
  return times;
}

std::vector<Job> of_four_cycles(const std::vector<int64_t>& pieces) {
  std::vector<Job> jobs;
  for (const int64_t count : pieces) jobs.push_back({4, count});
  return jobs;
}

}  // namespace

// theory: the TX2 thesis' results, which are its measurements.
TEST_CASE("response times of four kernels on eight slots") {
  CHECK(*fifo_finish_times({k1, k2, k3, k4}, 8) == Times{4, 10, 12, 11});
  CHECK(*fifo_finish_times({k2, k3, k4, k1}, 8) == Times{6, 12, 11, 10});
  CHECK(*fifo_finish_times({k2, k4, k1, k3}, 8) == Times{6, 11, 10, 12});
  CHECK(*fifo_finish_times({k2, k1, k3, k4}, 8) == Times{6, 8, 12, 11});
}

TEST_CASE("the published closed form agrees where no job just fits") {
  for (const auto& pieces : {Times{3, 4}, Times{3, 10, 5}, Times{7, 7, 7}}) {
    const auto published = published_finish_times(of_four_cycles(pieces), 8);
    const auto right = fifo_finish_times(of_four_cycles(pieces), 8);
    for (size_t i = 0; i < pieces.size(); ++i) CHECK((*published)[i] == Rational{(*right)[i], 1});
  }
}

TEST_CASE("the published closed form is wrong where a job just fits, or has a multiple of all slots more") {
  CHECK(*fifo_finish_times(of_four_cycles({2, 6, 2}), 8) == Times{4, 4, 8});
  CHECK(*published_finish_times(of_four_cycles({2, 6, 2}), 8) == halves({8, 12, 12}));  // 6 is below 8
  CHECK(*fifo_finish_times(of_four_cycles({16}), 8) == Times{8});
  CHECK(*published_finish_times(of_four_cycles({16}), 8) == halves({24}));
  CHECK(*fifo_finish_times({{5, 8}}, 8) == Times{5});
  CHECK(*published_finish_times({{5, 8}}, 8) == std::vector<Rational>{{15, 2}});
}

// Section 4.3 of the thesis, which says that the measured times are the algorithm's but prints none. There the blocks
// stand before the time, as words beside them and 1.5 show; the times of the second set are in halves.
TEST_CASE("finish times of five kernels on eight slots") {
  CHECK(*fifo_finish_times({{2, 4}, {1, 7}, {4, 10}, {11, 1}, {6, 3}}, 8) == Times{2, 2, 10, 17, 12});
  CHECK(*fifo_finish_times({{3, 5}, {3, 4}, {3, 7}, {8, 1}, {5, 8}}, 8) == Times{3, 6, 6, 14, 16});
}

TEST_CASE("the corrected closed form is the algorithm where all pieces take as long") {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::vector<Job> jobs(1 + random() % 6);
    const int64_t cycles = 1 + random() % 5;
    for (Job& job : jobs) job = {cycles, 1 + static_cast<int64_t>(random() % 40)};
    const int64_t slots = 1 + random() % 10;
    REQUIRE(*corrected_finish_times(jobs, slots) == *fifo_finish_times(jobs, slots));
  }
  CHECK(*corrected_finish_times({{1, INT64_MAX - 1}}, 1) == Times{INT64_MAX - 1});
  CHECK_FALSE(corrected_finish_times({{2, INT64_MAX}}, 1).ok());
  CHECK_FALSE(corrected_finish_times({{4, 2}, {5, 2}}, 8).ok());
}

TEST_CASE("jobs out of range are refused") {
  const auto refusal = [](const std::vector<Job>& jobs, int64_t slots) {
    const auto result = fifo_finish_times(jobs, slots);
    return result ? std::string() : result.errors().front().message;
  };
  CHECK(refusal({{4, 2}}, 0) == "there are 0 slots");
  CHECK(refusal({{4, 2}, {0, 2}}, 8) == "job 2: its pieces take 0 cycles");
  CHECK(refusal({{4, -1}}, 8) == "job 1 has -1 pieces");
  CHECK(refusal({{4, 1'000'000'000}}, 8) == "the jobs take more than 10 million rounds of slots");
  CHECK(refusal({{INT64_MAX, 16}}, 8) == "a time exceeds 2^63 - 1 cycles");
  CHECK_FALSE(published_finish_times({{4, 2}, {5, 2}}, 8).ok());
  CHECK_FALSE(published_finish_times({{4, INT64_MAX}}, 8).ok());
  CHECK(fifo_finish_times({}, 8)->empty());
}
