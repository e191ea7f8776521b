// SPDX-License-Identifier: GPL-3.0-or-later
// Which guarantee each access gets: never one whose condition it does not fulfil.
#include "timing/costs/memory_model.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <functional>

#include "frontend/ptx/forms/form.hpp"
#include "tests/timing/costs/line_machine.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using ir::OperationKind;
using test::assuming;

namespace {

// One access of a warp after the other, each an instruction of one block.
struct Accesses {
  test::TestKernel k = test::build_kernel({{"", {}}});
  Load load;

  ir::InstructionId add(OperationKind kind, int bytes = 4) {
    ir::Instruction instruction;
    instruction.operation = test::add_operation(k.kernel, kind, bytes);
    k.kernel.instructions.push_back(instruction);
    k.kernel.blocks[0].count = static_cast<uint32_t>(k.kernel.instructions.size());
    k.flow.transactions.push_back(2);
    return static_cast<ir::InstructionId>(k.kernel.instructions.size() - 1);
  }
  ir::ObjectId object(std::optional<int64_t> bytes = {}) {
    k.flow.objects.push_back({"p", bytes});
    return static_cast<ir::ObjectId>(k.flow.objects.size() - 1);
  }
  ir::Access& access(OperationKind kind, ir::ObjectId object, int bytes = 4) {
    ir::Access access;
    access.instruction = add(kind, bytes);
    access.object = object;
    access.aligned_transactions = 1;
    k.flow.accesses.push_back(access);
    return k.flow.accesses.back();
  }
  // As the front-end says of side by side accesses of so many lines.
  ir::Access& dense(OperationKind kind, ir::ObjectId object, int64_t lines, int bytes = 4) {
    ir::Access& a = access(kind, object, bytes);
    a.span = ir::ByteSpan{0, lines * 128};
    a.grid_lines = a.block_lines = lines + 1;
    a.fewest_grid_lines = lines;
    a.warp_lines = 2;
    a.dense = true;
    a.covers_lines = true;
    a.dense_with = a.instruction;
    return a;
  }
  ir::Access& sparse(OperationKind kind, ir::ObjectId object, int64_t lines, int64_t stride) {
    ir::Access& a = access(kind, object);
    a.span = ir::ByteSpan{0, lines * stride};
    a.grid_lines = a.fewest_grid_lines = lines;
    a.warp_lines = 32;
    return a;
  }
};

struct Served {
  ConstantReads reads;
  MemoryService code;

  // Of the last instruction that stands for one of the kernel.
  const Service& of(ir::InstructionId id) const {
    size_t found = 0;
    for (size_t i = 0; i < reads.origins.size(); ++i) {
      if (reads.origins[i] == id) found = i;
    }
    return code.services.operations[code.kernel.instructions[found].operation];
  }
};

Served serve(const Accesses& a, const AssumptionSet& assumed, const Machine& machine = test::line_machine(),
             const Persistence& keeping = {}) {
  Served result{with_constant_reads(a.k.kernel, a.k.flow, false), {}};
  result.code =
      memory_service(result.reads, footprint(a.k.kernel, a.k.flow, a.load, machine), machine, assumed, keeping);
  return result;
}

const AssumptionSet all = assuming({Assumption::aligned, Assumption::stream, Assumption::keeps});
const AssumptionSet spread = assuming({Assumption::spread});

Guarantee memory(const Accesses& a, const AssumptionSet& assumed, const Machine& machine = test::line_machine()) {
  return serve(a, assumed, machine).of(0).memory;
}
Guarantee network(const Accesses& a, const AssumptionSet& assumed) { return serve(a, assumed).of(0).network; }

}  // namespace

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

TEST_CASE("variables in local memory have a line for each warp that is on the device at the same time") {
  for (const OperationKind kind : {OperationKind::load_local, OperationKind::store_local}) {
    Accesses a;
    a.add(kind);
    const int64_t multiprocessors = test::line_machine().multiprocessors;
    a.load.warps_per_block = 512 / multiprocessors;
    REQUIRE(a.load.warps_per_block * multiprocessors == 512);
    a.load.device_blocks = 1000 * multiprocessors;
    CHECK(memory(a, all) == Guarantee::spread);
    CHECK(network(a, all) == Guarantee::spread);
    a.load.device_blocks = multiprocessors - 1;
    CHECK(memory(a, all) == Guarantee::same_bank);
    a.load.device_blocks = 1000 * multiprocessors;
    --a.load.warps_per_block;  // later blocks lie where earlier ones did
    CHECK(memory(a, all) == Guarantee::same_bank);
    CHECK(network(a, all) == Guarantee::same_bank);
  }
}

