// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that repeated rows touch, alone and together, against the lines of their bytes.
#include "frontend/lift/footprints/lines.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "support/floor_divide.hpp"
#include "tests/random_numbers.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using lift::Repetition;
using lift::Rows;
using test::below;

namespace {

int64_t together(const std::vector<Rows>& sets) {
  const auto lines = lift::most_lines_of(sets);
  REQUIRE(lines);
  return *lines;
}

// The first bytes of all copies, from `start` on.
std::vector<int64_t> begins(int64_t start, const std::vector<Repetition>& repetitions) {
  std::vector<int64_t> all = {start};
  for (const Repetition& r : repetitions) {
    std::vector<int64_t> more;
    for (const int64_t begin : all) {
      for (int64_t i = 0; i < r.count; ++i) more.push_back(begin + i * r.stride);
    }
    all = std::move(more);
  }
  return all;
}

}  // namespace

TEST_CASE("rows: copies that leave no line free are one, copies at multiples of one stride are counted once") {
  const auto rows = lift::rows_of(100, 4, {{-4, 32}, {1920, 8}, {1920, 3}, {100000, 1}});
  REQUIRE(rows);
  CHECK(rows->start == 100 - 124);
  CHECK(rows->bytes == 128);
  REQUIRE(rows->repetitions.size() == 1);
  CHECK(rows->repetitions[0].stride == 1920);
  CHECK(rows->repetitions[0].count == 10);
  CHECK(lift::lines_of(*rows)->most == 20);
  CHECK(lift::lines_of(*rows)->fewest == 10);
  CHECK_FALSE(lift::rows_of(0, 4, {{INT64_MIN, 2}}));
  CHECK_FALSE(lift::rows_of(0, 4, {{INT64_MAX, 3}, {64, INT64_MAX}}));
  CHECK_FALSE(lift::rows_of(0, 4, {{1 << 20, INT64_MAX}, {1 << 20, 2}}));
}

TEST_CASE("sets together: a stencil has the rows around its own, and what lies apart is added") {
  // 8 rows of 32 words in rows of 4096, and the neighbours of each word.
  std::vector<Rows> stencil;
  for (const int64_t neighbour : {0, 4, -4, 4096, -4096}) stencil.push_back({neighbour, 128, {{4096, 8}}});
  // The row of what is left of each word begins before the others of its row: it is counted by itself.
  CHECK(together(stencil) == 10 * 2 + 8 * 3 + 2);
  CHECK(together({stencil[0], stencil[1]}) == 8 * 3);  // 132 bytes each
  CHECK(together({stencil[0]}) == 8 * 2);
  // One of several rows, between two others, and in a row of its own far away.
  CHECK(together({{0, 128, {{4096, 8}}}, {8192, 64, {}}}) == 8 * 2);
  CHECK(together({{0, 128, {{4096, 8}}}, {6144, 64, {}}}) == 8 * 2 + 2);
  CHECK(together({{0, 128, {{4096, 8}}}, {1 << 20, 128, {{4096, 8}}}}) == 2 * 8 * 2);
  CHECK(together({}) == 0);
  CHECK_FALSE(lift::most_lines_of({{0, 1, {{1 << 20, INT64_MAX / 2}, {1 << 22, INT64_MAX / 2}}}}));
}

TEST_CASE("random sets: no more lines are touched than are counted, wherever they begin") {
  test::Random random(test::first_seed(82, 600));
  int64_t reached = 0, fewer = 0;
  for (int round = 0; round < test::thinned_seeds(600); ++round) {
    std::vector<Rows> sets;
    std::set<int64_t> lines;
    int64_t alone = 0;
    const int64_t base = below(random, 128), row = 4 * (1 + below(random, 600));
    std::vector<Repetition> common;
    for (int64_t more = below(random, 3); more > 0; --more)
      common.push_back({row * below(random, 5), 1 + below(random, 6)});
    for (int64_t set = 0; set < 1 + below(random, 5); ++set) {
      std::vector<Repetition> own = common;
      if (below(random, 3) == 0) own.push_back({row * (below(random, 7) - 3), 1 + below(random, 4)});
      if (below(random, 2) == 0) own.push_back({4 * (below(random, 9) - 4), 1 + below(random, 40)});
      const int64_t bytes = 1 + below(random, 16);
      const int64_t start = row * (below(random, 9) - 4) + 4 * (below(random, 9) - 4);
      for (const int64_t begin : begins(base + start, own)) {
        for (int64_t b = begin; b < begin + bytes; ++b) lines.insert(support::floor_divide(b, 128));
      }
      const auto rows = lift::rows_of(start, bytes, own);
      REQUIRE(rows);
      alone += lift::lines_of(*rows)->most;
      sets.push_back(*rows);
    }
    const int64_t counted = together(sets);
    INFO("round " << round);
    REQUIRE(static_cast<int64_t>(lines.size()) <= counted);
    REQUIRE(counted <= alone);
    reached += static_cast<int64_t>(lines.size()) == counted ? 1 : 0;
    fewer += counted < alone ? 1 : 0;
  }
  CHECK(reached > test::thinned_seeds(600) / 50);
  CHECK(fewer > test::thinned_seeds(600) / 5);
}
