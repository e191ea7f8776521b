// SPDX-License-Identifier: GPL-3.0-or-later
// Visits of lines and how many are open, against requests in random order within each iteration.
#include "frontend/lift/footprints/walks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "support/floor_divide.hpp"
#include "tests/random_numbers.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using lift::Steps;
using test::below;

namespace {

std::pair<int64_t, int64_t> visits(const Steps& steps) {
  const auto counted = lift::visits_of(steps);
  REQUIRE(counted);
  return {counted->all, counted->open};
}

}  // namespace

TEST_CASE("a thread visits each line of a row once, word by word or several words at a time") {
  CHECK(visits({0, 4, 4096, 1}) == std::pair<int64_t, int64_t>(129, 1));
  CHECK(visits({60, 64, 256, 1}) == std::pair<int64_t, int64_t>(129, 2));
  CHECK(visits({60, 64, 256, 10}) == std::pair<int64_t, int64_t>(1290, 2));
  CHECK(visits({0, 0, 1000, 3}) == std::pair<int64_t, int64_t>(3, 1));
  CHECK(visits({0, -4, 33, 1}) == std::pair<int64_t, int64_t>(2, 1));
  // Each iteration in lines of its own.
  CHECK(visits({0, 4096, 100, 1}) == std::pair<int64_t, int64_t>(100, 1));
  CHECK(visits({128, 4096, 100, 1}) == std::pair<int64_t, int64_t>(200, 2));
  CHECK_FALSE(lift::visits_of({0, INT64_MIN, 1, 1}));
  CHECK_FALSE(lift::visits_of({0, INT64_MAX, 3, 1}));
  CHECK_FALSE(lift::visits_of({0, 4096, INT64_MAX / 4, 100}));
}

TEST_CASE("random walks: there are no more visits, nor more of them open, than are counted") {
  test::Random random(test::first_seed(81, 400));
  int64_t all_reached = 0, open_reached = 0;
  for (int round = 0; round < test::thinned_seeds(400); ++round) {
    std::vector<int64_t> places = {0};  // in an iteration
    const int64_t words = 1 + below(random, 100);
    for (int64_t more = below(random, 6); more > 0; --more) places.push_back(4 * below(random, words));
    const auto [low, high] = std::minmax_element(places.begin(), places.end());
    const Steps steps = {*high - *low, 4 * (below(random, 80) - 30), 1 + below(random, 40), 1 + below(random, 3)};
    const bool leaves_out = below(random, 3) == 0;
    const auto counted = lift::visits_of(steps);
    REQUIRE(counted);
    std::map<std::pair<int64_t, int64_t>, std::pair<size_t, size_t>> visits;  // by entry and line: first and last
    size_t requests = 0;
    for (int64_t entry = 0; entry < steps.entries; ++entry) {
      const int64_t first = 4 * below(random, 1000);
      for (int64_t i = 0; i < steps.iterations; ++i) {
        for (size_t k = places.size(); k > 1; --k) {
          std::swap(places[k - 1], places[static_cast<size_t>(below(random, static_cast<int64_t>(k)))]);
        }
        for (const int64_t place : places) {
          if (leaves_out && below(random, 3) == 0) continue;
          const int64_t line = support::floor_divide(first + steps.stride * i + place, 128);
          const auto [visit, fresh] = visits.try_emplace({entry, line}, requests, requests);
          visit->second.second = requests++;
        }
      }
    }
    int64_t most = 0;
    for (size_t end = 1; end < requests; ++end) {  // before the request of that number
      most = std::max(most, std::count_if(visits.begin(), visits.end(), [end](const auto& visit) {
                        return visit.second.first < end && visit.second.second >= end;
                      }));
    }
    INFO(steps.width << ", " << steps.stride << ", " << steps.iterations << ", " << steps.entries);
    REQUIRE(static_cast<int64_t>(visits.size()) <= counted->all);
    REQUIRE(most <= counted->open);
    all_reached += static_cast<int64_t>(visits.size()) == counted->all ? 1 : 0;
    open_reached += most == counted->open ? 1 : 0;
  }
  CHECK(all_reached > test::thinned_seeds(400) / 40);
  CHECK(open_reached > test::thinned_seeds(400) / 10);
}