namespace {

// Machine code whose threads have a frame of so many bytes, stored to and loaded.
struct FrameCode : Accesses {
  explicit FrameCode(int64_t bytes, bool stores = true) {
    add(OperationKind::load_local);
    if (stores) add(OperationKind::store_local);
    for (ir::Operation& operation : k.kernel.operations) operation.machine.emplace();
    k.kernel.frames = {{"k", bytes}};

    load.device_blocks = 3;
    load.warps_per_block = 2;
  }
  Footprint touched() const { return footprint(k.kernel, k.flow, load, test::line_machine()); }
};

}  // namespace

TEST_CASE("frames of machine code have a line for each word of a warp") {
  const int64_t multiprocessors = test::line_machine().multiprocessors;
  FrameCode a(4 * 16);
  a.load.device_blocks = 1000 * multiprocessors;
  a.load.warps_per_block = 32 / multiprocessors;
  REQUIRE(a.load.warps_per_block * multiprocessors * 16 == 512);
  CHECK(memory(a, all) == Guarantee::spread);
  CHECK(a.touched().local_lines == 512);
  a.k.kernel.frames = {{"k", 4 * 15}};
  CHECK(memory(a, all) == Guarantee::same_bank);
  CHECK(a.touched().local_lines == 480);
  a.k.kernel.frames = {{"k", 4 * 16}, {"f", 0}};  // more than one: of unknown size
  CHECK(memory(a, all) == Guarantee::same_bank);
}

TEST_CASE("local memory of machine code is known: the frames of all threads, the words of a warp side by side") {
  const FrameCode frame(100);
  REQUIRE(frame.touched().local);
  CHECK(frame.touched().local_lines_of_warp == 27);
  CHECK(frame.touched().local->lines == 6 * 27);
  CHECK(frame.touched().local->written);
  CHECK(frame.touched().bytes == 6 * 27 * 128);
  CHECK_FALSE(FrameCode(100, false).touched().local->written);
  CHECK(local_lines_analysed(frame.k.kernel, frame.touched()) == 27);
  FrameCode meets(100);
  meets.add(OperationKind::barrier);
  CHECK(local_lines_analysed(meets.k.kernel, meets.touched()) == 2 * 27);
  // Where the stack is moved otherwise, and of PTX, it is not.
  FrameCode unknown(100);
  unknown.k.kernel.frames.clear();
  CHECK_FALSE(unknown.touched().local);
  CHECK_FALSE(unknown.touched().bytes);
  FrameCode ptx(100);
  for (ir::Operation& operation : ptx.k.kernel.operations) operation.machine.reset();
  CHECK_FALSE(ptx.touched().bytes);
  CHECK(Accesses().k.kernel.frames.empty());
}

TEST_CASE("the frame of a warp lies on two pages at most, and waits for each once") {
  FrameCode a(100);
  Machine machine = test::line_machine();
  test::add_waits(machine, {500, 2 << 20, 1000, {}}, {100, 4000, {}});
  const auto touched = [&] { return footprint(a.k.kernel, a.k.flow, a.load, machine); };
  CHECK(touched().local_pages_of_warp == 2);
  CHECK(touched().pages == 2 + 8 + 6 * 2);  // of code, of constants, of six warps
  CHECK(local_pages_analysed(a.k.kernel, touched()) == 2);
  for (const auto kind : {OperationKind::load_local, OperationKind::store_local}) {
    auto& figures = machine.operations[static_cast<size_t>(kind)];
    figures = machine.figures(OperationKind::load_global);
    machine.otherwise[static_cast<size_t>(kind)] = figures;
  }
  const AssumptionSet pages = assuming({Assumption::keeps_pages});
  for (const ir::InstructionId one : {0, 1}) CHECK(serve(a, pages, machine).of(one).pages_once);
  a.k.kernel.frames.clear();  // unknown
  CHECK_FALSE(touched().pages);
  CHECK_FALSE(serve(a, pages, machine).of(0).pages_once);
}

