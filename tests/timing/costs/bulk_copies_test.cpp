// SPDX-License-Identifier: GPL-3.0-or-later
// Bulk copies: their lines, the threads that ask for them, and what bounds charge for both.
#include "timing/costs/bulk_copies.hpp"

#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "tests/timing/in_order.hpp"
#include "timing/analysis.hpp"
#include "timing/costs/memory_model.hpp"

using namespace warpspan;

namespace {

ir::Launch launch_of(int64_t threads, int64_t blocks = 0) {
  ir::Launch launch;
  launch.block = ir::Extent{threads, 1, 1};
  if (blocks > 0) launch.grid = ir::Extent{blocks, 1, 1};
  return launch;
}

// A kernel k(p, n) whose body finds the global address of p in %rd1, those of shared memory and a barrier object in %r1
// and %r2, n in %r3 and the thread in %r4.
frontend::AnalyzedKernel kernel(const std::string& body, const ir::Launch& launch = launch_of(64)) {
  const std::string text =
      ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.shared .align 128 .b8 tile[16384];\n"
      ".shared .align 8 .b64 bar;\nld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, tile;\n"
      "mov.u32 %r2, bar;\nld.param.u32 %r3, [n];\nmov.u32 %r4, %tid.x;\n" +
      body + "\nret;\n}\n";
  auto reading = frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", text), {}, launch);
  for (const support::Diagnostic& error : reading.errors) FAIL(render(error, false));
  REQUIRE(reading.kernels.size() == 1);
  return std::move(reading.kernels.front());
}

timing::Machine machine_of(const std::string& name) {
  auto machine = timing::load_machine(name);
  REQUIRE(machine.ok());
  return *machine;
}

support::Result<timing::Analysis> analyzed(const frontend::AnalyzedKernel& k, const std::string& machine = "sm_90",
                                           const timing::AssumptionSet& assumed = {}) {
  return timing::analyze(k.kernel, k.flow, k.launch, machine_of(machine), test::in_order(assumed), std::nullopt);
}

int64_t makespan(const frontend::AnalyzedKernel& k, const std::string& machine = "sm_90",
                 const timing::AssumptionSet& assumed = {}) {
  const auto analysis = analyzed(k, machine, assumed);
  if (!analysis) FAIL(render(analysis.errors().front(), false));
  return *analysis->bounds.front().bound.makespan;
}

// Lines of the only copy.
int64_t lines(const frontend::AnalyzedKernel& k, int64_t shared_bytes = 65536) {
  REQUIRE(k.flow.copies.size() == 1);
  const auto flow = timing::with_bulk_copies(k.kernel, k.flow, shared_bytes);
  if (!flow) FAIL(render(flow.errors().front(), false));
  return flow->transactions[k.flow.copies.front().instruction];
}

const std::string by_one = "setp.ne.s32 %p1, %r4, 0;\n@%p1 bra end;\n";

std::string fetch(const std::string& size) {
  return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], " + size + ", [%r2];\n";
}
std::string put(const std::string& size) {
  return "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], " + size + ";\n";
}
std::string prefetch(const std::string& size) { return "cp.async.bulk.prefetch.L2.global [%rd1], " + size + ";\n"; }
std::string box(const std::string& dimensions) {
  return "cp.async.bulk.tensor." + dimensions + ".mbarrier::complete_tx::bytes [%r1], [%rd1, ";
}

// Without what it reads of constants in each block.
int64_t held(const frontend::AnalyzedKernel& k, const std::string& resource) {
  timing::AssumptionSet assumed;
  assumed.assume(timing::Assumption::keeps_constants);
  const auto analysis = analyzed(k, "sm_90", assumed);
  REQUIRE(analysis.ok());
  for (const auto& one : analysis->resources) {
    if (one.name == resource) return one.demand;
  }
  FAIL(resource);
  return 0;
}

}  // namespace

TEST_CASE("bytes in a row touch most lines if they begin in the last 16 of one") {
  CHECK(lines(kernel(fetch("16"))) == 1);
  CHECK(lines(kernel(fetch("32"))) == 2);
  CHECK(lines(kernel(fetch("144"))) == 2);
  CHECK(lines(kernel(fetch("160"))) == 3);
  CHECK(lines(kernel(fetch("4096"))) == 33);
  CHECK(lines(kernel(put("4096"))) == 33);
  CHECK(lines(kernel(prefetch("1048576"))) == 8193);
  for (int64_t bytes = 16; bytes <= 1024; bytes += 16) {
    int64_t most = 0;
    for (int64_t begin = 0; begin < 128; begin += 16) most = std::max(most, (begin + bytes - 1) / 128 + 1);
    CHECK(lines(kernel(put(std::to_string(bytes)))) == most);
  }
}

