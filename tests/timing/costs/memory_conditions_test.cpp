// SPDX-License-Identifier: GPL-3.0-or-later
// From PTX to guarantees: what each access of a few kernels gets on machines of files, where everything is assumed.
#include <catch2/catch.hpp>
#include <sstream>

#include "frontend/frontend.hpp"
#include "tests/timing/costs/line_machine.hpp"
#include "timing/bounds/ladder.hpp"
#include "timing/bounds/pipeline_run.hpp"
#include "timing/costs/memory_model.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

// %r1: thread, %r3: number of the thread in the grid; the pointers p and q in %d1 and %d2; n in %r4.
std::string kernel_of(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 256 .b8 bins[1024];\n"
         ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<40>;\n"
         ".reg .b64 %d<20>;\nld.param.u64 %d1, [p];\nld.param.u64 %d2, [q];\nld.param.u32 %r4, [n];\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r5, %ntid.x;\nmad.lo.s32 %r3, %r2, %r5, %r1;\n" +
         body + "ret;\n}\n";
}

// %d9 = base + 4 * index
std::string element(const std::string& base, const std::string& index) {
  return "mul.wide.s32 %d8, " + index + ", 4;\nadd.s64 %d9, " + base + ", %d8;\n";
}

ir::Launch launch_of(int64_t blocks, int64_t threads = 256) {
  ir::Launch launch;
  launch.block = ir::Extent{threads, 1, 1};
  launch.grid = ir::Extent{blocks, 1, 1};
  return launch;
}

AssumptionSet all() {
  using enum Assumption;
  return test::assuming({keeps_constants, aligned, stream, keeps});
}

struct Sample {
  frontend::AnalyzedKernel kernel;
  Machine machine;
  Load load;
};

Sample sample_of(const std::string& body, const ir::Launch& launch, const std::string& machine) {
  const auto file = std::make_shared<const support::SourceFile>("t.ptx", kernel_of(body));
  auto reading = frontend::read_kernels(file, {}, launch);
  for (const support::Diagnostic& error : reading.errors) FAIL(render(error, false));
  REQUIRE(reading.kernels.size() == 1);
  auto loaded = load_machine(machine);
  REQUIRE(loaded.ok());
  const auto load = load_of(reading.kernels[0].kernel, launch, *loaded);
  REQUIRE(load.ok());
  return {std::move(reading.kernels[0]), std::move(*loaded), *load};
}

// "stream/spread 1 whole kept": memory and network, transactions, and what else holds, of each access in turn.
std::vector<std::string> served_as(const std::string& body, const ir::Launch& launch,
                                   const std::string& machine = "ampere", const AssumptionSet& assumed = all()) {
  const Sample s = sample_of(body, launch, machine);
  const ConstantReads reads = with_constant_reads(s.kernel.kernel, s.kernel.flow, false);
  const Footprint touched = footprint(s.kernel.kernel, s.kernel.flow, s.load, s.machine);
  const bool keeps = assumed.has(Assumption::keeps) && data_fits_cache(touched, s.machine);
  const MemoryService code = memory_service(reads, touched, s.machine, assumed, {false, keeps, {}});
  std::vector<std::string> list;
  for (const ir::Access& access : s.kernel.flow.accesses) {
    size_t id = 0;
    for (size_t i = 0; i < reads.origins.size(); ++i) id = reads.origins[i] == access.instruction ? i : id;
    const Service& service = code.services.operations[code.kernel.instructions[id].operation];
    std::string text(to_string(service.memory));
    text += "/" + std::string(to_string(service.network)) + " " + std::to_string(code.flow.transactions[id]);
    if (service.memory_share == 2) text += " whole";
    if (service.cached_by_device) text += " kept";
    list.push_back(text);
  }
  return list;
}

using List = std::vector<std::string>;
const std::string load_q = element("%d2", "%r3") + "ld.global.u32 %r10, [%d9];\n";
const std::string store_p = element("%d1", "%r3") + "st.global.u32 [%d9], %r10;\n";

}  // namespace

