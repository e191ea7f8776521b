#include "timing/cost.hpp"

#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/toy_machine.hpp"

using namespace warpspan;

TEST_CASE("an operation without figures is refused, each kind once, with its line") {
  test::TestKernel k = test::build_kernel({{"CCC", {}}});
  ir::Operation shuffle;
  shuffle.text = "shfl.sync.up.b32";
  shuffle.kind = ir::OperationKind::shuffle;
  k.kernel.operations.push_back(shuffle);
  k.kernel.instructions[1].operation = 3;
  k.kernel.instructions[1].line = 17;
  k.kernel.instructions[2].operation = 3;
  const auto costs = timing::ptx_costs(k.kernel, test::toy_machine());
  REQUIRE(!costs.ok());
  REQUIRE(costs.errors().size() == 1);
  CHECK(costs.errors()[0].location.line == 17);
  CHECK(costs.errors()[0].message ==
        "machine 'toy' has no figures for 'shfl.sync.up.b32' (shuffle: shuffles of values between lanes)");
}