TEST_CASE("the size of a copy is an operand of which the largest value counts, and no more than fits shared memory") {
  CHECK(lines(kernel("mov.u32 %r5, 2048;\n" + fetch("%r5"))) == 17);
  CHECK(lines(kernel("and.b32 %r5, %r3, 1008;\n" + put("%r5"))) == 9);
  ir::Launch given = launch_of(64);
  given.arguments.push_back({"n", "16..512"});
  CHECK(lines(kernel(put("%r3"), given)) == 5);
  CHECK(lines(kernel(put("%r3"))) == 65536 / 128 + 1);
  CHECK(lines(kernel(put("1000000")), 101376) == 101376 / 128 + 1);
}

TEST_CASE("a box of a tensor has short rows, its description is a line more") {
  CHECK(lines(kernel(box("1d.shared::cluster.global") + "{%r3}], [%r2];")) == 17 + 1);
  CHECK(lines(kernel(box("2d.shared::cta.global.tile") + "{%r3, %r3}], [%r2];")) == 256 * 17 + 1);
  CHECK(lines(kernel(box("3d.shared::cluster.global") + "{%r3, %r3, %r3}], [%r2];")) == 65536 / 8 + 1);
  CHECK(lines(kernel(box("3d.shared::cluster.global") + "{%r3, %r3, %r3}], [%r2];"), 4104) == 4096 / 8 + 1);
  CHECK(lines(kernel("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r3}], [%r1];")) == 17 + 1);
  CHECK(lines(kernel("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%rd1, {%r3}], [%r1];")) == 18);
  CHECK(lines(kernel("cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%r3, %r3}];")) == 256 * 17 + 1);
}

// Rows of s bytes in shared memory, of which every eighth element or each is read, wherever they begin.
TEST_CASE("a row of a box has at most two lines for each 16 bytes of shared memory, and 17 in all") {
  for (int64_t bytes = 16; bytes <= 2048; bytes += 16) {
    for (const int64_t factor : {1, 8}) {
      const int64_t span = std::min<int64_t>(2048, bytes * factor);
      const int64_t touched = (127 + span - 1) / 128 + 1;
      CHECK(touched <= bytes / 16 * 2);
      CHECK(touched <= 17);
    }
  }
}

TEST_CASE("a prefetch of an unknown size is refused, where it stands") {
  for (const std::string& body : {prefetch("%r3"), std::string("cp.async.bulk.prefetch.tensor.5d.L2.global [%rd1, "
                                                               "{%r3, %r3, %r3, %r3, %r3}];")}) {
    const frontend::AnalyzedKernel k = kernel(body + prefetch("16"));
    const auto flow = timing::with_bulk_copies(k.kernel, k.flow, 65536);
    REQUIRE_FALSE(flow.ok());
    REQUIRE(flow.errors().size() == 1);
    CHECK(flow.errors().front().location.line == 17);
    CHECK(flow.errors().front().message.find("it is not known how much 'cp.async.bulk.prefetch") == 0);
    CHECK_FALSE(analyzed(k).ok());
  }
  ir::Launch given = launch_of(64);
  given.arguments.push_back({"n", "4096"});
  CHECK(lines(kernel(prefetch("%r3"), given)) == 33);
}

TEST_CASE("as many threads ask for a copy as may come to it") {
  const auto lanes = [](const std::string& before, int64_t threads = 64) {
    return kernel(before + put("64") + "end:\n", launch_of(threads)).flow.copies.at(0).lanes;
  };
  CHECK(lanes("") == 32);
  CHECK(lanes("", 20) == 20);
  CHECK(lanes(by_one) == 1);
  CHECK(lanes(by_one, 32) == 1);
  CHECK(lanes("setp.gt.u32 %p1, %r4, 4;\n@%p1 bra end;\n") == 5);
  CHECK(lanes("setp.ge.u32 %p1, %r4, 40;\n@%p1 bra end;\n") == 32);
  CHECK(lanes("and.b32 %r5, %r4, 31;\nsetp.ne.s32 %p1, %r5, 3;\n@%p1 bra end;\n") == 1);
  CHECK(lanes("setp.ne.s32 %p1, %r4, %r3;\n@%p1 bra end;\n") == 32);
}

