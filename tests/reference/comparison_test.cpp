// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison notices every kind of bound that is too small.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/syntax/parser.hpp"
#include "tests/reference/bounds.hpp"
#include "tests/reference/generators/families.hpp"
#include "tests/reference/generators/shrink.hpp"

using namespace warpspan;
using reference::Comparison;

namespace {

// Four turns, in which half of the lanes store to lines of their own.
const std::string text =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n"
    ".reg .b32 %r<4>;\n.reg .b64 %d<4>;\n"
    "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %d2, %r1, 128, %d1;\nmov.u32 %r2, 0;\n"
    "L:\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bra C;\nst.global.u32 [%d2], %r2;\nC:\nadd.u32 %r2, %r2, 1;\n"
    "setp.lt.u32 %p2, %r2, 4;\n@%p2 bra L;\nret;\n}\n";

reference::Experiment experiment() {
  reference::Experiment result;
  result.text = text;
  result.kernel = "k";
  result.launch.block = ir::Extent{32, 1, 1};
  return result;
}

bool has(const std::vector<std::string>& violations, const std::string& what) {
  return std::any_of(violations.begin(), violations.end(),
                     [&](const std::string& v) { return v.find(what) != std::string::npos; });
}

using Change = std::function<void(frontend::AnalyzedKernel&)>;

// What is found where the facts are changed before they are compared, or before totals are computed from them.
std::vector<std::string> found_after(const Change& change, const Change& before = {}) {
  const auto source = std::make_shared<const support::SourceFile>("t.ptx", text);
  const auto module = ptx::parse(source);
  REQUIRE(module.ok());
  frontend::Reading reading = frontend::read_kernels(source, {"k"}, experiment().launch);
  REQUIRE(reading.kernels.size() == 1);
  if (before) before(reading.kernels.front());
  const auto bounds = reference::bounds_of(reading.kernels.front());
  REQUIRE(bounds.has_value());
  if (change) change(reading.kernels.front());
  const auto body = ptx::expand_calls(*module, module->functions.front());
  REQUIRE(body.ok());
  const auto places = reference::lay_out(*module, module->functions.front(), 1);
  std::string unknown;
  const auto program = reference::prepare(*body, places, unknown);
  REQUIRE(program.has_value());
  const auto graph = reference::control_graph(*program);
  const reference::Subject subject{*module, *body, *program, graph, places};
  reference::Situation situation;
  situation.block = {32, 1, 1};
  return violations(reading.kernels.front(), *bounds, subject, execute(subject, situation));
}

}  // namespace

TEST_CASE("reference comparison: a kernel within its bounds") {
  const Comparison result = compare(experiment(), 1, reference::all_orders);
  CHECK(result.verdict == Comparison::Verdict::compared);
  CHECK(result.violations.empty());
  CHECK(result.looseness == 1);
  CHECK(found_after([](frontend::AnalyzedKernel&) {}).empty());
}

TEST_CASE("reference comparison: a loop that runs more often than is said") {
  const auto found = found_after({}, [](frontend::AnalyzedKernel& k) { k.flow.loops.at(0).trip_count = 1; });
  CHECK(has(found, "turns of the loop"));
  CHECK(has(found, "instructions of class L"));
  CHECK(has(found, "instructions of class C"));
  CHECK(has(found, "instructions: "));
  CHECK(has(found, "length of the string"));
  CHECK(has(found, "executions of line"));
  CHECK(has(found, "pieces of all accesses"));
}

TEST_CASE("reference comparison: a recursion that is deeper than is said") {
  reference::Experiment deep;
  deep.kernel = "k";
  deep.launch.block = ir::Extent{32, 1, 1};
  deep.text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.func down(.param .b32 a)\n{\n.reg .pred %p;\n.reg .b32 %r<3>;\n"
      "ld.param.b32 %r1, [a];\nsetp.eq.s32 %p, %r1, 0;\n@%p bra E;\nsub.s32 %r2, %r1, 1;\n"
      "{ .param .b32 x;\nst.param.b32 [x], %r2;\ncall down, (x);\n}\nE:\nret;\n}\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\nand.b32 %r1, %r1, 3;\n"
      "{ .param .b32 x;\nst.param.b32 [x], %r1;\ncall down, (x);\n}\nret;\n}\n";
  const auto violations_of = [&deep](int64_t depth) {
    deep.launch.recursions = {{"down", depth}};
    const Comparison result = compare(deep, 1, reference::all_orders);
    CHECK(result.verdict == Comparison::Verdict::compared);
    return result.violations;
  };
  CHECK(violations_of(4).empty());  // of 3, 2, 1 and 0
  CHECK(has(violations_of(3), "executions of line"));
}

TEST_CASE("reference comparison: a loop that is not known") {
  CHECK(has(found_after([](frontend::AnalyzedKernel& k) { k.flow.loops.front().header = 0; }), "no loop was found"));
}

TEST_CASE("reference comparison: a branch called uniform, an access in fewer pieces") {
  CHECK(has(found_after([](frontend::AnalyzedKernel& k) {
              for (ir::BlockFlow& block : k.flow.blocks) block.divergent = false;
            }),
            "lanes parted at a branch called uniform"));
  CHECK(has(found_after([](frontend::AnalyzedKernel& k) {
              for (uint32_t& count : k.flow.transactions) count = count == 0 ? 0 : 15;
            }),
            "pieces of one access of line 16 'st.global.u32': 16, bound 15"));
}

TEST_CASE("reference comparison: the same seed gives the same kernel, another one another") {
  for (const reference::Family& family : reference::families()) {
    INFO(family.name);
    CHECK(family.make(5).text == family.make(5).text);
    CHECK(family.make(5).text != family.make(6).text);
  }
}

TEST_CASE("reference comparison: a text is made as small as what must stay in it") {
  reference::Experiment small =
      shrink(experiment(), [](const reference::Experiment& e) { return e.text.find("add.u32") != std::string::npos; });
  CHECK(small.text == "add.u32 %r2, %r2, 1;\n");
}
