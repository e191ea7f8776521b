// SPDX-License-Identifier: GPL-3.0-or-later
// At a call, and where it returns, a warp waits for all that it has begun.
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "tests/timing/in_order.hpp"
#include "timing/analysis.hpp"
#include "timing/machine/model.hpp"

using namespace warpspan;

namespace {

// A function that loads, and a load before its call; each is used where the kernel ends, unless it is lost.
std::string text(const std::string& function, const std::string& body) {
  return ".version 7.0\n.target sm_80\n.address_size 64\n.func (.param .b32 r) f(.param .b64 a)\n{\n.reg .b32 %r<4>;\n"
         ".reg .b64 %d<4>;\nld.param.u64 %d1, [a];\n" +
         function +
         "}\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>;\n.reg .b64 %d<4>;\nld.param.u64 %d1, [p];\n" + body +
         "add.s32 %r1, %r1, %r2;\nst.global.u32 [%d1+8], %r1;\nret;\n}\n";
}
const std::string call =
    "{\n.param .b64 a;\n.param .b32 r;\nst.param.b64 [a], %d1;\ncall (r), f, (a);\nld.param.b32 %r2, [r];\n}\n";

int64_t worst(const std::string& function, const std::string& body) {
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  const auto source = std::make_shared<const support::SourceFile>("t.ptx", text(function, body));
  const frontend::Reading reading = frontend::read_kernels(source, {}, launch);
  INFO((reading.errors.empty() ? "" : reading.errors.front().message));
  REQUIRE(reading.kernels.size() == 1);
  const frontend::AnalyzedKernel& k = reading.kernels.front();
  const auto machine = timing::load_machine("ampere");
  const auto analysis = timing::analyze(k.kernel, k.flow, k.launch, *machine, test::in_order(), timing::Limits{});
  REQUIRE(analysis.ok());
  return analysis->worst;
}

}  // namespace

TEST_CASE("a load before a call is awaited at the call") {
  std::string computes = "mov.u32 %r1, 1;\n";
  for (int i = 0; i < 3'000; ++i) computes += "add.s32 %r1, %r1, 1;\n";  // longer than a load takes
  computes += "st.param.b32 [r], %r1;\nret;\n";
  const int64_t with_load = worst(computes, "ld.global.u32 %r1, [%d1];\n" + call);
  const int64_t without = worst(computes, "mov.u32 %r1, 1;\n" + call);
  const int64_t loads = worst("st.param.b32 [r], 1;\nret;\n", "ld.global.u32 %r1, [%d1];\n" + call) -
                        worst("st.param.b32 [r], 1;\nret;\n", "mov.u32 %r1, 1;\n" + call);
  CHECK(loads > 300);
  CHECK(with_load >= without + loads);
}

TEST_CASE("a function that comes to its end without a return waits there as one that returns") {
  const std::string lost = "ld.global.u32 %r2, [%d1+32];\nst.param.b32 [r], 1;\n";
  const std::string body = "mov.u32 %r1, 1;\n" + call;
  CHECK(worst(lost, body) == worst(lost + "ret;\n", body));
  CHECK(worst(lost + "ret;\n", body) > worst("st.param.b32 [r], 1;\nret;\n", body) + 100);
}
