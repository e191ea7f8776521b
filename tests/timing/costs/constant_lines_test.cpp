// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of constants and parameters, and where they come from.
#include <catch2/catch.hpp>

#include "tests/timing/costs/served_accesses.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using namespace warpspan::test::served;

TEST_CASE("constants are few lines that all read") {
  for (const OperationKind kind : {OperationKind::load_param, OperationKind::load_const}) {
    Accesses a;
    a.add(kind);
    CHECK(memory(a, all) == Guarantee::same_bank);
    CHECK(network(a, all) == Guarantee::same_bank);
  }
}

TEST_CASE("memory serves each line of constants once where all that may be read at an index is known and fits the L2") {
  Accesses a;
  const ir::InstructionId read = a.add(OperationKind::load_const);
  a.add(OperationKind::load_const);
  a.k.kernel.instructions[read].first_register = static_cast<uint32_t>(a.k.kernel.register_pool.size());
  a.k.kernel.instructions[read].reads = 1;
  a.k.kernel.register_pool.push_back(0);
  a.k.kernel.registers = 1;
  a.k.kernel.register_bits = {32};
  Machine machine = test::line_machine();
  CHECK_FALSE(table_lines(a.k.kernel, machine));
  a.k.kernel.constant_places = {{3, 0, 4096}, {0, 528, 8}};
  CHECK(table_lines(a.k.kernel, machine) == 34);  // banks begin at multiples of 64
  Persistence tables;
  tables.tables = true;
  const Served served = serve(a, {}, machine, tables);
  CHECK(served.of(0).cached_by_device);
  CHECK(served.of(1).cached_by_device);
  CHECK(served.code.first_misses.table_lines == 34);
  CHECK(served.code.first_misses.constant_lines == 0);
  CHECK_FALSE(serve(a, {}, machine).of(0).cached_by_device);
  // Where the cache behind that of constants keeps them beside the code.
  CHECK_FALSE(served.of(0).places_nearby);
  CHECK(served.code.first_misses.lines_behind == 0);
  Machine behind = machine;
  DataCache& constant = behind.data_caches.front();
  REQUIRE(constant.name == constant_cache);
  behind.fetch.emplace();
  behind.fetch->line = 128;
  behind.fetch->instructions = 8;
  const int64_t lines = 4096 / constant.line + 1, code = 128;
  constant.persistent = {1, 1};
  constant.behind = lines * constant.line + code;
  constant.place = 12;
  CHECK(lines_cached_behind(a.k.kernel, behind) == lines);
  const Served from_behind = serve(a, {}, behind, tables);
  for (const ir::InstructionId one : {0, 1}) {
    CHECK(from_behind.of(one).places_nearby);
    CHECK(from_behind.of(one).place == 12);
    CHECK(from_behind.of(one).cached_by_device);
    CHECK_FALSE(from_behind.of(one).hit);
  }
  CHECK(from_behind.code.first_misses.lines_behind == lines);
  CHECK(from_behind.code.first_misses.table_lines == 34);
  --constant.behind;
  CHECK_FALSE(lines_cached_behind(a.k.kernel, behind));
  CHECK_FALSE(serve(a, {}, behind, tables).of(0).places_nearby);
  // Where the nearest cache has them all, lanes ask for several of its places.
  Persistence nearby;
  nearby.constants = true;
  const Served kept = serve(a, {}, machine, nearby);
  CHECK(kept.of(0).places_nearby);
  CHECK_FALSE(kept.of(0).cached_nearby);
  CHECK_FALSE(kept.of(0).hit);
  CHECK(kept.of(1).cached_nearby);
  CHECK_FALSE(kept.of(1).places_nearby);
  a.k.flow.transactions[read] = 1;  // one place for all
  CHECK(serve(a, {}, machine, nearby).of(0).cached_nearby);
  CHECK_FALSE(serve(a, {}, machine).of(0).places_nearby);
  a.k.flow.transactions[read] = 2;
  machine.data_caches[1].bytes = 4096;
  CHECK_FALSE(table_lines(a.k.kernel, machine));
  a.k.kernel.instructions[read].reads = 0;
  CHECK_FALSE(table_lines(a.k.kernel, test::line_machine()));
}