TEST_CASE("what is kept of local memory is served once, and written back once") {
  Machine machine = test::line_machine();
  const FrameCode frame(100);
  const auto kept = [&](const Persistence& persistence) { return serve(frame, all, machine, persistence); };
  Persistence data{false, true, {}};
  CHECK(kept(data).code.first_misses.data[test::memory_of_lines] == 2 * 6 * 27 * 40000);
  CHECK(kept(data).of(0).cached_by_device);
  CHECK(kept(data).of(1).cached_by_device);
  CHECK_FALSE(kept(data).of(0).hit);
  data.local_by_warps = true;
  CHECK(kept(data).of(0).hit == 60);
  CHECK_FALSE(kept(data).of(1).hit);
  machine.resources[test::memory_of_lines].lines->once = {{lines_of_once, {{300, 1}, {}}}};
  CHECK(kept(data).code.first_misses.data[test::memory_of_lines] == 2 * (6 * 27 * 1500 + 300000));
  // Where requests are counted, as often as they say.
  CHECK_FALSE(kept({false, true, {}, {{{1, 6}}, {}, {}}}).of(0).cached_by_device);
  data.fetches.objects = {Fetches()};
  data.fetches.local = {2, 2 * 6 * 27};
  CHECK(kept(data).code.first_misses.data[test::memory_of_lines] == 4 * (6 * 27 * 1500 + 300000));
}

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

