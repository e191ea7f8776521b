// SPDX-License-Identifier: GPL-3.0-or-later
// Selections by signs that are known, as of a number that a loop moves on.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::with_grid;

namespace {

// p[i / 64 * 64] of each thread in a loop over i = the number of the thread, by steps of `step` up to 8192, divided as
// machine code does: the absolute value, and then the sign of i ^ 64. Its form and span.
std::string place_of(const std::string& step, const std::string& first = "0") {
  const ir::Flow flow = test::facts_of(
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r3, %r2, 256, %r1;\n"
      "add.s32 %r3, %r3, " +
          first +
          ";\n$L:\nabs.s32 %r4, %r3;\nshr.u32 %r5, %r4, 6;\nxor.b32 %r6, %r3, 64;\nsetp.lt.s32 %p1, %r6, 0;\n"
          "neg.s32 %r7, %r5;\nselp.b32 %r8, %r7, %r5, %p1;\nmul.wide.s32 %d2, %r8, 256;\nadd.s64 %d3, %d1, %d2;\n"
          "ld.global.u32 %r9, [%d3];\nadd.s32 %r3, %r3, " +
          step + ";\nsetp.lt.s32 %p2, %r3, 8192;\n@%p2 bra $L;\nret;",
      with_grid(block_of(256), 4));
  REQUIRE(flow.accesses.size() == 1);
  const ir::Access& access = flow.accesses[0];
  return access.form +
         (access.span ? " [" + std::to_string(access.span->first) + "," + std::to_string(access.span->end) + ")" : "");
}

}  // namespace

TEST_CASE("an absolute value of a number that is never below 0 is the number, and its quotient has no sign") {
  CHECK(place_of("1024") == "256 * (threadIdx.x / 64) + 1024 * blockIdx.x + 4096 * i [0,32516)");
  CHECK(place_of("1024", "-1").empty());
  CHECK(place_of("-1024", "8192").empty());
}
