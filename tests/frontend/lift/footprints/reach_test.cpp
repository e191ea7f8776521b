// SPDX-License-Identifier: GPL-3.0-or-later
// How far accesses are sure to reach, against all points of small boxes.
#include "frontend/lift/footprints/reach.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/random_numbers.hpp"

using namespace warpspan;

namespace {

int64_t value_at(const lift::LinearForm& form, const std::vector<int64_t>& point) {
  int64_t value = form.constant;
  for (size_t v = 0; v < point.size(); ++v) value += form.terms[v] * point[v];
  return value;
}

// The addresses of all points at which the conditions hold.
std::set<int64_t> addresses_of(const lift::Accesses& accesses) {
  std::set<int64_t> addresses;
  std::vector<int64_t> point(accesses.box.counts.size(), 0);
  for (size_t v = 0; v < point.size();) {
    const bool holds = std::all_of(accesses.conditions.begin(), accesses.conditions.end(),
                                   [&point](const lift::LinearForm& c) { return value_at(c, point) <= 0; });
    if (holds) addresses.insert(value_at(accesses.address, point));
    for (v = 0; v < point.size() && ++point[v] == accesses.box.counts[v]; ++v) point[v] = 0;
  }
  return addresses;
}

lift::LinearForm random_form(test::Random& random, size_t variables) {
  lift::LinearForm form{test::below(random, 41) - 20, {}};
  for (size_t v = 0; v < variables; ++v) form.terms.push_back(test::below(random, 13) - 6);
  return form;
}

}  // namespace

TEST_CASE("what accesses are sure to reach is reached, and without conditions it is all") {
  test::Random random(5);
  int found = 0, some = 0, whole = 0;
  for (int i = 0; i < 4000; ++i) {
    lift::Accesses accesses;
    const auto variables = static_cast<size_t>(1 + test::below(random, 3));
    for (size_t v = 0; v < variables; ++v) accesses.box.counts.push_back(1 + test::below(random, 6));
    accesses.address = random_form(random, variables);
    accesses.bytes = 1 + test::below(random, 8);
    const int64_t conditions = test::below(random, 3);
    for (int64_t c = 0; c < conditions; ++c) accesses.conditions.push_back(random_form(random, variables));
    const std::set<int64_t> addresses = addresses_of(accesses);
    const auto reach = lift::sure_reach(accesses);
    if (!addresses.empty()) ++some;
    if (!reach) {
      CHECK((conditions > 0 || addresses.empty()));
      continue;
    }
    ++found;
    REQUIRE(addresses.contains(reach->least));
    REQUIRE(addresses.contains(reach->most - accesses.bytes));
    const bool is_whole = reach->least == *addresses.begin() && reach->most == *addresses.rbegin() + accesses.bytes;
    if (is_whole) ++whole;
    CHECK((is_whole || conditions > 0));
  }
  CHECK(found * 10 >= some * 9);
  CHECK(whole * 10 >= some * 7);
}

TEST_CASE("numbers beyond 64 bits reach nothing") {
  lift::Accesses accesses;
  accesses.box.counts = {INT64_MAX, 2};
  accesses.address = {0, {INT64_MAX, INT64_MIN}};
  CHECK_FALSE(lift::sure_reach(accesses));
  accesses.address = {INT64_MAX, {0, 0}};
  accesses.bytes = 4;
  CHECK_FALSE(lift::sure_reach(accesses));
  accesses.address = {0, {1, 0}};
  accesses.conditions = {{INT64_MIN, {INT64_MIN, 1}}};
  CHECK_FALSE(lift::sure_reach(accesses));
  accesses.conditions.clear();
  accesses.bytes = 1;
  CHECK(lift::sure_reach(accesses) == lift::Interval{0, INT64_MAX});
}