TEST_CASE("constants are few lines that all read") {
  for (const OperationKind kind : {OperationKind::load_param, OperationKind::load_const}) {
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
  const AssumptionSet spread = assuming({Assumption::spread});
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

TEST_CASE(
    "constants of bodies that calls share are kept as others are, those of functions without a body are unknown") {
  Accesses a;
  a.add(OperationKind::load_param);
  a.k.kernel.functions.push_back({"f", 0});
  CHECK(constants_fit_cache(a.k.kernel, test::line_machine()));
  a.k.kernel.operations.front().call_time = ir::CallTime{};
  CHECK_FALSE(constants_fit_cache(a.k.kernel, test::line_machine()));
}

TEST_CASE("what goes to shared memory asks nothing behind it, whatever its address could have been") {
  const auto asked = [](bool in_shared) {
    Accesses a;
    a.access(OperationKind::load_global, ir::no_object).in_shared = in_shared;
    const Machine machine = test::line_machine();
    const Served result = serve(a, {}, machine);
    const auto costs = costs_of(result.code.kernel, machine, result.code.services);
    REQUIRE(costs.ok());
    int64_t lines = 0;
    for (const Occupancy& hold : costs->of(result.code.kernel.instructions.back()).occupancies) {
      lines += machine.resources[hold.resource].lines ? hold.first : 0;
    }
    return lines;
  };
  CHECK(asked(false) > 0);
  CHECK(asked(true) == 0);
}

namespace {

// What one atomic costs.
OperationFigures figures_of_atomic(const Machine& machine, const std::string& word, const Service& service) {
  ptx::FormTable forms;
  const ptx::Form* form = forms.find(word);
  REQUIRE(form != nullptr);
  const auto figures =
      figures_with_service(form->operation, service, machine, std::vector<int64_t>(machine.resources.size(), 1));
  REQUIRE(figures);
  return *figures;
}

int64_t rounds_of(const OperationFigures& figures, const Machine& machine, const char* resource) {
  for (const Retries& rounds : figures.retries) {
    if (rounds.resource == machine.resource(resource)) return rounds.cycles;
  }
  return 0;
}

int64_t held_by(const OperationFigures& figures, const Machine& machine, const char* resource) {
  for (const Occupancy& hold : figures.occupancies) {
    if (hold.resource == machine.resource(resource)) return hold.first;
  }
  return 0;
}

}  // namespace

TEST_CASE("an atomic by a generic address is one on global memory where its address is known to be of that") {
  const Service anywhere;
  Service shared, global;
  shared.in_shared = true;
  global.in_global = true;
  const auto machine = load_machine("ampere");
  REQUIRE(machine.ok());
  const std::string sum = "atom.add.f32";
  const OperationFigures of_both = figures_of_atomic(*machine, sum, anywhere);
  CHECK(rounds_of(of_both, *machine, "shared_atomic") > 0);
  CHECK(rounds_of(of_both, *machine, "atomic") == 0);  // which the machine has there
  CHECK(held_by(of_both, *machine, "atomic") > 0);
  const OperationFigures of_global = figures_of_atomic(*machine, sum, global);
  CHECK(of_global.retries.empty());
  CHECK(held_by(of_global, *machine, "shared_atomic") == 0);
  CHECK(of_global.latency.worst < of_both.latency.worst);
  const OperationFigures of_shared = figures_of_atomic(*machine, sum, shared);
  CHECK(rounds_of(of_shared, *machine, "shared_atomic") > 0);
  CHECK(held_by(of_shared, *machine, "atomic") == 0);
  // Never less than the same atomic with the word.
  for (const char* word : {"atom.global.add.f32", "atom.global.exch.b32", "atom.global.cas.b64"}) {
    INFO(word);
    const OperationFigures by_word = figures_of_atomic(*machine, word, anywhere);
    std::string generic = word;
    generic.erase(generic.find(".global"), 7);
    const OperationFigures known = figures_of_atomic(*machine, generic, global);
    CHECK(known.latency.worst >= by_word.latency.worst);
    CHECK(known.retries.empty());
    for (const char* resource : {"issue", "memory_port", "load_store", "network_port", "network", "atomic", "memory"}) {
      INFO(resource);
      CHECK(held_by(known, *machine, resource) >= held_by(by_word, *machine, resource));
    }
  }
  // A loop on both.
  CHECK(rounds_of(figures_of_atomic(*machine, "atom.add.noftz.f16", anywhere), *machine, "shared_atomic") > 0);
  const OperationFigures half = figures_of_atomic(*machine, "atom.add.noftz.f16", global);
  CHECK(rounds_of(half, *machine, "atomic") > 0);
  CHECK(rounds_of(half, *machine, "shared_atomic") == 0);
  CHECK(held_by(half, *machine, "shared_atomic") == 0);
}

TEST_CASE("that a generic address is one of global memory counts for atomics, and where blocks come in clusters") {
  const auto served_as = [](OperationKind kind, bool in_global, bool in_clusters) {
    Accesses a;
    const ir::ObjectId object = a.object();
    ir::Access& access = a.access(kind, object);
    access.in_global = in_global;
    const ir::InstructionId id = access.instruction;
    a.k.kernel.launch_bounds.clusters = in_clusters;
    const Served result = serve(a, {});
    const Service& service = result.of(id);
    return std::array<bool, 3>{service.in_global, service.may_leave_block, result.code.counts_from_global};
  };
  using Is = std::array<bool, 3>;
  CHECK(served_as(OperationKind::atomic_generic, true, false) == Is{true, false, true});
  CHECK(served_as(OperationKind::atomic_generic, false, false) == Is{false, false, false});
  CHECK(served_as(OperationKind::load_generic, true, false) == Is{false, false, false});
  CHECK(served_as(OperationKind::load_generic, true, true) == Is{false, false, true});
  CHECK(served_as(OperationKind::load_generic, false, true) == Is{false, true, false});
  CHECK(served_as(OperationKind::atomic_global, true, true) == Is{false, false, false});
}

TEST_CASE("fragments in global memory may lie anywhere, those in shared memory touch none") {
  test::TestKernel k = test::build_kernel({{"C", {}}});
  ir::Operation& operation = k.kernel.operations[k.kernel.instructions[0].operation];
  operation.kind = ir::OperationKind::matrix_load;
  operation.bytes = 32;
  operation.space = ir::MemorySpace::global;
  CHECK_FALSE(footprint(k.kernel, k.flow, {}, test::line_machine()).bytes);
  operation.space = ir::MemorySpace::generic;
  CHECK_FALSE(footprint(k.kernel, k.flow, {}, test::line_machine()).bytes);
  ir::Access access;  // by an address that is known to be one of shared memory
  access.in_shared = true;
  k.flow.accesses.push_back(access);
  CHECK(footprint(k.kernel, k.flow, {}, test::line_machine()).bytes == 0);
  k.flow.accesses.clear();
  operation.space = ir::MemorySpace::shared;
  CHECK(footprint(k.kernel, k.flow, {}, test::line_machine()).bytes == 0);
}
