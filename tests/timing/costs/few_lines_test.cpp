// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that many warps may ask for at a time, and objects of few lines.
#include <catch2/catch.hpp>
#include <functional>

#include "tests/timing/costs/served_accesses.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using namespace warpspan::test::served;
using test::assuming;

// 32 blocks of 32 warps at a time; a line takes 4 cycles at one place of the network and 1/2 at all: of 1,024 warps 128
// can wait for one line meanwhile.
TEST_CASE("what many warps ask for at a time is charged at the slice that has it, or not spread at all") {
  struct Row {
    int64_t warps, blocks;
    bool spreads;
    int64_t ticks;
  };
  const std::vector<Row> rows = {{1, 1, true, 0},
                                 {128, 3, true, 0},
                                 {1024, 3, true, 0},
                                 {128, 4, true, 0},
                                 {128, 128, true, 0},
                                 {129, 4, true, 504},
                                 {256, 32, true, 1000},
                                 {512, 32, true, 2000},
                                 {513, 32, false, 0},
                                 {1024, 32, false, 0},
                                 {INT64_MAX, INT64_MAX, false, 0}};
  Machine machine = test::line_machine();
  machine.multiprocessors = 32;
  for (const Row& row : rows) {
    Accesses a;
    a.load.device_blocks = a.load.warps_per_block = 32;
    ir::Access& access = a.dense(OperationKind::load_global, a.object(), 4096);
    access.sharing_warps = row.warps;
    access.sharing_blocks = row.blocks;
    CAPTURE(row.warps, row.blocks);
    CHECK(memory(a, spread, machine) == (row.spreads ? Guarantee::spread : Guarantee::same_bank));
    const Service service = serve(a, all, machine).of(0);
    CHECK(service.memory == (row.spreads ? Guarantee::stream : Guarantee::same_bank));
    CHECK(service.network == (row.spreads ? Guarantee::spread : Guarantee::same_bank));
    CHECK(service.shared_ticks == row.ticks);
    CHECK(serve(a, {}, machine).of(0).shared_ticks == 0);
  }
}

TEST_CASE("all warps that run at a time may ask for one line, though not all of the launch") {
  Machine machine = test::line_machine();
  machine.multiprocessors = 32;
  for (const auto& [sharing, ticks] : std::vector<std::pair<int64_t, int64_t>>{
           {128, 0}, {129, 504}, {512, 2000}, {1023, 3997}, {1024, 4000}, {16000, 4000}, {16001, 0}}) {
    Accesses a;
    a.load.device_blocks = 1000;
    a.load.warps_per_block = 32;
    ir::Access& access = a.dense(OperationKind::load_global, a.object(), 4096);
    access.sharing_warps = sharing;
    access.sharing_blocks = 1000;
    CAPTURE(sharing);
    CHECK(serve(a, all, machine).of(0).shared_ticks == ticks);
    CHECK(memory(a, all, machine) == (sharing <= 16000 ? Guarantee::stream : Guarantee::same_bank));
  }
}

TEST_CASE("without slices of their own, lines that many ask for are not spread") {
  Machine machine = test::line_machine();
  machine.multiprocessors = 32;
  machine.resources[test::network_of_lines].lines.reset();
  Accesses a;
  a.load.device_blocks = a.load.warps_per_block = 32;
  ir::Access& access = a.dense(OperationKind::load_global, a.object(), 4096);
  access.sharing_warps = access.sharing_blocks = 32;  // 32 * 40 cycles, of 1024 * 3/2
  CHECK(memory(a, all, machine) == Guarantee::stream);
  a.k.flow.accesses[0].sharing_warps = 64;
  CHECK(memory(a, all, machine) == Guarantee::same_bank);
}

