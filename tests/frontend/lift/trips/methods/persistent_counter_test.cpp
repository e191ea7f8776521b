// SPDX-License-Identifier: GPL-3.0-or-later
// Loops whose counter goes on where it was left when they ran before.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;

namespace {

struct Nest {
  int64_t start = 0, limit = 100, step = 4, outer_iterations = 30;
  bool is_signed = true;
  bool tests_first = false;    // at the head of each iteration, else behind the addition
  bool has_guard = true;       // of loops that test behind
  bool leaves_by_data = true;  // besides
  std::string around = {};     // in each iteration of the loop around it
};

std::string text_of(const Nest& nest) {
  const std::string type = nest.is_signed ? "s32" : "u32", limit = std::to_string(nest.limit);
  const std::string by_data = "ld.volatile.global.u32 %r5, [%d1];\nsetp.eq.u32 %p3, %r5, 7;\n@%p3 bra $E;\n";
  std::string text = "ld.param.u64 %d1, [p];\nmov.u32 %r1, " + std::to_string(nest.start) +
                     ";\nmov.u32 %r2, 0;\n$M:\nadd.s32 %r2, %r2, 1;\n";
  if (!nest.tests_first && nest.has_guard) text += "setp.ge." + type + " %p1, %r1, " + limit + ";\n@%p1 bra $E;\n";
  text += "$L:\n";
  if (nest.tests_first) text += "setp.ge." + type + " %p1, %r1, " + limit + ";\n@%p1 bra $E;\n";
  if (nest.tests_first && nest.leaves_by_data) text += by_data;
  text += "add.s32 %r1, %r1, " + std::to_string(nest.step) + ";\n";
  if (nest.tests_first) {
    text += "bra $L;\n";
  } else {
    if (nest.leaves_by_data) text += by_data;
    text += "setp.lt." + type + " %p2, %r1, " + limit + ";\n@%p2 bra $L;\n";
  }
  return text + "$E:\n" + nest.around + "setp.lt.s32 %p4, %r2, " + std::to_string(nest.outer_iterations) +
         ";\n@%p4 bra $M;\nret;";
}

ir::Loop inner(const Nest& nest) {
  const ir::Flow facts = test::facts_of(text_of(nest));
  const auto loop =
      std::find_if(facts.loops.begin(), facts.loops.end(), [](const ir::Loop& l) { return l.label == "$L"; });
  REQUIRE(loop != facts.loops.end());
  return *loop;
}

std::optional<int64_t> trips(const Nest& nest) { return inner(nest).trip_count; }

// The most that the header runs each time the loop is entered, with random data.
int64_t executed(const Nest& nest, std::mt19937& random) {
  constexpr int64_t longest = 5000;
  int64_t most = 0;
  auto c = static_cast<uint32_t>(nest.start);
  const auto limit = static_cast<uint32_t>(nest.limit);
  const auto is_below = [&] {
    return nest.is_signed ? static_cast<int32_t>(c) < static_cast<int32_t>(limit) : c < limit;
  };
  const auto leaves = [&] { return nest.leaves_by_data && random() % 4 == 0; };
  for (int64_t iteration = 0; iteration < nest.outer_iterations; ++iteration) {
    int64_t trips = 0;
    if (nest.tests_first) {
      for (trips = 1; is_below() && !leaves() && trips < longest; ++trips) c += static_cast<uint32_t>(nest.step);
    } else if (!nest.has_guard || is_below()) {
      do {
        ++trips;
        c += static_cast<uint32_t>(nest.step);
      } while (!leaves() && is_below() && trips < longest);
    }
    most = std::max(most, trips);
  }
  return most;
}

}  // namespace

TEST_CASE("a counter that is carried on runs no further than from where it began") {
  CHECK(trips({}) == 25);
  CHECK(inner({}).source == ir::TripCountSource::value_ranges);
  CHECK(trips({.start = 10}) == 23);
  CHECK(trips({.is_signed = false}) == 25);
  CHECK(trips({.tests_first = true}) == 26);
  CHECK(trips({.start = -100, .tests_first = true}) == 51);
  CHECK(trips({.start = 200}) == 1);
}

TEST_CASE("a counter that is carried on, but not only upwards to its limit, is not counted so") {
  CHECK(trips({.has_guard = false}).value_or(-1) == -1);                    // it passes the limit, and may wrap
  CHECK(trips({.around = "add.s32 %r1, %r1, -1;\n"}) == std::nullopt);      // it falls
  CHECK(trips({.around = "ld.global.u32 %r1, [%d1];\n"}) == std::nullopt);  // it is anything
  CHECK(trips({.limit = 2147483647, .around = ""}).value_or(1) != 25);      // it may wrap
  CHECK(trips({.limit = 2147483640, .step = 100}) == std::nullopt);
}

TEST_CASE("no carried counter is left later than counted") {
  std::mt19937 random(warpspan::test::first_seed(7, 1500));
  int counted = 0;
  for (int round = 0; round < warpspan::test::thinned_seeds(1500); ++round) {
    Nest nest;
    const auto number = [&] {
      const auto small = static_cast<int64_t>(random() % 60) - 10;
      return random() % 8 == 0 ? 2147483647 - static_cast<int64_t>(random() % 40) : small;
    };
    nest.start = number();
    nest.limit = number();
    nest.step = 1 + static_cast<int64_t>(random() % 9);
    nest.outer_iterations = 1 + static_cast<int64_t>(random() % 20);
    nest.is_signed = random() % 2 == 0;
    nest.tests_first = random() % 2 == 0;
    nest.has_guard = random() % 4 != 0;
    nest.leaves_by_data = random() % 4 != 0;
    const auto bound = trips(nest);
    if (!bound) continue;
    ++counted;
    INFO(text_of(nest));
    for (int run = 0; run < 20; ++run) REQUIRE(executed(nest, random) <= *bound);
  }
  CHECK(counted > warpspan::test::or_half(warpspan::test::thinned_seeds(800)));
}
