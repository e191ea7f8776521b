#include "solver/bounds/response_times.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::solver;
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