TEST_CASE("an access that no warp comes to is shared by none") {
  for (const int64_t lines : {100, 5000}) {
    Accesses a;
    a.load.device_blocks = a.load.warps_per_block = 32;
    ir::Access& access = a.dense(OperationKind::load_global, a.object(), lines);
    access.sharing_warps = 0;
    access.sharing_blocks = 32;
    a.k.flow.blocks[0].warps = 0;
    Machine machine = test::line_machine();
    machine.multiprocessors = 32;
    CHECK(serve(a, all, machine).of(0).shared_ticks == 0);
  }
}

TEST_CASE("of a block's warps those count that come to an access, and each with its lines") {
  Machine machine = test::line_machine();
  machine.multiprocessors = 32;
  Accesses a;
  a.load.device_blocks = a.load.warps_per_block = 32;
  ir::Access& access = a.dense(OperationKind::load_global, a.object(), 4096);
  access.sharing_warps = access.sharing_blocks = 32;
  const auto ticks = [&] { return serve(a, all, machine).of(0).shared_ticks; };
  CHECK(ticks() == 0);
  a.k.flow.blocks[0].warps = 8;
  CHECK(ticks() == 0);
  a.k.flow.blocks[0].warps = 4;
  CHECK(ticks() == 1000);
  a.k.flow.accesses[0].aligned_transactions = 2;
  CHECK(ticks() == 0);
  a.k.flow.accesses[0].aligned_transactions = 1;
  // A guard of its own, with or without a branch.
  a.k.flow.partial_accesses = {{0, 2}};
  CHECK(ticks() == 2000);
  a.k.flow.blocks[0].warps.reset();
  CHECK(ticks() == 2000);
  a.k.flow.partial_accesses = {{0, 4}};
  CHECK(ticks() == 1000);
  // As many in half of the blocks, of which one line may have half of all.
  a.k.flow.partial_accesses = {{0, 4, ir::SomeBlocks{16, 32}}};
  CHECK(ticks() == 2000);
  a.k.flow.partial_accesses = {{0, 4, ir::SomeBlocks{15, 32}}};
  CHECK(memory(a, all, machine) == Guarantee::same_bank);
  a.k.flow.partial_accesses = {{0, 4, ir::SomeBlocks{0, 32}}};
  CHECK(ticks() == 0);
}

TEST_CASE("what it is not known of how many ask for a line is told, where many may") {
  const auto is_told = [](const std::function<void(Accesses&)>& add, int64_t blocks = 100) {
    Accesses a;
    a.load.device_blocks = blocks;
    add(a);
    Machine machine = test::line_machine();
    machine.multiprocessors = 100;
    return serve(a, all, machine).code.spreads_unseen;
  };
  const auto gather = [](Accesses& a) { a.access(OperationKind::load_global, a.object()); };
  CHECK(is_told(gather));
  CHECK_FALSE(is_told(gather, multiprocessors_at_one_line));
  CHECK(is_told([](Accesses& a) { a.add(OperationKind::texture); }));
  CHECK_FALSE(is_told([](Accesses& a) { a.add(OperationKind::load_local); }));
  CHECK_FALSE(is_told([](Accesses& a) { a.add(OperationKind::load_param); }));
  CHECK_FALSE(is_told([](Accesses& a) {
    ir::Access& access = a.access(OperationKind::load_global, a.object());
    access.sharing_warps = access.sharing_blocks = 1;
  }));
  CHECK_FALSE(is_told([](Accesses& a) { a.access(OperationKind::load_global, a.object(1024)); }));  // few lines
}

TEST_CASE("few lines may lie in one place, whatever is granted: where the object begins so that they are fewest") {
  for (const int64_t fewest : {1, 511}) {
    Accesses a;
    a.sparse(OperationKind::load_global, a.object(), 2 * fewest, 1 << 20).fewest_grid_lines = fewest;
    CHECK(memory(a, all) == Guarantee::same_bank);
    CHECK(network(a, all) == Guarantee::same_bank);
  }
  Accesses enough;
  enough.sparse(OperationKind::load_global, enough.object(), 1024, 1 << 20).fewest_grid_lines = 512;
  CHECK(memory(enough, all) == Guarantee::spread);
}

