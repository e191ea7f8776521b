// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/memory_transactions.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "app/reports/names.hpp"
#include "frontend/frontend.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

// "parameter 1, global 10": those above 0.
std::string transactions_of(const std::string& body) {
  const std::string text =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<9>;\n.reg "
      ".b32 "
      "%r<9>;\n.reg .pred %p<9>;\n.shared .align 4 .b8 s[4096];\n" +
      body + "ret;\n}\n";
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  const auto reading = frontend::read_kernels(std::make_shared<support::SourceFile>("k.ptx", text), {}, launch);
  REQUIRE(reading.errors.empty());
  const auto transactions = memory_transactions(reading.kernels[0].kernel, reading.kernels[0].flow);
  REQUIRE(transactions);
  CHECK(transactions->size() == std::size(memory_spaces));
  std::string all;
  for (const SpaceTransactions& entry : *transactions) {
    if (entry.count == 0) continue;
    all += (all.empty() ? "" : ", ") + std::string(to_string(entry.space)) + " " + std::to_string(entry.count);
  }
  return all;
}

const std::string pointer = "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\n";

}  // namespace

TEST_CASE("transactions are counted for each time that an access is executed") {
  CHECK(transactions_of("").empty());
  CHECK(transactions_of(pointer + "ld.global.u32 %r2, [%rd1];\n") == "global 1, parameter 1");
  CHECK(transactions_of(pointer + "mov.u32 %r3, 0;\nL:\nld.global.u32 %r2, [%rd1];\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 "
                                  "%p1, %r3, 10;\n@%p1 bra L;\n") == "global 10, parameter 1");
  // One line of memory for each lane.
  CHECK(transactions_of(pointer + "mul.wide.u32 %rd2, %r1, 512;\nadd.u64 %rd3, %rd1, %rd2;\nld.global.u32 %r2, "
                                  "[%rd3];\n") == "global 32, parameter 1");
  // All lanes in one bank of shared memory.
  CHECK(transactions_of("mov.u32 %r1, %tid.x;\nshl.b32 %r1, %r1, 7;\nmov.u32 %r2, s;\nadd.u32 %r2, %r2, "
                        "%r1;\nld.shared.u32 %r3, [%r2];\n") == "shared 32");
}

TEST_CASE("each space has the most on any path") {
  CHECK(transactions_of(pointer +
                        "mov.u32 %r4, %ctaid.x;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra A;\nld.global.u32 %r2, "
                        "[%rd1];\nld.global.u32 %r3, [%rd1];\nbra E;\nA:\nld.shared.u32 %r2, [s];\nld.global.u32 "
                        "%r2, [%rd1];\nE:\n") == "global 2, shared 1, parameter 1");
}
