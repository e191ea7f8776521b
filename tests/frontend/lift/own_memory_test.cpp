// SPDX-License-Identifier: GPL-3.0-or-later
// When what lanes of a warp read of their own memory is the same for all of them, in machine code.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

// The facts of the body as machine code, whose lanes never reconverge if they stay apart. $at: the address of frame + 4
// * %r2; %r3: the number of the thread.
ir::Flow facts_as_code(const std::string& body, bool is_machine_code = true, bool stays_apart = false) {
  const std::string before =
      "ld.param.u32 %r2, [n];\nmov.u32 %r3, %tid.x;\nld.param.u32 %r4, [m];\nmov.u64 %d1, frame;\n"
      "mul.wide.u32 %d2, %r2, 4;\nadd.s64 %d3, %d1, %d2;\nsetp.lt.u32 %p2, %r3, 7;\n";
  const ptx::Module module = test::module_of(test::kernel_k(before + body));
  const auto expanded = ptx::expand_calls(module, module.functions.front());
  REQUIRE(expanded.ok());
  ir::Program program = ptx::lower_program(module, *expanded);
  program.bodies.front().is_machine_code = is_machine_code;
  if (stays_apart) program.bodies.front().reconvergence_points.resize(program.bodies.front().kernel.blocks.size());
  auto facts = lift::find_facts(program, test::block_of(256));
  INFO(body);
  REQUIRE(facts.ok());
  return std::move(*facts);
}

// Whether lanes part that read %r1 at the address in %d3 and go on by whether it is zero.
bool diverges(const std::string& before, const std::string& behind = "") {
  const ir::Flow facts =
      facts_as_code(before + "ld.local.u32 %r1, [%d3];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $end;\nmov.u32 %r30, 1;\n" +
                    behind + "$end:\nret;\n$out:\nret;\n");
  // The last block that has a choice is the one that reads.
  for (auto block = facts.blocks.rbegin(); block != facts.blocks.rend(); ++block) {
    if (block->post_dominator != ir::no_block && block->divergent) return true;
  }
  return !facts.same_unwritten;
}

}  // namespace

TEST_CASE("what all lanes have written together into their own memory is the same for all") {
  CHECK_FALSE(diverges(""));
  CHECK_FALSE(diverges("st.local.u32 [%d3], %r4;\n"));
  CHECK_FALSE(diverges("st.local.u32 [%d3+8], 5;\nbar.sync 0;\nst.local.v2.u32 [%d3], {%r4, %r2};\n"));
  CHECK_FALSE(diverges("setp.eq.s32 %p3, %r4, 5;\n@%p3 st.local.u32 [%d3], %r4;\n"));
  // What lies in memory decides on what is written there.
  CHECK_FALSE(
      diverges("$again:\nld.local.u32 %r5, [%d3];\nadd.s32 %r5, %r5, 1;\nst.local.u32 [%d3], %r5;\n"
               "setp.lt.s32 %p3, %r5, 9;\n@%p3 bra $again;\n"));
}

TEST_CASE("own memory may differ where lanes have written another value, elsewhere, or not all of them") {
  CHECK(diverges("st.local.u32 [%d3], %r3;\n"));
  CHECK(diverges("st.local.v2.u32 [%d3], {%r4, %r3};\n"));
  CHECK(diverges("mul.wide.u32 %d4, %r3, 4;\nadd.s64 %d5, %d1, %d4;\nst.local.u32 [%d5], %r4;\n"));
  CHECK(diverges("@%p2 st.local.u32 [%d3], %r4;\n"));
  CHECK(diverges("@%p2 bra $over;\nst.local.u32 [%d3], %r4;\n$over:\n"));
  // Behind the load, in a loop around both.
  CHECK(diverges("$again:\n",
                 "st.local.u32 [%d3], %r3;\nadd.s32 %r4, %r4, 1;\nsetp.lt.s32 %p3, %r4, 9;\n@%p3 bra $again;\n"));
  // Lanes leave the loop in different iterations.
  CHECK(diverges(
      "$again:\nst.local.u32 [%d3], %r4;\nadd.s32 %r3, %r3, 1;\nsetp.lt.s32 %p3, %r3, 99;\n@%p3 bra $again;\n"));
  // Through an address that may be one of own memory.
  CHECK(diverges("cvta.local.u64 %d6, %d3;\nst.u32 [%d6], %r4;\n"));
  CHECK(diverges("ld.param.u64 %d6, [p];\natom.add.u32 %r6, [%d6], 1;\n"));
}

TEST_CASE("lanes that have ended, or come to no own memory any more, do not count") {
  const auto is_same = [](const std::string& elsewhere) {
    return facts_as_code(
               "@%p2 bra $out;\nst.local.u32 [%d3], %r4;\nld.local.u32 %r1, [%d3];\n"
               "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra $end;\nmov.u32 %r30, 1;\n$end:\nret;\n$out:\n" +
                   elsewhere + "ret;\n",
               true, true)
        .same_unwritten;
  };
  CHECK(is_same(""));
  CHECK(is_same("mov.u32 %r30, 2;\n"));
  CHECK_FALSE(is_same("st.local.u32 [%d3], 1;\n"));
  CHECK_FALSE(
      is_same("ld.local.u32 %r6, [%d3];\nsetp.eq.s32 %p3, %r6, 0;\n@%p3 bra $last;\nmov.u32 %r30, 2;\n$last:\n"));
}

TEST_CASE("own memory of PTX counts as different for each lane") {
  CHECK_FALSE(facts_as_code("st.local.u32 [%d3], %r4;\nld.local.u32 %r1, [%d3];\nsetp.eq.s32 %p1, %r1, 0;\n"
                            "@%p1 bra $end;\nmov.u32 %r30, 1;\n$end:\nret;\n",
                            false)
                  .same_unwritten);
}
