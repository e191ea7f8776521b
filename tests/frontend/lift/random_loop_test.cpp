// SPDX-License-Identifier: GPL-3.0-or-later
// Trip counts of random loops against the loops themselves.
#include "tests/frontend/lift/random_loop.hpp"

#include <iostream>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/frontend/lift/random_nest.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;

namespace {

struct Tally {
  int64_t loops = 0, bounded = 0, exact = 0, endless = 0;
};

void check(uint64_t seed, Tally& tally) {
  std::mt19937_64 random(seed);
  const test::LoopShape shape = test::random_shape(random);
  const auto threads = static_cast<uint32_t>(1 + random() % 40);
  const std::string body = test::ptx_of(shape);
  const test::Trips trips = test::execute(shape, threads);
  const ir::Flow facts = test::facts_of(body, test::block_of(threads));
  const auto is_it = [](const ir::Loop& loop) { return loop.label == "$L"; };
  const auto loop = std::find_if(facts.loops.begin(), facts.loops.end(), is_it);
  INFO("seed " << seed << ", " << threads << " threads\n" << body);
  ++tally.loops;
  REQUIRE(loop != facts.loops.end());
  if (trips.is_surely_endless) CHECK_FALSE(loop->trip_count);
  tally.endless += trips.is_endless ? 1 : 0;
  if (!trips.is_entered) return;
  if (!trips.is_endless) CHECK(loop->fewest_trips <= trips.fewest);
  CHECK(loop->source != ir::TripCountSource::not_entered);
  if (!loop->trip_count) return;
  ++tally.bounded;
  CHECK(*loop->trip_count >= trips.most);
  CHECK(loop->fewest_trips <= *loop->trip_count);
  tally.exact += *loop->trip_count == trips.most ? 1 : 0;
}

void check_loop(const ir::Loop& loop, int64_t most, std::optional<int64_t> sure, Tally& tally) {
  ++tally.loops;
  if (sure) CHECK(loop.fewest_trips <= *sure);
  if (!loop.trip_count) return;
  ++tally.bounded;
  CHECK(*loop.trip_count >= most);
  CHECK(loop.fewest_trips <= *loop.trip_count);
  tally.exact += *loop.trip_count == most ? 1 : 0;
}

void check_nest(uint64_t seed, Tally& tally) {
  std::mt19937_64 random(seed);
  const test::NestShape shape = test::random_nest(random);
  const auto threads = static_cast<uint32_t>(1 + random() % 20);
  const std::string body = test::ptx_of(shape);
  const test::NestTrips trips = test::execute(shape, threads);
  const ir::Flow facts = test::facts_of(body, test::block_of(threads));
  INFO("seed " << seed << ", " << threads << " threads\n" << body);
  REQUIRE(facts.loops.size() == 2);
  CHECK(facts.loops[0].label == "$A");
  tally.endless += trips.is_cut ? 1 : 0;
  const auto sure = [&](int64_t count) { return trips.is_cut ? std::nullopt : std::optional(count); };
  check_loop(facts.loops[0], trips.outer, sure(trips.sure_outer), tally);
  if (trips.inner > 0) check_loop(facts.loops[1], trips.inner, sure(trips.sure_inner), tally);
}

void check_range(uint64_t first, uint64_t count, void (*check)(uint64_t, Tally&), Tally& tally) {
  for (uint64_t seed = first; seed < first + count; ++seed) check(seed, tally);
}

void print(const Tally& tally) {
  std::cout << tally.loops << " loops, " << tally.bounded << " bounded, " << tally.exact << " of these exactly, "
            << tally.endless << " kernels without end\n";
}

}  // namespace

TEST_CASE("trip counts are never below what random loops do") {
  Tally tally;
  check_range(test::first_seed(1, 600), test::thinned_seeds(600), check, tally);
  CHECK(tally.bounded * 2 > warpspan::test::or_half(tally.loops));  // so that the test is one
  CHECK(tally.exact * 4 > warpspan::test::or_half(tally.bounded * 3));
}

TEST_CASE("trip counts are never below what random nests of loops do") {
  Tally tally;
  check_range(test::first_seed(1, 400), test::thinned_seeds(400), check_nest, tally);
  CHECK(tally.bounded * 2 > warpspan::test::or_half(tally.loops));
  CHECK(tally.exact * 2 > warpspan::test::or_half(tally.bounded));
}

TEST_CASE("trip counts are never below what 100000 random loops do", "[.][slow]") {
  Tally tally;
  check_range(1'000'000, 100'000, check, tally);
  print(tally);
}

TEST_CASE("trip counts are never below what 100000 random nests do", "[.][slow]") {
  Tally tally;
  check_range(1'000'000, 100'000, check_nest, tally);
  print(tally);
}
