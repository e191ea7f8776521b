// SPDX-License-Identifier: GPL-3.0-or-later
// Which variables machine code accesses by the addresses that stand in its constants.
#include <algorithm>
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "frontend/machine_code.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

TEST_CASE("machine code: an access by the address of a global variable is in that variable") {
  for (const std::string target : {"75", "80", "90", "100"}) {
    INFO(target);
    auto source = support::read_source(warpspan::test::source_dir() + "/tests/frontend/object/data/kernels.sm_" +
                                       target + ".cubin");
    REQUIRE(source.ok());
    ir::Launch launch;
    launch.block = ir::Extent{64, 2, 1};
    launch.grid = ir::Extent{4, 1, 1};
    const frontend::Reading reading =
        frontend::read_machine_code({"kernels.cubin", source->bytes()}, {"chosen"}, launch);
    for (const support::Diagnostic& error : reading.errors) UNSCOPED_INFO(error.message);
    REQUIRE(reading.kernels.size() == 1);
    const ir::Flow& flow = reading.kernels[0].flow;
    const auto counter = std::find_if(flow.objects.begin(), flow.objects.end(),
                                      [](const ir::MemoryObject& object) { return object.name == "counter"; });
    REQUIRE(counter != flow.objects.end());
    CHECK(counter->bytes == 4);
    const auto id = static_cast<ir::ObjectId>(counter - flow.objects.begin());
    const auto is_of_counter = [id](const ir::Access& access) { return access.object == id; };
    const auto access = std::find_if(flow.accesses.begin(), flow.accesses.end(), is_of_counter);
    REQUIRE(access != flow.accesses.end());
    CHECK(access->span == ir::ByteSpan{0, 4});
    CHECK(access->grid_lines == 2);  // wherever it begins
    // Every access of this kernel is in the variable or in what a parameter points to.
    for (const ir::Access& other : flow.accesses) CHECK(other.object != ir::no_object);
  }
}

// Two reads and a write in the loop, a write before and two reads behind it. What may be in global memory, or at any
// distance, is not known to be in shared memory, and in a cluster the first window may be another block's.
TEST_CASE("machine code: an access from the window of shared memory on is in shared memory") {
  auto source = support::read_source(warpspan::test::source_dir() + "/tests/machine_code/data/windows.sm_90.G.cubin");
  REQUIRE(source.ok());
  const auto accesses_in_shared = [&](const std::string& kernel) {
    ir::Launch launch;
    launch.block = ir::Extent{96, 1, 1};
    launch.grid = ir::Extent{2, 1, 1};
    launch.arguments = {{"2", "3"}};
    const frontend::Reading reading = frontend::read_machine_code({"t.cubin", source->bytes()}, {kernel}, launch);
    REQUIRE(reading.kernels.size() == 1);
    const ir::Flow& flow = reading.kernels[0].flow;
    CHECK(flow.accesses.size() == 11);
    return std::count_if(flow.accesses.begin(), flow.accesses.end(), [](const ir::Access& a) { return a.in_shared; });
  };
  CHECK(accesses_in_shared("windows") == 6);
  CHECK(accesses_in_shared("windows_of_cluster") == 0);
}

// Local memory has the words of lanes side by side, so that lanes at 32 words in a row are at 32 lines.
TEST_CASE("machine code: a generic address that may be of own memory leads to a line for each lane") {
  for (const std::string target : {"80", "90", "120"}) {
    auto source = support::read_source(warpspan::test::source_dir() + "/tests/samples/machine_code/own_pointer.sm_" +
                                       target + ".cubin");
    REQUIRE(source.ok());
    ir::Launch launch;
    launch.block = ir::Extent{64, 1, 1};
    const frontend::Reading reading = frontend::read_machine_code({"t.cubin", source->bytes()}, {"either"}, launch);
    REQUIRE(reading.kernels.size() == 1);
    const frontend::AnalyzedKernel& read = reading.kernels[0];
    int loads = 0;
    for (size_t i = 0; i < read.kernel.instructions.size(); ++i) {
      if (read.kernel.operation(read.kernel.instructions[i]).kind != ir::OperationKind::load_generic) continue;
      ++loads;
      CHECK(read.flow.transactions[i] == 32);
    }
    CHECK(loads == 1);
  }
}

TEST_CASE("machine code: a pointer that loops move on, half by half, has the object that it had before") {
  auto source =
      support::read_source(warpspan::test::source_dir() + "/tests/samples/machine_code/sum_before.sm_89.cubin");
  REQUIRE(source.ok());
  ir::Launch launch;
  launch.block = ir::Extent{256, 1, 1};
  launch.grid = ir::Extent{64, 1, 1};
  launch.arguments = {{"2", "16384"}};
  const frontend::Reading reading =
      frontend::read_machine_code({"sum_before.cubin", source->bytes()}, {"sum_before"}, launch);
  REQUIRE(reading.kernels.size() == 1);
  const ir::Flow& flow = reading.kernels[0].flow;
  CHECK(flow.accesses.size() == 31);  // by 16, by 8, by 4, one by one, and of the block's own number
  for (const ir::Access& access : flow.accesses) CHECK(access.object != ir::no_object);
}
