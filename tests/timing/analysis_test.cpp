// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/analysis.hpp"

#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/in_order.hpp"
#include "tests/timing/toy_machine.hpp"

using namespace warpspan;

TEST_CASE("a kernel without instructions is refused: its machine code has at least an exit") {
  test::TestKernel k = test::build_kernel({{"", {}}});
  REQUIRE(k.kernel.instructions.empty());
  k.kernel.name = "k";
  k.kernel.location.line = 3;
  const auto analysis = timing::analyze(k.kernel, k.flow, {}, test::toy_machine(), test::in_order(), timing::Limits{});
  REQUIRE_FALSE(analysis.ok());
  CHECK(analysis.errors().front().message == "kernel 'k' has no instructions");
  CHECK(analysis.errors().front().location.line == 3);
}

TEST_CASE("operations that a machine has no figures for are told once each, before anything is bounded") {
  const test::TestKernel k = test::build_kernel({{"LCC", {}}});
  timing::Machine machine = test::toy_machine();
  machine.operations[static_cast<size_t>(ir::OperationKind::int_add)].reset();
  machine.otherwise[static_cast<size_t>(ir::OperationKind::int_add)].reset();
  const auto analysis = timing::analyze(k.kernel, k.flow, {}, machine, test::in_order(), timing::Limits{});
  REQUIRE_FALSE(analysis.ok());
  CHECK(analysis.errors().size() == 1);
}