TEST_CASE("of an election among the same threads each time, one asks for a copy") {
  const auto lanes = [](const std::string& before) {
    return kernel(before + put("64") + "end:\n").flow.copies.at(0).lanes;
  };
  const std::string elect = "elect.sync _|%p1, 0xffffffff;\n";
  CHECK(lanes(elect + "@!%p1 bra end;\n") == 1);
  CHECK(lanes("mov.u32 %r6, -1;\nelect.sync %r7|%p1, %r6;\n@!%p1 bra end;\n") == 1);
  CHECK(lanes(elect + "@%p1 bra end;\n") == 32);  // all others
  CHECK(lanes(elect) == 32);
  CHECK(lanes("activemask.b32 %r6;\nelect.sync _|%p1, %r6;\n@!%p1 bra end;\n") == 32);  // parts elect their own
  // As CUTLASS and libcu++ write it, also with a condition of the warp.
  CHECK(lanes("mov.u32 %r5, 0;\n" + elect + "@%p1 mov.u32 %r5, 1;\nsetp.eq.s32 %p2, %r5, 0;\n@%p2 bra end;\n") == 1);
  CHECK(lanes(elect + "selp.b32 %r5, 1, 0, %p1;\nsetp.ne.s32 %p2, %r5, 0;\n@!%p2 bra end;\n") == 1);
  CHECK(lanes(elect + "selp.b32 %r5, 1, 0, %p1;\nsetp.ne.s32 %p2, %r5, 0;\n@%p2 bra end;\n") == 32);
  CHECK(lanes(elect + "shr.u32 %r5, %r4, 5;\nsetp.eq.u32 %p2, %r5, 0;\nand.pred %p3, %p1, %p2;\n@!%p3 bra end;\n") ==
        1);
  CHECK(lanes(elect + "setp.eq.u32 %p2, %r3, 0;\nor.pred %p3, %p1, %p2;\n@!%p3 bra end;\n") == 32);
  // What follows where both ways meet is for all.
  CHECK(lanes(elect + "@!%p1 bra M;\nst.shared.u32 [%r1], %r4;\nM:\n") == 32);
  // Inside a loop that only the chosen thread comes to.
  CHECK(kernel(elect + "@!%p1 bra end;\nmov.u32 %r5, 0;\nL:\n" + put("64") +
               "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, 9;\n@%p2 bra L;\nend:\n")
            .flow.copies.at(0)
            .lanes == 1);
}

TEST_CASE("a copy takes what it copies of the ways to memory, once for each thread that asks") {
  const auto of = [](const std::string& text, const std::string& resource) { return held(kernel(text), resource); };
  const std::string all = put("4096") + "end:\n";
  for (const char* resource : {"memory", "network", "network_port"}) {
    INFO(resource);
    const int64_t none = of("", resource), one = of(by_one + all, resource), every = of(all, resource);
    CHECK(one > none);
    CHECK(every - none == 32 * (one - none));
    CHECK(of(by_one + put("8192") + "end:\n", resource) - none == (one - none) / 33 * 65);
  }
  CHECK(of(all, "copy_engine") == 32 * of(by_one + all, "copy_engine"));
  CHECK(of(by_one + all, "copy_engine") == 130);
}

TEST_CASE("more bytes and more threads never take less time") {
  const timing::AssumptionSet none;
  int64_t before = 0;
  for (const char* size : {"16", "128", "1024", "16384"}) {
    const int64_t now = makespan(kernel(by_one + put(size) +
                                        "cp.async.bulk.commit_group;\n"
                                        "cp.async.bulk.wait_group 0;\nend:\n"));
    CHECK(now > before);
    before = now;
  }
  CHECK(makespan(kernel(put("16384"))) > 2 * makespan(kernel(by_one + put("16384") + "end:\n")));
}

// On the path of one warp alone: the copy ends after its latency and the time of its lines, and who waits, waits for
// it.
TEST_CASE("waiting for a group lasts until its lines have been copied") {
  const std::string wait =
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nst.shared.u32 [%r1], %r3;\nend:\n";
  const auto path = [](const frontend::AnalyzedKernel& k) {
    const auto analysis = analyzed(k);
    REQUIRE(analysis.ok());
    return analysis->worst;
  };
  const int64_t small = path(kernel(by_one + put("16") + wait)), large = path(kernel(by_one + put("12816") + wait));
  const timing::Machine machine = machine_of("sm_90");
  const auto& memory = machine.resources[*machine.resource(timing::memory_resource)];
  const int64_t line = timing::ticks_of_line(memory, timing::Guarantee::same_bank, 1);
  CHECK(large - small == 100 * 2 * line);  // 101 lines and 1, each fetched and written back
  CHECK(path(kernel(by_one + wait)) + 1467 < small);
}

TEST_CASE("no assumption makes a copy have fewer lines than it asks for, or a bound larger") {
  const frontend::AnalyzedKernel k = kernel(by_one + put("16384") + "end:\n", launch_of(64, 100));
  timing::AssumptionSet aligned;
  aligned.assume(timing::Assumption::aligned);
  const auto plain = analyzed(k);
  REQUIRE(plain.ok());
  CHECK(makespan(k, "sm_90", aligned) == *plain->bounds.front().bound.makespan);
  for (const auto& rung : plain->ladder) CHECK(rung.makespan.value_or(0) <= *plain->ladder.front().makespan);
}

TEST_CASE("on devices before 9.0 and for blocks of other multiprocessors copies have no figures") {
  CHECK_FALSE(analyzed(kernel(put("16")), "sm_80").ok());
  const std::string far =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1], 16, [%r2], "
      "%h1;\n";
  CHECK_FALSE(analyzed(kernel(".reg .b16 %h<2>;\nmov.b16 %h1, 3;\n" + far)).ok());
  CHECK_FALSE(
      analyzed(
          kernel("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r1], 16, [%r2];"))
          .ok());
}
