// SPDX-License-Identifier: GPL-3.0-or-later
// Indices that are kept between borders, against what each thread accesses.
#include <set>

#include "support/floor_divide.hpp"
#include "tests/frontend/lift/find_facts.hpp"
#include "tests/random_numbers.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using test::block_of;
using test::with_grid;

namespace {

// %r3: number of the thread in the grid.
const std::string start =
    "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r5, %ntid.x;\n"
    "mad.lo.s32 %r3, %r2, %r5, %r1;\n";

// p[%r9] of 4 bytes.
const std::string load = "mul.wide.s32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r10, [%d3];\nret;";

}  // namespace

// Whatever the borders are, all bytes are in the span, and in no more lines than are counted.
TEST_CASE("random borders: no thread accesses what is not counted") {
  test::Random random(test::first_seed(61, 60));
  int64_t at_border = 0;
  for (int round = 0; round < test::thinned_seeds(60); ++round) {
    const int64_t threads = 32 << test::below(random, 3), blocks = 2 + test::below(random, 6);
    const int64_t factor = 1 + test::below(random, 3), more = test::below(random, 400) - 200;
    std::string body = "mad.lo.s32 %r9, %r3, " + std::to_string(factor) + ", " + std::to_string(more) + ";\n";
    std::vector<std::pair<bool, int64_t>> borders;
    for (int64_t n = 1 + test::below(random, 3); n > 0; --n) {
      borders.emplace_back(test::below(random, 2) == 0, test::below(random, 1200) - 300);
      body += std::string(borders.back().first ? "min" : "max") + ".s32 %r9, %r9, " +
              std::to_string(borders.back().second) + ";\n";
    }
    const ir::Flow flow = test::facts_of(start + body + load, with_grid(block_of(threads), blocks));
    REQUIRE(flow.accesses.size() == 1);
    const ir::Access& access = flow.accesses[0];
    INFO(body << access.form);
    REQUIRE(access.span);
    REQUIRE(access.grid_lines);
    std::set<int64_t> lines;
    for (int64_t thread = 0; thread < threads * blocks; ++thread) {
      int64_t index = thread * factor + more;
      for (const auto& [is_least, border] : borders) {
        const int64_t before = index;
        index = is_least ? std::min(index, border) : std::max(index, border);
        at_border += index == before ? 0 : 1;
      }
      REQUIRE(4 * index >= access.span->first);
      REQUIRE(4 * index + 4 <= access.span->end);
      lines.insert(support::floor_divide(4 * index, 128));
    }
    CHECK(static_cast<int64_t>(lines.size()) <= *access.grid_lines);
  }
  CHECK(at_border > 0);
}