TEST_CASE("what the launch passes comes from the L2 cache, other constants do not") {
  Accesses a;
  for (int i = 0; i < 2; ++i) a.add(OperationKind::load_param);
  for (ir::Operation& operation : a.k.kernel.operations) operation.machine.emplace();
  a.k.kernel.operations[a.k.kernel.instructions[0].operation].reads_launch = true;
  a.k.kernel.constant_places = {{ir::Kernel::launch_bank, 40, 8}, {ir::Kernel::launch_bank, 528, 8}, {3, 0, 8}};
  Machine machine = test::line_machine();
  test::add_waits(machine, {500, 2 << 20, 1000, {}}, {100, 4000, {}});
  Persistence warm;
  warm.parameters = true;
  const Served served = serve(a, {}, machine, warm);
  CHECK(served.of(0).cached_by_device);
  CHECK(served.of(0).hit == 65);  // 60 of the L2 cache without its translation, 5 of the constant cache
  CHECK_FALSE(served.of(1).cached_by_device);
  CHECK_FALSE(served.of(1).hit);
  CHECK(served.code.reads_parameters);
  CHECK_FALSE(serve(a, {}, machine).of(0).hit);
  CHECK_FALSE(serve(a, {}, machine).code.reads_parameters);
  const auto costs = costs_of(served.code.kernel, machine, served.code.services);
  REQUIRE(costs.ok());
  const OperationFigures& figures = costs->of(served.code.kernel.instructions[0]);
  CHECK(figures.latency.translation == 0);
  CHECK(figures.latency.refresh == 0);
  for (const Occupancy& hold : figures.occupancies) CHECK(hold.resource != test::memory_of_lines);
  warm.constants = true;
  const FirstMisses misses = serve(a, {}, machine, warm).code.first_misses;
  CHECK(misses.constant_lines == 3);
  CHECK(misses.launch_lines == 2);
  const Footprint touched = footprint(a.k.kernel, a.k.flow, Load{}, machine);
  CHECK(touched.constant_pages == 3);
  CHECK(touched.launch_pages == 2);
  warm.constants = false;
  // PTX does not tell where the assembler reads what.
  for (ir::Operation& operation : a.k.kernel.operations) operation.machine.reset();
  CHECK_FALSE(serve(a, {}, machine, warm).code.reads_parameters);
}

TEST_CASE("each bank of constants begins where it has most lines") {
  Accesses a;
  const ir::InstructionId read = a.add(OperationKind::load_const);
  a.k.kernel.instructions[read].first_register = static_cast<uint32_t>(a.k.kernel.register_pool.size());
  a.k.kernel.instructions[read].reads = 1;
  a.k.kernel.register_pool.push_back(0);
  a.k.kernel.constant_places = {{3, 64, 128}, {0, 0, 128}};
  CHECK(table_lines(a.k.kernel, test::line_machine()) == 4);
}

TEST_CASE("a bank of constants may lie on two pages if more than 64 bytes of it are read") {
  using Places = std::vector<ir::Kernel::ConstantPlace>;
  const auto pages = [](const std::optional<Places>& places) {
    Accesses a;
    a.k.kernel.constant_places = places;
    return footprint(a.k.kernel, a.k.flow, Load{}, test::line_machine()).constant_pages;
  };
  CHECK(pages(Places{}) == 0);
  CHECK(pages(Places{{0, 40, 8}, {0, 48, 16}}) == 1);
  CHECK(pages(Places{{0, 40, 8}, {0, 528, 8}}) == 2);
  CHECK(pages(Places{{0, 60, 8}}) == 2);
  CHECK(pages(Places{{0, 40, 8}, {3, 0, 4096}}) == 3);
  CHECK(pages(std::nullopt) == 8);
}

TEST_CASE("constants fit their cache by all that may be read of them") {
  const auto kept = [](OperationKind kind, bool is_indexed, int64_t parameter_bytes) {
    Accesses a;
    a.add(kind);
    a.k.kernel.parameter_bytes = parameter_bytes;
    a.k.kernel.registers = 1;
    test::connect(a.k, 0, is_indexed ? std::vector<ir::RegisterId>{0} : std::vector<ir::RegisterId>{}, {});
    return constants_fit_cache(a.k.kernel, test::line_machine());
  };
  CHECK(kept(OperationKind::load_param, false, 4096));  // one read is one line, whichever
  CHECK(kept(OperationKind::load_const, false, 64));
  CHECK(kept(OperationKind::load_param, true, 640));
  CHECK_FALSE(kept(OperationKind::load_param, true, 1024));
  CHECK_FALSE(kept(OperationKind::load_const, true, 64));
}