TEST_CASE("a copy is served as a copy where it is large enough, and only what is granted counts") {
  using enum Assumption;
  const std::string copy = load_q + store_p;
  CHECK(served_as(copy, launch_of(1 << 16)) == List{"stream/spread 1", "stream/spread 1 whole"});
  CHECK(served_as(copy, launch_of(1 << 16), "ampere", test::assuming({stream})) ==
        List{"stream/spread 2", "stream/spread 2 whole"});
  CHECK(served_as(copy, launch_of(1 << 16), "ampere", test::assuming({spread})) ==
        List{"spread/spread 2", "spread/spread 2"});
  CHECK(served_as(copy, launch_of(1 << 16), "ampere", {}) == List{"same-bank/same-bank 2", "same-bank/same-bank 2"});
  CHECK(served_as(copy, launch_of(8)) == List{"same-bank/same-bank 1 kept", "same-bank/same-bank 1 kept"});
  CHECK(served_as(copy, launch_of(128)) == List{"stream/spread 1 kept", "stream/spread 1 whole kept"});
  // Nothing is known of how large the grid is.
  ir::Launch one = launch_of(1);
  one.grid.reset();
  CHECK(served_as(copy, one) == List{"spread/spread 1", "spread/spread 1"});
}

TEST_CASE("strides of powers of two are never dense, and few of them are few lines") {
  const auto strided = [](int64_t stride) {
    return "mul.lo.s32 %r6, %r3, " + std::to_string(stride) + ";\n" + element("%d2", "%r6") +
           "ld.global.u32 %r10, [%d9];\n";
  };
  CHECK(served_as(strided(1024), launch_of(512)) == List{"spread/spread 32"});
  CHECK(served_as(strided(1 << 20), launch_of(1)) == List{"same-bank/same-bank 32 kept"});
  CHECK(served_as(strided(32), launch_of(512)) == List{"stream/spread 32"});
  // A store of one word of each line is dense, and covers no line.
  CHECK(served_as("mul.lo.s32 %r6, %r3, 32;\n" + element("%d1", "%r6") + "st.global.u32 [%d9], %r1;\n",
                  launch_of(1 << 14)) == List{"stream/spread 32"});
}

TEST_CASE("a gather is unknown unless its buffer is told") {
  const std::string gather = load_q + element("%d1", "%r10") + "ld.global.u32 %r11, [%d9];\n";
  ir::Launch launch = launch_of(128);
  CHECK(served_as(gather, launch) == List{"stream/spread 1", "spread/spread 32"});
  launch.buffers.push_back({"p", 1 << 20});
  CHECK(served_as(gather, launch) == List{"stream/spread 1 kept", "spread/spread 32 kept"});
  launch.buffers.back().bytes = 4096;
  CHECK(served_as(gather, launch) == List{"stream/spread 1 kept", "same-bank/same-bank 32 kept"});
}

TEST_CASE("bins of a histogram are few lines, and its atomics want one slice") {
  const std::string bin = load_q + "and.b32 %r11, %r10, 255;\n";
  CHECK(served_as(bin + "mov.u64 %d5, bins;\n" + element("%d5", "%r11") + "red.global.add.u32 [%d9], 1;\n",
                  launch_of(128)) == List{"stream/spread 1 kept", "same-bank/same-bank 32 kept"});
  const auto unknown = served_as(bin + element("%d1", "%r10") + "red.global.add.u32 [%d9], 1;\n", launch_of(128));
  CHECK(unknown == List{"stream/spread 1", "spread/same-bank 32"});
}

TEST_CASE("one line that the whole grid reads lies in one bank, behind one slice") {
  CHECK(served_as("ld.global.u32 %r10, [%d2];\n", launch_of(1 << 16)) == List{"same-bank/same-bank 1 kept"});
  CHECK(served_as("and.b32 %r6, %r3, 31;\n" + element("%d2", "%r6") + "ld.global.u32 %r10, [%d9];\n",
                  launch_of(1 << 16)) == List{"same-bank/same-bank 1 kept"});
}

