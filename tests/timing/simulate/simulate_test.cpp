// SPDX-License-Identifier: GPL-3.0-or-later
// Which blocks of a launch are simulated, and how long all take.
#include "timing/simulate/simulate.hpp"

#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"
#include "tests/timing/simulate/made_traces.hpp"
#include "timing/simulate/placement.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using namespace warpspan::test;

namespace {

// A launch of one warp a block that executes as many instructions as its block's number says.
struct Counted {
  explicit Counted(std::function<size_t(int64_t)> steps_of) : steps_of_(std::move(steps_of)) {
    code_.add(ir::ExecutionUnit::integer);
  }

  double cycles(int64_t grid) {
    Load load;
    load.residency.blocks.least = 4;
    const auto trace = [this](int64_t number) {
      ir::BlockTrace block;
      block.warps.push_back(steps(std::vector<ir::InstructionId>(steps_of_(number), 0)));
      block.depends_on_data = true;
      return block;
    };
    const auto found =
        simulate({code_.kernel(), code_.details(), ir::Extent{grid, 1, 1}, load, trace, trace}, builtin("hopper"));
    REQUIRE(found);
    return found->cycles;
  }

 private:
  MadeCode code_;
  std::function<size_t(int64_t)> steps_of_;
};

}  // namespace

TEST_CASE("a launch takes as long as the block that ends last") {
  const auto with_long = [](int64_t which) {
    return Counted([which](int64_t number) { return number == which ? 5000 : 10; });
  };
  for (const int64_t which : {0, 1, 7, 200}) CHECK(with_long(which).cycles(264) > 10000);
  CHECK(with_long(1000).cycles(264) < 3000);
  CHECK(with_long(1).cycles(2) > 10000);
}

TEST_CASE("blocks whose instructions are too many to be kept are still looked for the longest") {
  Counted launch([](int64_t number) { return number == 3 ? 100000 : 20000; });
  CHECK(launch.cycles(130) > 100000);
}

TEST_CASE("blocks whose instructions are too many to be kept tell which sectors several use") {
  MadeCode code;
  const auto load = code.add(ir::ExecutionUnit::memory, {.written = 0});
  const auto use = code.add(ir::ExecutionUnit::integer, {.waits = {0}});
  constexpr int64_t grid = 132, loads = 20000;
  const auto cycles = [&](int64_t apart) {  // blocks whose numbers differ by that share their sectors
    const auto trace = [load, use, apart](int64_t number) {
      ir::BlockTrace block;
      ir::WarpTrace& warp = block.warps.emplace_back(steps(std::vector<ir::InstructionId>(loads, load)));
      for (int64_t i = 0; i < loads; ++i) {
        const int64_t line = number % apart * loads + i;
        ask(warp, static_cast<size_t>(i), {.kind = ir::TracedRequest::Kind::load, .lanes = 8, .bytes = 4},
            {static_cast<uint64_t>(line) * ir::sectors_of_line});
      }
      warp.steps.push_back({use, -1});
      block.depends_on_data = true;
      return block;
    };
    Load launched;
    launched.residency.blocks.least = 1;
    const auto found =
        simulate({code.kernel(), code.details(), ir::Extent{grid, 1, 1}, launched, trace, trace}, builtin("hopper"));
    REQUIRE(found);
    return found->cycles;
  };
  // None of the few blocks that are always asked is a multiple of 12 apart, so it is the same where none are counted.
  CHECK(4 * cycles(12) < 3 * cycles(grid));
}

TEST_CASE("blocks begin in the first place that is free") {
  // Two multiprocessors with a place each; the third block begins where the second has ended.
  const Placement two = place_blocks({30, 10, 5, 40}, 2, 1);
  CHECK(two.multiprocessors == std::vector<int64_t>{0, 1, 1, 1});
  CHECK(two.ends == std::vector<double>{30, 55});
  CHECK(place_blocks({1, 1, 1, 1}, 2, 2).multiprocessors == std::vector<int64_t>{0, 1, 0, 1});
}
