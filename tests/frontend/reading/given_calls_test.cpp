// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of calls of functions by their addresses, and of calls of functions without a body.
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"

using namespace warpspan;
using Words = std::vector<std::string>;

namespace {

const std::string functions =
    ".func (.param .b32 r) one(.param .b32 a) { st.param.b32 [r], 1; ret; }\n"
    ".func (.param .b32 r) two(.param .b32 a) { st.param.b32 [r], 2; ret; }\n"
    ".extern .func (.param .b32 r) out(.param .b32 a);\n.global .align 8 .u64 table[2] = {two, one};\n";

std::string kernel(const std::string& body) {
  return functions + ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
         body + "ret;\n}\n";
}

std::string computed(const std::string& kind) {
  return "ld.global.u64 %rd1, [table];\n{ .param .b32 x; .param .b32 y; st.param.b32 [x], 7;\nkind : " + kind +
         ";\ncall (y), %rd1, (x), kind;\nld.param.b32 %r1, [y]; }\nst.global.u32 [table], %r1;\n";
}

const std::string outside =
    "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 7;\ncall (y), out, (x);\nld.param.b32 %r2, [y]; }\n";

frontend::Reading read(const std::string& text, const std::vector<ir::CallCost>& costs = {},
                       const frontend::Inquiry& inquiry = {}) {
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  launch.call_costs = costs;
  const std::string file = ".version 7.8\n.target sm_80\n.address_size 64\n" + text;
  return frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", file), {}, launch, inquiry);
}

frontend::AnalyzedKernel found(const std::string& text, const std::vector<ir::CallCost>& costs = {}) {
  const frontend::Reading reading = read(text, costs);
  INFO((reading.errors.empty() ? "" : reading.errors.front().message));
  REQUIRE(reading.kernels.size() == 1);
  return reading.kernels.front();
}

}  // namespace

TEST_CASE("what is assumed of the addresses of functions is said, and nothing of lists") {
  CHECK(found(kernel(computed(".callprototype (.param .b32 _) _ (.param .b32 _)"))).assumptions ==
        Words{"The kernel calls by their addresses only functions whose addresses this file takes, with the parameters "
              "and results of the call: 'one' and 'two'."});
  CHECK(found(kernel(computed(".calltargets one, two"))).assumptions.empty());
}

TEST_CASE("a call without a body ends a block, takes its time, and gives back what may differ from lane to lane") {
  const std::string text = kernel(outside + "setp.eq.s32 %p1, %r2, 0;\n@%p1 bra E;\nst.global.u32 [table], %r2;\nE:\n");
  const frontend::AnalyzedKernel k = found(text, {{"out", {3'000, true}, "3000 cycles", {}}});
  REQUIRE(k.kernel.calls_outside());
  int calls = 0;
  for (ir::BlockId b = 0; b < k.kernel.blocks.size(); ++b) {
    const ir::Block& block = k.kernel.blocks[b];
    if (!k.kernel.calls_outside(block)) continue;
    ++calls;
    const ir::Operation& operation = k.kernel.operation(k.kernel.instructions[block.first + block.count - 1]);
    CHECK(operation.text == "call out");
    CHECK(operation.call_time == ir::CallTime{3'000, true});
    CHECK(operation.reads_constant);
    CHECK(operation.stays_call);
    CHECK(block.successors == std::vector<ir::BlockId>{b + 1});
    CHECK(k.flow.blocks[b + 1].divergent);  // it branches on what the call gave back
  }
  CHECK(calls == 1);
}

TEST_CASE("loops of a kernel whose calls have no times are known, and the kernel is not bounded") {
  frontend::Inquiry inquiry;
  inquiry.unbounded_loops = true;
  const frontend::Reading reading =
      read(kernel("mov.u32 %r1, 0;\nL:\n" + outside + "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 6;\n@%p1 bra L;\n"),
           {}, inquiry);
  CHECK(reading.errors.empty());
  CHECK(reading.kernels.empty());
  REQUIRE(reading.codes.size() == 1);
  CHECK(reading.codes[0].external_functions == Words{"out"});
  REQUIRE(reading.codes[0].loops);
  REQUIRE(reading.codes[0].loops->size() == 1);
  CHECK(reading.codes[0].loops->front().trip_count == 6);
}

TEST_CASE("a variable that a call may write is not known after it") {
  const std::string pass =
      "mov.u32 %r1, 0;\nst.local.u32 [own], 4;\nmov.u64 %rd1, own;\ncvta.local.u64 %rd1, %rd1;\nst.global.u64 [table], "
      "%rd1;\n";
  const std::string loop =
      "ld.local.u32 %r3, [own];\nL:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r3;\n@%p1 bra L;\n";
  const std::string own = ".local .align 4 .b8 own[4];\n";
  CHECK(found(kernel(own + "mov.u32 %r1, 0;\nst.local.u32 [own], 4;\n" + loop)).flow.loops.front().trip_count == 4);
  CHECK(read(kernel(own + pass + outside + loop), {{"out", {3'000, true}, "", {}}}).kernels.empty());
}
