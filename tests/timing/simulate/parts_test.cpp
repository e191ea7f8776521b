// SPDX-License-Identifier: GPL-3.0-or-later
// Figures, caches and sharing of a simulation.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/timing/machine/machine_files.hpp"
#include "timing/simulate/figures.hpp"
#include "timing/simulate/flat_map.hpp"
#include "timing/simulate/memory_system.hpp"
#include "timing/simulate/recent.hpp"
#include "timing/simulate/sharing.hpp"

using namespace warpspan;
using namespace warpspan::timing;

TEST_CASE("a flat map holds what a tree does, whatever is added and removed") {
  FlatMap<uint64_t> map;
  std::map<uint64_t, uint64_t> expected;
  CHECK(map.find(7) == nullptr);
  uint64_t drawn = 1;
  for (uint64_t step = 0; step < 20000; ++step) {
    drawn = drawn * 6364136223846793005 + 1442695040888963407;
    // Few keys, far apart and side by side, so that places are shared and given up again.
    const uint64_t key = (drawn >> 40) % 3 == 0 ? (drawn >> 33) % 200 << 40 : (drawn >> 33) % 200;
    if (drawn >> 62 == 0) {
      map.erase(key);
      expected.erase(key);
    } else {
      const auto [value, added] = map.try_emplace(key, step);
      CHECK(added == expected.emplace(key, step).second);
      CHECK(*value == expected.at(key));
    }
    CHECK(map.size() == expected.size());
  }
  for (uint64_t key = 0; key < 200; ++key) {
    for (const uint64_t each : {key, key << 40}) {
      const uint64_t* found = map.find(each);
      REQUIRE((found != nullptr) == expected.contains(each));
      if (found != nullptr) CHECK(*found == expected.at(each));
    }
  }
}

TEST_CASE("a cache by use loses what was used least recently") {
  RecentlyUsed<int> cache(2);
  cache.put(1, 10);
  cache.put(2, 20);
  CHECK(*cache.find(1) == 10);
  cache.put(3, 30);
  CHECK(cache.find(2) == nullptr);
  CHECK(*cache.find(1) == 10);
  CHECK(cache.put(3, 40) == 30);
  cache.put(4, 50);
  CHECK(cache.find(1) == nullptr);
  CHECK(*cache.find(3) == 30);
}

TEST_CASE("typical figures are those of the file, and else follow from it") {
  const Machine hopper = builtin("hopper");
  const auto measured = simulated_machine(hopper);
  REQUIRE(measured);
  CHECK(is_simulation_measured(hopper));
  CHECK(measured->memory.l1_hit == 33);
  CHECK(measured->memory.memory_bytes == 1313);
  CHECK(measured->units.double_precision == 2);
  CHECK(measured->atomics.address == 1.45);
  CHECK(measured->multiprocessors == 132);
  const Machine ampere = builtin("ampere");
  const auto derived = simulated_machine(ampere);
  REQUIRE(derived);
  CHECK(!is_simulation_measured(ampere));
  const auto& load = *ampere.figures(ir::OperationKind::load_global);
  CHECK(derived->memory.memory_load == static_cast<double>(load.latency.average));
  CHECK(derived->memory.memory_bytes > 500);
  CHECK(derived->units.double_precision == 4);
  CHECK(derived->units.single_precision == 2);
  const auto fermi = simulated_machine(builtin("fermi"));
  REQUIRE(!fermi);
  CHECK(fermi.errors()[0].message == "machine 'fermi' has no typical figures to simulate with");
}

TEST_CASE("sectors that all blocks use are those of all multiprocessors") {
  SectorSharing sharing(100, 2);
  sharing.add_far({1, 2});
  sharing.add_far({1, 3});
  sharing.add_near({1, 4});
  sharing.set_own({1, 4, 5}, 1e9);
  CHECK(sharing.users_of(1, 0) == 100);
  CHECK(sharing.users_of(4, 0) == 2);
  CHECK(sharing.users_of(5, 0) == 1);
  CHECK(sharing.users_of(2, 0) == 100);  // half of those far away, two blocks each
  CHECK(SectorSharing(100, 1).users_of(7, 3) == 1);
}

TEST_CASE("where all blocks were counted, users are as many as requests of all for each of one's own") {
  using Kind = ir::TracedRequest::Kind;
  const auto block = [](std::vector<uint64_t> sectors) {
    ir::BlockTrace made;
    made.warps.emplace_back();
    made.warps[0].sectors = std::move(sectors);
    const auto count = static_cast<uint32_t>(made.warps[0].sectors.size());
    made.warps[0].requests.push_back({.kind = Kind::reduction, .lanes = 4, .serial = 6, .first = 0, .count = count});
    return made;
  };
  SectorSharing sharing(100, 1);
  sharing.count(block({0, 1}));
  for (int i = 0; i < 5; ++i) sharing.count(block({1, 1 << 20}));
  CHECK(!sharing.is_counted());
  sharing.count_own(block({0, 1}), 1);
  CHECK(sharing.counted_sectors() == 3);
  CHECK(sharing.users_of(0, 0) == 1);
  CHECK(sharing.users_of(1, 0) == 6);
  CHECK(sharing.users_of(7, 0) == 1);
  // Sectors 0 and 1 are in one slice: six atomics of its own, five times three of others.
  CHECK(sharing.atomics_of(0, 0) == 21.0 / 6);
  sharing.count_own(block({0, 1}), 2);  // which stands for three
  CHECK(sharing.users_of(1, 0) == 2);
}

