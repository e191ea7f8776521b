// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>
#include <map>

#include "tests/timing/machine/machine_files.hpp"
#include "timing/machine/model.hpp"

using namespace warpspan;
using namespace warpspan::timing;

using ir::OperationKind;

TEST_CASE("a machine file is read with all its figures") {
  const Machine machine = machine_of(std::string(small));
  CHECK(machine.name == "small");
  CHECK(machine.description == "a machine for tests");
  CHECK(machine.targets == std::vector<std::string>{"sm_1", "sm_2"});
  CHECK(machine.assumptions == std::vector<std::string>{"no fetch", "no refresh"});
  REQUIRE(machine.references.size() == 1);
  CHECK(machine.references[0].key == "BOOK");
  CHECK(machine.references[0].text == "a book");
  CHECK(machine.multiprocessors == 3);
  CHECK(machine.clock_khz == 1000);
  CHECK(machine.board.evidence == Evidence::official);
  CHECK(machine.board.source == "[BOOK] 1");
  CHECK(machine.schedulers == 2);
  CHECK(machine.issue_gap == 6);
  CHECK(machine.issue_occupancy == 2);
  CHECK(machine.issue.evidence == Evidence::measured);
  CHECK(machine.max_warps == 48);
  CHECK(machine.max_blocks.least == 8);
  CHECK(machine.max_blocks.most == 8);
  CHECK(machine.max_threads_per_block == 1024);
  CHECK(machine.shared_bytes.most == 49152);
  CHECK(machine.shared_bytes_per_block == 32768);
  CHECK(machine.shared_granularity == 128);
  CHECK(machine.shared_reserved_per_block == 1024);
  CHECK(machine.registers == 32768);
  CHECK(machine.registers_per_block == 16384);
  CHECK(machine.register_granularity.least == 64);
  CHECK(machine.registers_per_thread == 255);
  CHECK_FALSE(machine.dispatch);
  CHECK(machine.limits.evidence == Evidence::simulator);
  CHECK(machine.unit_width[static_cast<size_t>(ir::UnitClass::load_store)] == support::Rational{1, 2});
  CHECK(machine.unit_width[static_cast<size_t>(ir::UnitClass::core)] == support::Rational{3, 2});
  CHECK(machine.unit_width[static_cast<size_t>(ir::UnitClass::special)] == support::Rational{1, 8});
  CHECK(machine.units.source == "a guess");
}

TEST_CASE("resources keep the order of the file, after the issue slot") {
  const Machine machine = machine_of(std::string(small));
  REQUIRE(machine.resources.size() == 3);
  CHECK(machine.resources[0].name == "issue");
  CHECK(machine.resources[0].sharing == ResourceFigures::Sharing::scheduler);
  CHECK(machine.resources[0].servers == 1);
  CHECK(machine.resources[0].source == "[BOOK] 2");
  CHECK(machine.resources[1].name == "unit");
  CHECK(machine.resources[1].sharing == ResourceFigures::Sharing::multiprocessor);
  CHECK(machine.resources[1].servers == 4);
  CHECK(machine.resources[2].name == "memory");
  CHECK(machine.resources[2].sharing == ResourceFigures::Sharing::device);
}

TEST_CASE("an operation has its latency, gap, counts and occupancies") {
  const Machine machine = machine_of(std::string(small));
  const auto& load = machine.figures(OperationKind::load_global);
  REQUIRE(load);
  CHECK(load->latency.best == 350);
  CHECK(load->latency.average == 400);
  CHECK(load->latency.worst == 500);
  CHECK(load->gap == 34);
  CHECK(load->instructions == 1);
  CHECK(load->per_transaction == 61);
  CHECK(load->evidence == Evidence::simulator);
  CHECK(load->source == "[BOOK] 6");
  REQUIRE(load->occupancies.size() == 3);
  CHECK(load->occupancies[0].resource == 0);
  CHECK(occupied(machine, OperationKind::load_global, "issue", 1) == 3);
  CHECK(occupied(machine, OperationKind::load_global, "issue", 3) == 9);
  CHECK(occupied(machine, OperationKind::load_global, "unit", 1) == 2);
  CHECK(occupied(machine, OperationKind::load_global, "unit", 32) == 2);
  CHECK(occupied(machine, OperationKind::load_global, "memory", 0) == 61);
  CHECK(occupied(machine, OperationKind::load_global, "memory", 1) == 61);
  CHECK(occupied(machine, OperationKind::load_global, "memory", 32) == 61 + 31 * 70);
  CHECK_FALSE(machine.figures(OperationKind::load_shared));
}

TEST_CASE("a single latency stands for all three, and the gap follows from the issue gap") {
  const Machine machine = machine_of(std::string(small));
  const auto& fp32 = machine.figures(OperationKind::fp32);
  REQUIRE(fp32);
  CHECK(fp32->latency.best == 18);
  CHECK(fp32->latency.average == 18);
  CHECK(fp32->latency.worst == 18);
  CHECK(fp32->gap == 6);
  REQUIRE(fp32->occupancies.size() == 1);
  CHECK(occupied(machine, OperationKind::fp32, "issue", 0) == 2);
}

TEST_CASE("forms have figures of their own, and the kind's are safe for all of them") {
  const Machine machine = machine_of(std::string(small));
  const auto operation = [](const char* text) { return ir::Operation{text, OperationKind::int_add}; };
  const auto ordinary = machine.figures(operation("add.s32"));
  REQUIRE(ordinary);
  CHECK(ordinary->latency.worst == 18);
  for (const char* text : {"add.sat.s32", "sub.cc.s32"}) {
    const auto figures = machine.figures(operation(text));
    REQUIRE(figures);
    CHECK(figures->latency.worst == 40);
    CHECK(figures->instructions == 3);
  }
  const auto& kind = machine.figures(OperationKind::int_add);
  REQUIRE(kind);
  CHECK(kind->latency.best == 10);
  CHECK(kind->latency.average == 20);
  CHECK(kind->latency.worst == 40);
  CHECK(kind->gap == 30);
  CHECK(kind->instructions == 3);
  CHECK(kind->evidence == Evidence::assumed);
  CHECK(kind->source == "[BOOK] 5; a guess");
  CHECK(occupied(machine, OperationKind::int_add, "issue", 1) == 6);
  CHECK(occupied(machine, OperationKind::int_add, "unit", 1) == 5);
}

TEST_CASE("a kind that only some forms have figures of is refused as a whole") {
  const Machine machine =
      machine_of(changed("[operation.set]\nkinds = [\"int.add\"]", "[operation.set]\nkinds = [\"move\"]"));
  CHECK_FALSE(machine.figures(OperationKind::move));
  CHECK(machine.figures(ir::Operation{"add.sat.u32", OperationKind::move}));
  CHECK_FALSE(machine.figures(ir::Operation{"mov.u32", OperationKind::move}));
}

TEST_CASE("figures that are safe for two occupancies are never less than either") {
  const Occupancy plain{1, 10, false, 10};
  const Occupancy growing{1, 4, true, 2};
  OperationFigures a, b;
  a.occupancies = {plain};
  b.occupancies = {growing};
  const OperationFigures both = safe_for_both(a, b);
  REQUIRE(both.occupancies.size() == 1);
  for (int64_t n = 0; n <= 32; ++n) {
    CHECK(*occupied_cycles(both.occupancies[0], n).value() >= *occupied_cycles(plain, n).value());
    CHECK(*occupied_cycles(both.occupancies[0], n).value() >= *occupied_cycles(growing, n).value());
  }
}