TEST_CASE("an access of unknown place in an object of few lines touches few lines") {
  Accesses gather;
  gather.access(OperationKind::load_global, gather.object(1024));
  CHECK(memory(gather, all) == Guarantee::same_bank);
  CHECK(network(gather, all) == Guarantee::same_bank);
  Accesses histogram;
  histogram.access(OperationKind::atomic_global, histogram.object(1024));
  CHECK(memory(histogram, all) == Guarantee::same_bank);
  Accesses large;
  large.access(OperationKind::load_global, large.object(64 << 10));
  CHECK(memory(large, all) == Guarantee::spread);
}

TEST_CASE(
    "to know the size of an array never makes a guarantee weaker, but that of few lines what spread says of many") {
  for (const OperationKind kind :
       {OperationKind::load_global, OperationKind::store_global, OperationKind::atomic_global}) {
    for (const AssumptionSet& assumed : {AssumptionSet{}, assuming({Assumption::spread}), all}) {
      Accesses unknown;
      unknown.access(kind, unknown.object());
      for (const int64_t bytes : {4, 2048, 65408, 65536, 1 << 20}) {
        Accesses known;
        known.access(kind, known.object(bytes));
        CAPTURE(bytes);
        const bool is_weaker =
            memory(known, assumed) < memory(unknown, assumed) || network(known, assumed) < network(unknown, assumed);
        CHECK_FALSE((is_weaker && (bytes >= 65536 || !assumed.has(Assumption::spread))));
      }
    }
  }
}

TEST_CASE("all lanes may want one word of an atomic") {
  Accesses a;
  a.dense(OperationKind::atomic_global, a.object(), 4096);
  CHECK(memory(a, all) == Guarantee::stream);
  CHECK(network(a, all) == Guarantee::same_bank);
}

