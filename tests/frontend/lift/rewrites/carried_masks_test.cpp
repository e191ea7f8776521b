// SPDX-License-Identifier: GPL-3.0-or-later
// Counters that a loop keeps below a power of two.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::with_grid;

namespace {

// The form of p[i & looked_at], 4 bytes each, where i begins with the thread's number and goes on, twice, with
// (i + 4096) & kept.
std::string form_of(const std::string& looked_at, const std::string& kept, const std::string& more = "") {
  const ir::Flow flow = test::facts_of(
      "ld.param.u64 %d1, [p];\nmov.u32 %r6, 0;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
      "mad.lo.s32 %r3, %r2, 256, %r1;\n$L:\nand.b32 %r9, %r3, " +
          looked_at +
          ";\nmul.wide.s32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r10, [%d3];\nadd.s32 %r3, %r3, 4096;\n"
          "and.b32 %r3, %r3, " +
          kept + ";\n" + more + "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p1, %r6, 3;\n@%p1 bra $L;\nret;",
      with_grid(block_of(256), 4));
  REQUIRE(flow.accesses.size() == 1);
  return flow.accesses[0].form;
}

}  // namespace

TEST_CASE("a place in a ring moves on as a counter does, where nobody looks at it otherwise") {
  CHECK(form_of("16383", "16383") == "4 * threadIdx.x + 1024 * blockIdx.x + 16384 * i");
  CHECK(form_of("16383", "16381").empty());  // no power of two
  CHECK(form_of("32767", "16383").empty());  // a higher bit is looked at
}
