// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with so much code that their loops are looked at first, from what decides on them alone.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using namespace warpspan::test;
namespace {

// Loops whose counters are kept in memory of the thread, as in code for debuggers, among code that decides on nothing.
std::string kernel_with(const std::string& limit) {
  std::string idle;
  for (int i = 0; i < 6000; ++i) idle += "add.u32 %r" + std::to_string(20 + i % 10) + ", %r20, 1;\n";
  return kernel_k(
      "ld.param.u64 %d1, [p];\nst.local.u64 [frame+8], %d1;\nmov.u32 %r1, 0;\nst.local.u32 [frame], %r1;\n"
      "mov.u32 %r2, 7;\nst.local.u32 [frame+16], %r2;\n" +
      idle +
      "$A: ld.local.u32 %r3, [frame];\nld.local.u32 %r4, [frame+16];\nsetp.ge.u32 %p1, %r3, %r4;\n@%p1 bra $B;\n" +
      "add.u32 %r5, %r3, 1;\nst.local.u32 [frame], %r5;\nst.global.u32 [%d1], %r3;\nbra $A;\n" +
      "$B: ld.local.u64 %d2, [frame+8];\n" + limit +
      "$C: add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, %r7;\n@%p2 bra $C;\nret;");
}

ir::Flow facts(const std::string& text, lift::OfUnbounded of_unbounded) {
  const ptx::Module module = module_of(text);
  const auto expanded = ptx::expand_calls(module, module.functions.front());
  REQUIRE(expanded.ok());
  auto found = lift::find_facts(ptx::lower_program(module, *expanded), block_of(256), of_unbounded);
  REQUIRE(found.ok());
  return std::move(*found);
}

std::vector<std::string> known_of_loops(const ir::Flow& flow) {
  std::vector<std::string> known;
  for (const ir::Loop& loop : flow.loops) {
    known.push_back(loop.label + " " + std::to_string(loop.trip_count.value_or(-1)) + " " + loop.obstacle);
  }
  return known;
}

}  // namespace

TEST_CASE("what is known of loops is the same from what decides on them alone") {
  const std::string text = kernel_with("ld.global.u32 %r7, [%d2];\nmov.u32 %r6, 0;\n");
  const ir::Flow all = facts(text, lift::OfUnbounded::all);
  const ir::Flow loops = facts(text, lift::OfUnbounded::loops_only);
  REQUIRE(all.loops.size() == 2);
  CHECK(all.loops[0].trip_count == 8);
  CHECK_FALSE(all.loops[1].trip_count);
  CHECK_THAT(all.loops[1].obstacle, Catch::Contains("an element of the array of parameter 'p'"));
  CHECK(known_of_loops(loops) == known_of_loops(all));
  CHECK_FALSE(all.accesses.empty());
  CHECK(loops.accesses.empty());
}

TEST_CASE("kernels whose loops are bounded have all their facts") {
  const std::string text = kernel_with("mov.u32 %r7, 5;\nmov.u32 %r6, 0;\n");
  const ir::Flow all = facts(text, lift::OfUnbounded::all);
  const ir::Flow loops = facts(text, lift::OfUnbounded::loops_only);
  CHECK(known_of_loops(loops) == std::vector<std::string>{"$A 8 ", "$C 5 "});
  CHECK(known_of_loops(loops) == known_of_loops(all));
  CHECK(loops.transactions == all.transactions);
  CHECK_FALSE(loops.accesses.empty());
  CHECK(loops.accesses.size() == all.accesses.size());
}