TEST_CASE("where a machine's guarantee does not reach, no rate is given") {
  const std::string copy = load_q + store_p;
  for (const std::string machine : {"xavier", "maxwell"}) {
    const auto small = served_as(copy, launch_of(256), machine);
    CHECK(small.front().substr(0, 6) == "stream");
    const auto huge = served_as(copy, launch_of(1 << 22), machine);
    CHECK(huge == List{"same-bank/same-bank 1", "same-bank/same-bank 1"});
    const std::string gather = load_q + element("%d1", "%r10") + "ld.global.u32 %r11, [%d9];\n";
    CHECK(served_as(gather, launch_of(256), machine) == List{"same-bank/same-bank 1", "same-bank/same-bank 32"});
  }
}

TEST_CASE("a pointer that is told is where it is told to be") {
  for (const auto& [value, lines] : std::vector<std::pair<std::string, int>>{{"0x10004", 2}, {"0x10000", 1}}) {
    ir::Launch launch = launch_of(1 << 16);
    launch.arguments.push_back({"q", value});
    const auto list = served_as(load_q, launch);
    REQUIRE(list.size() == 1);
    CHECK(list[0].substr(list[0].find(' ') + 1, 1) == std::to_string(lines));
  }
}

namespace {

// What the access that a body leaves in %r8 gets in 8192 turns, a line further each (32 * the turn in %r7): a rate,
// "shared" where many warps are counted to ask for a line, "?" where nothing tells how many do.
std::string rate_of(const std::string& index, const ir::Launch& launch, const std::string& machine) {
  const std::string body = "mov.u32 %r6, 0;\n$L: shl.b32 %r7, %r6, 5;\n" + index + element("%d2", "%r8") +
                           "ld.global.u32 %r9, [%d9];\nst.global.u32 [%d1], %r9;\nadd.s32 %r6, %r6, 1;\n"
                           "setp.lt.s32 %p1, %r6, 8192;\n@%p1 bra $L;\n";
  const Sample s = sample_of(body, launch, machine);
  const ConstantReads reads = with_constant_reads(s.kernel.kernel, s.kernel.flow, false);
  const Footprint touched = footprint(s.kernel.kernel, s.kernel.flow, s.load, s.machine);
  const MemoryService code = memory_service(reads, touched, s.machine, test::assuming({Assumption::spread}), {});
  const ir::Access& access = s.kernel.flow.accesses[s.kernel.flow.accesses.size() - 2];
  size_t id = 0;
  for (size_t i = 0; i < reads.origins.size(); ++i) id = reads.origins[i] == access.instruction ? i : id;
  const Service& service = code.services.operations[code.kernel.instructions[id].operation];
  CHECK(service.memory == service.network);
  CHECK(code.shares_lines == (service.shared_ticks > 0));
  CHECK((code.spreads_unseen || access.sharing_blocks || launch.grid->x <= multiprocessors_at_one_line));
  const std::string rate(to_string(service.memory));
  return rate + (service.shared_ticks > 0 ? " shared" : "") + (access.sharing_blocks ? "" : " ?");
}

}  // namespace

