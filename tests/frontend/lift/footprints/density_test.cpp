// SPDX-License-Identifier: GPL-3.0-or-later
// Density proofs against counting: random sums over random boxes, wherever they lie.
#include "frontend/lift/footprints/density.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "tests/thinned.hpp"

using namespace warpspan;
using lift::Accesses;

namespace {

int64_t value_at(const lift::LinearForm& form, const std::vector<int64_t>& point) {
  int64_t value = form.constant;
  for (size_t v = 0; v < point.size(); ++v) value += form.terms[v] * point[v];
  return value;
}

template <typename Visit>
void for_each_point(const lift::Box& box, const Visit& visit) {
  std::vector<int64_t> point(box.counts.size(), 0);
  for (size_t v = 0; v < point.size();) {
    visit(point);
    for (v = 0; v < point.size() && ++point[v] == box.counts[v]; ++v) point[v] = 0;
  }
}

// What a dense range promises, counted for address 0 at byte `offset` of a line.
bool is_dense_at(const Accesses& accesses, const lift::Interval& range, int64_t offset) {
  std::map<int64_t, std::set<std::vector<int64_t>>> requests;  // by line: what they share
  int64_t least = INT64_MAX;
  int64_t most = INT64_MIN;
  for_each_point(accesses.box, [&](const std::vector<int64_t>& point) {
    for (const lift::LinearForm& condition : accesses.conditions) {
      if (value_at(condition, point) > 0) return;
    }
    const int64_t address = value_at(accesses.address, point);
    least = std::min(least, address);
    most = std::max(most, address + accesses.bytes);
    const std::vector<int64_t> shared(point.begin() + static_cast<std::ptrdiff_t>(accesses.lane_variables),
                                      point.end());
    requests[(address + offset + (int64_t{1} << 40)) / 128].insert(shared);
  });
  size_t all = 0;
  size_t highest = 0;
  for (const auto& [line, own] : requests) {
    all += own.size();
    highest = std::max(highest, own.size());
  }
  const int64_t lines = requests.rbegin()->first - requests.begin()->first + 1;
  return least == range.least && most == range.most && static_cast<int64_t>(requests.size()) == lines &&
         highest * requests.size() <= 2 * all;
}

}  // namespace

TEST_CASE("dense ranges are covered evenly wherever they lie") {
  std::mt19937_64 random(test::first_seed(5, 1500));
  const auto pick = [&](std::vector<int64_t> all) { return all[random() % all.size()]; };
  int dense = 0;
  for (int i = 0; i < test::thinned_seeds(1500); ++i) {
    Accesses accesses;
    accesses.bytes = pick({4, 8, 16, 16});
    accesses.lane_variables = 1 + random() % 2;
    accesses.box.counts = accesses.lane_variables == 1 ? std::vector<int64_t>{32} : std::vector<int64_t>{8, 4};
    for (int64_t variables = pick({1, 2, 3}); variables > 0; --variables) {
      accesses.box.counts.push_back(pick({1, 2, 5, 12, 40}));
    }
    int64_t end = accesses.bytes;
    accesses.address.constant = 16 * pick({0, 1, -3});
    lift::LinearForm tail{0, {}};
    for (const int64_t count : accesses.box.counts) {
      const int64_t stride = end * pick({1, 1, 1, 1, 1, 0, 2}) + accesses.bytes * pick({0, 0, 0, 0, 1, 7});
      accesses.address.terms.push_back(random() % 8 == 0 ? -stride : stride);
      tail.terms.push_back(stride / accesses.bytes);
      end = std::max(end, stride * count);
    }
    tail.constant = -(end / accesses.bytes) + pick({1, 1, 20, 100});
    if (random() % 2 == 0) accesses.conditions.push_back(tail);
    const auto range = dense_range(accesses);
    if (!range) continue;
    ++dense;
    for (const int64_t offset : {int64_t{0}, int64_t{16}, int64_t{64}, int64_t{112}}) {
      INFO("case " << i << ", offset " << offset);
      CHECK(is_dense_at(accesses, *range, offset));
    }
  }
  INFO(dense);
  CHECK(dense > warpspan::test::or_half(test::thinned_seeds(50)));
}
