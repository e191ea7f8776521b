// SPDX-License-Identifier: GPL-3.0-or-later
// Which guarantee each access gets: never one whose condition it does not fulfil.
#include <catch2/catch.hpp>
#include <functional>

#include "tests/timing/costs/served_accesses.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using namespace warpspan::test::served;
using test::assuming;

TEST_CASE("a dense range is served at each rung as its guarantee says") {
  Accesses a;
  a.dense(OperationKind::load_global, a.object(), 512);
  CHECK(memory(a, {}) == Guarantee::same_bank);
  CHECK(memory(a, assuming({Assumption::keeps, Assumption::aligned})) == Guarantee::same_bank);
  CHECK(memory(a, spread) == Guarantee::spread);
  CHECK(memory(a, all) == Guarantee::stream);
  CHECK(network(a, {}) == Guarantee::same_bank);
  CHECK(network(a, all) == Guarantee::spread);
}

TEST_CASE("strides, gathers and unknown places are at most spread") {
  Accesses strided;
  strided.sparse(OperationKind::load_global, strided.object(), 4096, 4096);
  CHECK(memory(strided, all) == Guarantee::spread);
  CHECK(network(strided, all) == Guarantee::spread);
  Accesses gather;
  gather.access(OperationKind::load_global, gather.object());
  CHECK(memory(gather, all) == Guarantee::spread);
  Accesses unknown;
  unknown.access(OperationKind::load_global, ir::no_object);
  CHECK(memory(unknown, all) == Guarantee::spread);
  Accesses not_told;
  not_told.add(OperationKind::texture);
  CHECK(memory(not_told, all) == Guarantee::spread);
  CHECK(network(not_told, all) == Guarantee::spread);
}

TEST_CASE("surfaces are loaded and stored from many slices; reductions may all want one texel") {
  const auto network_of = [](ir::AccessClass access) {
    Accesses a;
    a.k.kernel.operations[a.k.kernel.instructions[a.add(OperationKind::surface)].operation].facts.access = access;
    return network(a, all);
  };
  using ir::AccessClass;
  for (const AccessClass one : {AccessClass::load, AccessClass::store}) CHECK(network_of(one) == Guarantee::spread);
  CHECK(network_of(AccessClass::reduction) == Guarantee::same_bank);
}

TEST_CASE("what no access tells of may be few lines: variables in local memory, prefetches, tables of branches") {
  using enum OperationKind;
  for (const OperationKind kind : {load_local, store_local, prefetch, branch}) {
    Accesses a;
    a.add(kind);
    CHECK(memory(a, all) == Guarantee::same_bank);
    CHECK(network(a, all) == Guarantee::same_bank);
  }
}

TEST_CASE("beyond its reach, or where what is touched is not known, no guarantee is given") {
  Machine machine = test::line_machine();
  machine.resources[test::memory_of_lines].lines->reach = 1 << 20;
  Accesses fits;
  fits.dense(OperationKind::load_global, fits.object(), (1 << 13) - 1);
  CHECK(memory(fits, all, machine) == Guarantee::stream);
  Accesses beyond;
  beyond.dense(OperationKind::load_global, beyond.object(), 1 << 13);  // and one that it begins inside of
  CHECK(memory(beyond, all, machine) == Guarantee::same_bank);
  const auto beside = [&](const std::function<void(Accesses&)>& other) {
    Accesses a;
    a.dense(OperationKind::load_global, a.object(), 4096);
    other(a);
    return memory(a, all, machine);
  };
  CHECK(beside([](Accesses&) {}) == Guarantee::stream);
  CHECK(beside([](Accesses& a) { a.access(OperationKind::load_global, a.object()); }) == Guarantee::same_bank);
  CHECK(beside([](Accesses& a) { a.access(OperationKind::load_global, a.object(4096)); }) == Guarantee::stream);
  CHECK(beside([](Accesses& a) { a.access(OperationKind::load_global, ir::no_object); }) == Guarantee::same_bank);
  CHECK(beside([](Accesses& a) { a.add(OperationKind::prefetch); }) == Guarantee::same_bank);
  CHECK(beside([](Accesses& a) { a.dense(OperationKind::load_global, a.object(), 5000); }) == Guarantee::same_bank);
}

TEST_CASE("only a store that covers its lines need not fetch them") {
  const auto writes_whole = [](int bytes, const std::function<void(ir::Access&)>& change,
                               const AssumptionSet& assumed = all) {
    Accesses a;
    change(a.dense(OperationKind::store_global, a.object(), 4096, bytes));
    return serve(a, assumed).of(0).memory_share == 2;
  };
  const auto nothing = [](ir::Access&) {};
  CHECK(writes_whole(4, nothing));
  CHECK(writes_whole(8, [](ir::Access& a) { a.aligned_transactions = 2; }));
  CHECK_FALSE(writes_whole(4, nothing, spread));
  CHECK_FALSE(writes_whole(4, [](ir::Access& a) { a.dense = false; }));
  // One lane of a warp, or all of them at one word: a line for each warp, four bytes of it written.
  CHECK_FALSE(writes_whole(4, [](ir::Access& a) { a.covers_lines = false; }));
}