TEST_CASE("the rate of many lines is for accesses of which no line is asked for by many warps at a time") {
  const std::string refused = "same-bank", many = "spread", shared = "spread shared", unknown = "spread ?";
  struct Row {
    const char* what;
    std::string index, rate;
  };
  const std::string warp = "shr.u32 %r11, %r1, 5;\n", line = "shl.b32 %r11, %r11, 5;\n";
  const std::string clamp = "min.s32 %r8, %r8, 100000;\n";
  const auto plus = [](const std::string& of) { return "add.s32 %r8, %r7, " + of + ";\n"; };
  const auto loads = [](const std::string& at) { return element("%d1", at) + "ld.global.u32 %r8, [%d9];\n"; };
  const std::vector<Row> rows = {
      {"the turn alone", plus("0"), refused},
      {"the lane", "and.b32 %r11, %r1, 31;\n" + plus("%r11"), refused},
      {"the thread's number over 1024", "shr.u32 %r11, %r1, 10;\n" + line + plus("%r11"), refused},
      {"the thread's number over 512", "shr.u32 %r11, %r1, 9;\n" + line + plus("%r11"), refused},
      {"the warp", warp + line + plus("%r11"), shared},
      {"the thread, all blocks the same", plus("%r1"), shared},
      {"the block, a word for each", plus("%r2"), shared},
      {"the block, a line for each", "shl.b32 %r11, %r2, 5;\n" + plus("%r11"), many},
      {"the block, 1 MiB for each", "shl.b32 %r11, %r2, 18;\n" + plus("%r11"), many},
      {"the block over 64", "shr.u32 %r11, %r2, 6;\n" + line + plus("%r11"), unknown},
      {"the lower bits of the block", "and.b32 %r11, %r2, 7;\n" + line + plus("%r11"), unknown},
      {"the thread's number in the grid", plus("%r3"), many},
      {"the same, clamped", plus("%r3") + clamp, unknown},
      {"the thread, clamped", plus("%r1") + clamp, shared},
      {"the turn, clamped", plus("0") + clamp, refused},
      {"what all threads load", loads("%r6"), refused},
      {"what each thread of a block loads", loads("%r1"), shared},
      {"what each thread of the grid loads", loads("%r3"), unknown},
      {"what all threads load, and the block's number", loads("%r6") + "add.s32 %r8, %r8, %r2;\n", unknown},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    for (const std::string machine : {"hopper", "ampere"})
      CHECK(rate_of(row.index, launch_of(264, 1024), machine) == row.rate);
    // Few multiprocessors: their ports keep apart what they ask for.
    const std::string few = rate_of(row.index, launch_of(multiprocessors_at_one_line, 1024), "hopper");
    CHECK((few == many || few == unknown));
  }
}

TEST_CASE("a line may be shared by as many warps as its slice serves in the time of all") {
  // Rows of a matrix, 1 MiB each, one for each warp and row of blocks: all blocks of the row ask for them.
  const std::string rows =
      "mov.u32 %r11, %ctaid.y;\nshr.u32 %r12, %r1, 5;\nshl.b32 %r11, %r11, 5;\nadd.s32 %r11, %r11, %r12;\n"
      "shl.b32 %r11, %r11, 18;\nand.b32 %r12, %r1, 31;\nadd.s32 %r11, %r11, %r12;\nadd.s32 %r8, %r7, %r11;\n";
  const auto rate = [&](int64_t in_a_row, const std::string& machine) {
    ir::Launch launch = launch_of(1, 1024);
    launch.grid = ir::Extent{in_a_row, 256 / in_a_row, 1};
    return rate_of(rows, launch, machine);
  };
  // 132 blocks of 32 warps at a time, 1/16 cycles a line: a slice serves 33 lines in 8 cycles each meanwhile.
  CHECK(rate(32, "hopper") == "spread");
  CHECK(rate(64, "hopper") == "spread shared");
  // 108 blocks and 1/17 cycles: 96 lines in 2.1 cycles each.
  CHECK(rate(64, "ampere") == "spread");
  CHECK(rate(128, "ampere") == "spread shared");
}

TEST_CASE("one line at a time is charged at least what it was measured to take, on every rung") {
  constexpr int64_t blocks = 264, warps = 32, turns = 8192, loads = 20;
  std::string body = "and.b32 %r6, %r1, 31;\n" + element("%d1", "%r6") + "mov.u32 %r7, 0;\n$L:\n";
  for (int64_t i = 0; i < loads; ++i) body += "ld.volatile.global.u32 %r" + std::to_string(i + 20) + ", [%d9];\n";
  for (int64_t i = 0; i < loads; ++i) body += "add.s32 %r8, %r8, %r" + std::to_string(i + 20) + ";\n";
  body += "add.s64 %d9, %d9, 128;\nadd.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, " + std::to_string(turns) +
          ";\n@%p1 bra $L;\n" + element("%d2", "%r3") + "st.global.u32 [%d9], %r8;\n";
  const Sample s = sample_of(body, launch_of(blocks, 32 * warps), "hopper");
  PipelineRuns runs(s.kernel.kernel, s.kernel.flow, s.load, s.machine);
  const auto rungs = ladder(runs);
  REQUIRE(rungs.ok());
  // docs/measured.md: 0.31 cycles of a line, where all multiprocessors read one.
  for (const Rung& rung : *rungs) CHECK(*rung.makespan >= blocks * warps * turns * loads * 31 / 100);
}
