// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses of machine code by generic addresses that are counted from where shared memory begins.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

// Whether a load of 8 bytes is one of shared memory: at %d3 behind the generic address of byte 0 of it. %r1: tid.x, of
// 256 threads. The block declares 8192 bytes.
bool is_in_shared(const std::string& offset, std::optional<int64_t> dynamic = std::nullopt, bool machine_code = true) {
  const ptx::Module module =
      test::module_of(test::kernel_k("mov.u32 %r1, %tid.x;\nmov.u64 %d1, 0;\ncvta.shared.u64 %d2, %d1;\n" + offset +
                                     "add.s64 %d4, %d2, %d3;\nld.u64 %d5, [%d4];\nst.shared.u64 [tile], %d5;\nret;"));
  const auto expanded = ptx::expand_calls(module, module.functions.front());
  REQUIRE(expanded.ok());
  ir::Program program = ptx::lower_program(module, *expanded);
  program.bodies.front().is_machine_code = machine_code;
  REQUIRE(program.bodies.front().kernel.shared_bytes == 8192);
  ir::Launch launch = test::block_of(256);
  launch.dynamic_shared = dynamic;
  const auto facts = lift::find_facts(program, launch);
  REQUIRE(facts.ok());
  REQUIRE(facts->accesses.size() == 1);
  return facts->accesses.front().in_shared;
}

}  // namespace

TEST_CASE("machine code: a generic address within what a block has of shared memory leads there") {
  CHECK(is_in_shared("mul.wide.u32 %d3, %r1, 8;\n"));
  CHECK(is_in_shared("mul.wide.u32 %d3, %r1, 8;\nadd.s64 %d3, %d3, 6144;\n"));
  CHECK_FALSE(is_in_shared("mul.wide.u32 %d3, %r1, 8;\nadd.s64 %d3, %d3, 6145;\n"));
  CHECK_FALSE(is_in_shared("mul.wide.u32 %d3, %r1, 8;\nadd.s64 %d3, %d3, -8;\n"));
  CHECK_FALSE(is_in_shared("mul.wide.u32 %d3, %r1, 33;\n"));
  CHECK(is_in_shared("mul.wide.u32 %d3, %r1, 33;\n", 256));
  CHECK_FALSE(is_in_shared("ld.param.u64 %d3, [w];\n"));
  // PTX has variables there.
  CHECK_FALSE(is_in_shared("mul.wide.u32 %d3, %r1, 8;\n", std::nullopt, false));
}
