// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose blocks come in clusters, from PTX to bound.
#include <algorithm>
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "tests/timing/in_order.hpp"
#include "timing/analysis.hpp"

using namespace warpspan;

namespace {

// A kernel k(p, n) in clusters of two blocks. %rd1 is the global address of p, %r1 that of shared memory, %r3 n.
frontend::AnalyzedKernel kernel(const std::string& body, const std::string& directives = ".reqnctapercluster 2, 1, 1",
                                int64_t blocks = 8) {
  const std::string text =
      ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n" + directives +
      "\n{\n.reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.shared .align 128 .b8 tile[1024];\n"
      "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, tile;\nld.param.u32 %r3, [n];\n"
      "mov.u32 %r4, %tid.x;\n" +
      body + "\nret;\n}\n";
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  launch.grid = ir::Extent{blocks, 1, 1};
  auto reading = frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", text), {}, launch);
  for (const support::Diagnostic& error : reading.errors) FAIL(render(error, false));
  REQUIRE(reading.kernels.size() == 1);
  return std::move(reading.kernels.front());
}

support::Result<timing::Analysis> analyzed(const frontend::AnalyzedKernel& k, const std::string& name = "sm_90") {
  const auto machine = timing::load_machine(name);
  REQUIRE(machine.ok());
  return timing::analyze(k.kernel, k.flow, k.launch, *machine, test::in_order(), std::nullopt);
}

solver::Bound bound(const frontend::AnalyzedKernel& k, const std::string& name = "sm_90") {
  const auto analysis = analyzed(k, name);
  if (!analysis) FAIL(render(analysis.errors().front(), false));
  return analysis->bounds.front().bound;
}

bool says(const solver::Bound& bound, const std::string& text) {
  return std::any_of(bound.assumptions.begin(), bound.assumptions.end(),
                     [&](const std::string& sentence) { return sentence.find(text) != std::string::npos; });
}

const std::string meet = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
constexpr const char* any_order = "may wait for one another in any order";

}  // namespace

TEST_CASE("warps of a cluster meet in order where all threads pass each of its barriers once") {
  CHECK_FALSE(says(bound(kernel(meet)), any_order));
  CHECK_FALSE(says(bound(kernel(meet + "bar.sync 0;\n" + meet)), any_order));
  const auto behind = [](const std::string& branch) { return kernel(branch + meet + "end:\n"); };
  CHECK(says(bound(behind("mov.u32 %r5, %ctaid.x;\nsetp.eq.s32 %p1, %r5, 0;\n@%p1 bra end;\n")), any_order));
  CHECK(says(bound(behind("mov.u32 %r5, %cluster_ctarank;\nsetp.eq.s32 %p1, %r5, 0;\n@%p1 bra end;\n")), any_order));
  CHECK(
      says(bound(kernel("setp.eq.s32 %p1, %r4, 0;\n@%p1 barrier.cluster.arrive;\nbarrier.cluster.wait;")), any_order));
  const std::string loop =
      "mov.u32 %r5, 0;\nL:\n" + meet + "add.s32 %r5, %r5, 1;\nsetp.lt.s32 %p1, %r5, 4;\n@%p1 bra L;";
  CHECK(says(bound(kernel(loop)), any_order));
}

TEST_CASE("clusters follow one another in the bound") {
  const solver::Bound few = bound(kernel(meet, ".reqnctapercluster 2, 1, 1", 8));
  CHECK(few.parts.front().workers == 4);
  CHECK(few.method == "grid");
  CHECK(says(few, "Blocks start in clusters of 2"));
  CHECK(bound(kernel(meet, ".reqnctapercluster 4, 1, 1", 8)).parts.front().workers == 2);
  // Two blocks have no cluster: nothing is said of how they wait.
  CHECK_FALSE(says(bound(kernel("bar.sync 0;", "")), "clusters"));
}

TEST_CASE("an access to another block's shared memory counts as the dearer of what it may be") {
  const auto makespan = [](const std::string& access, const std::string& directives = ".reqnctapercluster 2, 1, 1") {
    return *bound(kernel("cvta.shared.u64 %rd2, %rd1;\n" + access, directives)).makespan;
  };
  for (const char* access : {"ld.u32 %r5, [%rd2];", "st.u32 [%rd2], %r3;", "atom.add.u32 %r5, [%rd2], 1;"}) {
    const auto analysis = analyzed(kernel(std::string("cvta.shared.u64 %rd2, %rd1;\n") + access));
    INFO(access);
    REQUIRE(analysis.ok());
    const auto held = [&](const timing::Analysis& a) {
      for (const auto& one : a.resources) {
        if (one.name == "cluster") return one.demand;
      }
      return int64_t{0};
    };
    CHECK(held(*analysis) >= 10);
    const auto alone = analyzed(kernel(std::string("cvta.shared.u64 %rd2, %rd1;\n") + access, ""));
    REQUIRE(alone.ok());
    CHECK(held(*alone) == 0);
  }
  CHECK(makespan("ld.shared::cluster.u32 %r5, [%r1];") > makespan("ld.shared.u32 %r5, [%r1];"));
}

TEST_CASE("what nobody knows of clusters is refused, where it stands") {
  const auto error = [](const frontend::AnalyzedKernel& k, const std::string& machine = "sm_90") {
    const auto analysis = analyzed(k, machine);
    REQUIRE_FALSE(analysis.ok());
    REQUIRE(analysis.errors().size() == 1);
    return analysis.errors().front();
  };
  const auto unknown = error(kernel(meet, ""));
  CHECK(unknown.message == "the file does not say how many blocks meet at 'barrier.cluster.arrive'");
  CHECK(unknown.location.line == 16);
  const std::string copy =
      ".reg .b64 %t;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r1];";
  CHECK(error(kernel(copy), "sm_120").message.find("may call a function of the driver") != std::string::npos);
  CHECK(analyzed(kernel(copy), "sm_90").ok());
  CHECK(analyzed(kernel(copy, ""), "sm_120").ok());
  const frontend::AnalyzedKernel k = kernel(meet);
  const auto strings =
      timing::analyze(k.kernel, k.flow, k.launch, *timing::load_machine("sm_90"), test::in_order(), timing::Limits{});
  REQUIRE_FALSE(strings.ok());
  CHECK(strings.errors().front().message.find("the string model has no bound for clusters") == 0);
}
