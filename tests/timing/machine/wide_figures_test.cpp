// SPDX-License-Identifier: GPL-3.0-or-later
// What takes longer with 64 bits than with 32, in PTX and in machine code.
#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

// As sass::operation_name calls it.
ir::Operation of_code(const std::string& name, ir::OperationKind kind) {
  ir::Operation operation;
  operation.text = operation.key.opcode = name;
  operation.kind = kind;
  operation.machine = ir::MachineIssue{2, true};
  return operation;
}

int64_t occupied_of(const Machine& machine, const ir::Operation& operation, const std::string& resource) {
  const auto figures = machine.figures(operation);
  INFO(operation.text);
  REQUIRE(figures);
  for (const Occupancy& occupancy : figures->occupancies) {
    if (machine.resources[occupancy.resource].name == resource) return *occupied_cycles(occupancy, 1).value();
  }
  return 0;
}

}  // namespace

TEST_CASE("a machine instruction occupies the register ports for no longer than it has registers to read") {
  const Machine machine = builtin("hopper");
  ir::Operation add = of_code("FADD", ir::OperationKind::fp32);
  CHECK(occupied_of(machine, add, "registers") == 3);
  const std::pair<ir::RegisterReads, int64_t> cases[] = {
      {{0, 0}, 1}, {{0, 1}, 1}, {{2, 0}, 2}, {{0, 3}, 3}, {{6, 2}, 3}};
  for (const auto& [read, cycles] : cases) {
    add.machine->registers_read = read;
    CHECK(occupied_of(machine, add, "registers") == cycles);
  }
  add.machine->registers_read = {1, 1};
  CHECK(occupied_of(machine, add, "registers") == 1);
  CHECK(occupied_of(builtin("volta"), add, "registers") == 2);  // its banks are not known
  add.machine->registers_read = {1, 2};
  CHECK(occupied_of(machine, add, "registers") == 2);
}

TEST_CASE("a match of 64 bits occupies its unit twice as long as one of 32") {
  for (const char* name : {"volta", "turing", "ampere", "ada", "hopper", "blackwell", "blackwell-consumer"}) {
    INFO(name);
    const Machine machine = builtin(name);
    const auto unit = [&](const ir::Operation& operation) { return occupied_of(machine, operation, "load_store"); };
    CHECK(unit(operation("match.any.sync.b64")) == 2 * unit(operation("match.any.sync.b32")));
    CHECK(unit(operation("match.all.sync.b64")) == 2 * unit(operation("match.all.sync.b32")));
    if (std::string_view(name) == "volta") continue;  // machine code is read from 7.5 on
    const auto code = [&](const std::string& called) { return unit(of_code(called, ir::OperationKind::vote)); };
    CHECK(code("MATCH") >= 64);
    CHECK(code("MATCH.64") == 2 * code("MATCH"));
  }
}

TEST_CASE(
    "conversions of 64 bits keep the unit for conversions where double precision is fast, and a slow one elsewhere") {
  const auto conversion = of_code("FRND", ir::OperationKind::convert64);
  for (const char* name : {"ampere", "hopper", "blackwell"}) {
    INFO(name);
    CHECK(occupied_of(builtin(name), conversion, "special") >= 10);
    CHECK(occupied_of(builtin(name), operation("cvt.rni.f64.f64"), "special") >= 10);
    CHECK(occupied_of(builtin(name), operation("div.s64"), "special") >= 3 * 10);  // two of them, and a reciprocal
  }
  for (const char* name : {"turing", "ampere-consumer", "orin", "ada", "blackwell-consumer", "blackwell-ultra"}) {
    INFO(name);
    CHECK(occupied_of(builtin(name), conversion, "double") >= 16);
  }
}