TEST_CASE("lines side by side alternate between two slices") {
  const auto slice = [](uint64_t line) { return slice_of(line * 4); };
  CHECK(slice(0) == slice(1));
  CHECK(slice(0) != slice(2));
  CHECK(slice(0) == slice(4));
  CHECK(slice(2) == slice(7));
}

TEST_CASE("lines that powers of two of bytes lie between have slices of their own") {
  for (const uint64_t lines : {uint64_t{8}, uint64_t{32}, uint64_t{256}, uint64_t{1} << 13}) {
    std::set<size_t> slices;
    for (uint64_t i = 0; i < 32; ++i) slices.insert(slice_of(i * lines * 4));
    CHECK(slices.size() == 32);
  }
}

namespace {

SimulatedMachine machine_of_lines() {
  SimulatedMachine machine;
  machine.multiprocessors = 100;
  machine.memory.l2_hit = 200;
  machine.memory.memory_load = 600;
  machine.memory.port_bytes = machine.memory.l2_bytes = 32;
  machine.memory.memory_bytes = 6400;
  machine.memory.memory_scattered = 1;
  machine.memory.l2_capacity = 1e9;
  machine.memory.l2_request = 0.5;
  return machine;
}

}  // namespace

TEST_CASE("a line that all ask for at once is served to one after another") {
  const SimulatedMachine machine = machine_of_lines();
  const std::vector<uint64_t> line = {0};
  SectorSharing shared(100, 1), own(100, 1);
  shared.add_far({0});
  const auto third = [&](const SectorSharing& sharing) {
    MemorySystem memory(machine, sharing, 65536, 1);
    for (int i = 0; i < 2; ++i) memory.load(0, line, {}, true);
    return memory.load(2000, line, {}, true);
  };
  // A sector is a cycle of the way: from then on the slice has a hundred requests of half a cycle, or one.
  CHECK(third(shared) == 2000 + 1 + 50 + 200);
  CHECK(third(own) == 2000 + 1 + 0.5 + 200);
  // Two at once follow one another.
  MemorySystem memory(machine, shared, 65536, 1);
  memory.load(0, line, {}, true);
  memory.load(2000, line, {}, true);
  CHECK(memory.load(2000, line, {}, true) == 2000 + 1 + 2 * 50 + 200);
}

TEST_CASE("the second half of a line from memory costs what the first one has more") {
  SimulatedMachine machine = machine_of_lines();
  machine.memory.memory_bytes = 100;  // a byte a cycle for each multiprocessor: 64 cycles for 64 bytes
  machine.memory.memory_scattered = 1.5;
  machine.memory.l2_request = 0;
  const SectorSharing sharing(100, 1);
  MemorySystem memory(machine, sharing, 65536, 1);
  CHECK(memory.load(0, std::vector<uint64_t>{0}, {}, true) == 96 + 600);
  CHECK(memory.load(1000, std::vector<uint64_t>{2}, {}, true) == 1000 + 32 + 600);
  CHECK(memory.load(2000, std::vector<uint64_t>{400}, {}, true) == 2000 + 96 + 600);
}

TEST_CASE("sums of floating-point numbers hold their address for longer, and so do INC and DEC without a result") {
  SimulatedMachine machine = machine_of_lines();
  machine.atomics.address = 2;
  machine.atomics.floating_point = 3;
  machine.atomics.wrapping_reduction = 5;
  const SectorSharing sharing(1, 1);
  const std::vector<uint64_t> sector = {0};
  const auto second = [&](MemorySystem::AtomicRequest request) {  // when it is done: the address is known by then
    request.lanes = request.passes = 32;
    MemorySystem memory(machine, sharing, 65536, 1);
    memory.atomic(0, sector, {}, request);
    return memory.atomic(0, sector, {}, request).done;
  };
  CHECK(second({}) == 2 * 32 * 2);
  CHECK(second({.floating_point = true}) == 2 * 32 * 3);
  CHECK(second({.wraps = true}) == 2 * 32 * 5);
}

TEST_CASE("atomics without a result take less of the way") {
  SimulatedMachine machine = machine_of_lines();
  machine.atomics.sector = 5;
  machine.atomics.reduction_sector = 3;
  machine.atomics.result = 300;
  const SectorSharing sharing(100, 1);
  const std::vector<uint64_t> sectors = {0, 4};
  for (const bool returns : {true, false}) {
    MemorySystem memory(machine, sharing, 65536, 1);
    CHECK(memory.atomic(0, sectors, {}, {.returns = returns}).done == 2 * (returns ? 5 : 3) + 300 + 400);
  }
}