TEST_CASE("few lines, or one for most warps, come as was measured of them, where a machine states it") {
  Machine machine = test::line_machine();
  const AssumptionSet few = assuming({Assumption::few});
  const auto network_of = [&](OperationKind kind) {
    Accesses a;
    a.sparse(kind, a.object(), 100, 128);
    return serve(a, few, machine).of(0).network;
  };
  CHECK(network_of(OperationKind::load_global) == Guarantee::same_bank);
  machine.resources[test::network_of_lines].lines->of(Guarantee::few).cycles = {1, 1};
  CHECK(network_of(OperationKind::load_global) == Guarantee::few);
  CHECK(network_of(OperationKind::store_global) == Guarantee::same_bank);
  CHECK(network_of(OperationKind::atomic_global) == Guarantee::same_bank);
  for (const OperationKind constant : {OperationKind::load_param, OperationKind::load_const}) {
    Accesses a;
    a.add(constant);  // of which nothing was measured
    CHECK(serve(a, few, machine).of(0).network == Guarantee::same_bank);
    CHECK(serve(a, few, machine).of(0).memory == Guarantee::same_bank);
  }
  // As all warps of an H100 that load a line and store to it.
  for (const OperationKind kind : {OperationKind::store_global, OperationKind::atomic_global}) {
    Accesses written, beside;
    const ir::ObjectId object = written.object();
    written.sparse(OperationKind::load_global, object, 100, 128);
    written.sparse(kind, object, 100, 128);
    CHECK(serve(written, few, machine).of(0).network == Guarantee::same_bank);
    beside.sparse(OperationKind::load_global, beside.object(), 100, 128);
    beside.sparse(kind, beside.object(), 100, 128);
    CHECK(serve(beside, few, machine).of(0).network == Guarantee::few);
    CHECK(serve(beside, few, machine).of(1).network == Guarantee::same_bank);
  }
  // Of an object, bytes 0 to `end` are loaded, and those from `first` on written.
  const auto row_is_few = [&](int64_t end, int64_t first, bool of_parameter, bool aligned) {
    Accesses a;
    a.sparse(OperationKind::load_global, a.object(), 100, 128).span = ir::ByteSpan{0, end};
    a.sparse(OperationKind::store_global, 0, 100, 128).span = ir::ByteSpan{first, first + 12800};
    a.k.flow.objects[0].of_parameter = of_parameter;
    const auto assumed = aligned ? assuming({Assumption::few, Assumption::aligned}) : few;
    const bool is_few = serve(a, assumed, machine).of(0).network == Guarantee::few;
    CHECK(is_few == (serve(a, assumed, machine).of(0).contended_ticks == 0));
    return is_few;
  };
  for (const bool aligned : {false, true}) {
    CHECK(row_is_few(8192, 8192 + 127, true, aligned));
    CHECK(row_is_few(8192, 8192 + 127, false, aligned));
    CHECK_FALSE(row_is_few(8193, 8194, true, aligned));
    CHECK_FALSE(row_is_few(8192, 4096, true, aligned));
    CHECK_FALSE(row_is_few(8192, 8192 + 126, false, aligned));
    CHECK(row_is_few(8192, 8192, true, aligned) == aligned);
  }
  Accesses hot;
  ir::Access& access = hot.dense(OperationKind::load_global, hot.object(), 600);
  access.sharing_blocks = access.sharing_warps = 1000;
  hot.load.device_blocks = 1000;
  hot.load.residency.blocks = {8, 8};
  machine.multiprocessors = 100;
  CHECK(serve(hot, spread, machine).of(0).network == Guarantee::same_bank);
  CHECK(serve(hot, few, machine).of(0).network == Guarantee::few);
  CHECK(serve(hot, few, machine).of(0).memory == Guarantee::same_bank);
  // One in four asks for the same line.
  hot.k.flow.accesses[0].sharing_warps = 250;
  const int64_t as_one_slice = serve(hot, spread, machine).of(0).shared_ticks;
  CHECK(as_one_slice > 0);
  CHECK(serve(hot, few, machine).of(0).shared_ticks == 0);  // all slices take longer
  machine.resources[test::network_of_lines].lines->of(Guarantee::few).cycles = {2, 1};
  CHECK(serve(hot, few, machine).of(0).shared_ticks == (as_one_slice + 1) / 2);
  // Loads of lines that others store to.
  hot.dense(OperationKind::store_global, access.object, 600);
  CHECK(serve(hot, few, machine).of(0).shared_ticks == 2 * as_one_slice);
  CHECK(serve(hot, few, machine).of(0).contended_ticks > 0);
  hot.k.flow.accesses[0].sharing_warps = 1;
  CHECK(serve(hot, few, machine).of(0).contended_ticks == 0);
}

