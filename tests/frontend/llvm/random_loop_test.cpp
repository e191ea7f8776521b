// Trip counts of random loops against the loops themselves.
#include "tests/frontend/llvm/random_loop.hpp"

#include <iostream>

#include "tests/frontend/llvm/find_facts.hpp"

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
  const lift::Facts facts = test::facts_of(body, test::block_of(threads));
  const auto is_it = [](const ir::Loop& loop) { return loop.label == "$L"; };
  const auto loop = std::find_if(facts.flow.loops.begin(), facts.flow.loops.end(), is_it);
  INFO("seed " << seed << ", " << threads << " threads\n" << body);
  ++tally.loops;
  REQUIRE(loop != facts.flow.loops.end());
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

void check_range(uint64_t first, uint64_t count, Tally& tally) {
  for (uint64_t seed = first; seed < first + count; ++seed) check(seed, tally);
}

}  // namespace

TEST_CASE("trip counts are never below what random loops do") {
  Tally tally;
  check_range(1, 600, tally);
  CHECK(tally.bounded * 2 > tally.loops);  // so that the test is one
  CHECK(tally.exact * 4 > tally.bounded * 3);
}

TEST_CASE("trip counts are never below what 100,000 random loops do", "[.][slow]") {
  Tally tally;
  check_range(1'000'000, 100'000, tally);
  std::cout << tally.loops << " loops, " << tally.bounded << " bounded, " << tally.exact << " of these exactly, "
            << tally.endless << " without end\n";
}
