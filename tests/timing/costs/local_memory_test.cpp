// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of local memory: lines, pages, and which are kept.
#include <catch2/catch.hpp>

#include "tests/timing/costs/served_accesses.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using namespace warpspan::test::served;
using test::assuming;

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
  meets.load.cluster = 3;  // whose warps may be analysed one after another, too
  CHECK(local_lines_analysed(meets.k.kernel, meets.touched()) == 3 * 2 * 27);
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