TEST_CASE(
    "atomics of machine code on integers that nothing else goes to come as few lines, where a machine states them") {
  Machine machine = test::line_machine();
  machine.resources[test::network_of_lines].lines->of(Guarantee::few).cycles = {1, 1};
  const AssumptionSet few = assuming({Assumption::few});
  const auto state = [](Machine& of, OperationKind kind) {
    of.form_figures.push_back({kind, {{}, {}, {}, {"few"}, false}, *of.figures(OperationKind::atomic_global)});
  };
  const auto atomic = [](Accesses& a, ir::ObjectId object,
                         OperationKind kind = OperationKind::atomic_global) -> ir::Access& {
    ir::Access& access = a.sparse(kind, object, 100, 128);
    a.k.kernel.operations.back().facts.on_integers = true;
    return access;
  };
  const auto of_first = [&](const std::function<void(Accesses&)>& add) {
    Accesses a;
    atomic(a, a.object());
    add(a);
    return serve(a, few, machine).of(0).network;
  };
  const auto nothing = [](Accesses&) {};
  CHECK(of_first(nothing) == Guarantee::same_bank);
  state(machine, OperationKind::reduce_global);
  CHECK(of_first(nothing) == Guarantee::same_bank);
  state(machine, OperationKind::atomic_global);
  CHECK(of_first(nothing) == Guarantee::few);
  CHECK(of_first([&](Accesses& a) { atomic(a, 0, OperationKind::reduce_global); }) == Guarantee::few);
  CHECK(of_first([&](Accesses& a) { a.sparse(OperationKind::load_global, a.object(), 100, 128); }) == Guarantee::few);
  for (const OperationKind kind : {OperationKind::load_global, OperationKind::store_global}) {
    CHECK(of_first([&](Accesses& a) { a.sparse(kind, 0, 100, 128); }) == Guarantee::same_bank);
    CHECK(of_first([&](Accesses& a) { a.sparse(kind, ir::no_object, 100, 128); }) == Guarantee::same_bank);
    CHECK(of_first([&](Accesses& a) { a.add(kind); }) == Guarantee::same_bank);
    CHECK(of_first([&](Accesses& a) {
            a.sparse(kind, 0, 100, 128).span = ir::ByteSpan{12800 + 126, 20000};
          }) == Guarantee::same_bank);
    CHECK(of_first([&](Accesses& a) {
            a.sparse(kind, 0, 100, 128).span = ir::ByteSpan{12800 + 127, 20000};
          }) == Guarantee::few);
  }
  // One of which nothing was measured, wherever it goes.
  CHECK(of_first([&](Accesses& a) { a.sparse(OperationKind::atomic_global, a.object(), 100, 128); }) ==
        Guarantee::same_bank);
  CHECK(of_first([&](Accesses& a) { a.add(OperationKind::atomic_generic); }) == Guarantee::same_bank);
  Accesses unknown;
  atomic(unknown, ir::no_object);
  CHECK(serve(unknown, few, machine).of(0).network == Guarantee::same_bank);
  Accesses withheld;
  atomic(withheld, withheld.object());
  CHECK(serve(withheld, spread, machine).of(0).network == Guarantee::same_bank);
}

TEST_CASE("lines that are one warp's own where an object begins a line are so where that is assumed, and it is said") {
  const auto served = [](bool of_parameter, const AssumptionSet& assumed) {
    Accesses a;
    ir::Access& load = a.dense(OperationKind::load_global, a.object(), 600);
    load.sharing_warps = load.sharing_blocks = 2;
    load.aligned_sharing_warps = 1;
    a.dense(OperationKind::store_global, 0, 600);
    a.k.flow.objects[0].of_parameter = of_parameter;
    const Served result = serve(a, assumed, test::line_machine());
    return std::pair(result.of(0).contended_ticks > 0, result.code.relied.has(Assumption::aligned));
  };
  CHECK(served(true, assuming({Assumption::aligned})) == std::pair(false, true));
  CHECK(served(true, {}).first);
  CHECK(served(false, assuming({Assumption::aligned})).first);
}

TEST_CASE("stores to fewer than 2,048 lines take twice as long of the network, if they are not dense") {
  const Machine machine = test::line_machine();
  const auto ticks = [&](OperationKind kind, int64_t lines) {
    Accesses a;
    a.sparse(kind, a.object(), lines, 1 << 20);
    return serve(a, spread, machine).of(0).contended_ticks;
  };
  const int64_t line = ticks_of_line(machine.resources[test::network_of_lines], Guarantee::spread, fine_ticks);
  CHECK(ticks(OperationKind::store_global, 512) == 2 * line);
  CHECK(ticks(OperationKind::store_global, 2047) == 2 * line);
  CHECK(ticks(OperationKind::store_global, 2048) == 0);
  CHECK(ticks(OperationKind::store_global, 511) == 0);  // few lines, which take longer
  CHECK(ticks(OperationKind::load_global, 512) == 0);
  Accesses dense;
  dense.dense(OperationKind::store_global, dense.object(), 600);
  CHECK(serve(dense, spread, machine).of(0).contended_ticks == 0);
}