TEST_CASE("what is kept is served once, at the rate that its lines have") {
  const Persistence data{false, true, {}};
  const auto once = [&](Accesses& a, const AssumptionSet& assumed) {
    return serve(a, assumed, test::line_machine(), data).code.first_misses.data[test::memory_of_lines];
  };
  Accesses a;
  a.dense(OperationKind::load_global, a.object(), 600);
  CHECK(once(a, assuming({Assumption::keeps})) == 601 * 40);
  CHECK(once(a, assuming({Assumption::keeps, Assumption::spread})) == 601 * 1500);
  CHECK(once(a, all) == 601 * 667);
  Accesses few;
  few.sparse(OperationKind::load_global, few.object(), 100, 128);
  CHECK(once(few, all) == 101 * 40000 - 40000);
  Accesses gather;
  gather.access(OperationKind::load_global, gather.object(1280));
  CHECK(once(gather, all) == 11 * 40000);
  Accesses written;
  written.dense(OperationKind::store_global, written.object(), 600);
  CHECK(once(written, all) == 601 * 2 * 667);
  Accesses mixed;
  mixed.dense(OperationKind::load_global, mixed.object(), 1100);
  mixed.sparse(OperationKind::load_global, 0, 1100, 128);
  CHECK(once(mixed, all) == 1101 * 1500);
}

TEST_CASE("different lines, each served once, take as long as random ones and what the machine adds once for all") {
  Machine machine = test::line_machine();
  const Machine without = machine;
  machine.resources[test::memory_of_lines].lines->once = {{lines_of_once, {{300, 1}, {}}}};
  const auto serve_all = [](Accesses& a, const AssumptionSet& assumed, const Machine& one, const Persistence& kept) {
    for (ir::Operation& operation : a.k.kernel.operations) operation.machine.emplace();
    const Served served = serve(a, assumed, one, kept);
    return std::pair(served.code.first_misses.data[test::memory_of_lines], served.code.serves_once);
  };
  const Persistence data{false, true, {}};
  using Ticks = std::pair<int64_t, bool>;
  Accesses few;
  few.sparse(OperationKind::load_global, few.object(), 100, 128);
  CHECK(serve_all(few, all, without, data) == Ticks(100 * 40000, false));
  CHECK(serve_all(few, all, machine, data) == Ticks(100 * 1500 + 300000, true));
  CHECK(serve_all(few, assuming({Assumption::keeps}), machine, data) == Ticks(100 * 40, false));
  // What is written goes back: each line is served twice.
  Accesses written;
  written.sparse(OperationKind::store_global, written.object(), 100, 128);
  CHECK(serve_all(written, all, machine, data) == Ticks(200 * 1500 + 600000, true));
  // Objects share what is added; the one whose lines are served most often says how often.
  Accesses both;
  both.sparse(OperationKind::load_global, both.object(), 100, 128);
  both.sparse(OperationKind::load_global, both.object(), 50, 128);
  CHECK(serve_all(both, all, machine, data) == Ticks(150 * 1500 + 300000, true));
  CHECK(serve_all(both, all, machine, {false, true, {}, {{{3, 300}, {1, 50}}, {}, {}}}) ==
        Ticks(350 * 1500 + 900000, true));
  // Not all of them so often: as many as there are, and what is added for the line that is.
  CHECK(serve_all(both, all, machine, {false, true, {}, {{{3, 120}, {1, 50}}, {}, {}}}) ==
        Ticks(170 * 1500 + 900000, true));
  // Dense ranges come faster by themselves, and very few lines.
  Accesses dense;
  dense.dense(OperationKind::load_global, dense.object(), 600);
  CHECK(serve_all(dense, all, machine, data) == Ticks(601 * 667, false));
  dense.sparse(OperationKind::load_global, dense.object(), 100, 128);
  CHECK(serve_all(dense, all, machine, data) == Ticks(601 * 667 + 100 * 1500 + 300000, true));
  Accesses one;
  one.sparse(OperationKind::load_global, one.object(), 3, 128);
  CHECK(serve_all(one, all, machine, data) == Ticks(3 * 40000, false));
  // Fewer lines may take less: 101 that are read, and those of them that go back.
  Machine finer = machine;
  finer.resources[test::memory_of_lines].lines->once[128] = {{200, 1}, {}};
  finer.resources[test::memory_of_lines].lines->once[64] = {{100, 1}, {}};
  Accesses some;
  some.sparse(OperationKind::load_global, some.object(), 65, 128);
  some.sparse(OperationKind::store_global, some.object(), 36, 128);
  CHECK(serve_all(some, all, finer, data) == Ticks((65 + 2 * 36) * 1500 + 200000 + 100000, true));
  CHECK(serve_all(some, all, finer, {false, true, {}, {{{3, 80}, {1, 36}}, {}, {}}}) ==
        Ticks((80 + 2 * 36) * 1500 + 200000 + 200000 + 200000, true));
  // The lines of one access that are fetched up to four times.
  Accesses row;
  row.sparse(OperationKind::load_global, row.object(), 100, 128);
  const auto id = row.k.flow.accesses[0].instruction;
  CHECK(serve_all(row, all, machine, {false, true, {}, {{{}}, {{id, {4, 400}}}, {}}}) ==
        Ticks(400 * 1500 + 4 * 300000, true));
  // Beyond reach nothing is known.
  machine.resources[test::memory_of_lines].lines->reach = 1000;
  CHECK_FALSE(serve_all(few, all, machine, data).second);
}

