// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates without execution, worked out by hand: of a 'hopper' with 132 multiprocessors.
#include "timing/estimate/closed_form.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <utility>

#include "frontend/frontend.hpp"
#include "tests/timing/machine/machine_files.hpp"
#include "timing/estimate/loaded_values.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

// With the number of the thread in the grid, and where that word of the array x lies.
std::string text(const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u32 n)\n{\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .f32 %f<8>;\n.reg .b64 %d<8>;\n"
         "ld.param.u64 %d1, [x];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ntid.x;\n"
         "mov.u32 %r3, %ctaid.x;\nmad.lo.s32 %r4, %r3, %r2, %r1;\nmul.wide.s32 %d2, %r4, 4;\nadd.s64 %d3, %d1, %d2;\n" +
         body + "ret;\n}\n";
}

struct Analyzed {
  frontend::AnalyzedKernel kernel;
  Machine machine = builtin("hopper");
  ClosedForm form;
};

Analyzed analyzed(const std::string& body, int64_t threads, int64_t blocks) {
  ir::Launch launch;
  launch.block = ir::Extent{threads, 1, 1};
  launch.grid = ir::Extent{blocks, 1, 1};
  const auto source = std::make_shared<const support::SourceFile>("t.ptx", text(body));
  frontend::Reading reading = frontend::read_kernels(source, {}, launch);
  INFO((reading.errors.empty() ? "" : reading.errors.front().message));
  REQUIRE(reading.kernels.size() == 1);
  Analyzed all;
  all.kernel = std::move(reading.kernels.front());
  const auto load = load_of(all.kernel.kernel, all.kernel.launch, all.machine);
  const auto figures = simulated_machine(all.machine);
  REQUIRE(load);
  REQUIRE(figures);
  const auto form = closed_form(all.kernel.kernel, all.kernel.flow, *load, all.machine, *figures);
  REQUIRE(form);
  all.form = *form;
  return all;
}

ClosedForm form_of(const std::string& body, int64_t threads = 256, int64_t blocks = 264) {
  return analyzed(body, threads, blocks).form;
}

const std::string load = "ld.global.f32 %f1, [%d3];\n", store = "st.global.f32 [%d3], %f1;\n";
const std::string count = "atom.global.add.u32 %r5, [%d1], 1;\n";

}  // namespace

TEST_CASE("what is longest of all that a multiprocessor is asked for counts, and each wave") {
  ClosedForm form;
  const double beginning = form.cycles();
  form.latency = 100;
  form.waves = 3;
  form.issue = 40;
  form.memory = 50;
  CHECK(form.cycles() == Approx(beginning + 300 + 50));
  form.atomics = 70;
  CHECK(form.cycles() == Approx(beginning + 300 + 70));
}

TEST_CASE("a warp waits for memory once where loads do not depend on one another, and for each that does") {
  const double none = form_of("").latency, one = form_of(load + store).latency;
  CHECK(one - none == Approx(680).margin(40));
  const std::string beside = "ld.global.f32 %f2, [%d3+4194304];\n";
  CHECK(form_of(load + beside + "add.f32 %f1, %f1, %f2;\n" + store).latency - one < 40);
  // A load does not overtake a store that waits for what is stored.
  CHECK(form_of(load + store + beside + "st.global.f32 [%d3], %f2;\n").latency - one > 600);
}

TEST_CASE("lines that are new to the device come from memory, and those of others from the L2") {
  const ClosedForm own = form_of(load);
  CHECK(own.memory == Approx(264 * 8 * 128 / 1313.0).epsilon(0.01));
  // 16 warps of a multiprocessor, four sectors each, of which the L2 sends 21 bytes a cycle.
  CHECK(own.network == Approx(16 * 128 / 21.0).epsilon(0.1));
  CHECK(own.load_store == Approx(16));
  const std::string same = "mul.wide.s32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\n";
  const ClosedForm shared = form_of(same + load);
  CHECK(shared.memory < own.memory / 100);
  CHECK(shared.latency - form_of(same).latency == Approx(245).margin(40));
  CHECK(form_of(load, 256, 1).latency == Approx(own.latency));
}

TEST_CASE("lanes with lines of their own occupy the load/store units and the network") {
  const std::string far = "mul.wide.s32 %d2, %r4, 128;\nadd.s64 %d3, %d1, %d2;\n";
  CHECK(form_of(far + load).load_store == Approx(16 * 32));
  CHECK(form_of(far + load).memory > 8 * form_of(load).memory);
  // Sectors that are written in part, by all multiprocessors.
  CHECK(form_of(far + store).network == Approx(16 * 32 * 4));
}

TEST_CASE("atomics at one address follow one another on the device") {
  const double all = 264 * 256 * 1.45;
  CHECK(form_of(count).atomics == Approx(all));
  CHECK(form_of(count, 256, 132).atomics == Approx(all / 2));
  const std::string each = "atom.global.add.u32 %r5, [%d3], 1;\n";
  CHECK(form_of(each).atomics == Approx(all / 96));
  // Branches on the number of the thread lead there, or on what was loaded.
  const auto where = [](const std::string& condition) { return condition + "@%p1 bra over;\n" + count + "over:\n"; };
  CHECK(form_of(where("setp.ge.s32 %p1, %r4, %r9;\n")).atomics == Approx(all));
  CHECK(form_of(where("ld.global.u32 %r6, [%d3];\nsetp.ge.s32 %p1, %r6, %r9;\n")).atomics == Approx(all / 32));
}

TEST_CASE("blocks beyond those that may be resident come in waves, and begin one after another") {
  CHECK(form_of(load, 1024, 132).waves == 1);
  CHECK(form_of(load, 1024, 264).waves == 1);
  CHECK(form_of(load, 1024, 265).waves == 2);
  CHECK(form_of("", 32, 1320).dispatch == Approx(1320 * 1.15));
}

TEST_CASE("what is loaded decides what depends on it, also by branches") {
  const auto decided = [](const std::string& body) {
    const Analyzed all = analyzed(body, 32, 1);
    const LoadedValues loaded = loaded_values(all.kernel.kernel, all.kernel.flow);
    return std::count(loaded.blocks.begin(), loaded.blocks.end(), true);
  };
  const std::string branch = "@%p1 bra over;\nst.global.u32 [%d3], %r1;\nover:\n";
  CHECK(decided("setp.ge.s32 %p1, %r4, %r9;\n" + branch) == 0);
  CHECK(decided("ld.global.u32 %r6, [%d3];\nadd.s32 %r7, %r6, 1;\nsetp.ge.s32 %p1, %r7, %r9;\n" + branch) == 1);
  CHECK(decided("shfl.sync.bfly.b32 %r6, %r1, 1, 31, -1;\nsetp.ge.s32 %p1, %r6, %r9;\n" + branch) == 1);
  // A register that one way writes decides the next branch.
  const std::string flag =
      "mov.u32 %r7, 0;\nld.global.u32 %r6, [%d3];\nsetp.ge.s32 %p1, %r6, %r9;\n@%p1 bra next;\nmov.u32 %r7, 1;\nnext:\n"
      "setp.eq.s32 %p1, %r7, 0;\n";
  CHECK(decided(flag + branch) == 2);
}
