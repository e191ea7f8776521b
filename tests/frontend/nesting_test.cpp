// SPDX-License-Identifier: GPL-3.0-or-later
// Loops in loops: no depth is refused, and each loop's count is right.
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "ir/execution.hpp"

using namespace warpspan;

namespace {

// `depth` loops of two iterations, each inside the one before.
std::string nest(int depth) {
  std::string begin;
  std::string end;
  for (int i = 0; i < depth; ++i) {
    const std::string n = std::to_string(i);
    begin += "mov.u32 %r" + n + ", 0;\nL" + n + ":\n";
    end = "add.u32 %r" + n + ", %r" + n + ", 1;\nsetp.lt.u32 %p1, %r" + n + ", 2;\n@%p1 bra L" + n + ";\n" + end;
  }
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<" +
         std::to_string(depth + 1) + ">;\n" + begin + end + "ret;\n}\n";
}

}  // namespace

TEST_CASE("loops may be nested deeply") {
  for (const int depth : {1, 9, 30, 55}) {
    ir::Launch launch;
    launch.block = ir::Extent{32, 1, 1};
    const auto reading =
        frontend::read_kernels(std::make_shared<const support::SourceFile>("nest.ptx", nest(depth)), {}, launch);
    REQUIRE(reading.errors.empty());
    const auto totals = ir::largest_totals(reading.kernels.front().kernel, reading.kernels.front().flow, 1,
                                           [](ir::InstructionId) { return std::vector<support::Integer>{1}; });
    // 2^i times: mov of loop i, and 2^(i+1) times its three instructions.
    CHECK(totals->front().value() == 7 * ((int64_t{1} << depth) - 1) + 1);
  }
}
