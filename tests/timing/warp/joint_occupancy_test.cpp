// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/warp/joint_occupancy.hpp"

#include <catch2/catch.hpp>

#include "tests/timing/toy_machine.hpp"
#include "timing/machine/expansions.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

// Held from the issue on: the slot, "alu" and "registers" of the scheduler, "double" of the multiprocessor, of which
// there are two. "memory" is not.
Machine machine() {
  Machine machine = test::toy_machine();
  using Sharing = ResourceFigures::Sharing;
  machine.resources = {{"issue", 1, Sharing::scheduler, Evidence::assumed, "toy", true},
                       {"alu", 1, Sharing::scheduler, Evidence::assumed, "toy", true},
                       {"registers", 1, Sharing::scheduler, Evidence::assumed, "toy", true},
                       {"double", 2, Sharing::multiprocessor, Evidence::assumed, "toy", true},
                       {"memory", 1, Sharing::device, Evidence::assumed, "toy", false}};
  machine.sequence = SequenceFigures{};
  machine.sequence->occupancies = {{1, 2, false, 2}, {2, 3, false, 3}};
  machine.sequence->special_occupancies = {{1, 8, false, 8}};
  machine.sequence->double_occupancies = {{3, 16, false, 16}};
  return machine;
}

OperationFigures figures(int64_t instructions, std::vector<Occupancy> holds) {
  OperationFigures figures;
  figures.instructions = instructions;
  figures.occupancies = std::move(holds);
  return figures;
}

int64_t halves(const OperationFigures& cost, Interference interference, int64_t transactions = 1) {
  const Machine toy = machine();
  const JointOccupancy joint(toy);
  CHECK(*joint.unit().value() == 2);
  return joint.cycles(cost, transactions, interference).value().value();
}

constexpr auto same = Interference::same_scheduler, other = Interference::other_scheduler;

}  // namespace

TEST_CASE("one machine instruction is in the way for its longest stay") {
  const OperationFigures add = figures(1, {{0, 1, false, 1}, {1, 2, false, 2}, {2, 3, false, 3}, {4, 50, false, 50}});
  CHECK(halves(add, same) == 2 * 3);
  CHECK(halves(add, other) == 0);
  const OperationFigures wide = figures(1, {{0, 1, false, 1}, {1, 2, false, 2}, {3, 16, false, 16}});
  CHECK(halves(wide, same) == 2 * 2 + 14);
  CHECK(halves(wide, other) == 16);
}

TEST_CASE("an instruction that is issued again is in the way again") {
  CHECK(halves(figures(1, {{0, 4, false, 4}, {1, 3, false, 3}}), same) == 2 * (3 + 3));
  // Each further transaction is, as often as it holds something.
  const OperationFigures load = figures(1, {{0, 2, true, 1}, {1, 2, false, 2}, {4, 5, true, 5}});
  CHECK(halves(load, same, 1) == 2 * 2);
  CHECK(halves(load, same, 4) == 2 * (2 + 3 * 2));
}

TEST_CASE("of several machine instructions each is in the way for as long as one of a sequence at most") {
  CHECK(halves(figures(4, {{0, 4, false, 4}, {1, 8, false, 8}, {2, 12, false, 12}}), same) == 2 * 4 * 3);
  // No more than the sums: three of the four hold nothing but their slots.
  CHECK(halves(figures(4, {{0, 4, false, 4}, {1, 2, false, 2}}), same) == 2 * 6);
  // What is held for longer than that, and units that only some use, come on top.
  CHECK(halves(figures(4, {{0, 4, false, 4}, {1, 9, false, 9}, {2, 12, false, 12}}), same) == 2 * (12 + 1));
  CHECK(halves(figures(4, {{0, 4, false, 4}, {2, 12, false, 12}, {3, 16, false, 16}}), same) == 2 * 12 + 16);
  CHECK(halves(figures(4, {{0, 4, false, 4}, {2, 12, false, 12}, {3, 16, false, 16}}), other) == 16);
}

TEST_CASE("the machine instructions of an expansion are in the way each for its longest stay") {
  const Machine toy = machine();
  OperationFigures own = figures(1, {{0, 1, false, 1}, {1, 2, false, 2}, {2, 3, false, 3}});
  own.expanded = true;
  Expansion expansion;
  expansion.total = 10;
  expansion.of[static_cast<size_t>(MachineClass::special)] = 2;
  expansion.of[static_cast<size_t>(MachineClass::double_precision)] = 1;
  const OperationFigures all = with_expansion(toy, own, expansion);
  // Seven plain ones, the operation's own among them; two that hold the alu for 2 + 8; one for 3 cycles and 13 halves.
  CHECK(halves(all, same) == 2 * (7 * 3 + 2 * 10 + 3) + 13);
  CHECK(halves(all, other) == 16);
  int64_t sum = 0;
  for (const Occupancy& hold : all.occupancies) sum += hold.cycles * 2 / toy.resources[hold.resource].servers;
  CHECK(halves(all, same) < sum);
}

TEST_CASE("counts of classes that exceed all machine instructions together count in full") {
  const Machine toy = machine();
  OperationFigures own = figures(1, {{0, 1, false, 1}});
  own.expanded = true;
  Expansion expansion;
  expansion.total = 3;
  expansion.of[static_cast<size_t>(MachineClass::special)] = 2;
  expansion.of[static_cast<size_t>(MachineClass::double_precision)] = 2;
  CHECK(halves(with_expansion(toy, own, expansion), same) == 2 * (1 + 2 * 10 + 2 * 3) + 2 * 13);
}

TEST_CASE("without figures of sequences only issue slots are known to be held by all machine instructions") {
  Machine toy = machine();
  toy.sequence.reset();
  const JointOccupancy joint(toy);
  const OperationFigures several = figures(4, {{0, 4, false, 4}, {1, 8, false, 8}});
  CHECK(joint.cycles(several, 1, same).value() == 2 * 12);
}
