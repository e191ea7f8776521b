// SPDX-License-Identifier: GPL-3.0-or-later
// Others that use the memory: what bounds become, and that no run exceeds them.
#include <catch2/catch.hpp>
#include <limits>
#include <random>

#include "timing/bounds/load_bounds.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

LoadBound bound_of(int64_t makespan) {
  LoadBound bound;
  bound.bound.makespan = makespan;
  bound.bound.safe = true;
  bound.bound.parts = {{solver::Part::Kind::path, {}, makespan, 1, makespan, 1}};
  return bound;
}

}  // namespace

TEST_CASE("a share of the time makes a bound longer by what is left of it, rounded up") {
  struct Row {
    int64_t alone;
    support::Rational share;
    int64_t makespan;
  };
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  for (const Row& row : {Row{1000, {0, 1}, 1000}, Row{1000, {1, 2}, 2000}, Row{1000, {3, 10}, 1429},
                         Row{700, {3, 10}, 1000}, Row{1, {1, 1000000000}, 2}, Row{0, {1, 2}, 0},
                         Row{1000, {999999999, 1000000000}, 1000000000000}, Row{most, {0, 1}, most}}) {
    INFO(row.alone << " with " << support::to_string(row.share));
    LoadBound bound = bound_of(row.alone);
    bound.any_dispatcher = row.alone;
    bound = with_interference(std::move(bound), row.share);
    REQUIRE(bound.bound.makespan);
    CHECK(*bound.bound.makespan == row.makespan);
    CHECK(bound.any_dispatcher == row.makespan);
    int64_t sum = 0;
    for (const solver::Part& part : bound.bound.parts) sum += part.cycles;
    CHECK(sum == row.makespan);
    CHECK(bound.bound.parts.size() == (row.makespan > row.alone ? 2 : 1));
  }
}

TEST_CASE("a bound that others make longer than 64 bits is none") {
  const LoadBound bound = with_interference(bound_of(std::numeric_limits<int64_t>::max()), {1, 2});
  CHECK_FALSE(bound.bound.makespan);
  CHECK_FALSE(bound.bound.safe);
  CHECK(bound.bound.status == solver::Status::overflow);
}

// Warps that compute and ask one memory in turns; others take the memory whenever they hurt most, as long as what they
// keep waiting stays within their share of the whole.
TEST_CASE("no run beside others is longer than the bound for their share") {
  std::mt19937_64 random(20261127);
  const auto up_to = [&random](int64_t most) { return static_cast<int64_t>(random() % static_cast<uint64_t>(most)); };
  for (int round = 0; round < 2000; ++round) {
    const int64_t warps = 1 + up_to(4), turns = 1 + up_to(6), compute = up_to(20), memory = 1 + up_to(20);
    const support::Rational share = *support::make_rational(up_to(9), 10);
    const int64_t alone = turns * (compute + memory) + (warps - 1) * turns * memory;
    const auto bound = with_interference(bound_of(alone), share).bound.makespan;
    // The others' cycles are given out beforehand, as many as the share of the bound: no run has more.
    int64_t left = *bound * share.numerator / share.denominator;
    std::vector<int64_t> ready(static_cast<size_t>(warps), compute), done(static_cast<size_t>(warps));
    int64_t free = 0, end = 0;
    for (int64_t served = 0; served < warps * turns; ++served) {
      size_t next = 0;
      for (size_t w = 0; w < ready.size(); ++w) {
        if (done[w] < turns && (done[next] == turns || ready[w] < ready[next])) next = w;
      }
      const int64_t stolen = std::min(left, up_to(2) == 0 ? up_to(40) : left / 2);
      left -= stolen;
      free = std::max(free, ready[next]) + stolen + memory;
      ready[next] = free + compute;
      if (++done[next] == turns) end = std::max(end, free);
    }
    CHECK(end <= *bound);
  }
}
