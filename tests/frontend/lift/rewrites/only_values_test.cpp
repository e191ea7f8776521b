// SPDX-License-Identifier: GPL-3.0-or-later
// What is computed where a loop is entered, and used behind it.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;

namespace {

// Transactions of the store of 4 bytes at p and %d2 behind a loop that lanes leave in different iterations. It is
// entered by those whose number is below the limit; %r4 is the number of the thread in the grid.
uint32_t transactions(int limit, const std::string& before, const std::string& inside) {
  const auto flow = test::facts_of(
      "ld.param.u64 %d1, [p];\nld.global.u32 %r6, [%d1];\nmov.u32 %r1, %tid.x;\nxor.b32 %r6, %r6, %r1;\nand.b32 %r6, "
      "%r6, 8191;\nmov.u32 %r3, %ctaid.x;\nmad.lo.s32 %r4, %r3, 256, %r1;\n"
      "setp.ge.s32 %p1, %r1, " +
          std::to_string(limit) + ";\n@%p1 bra $J;\n" + before + "mov.u32 %r2, %r1;\n$L:\n" + inside +
          "add.s32 %r2, %r2, 77;\nsetp.lt.s32 %p2, %r2, %r6;\n@%p2 bra $L;\n$J:\nadd.s64 %d3, %d1, %d2;\n"
          "st.global.u32 [%d3], %r1;\nret;",
      test::with_grid(block_of(256), 16));
  REQUIRE(flow.accesses.size() == 2);
  return flow.transactions[flow.accesses.back().instruction];
}

}  // namespace

TEST_CASE("what a loop that all threads enter leaves as it was is known behind it") {
  const std::string place = "mul.wide.s32 %d2, %r4, 4;\n";
  CHECK(transactions(300, place, "") == 2);
  CHECK(transactions(300, "add.s32 %r5, %r4, 5;\nshl.b32 %r5, %r5, 1;\nmul.wide.s32 %d2, %r5, 2;\n", "") == 2);
  CHECK(transactions(200, place, "") == 32);  // some threads do not enter it
  // What it changes is of the last iteration of each lane.
  CHECK(transactions(300, "", "mul.wide.s32 %d2, %r2, 4;\n") == 32);
  CHECK(transactions(300, place, "add.s64 %d2, %d2, 4;\n") == 32);
}