TEST_CASE("what is fetched several times is served so often, and what is not counted so at each access") {
  Accesses a;
  a.sparse(OperationKind::load_global, a.object(), 100, 128);
  a.sparse(OperationKind::load_global, a.object(), 100, 128);
  const Served served = serve(a, all, test::line_machine(), {false, true, {}, {{{3, 300}, {}}, {}, {}}});
  CHECK(served.code.first_misses.data[test::memory_of_lines] == 3 * 100 * 40000);
  CHECK(served.of(0).cached_by_device);
  CHECK_FALSE(served.of(1).cached_by_device);
  CHECK(served.code.accesses.of(Assumption::recent) == 1);
  CHECK(served.code.accesses.of(Assumption::keeps) == 0);
}

TEST_CASE("what is fetched several times may be the lines of one access, and not those of others to its object") {
  Accesses a;
  a.sparse(OperationKind::load_global, a.object(), 100, 128);
  a.sparse(OperationKind::load_global, 0, 5000, 128);
  const Served served = serve(a, all, test::line_machine(), {false, true, {}, {{{}}, {{0, {3, 300}}}, {}}});
  CHECK(served.code.first_misses.data[test::memory_of_lines] == 300 * 40000);
  CHECK(served.of(0).cached_by_device);
  CHECK_FALSE(served.of(1).cached_by_device);
  CHECK(served.code.accesses.of(Assumption::recent) == 1);
}

TEST_CASE("what no thread executes loads no line that others store to") {
  Accesses a;
  a.k = test::build_kernel({{"", {1}}, {"", {}}});
  a.dense(OperationKind::store_global, a.object(), 600);
  a.add(OperationKind::load_global);  // of which nothing is known
  a.k.kernel.blocks[0].count = 1;
  a.k.kernel.blocks[1].first = 1;
  a.k.kernel.blocks[1].count = 1;
  const Machine machine = test::line_machine();
  CHECK(serve(a, {}, machine).of(0).contended_ticks > 0);
  a.k.flow.blocks[1].executed = false;
  CHECK(serve(a, {}, machine).of(0).contended_ticks == 0);
}

TEST_CASE("what fits a cache by what is touched at most") {
  const Machine machine = test::line_machine();
  const auto kept = [&](const std::function<void(Accesses&)>& add) {
    Accesses a;
    add(a);
    return data_fits_cache(footprint(a.k.kernel, a.k.flow, a.load, test::line_machine()), machine);
  };
  CHECK(kept([](Accesses& a) { a.dense(OperationKind::load_global, a.object(), 1023); }));
  CHECK_FALSE(kept([](Accesses& a) { a.dense(OperationKind::load_global, a.object(), 1024); }));
  CHECK(kept([](Accesses& a) { a.access(OperationKind::load_global, a.object(1000)); }));
  CHECK_FALSE(kept([](Accesses& a) { a.access(OperationKind::load_global, a.object()); }));
  CHECK_FALSE(kept([](Accesses& a) { a.access(OperationKind::load_global, ir::no_object); }));
  CHECK_FALSE(kept([](Accesses& a) { a.add(OperationKind::prefetch); }));
  // Each fits by itself.
  CHECK_FALSE(kept([](Accesses& a) {
    a.dense(OperationKind::load_global, a.object(), 600);
    a.dense(OperationKind::load_global, a.object(), 600);
  }));
}

TEST_CASE("where warps wait for each other, a bound may follow each of them to lines of its own") {
  Accesses a;
  ir::Access& access = a.sparse(OperationKind::load_global, a.object(), 40, 128);
  access.warp_lines = 1;
  access.block_lines = 8;
  const auto lines = [&] {
    return lines_analysed(a.k.kernel, a.k.flow, footprint(a.k.kernel, a.k.flow, a.load, test::line_machine()), 0);
  };
  CHECK(lines() == 1);
  a.add(OperationKind::barrier);
  CHECK(lines() == 8);
  a.k.flow.accesses[0].block_lines.reset();
  CHECK(lines() == 40);
}

TEST_CASE(
    "constants of bodies that calls share are kept as others are, those of functions without a body are unknown") {
  Accesses a;
  a.add(OperationKind::load_param);
  a.k.kernel.functions.push_back({"f", 0});
  CHECK(constants_fit_cache(a.k.kernel, test::line_machine()));
  a.k.kernel.operations.front().call_time = ir::CallTime{};
  CHECK_FALSE(constants_fit_cache(a.k.kernel, test::line_machine()));
}
