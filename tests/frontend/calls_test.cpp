// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose calls share bodies, the whole way to what their warps execute.
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "ir/execution.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

ir::Launch one_warp() {
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  return launch;
}

int64_t instructions_of(const frontend::AnalyzedKernel& kernel) {
  const auto one = [](ir::InstructionId) { return std::vector<support::Integer>{1}; };
  const auto totals = ir::largest_totals(kernel.kernel, kernel.flow, 1, one);
  REQUIRE(totals);
  return totals->front().value().value();
}

frontend::AnalyzedKernel kernel_of(const std::string& file) {
  auto source = support::read_source(warpspan::test::source_dir() + "/tests/samples/calls/" + file);
  REQUIRE(source.ok());
  auto reading =
      frontend::read_kernels(std::make_shared<const support::SourceFile>(std::move(*source)), {}, one_warp());
  REQUIRE(reading.errors.empty());
  REQUIRE(reading.kernels.size() == 1);
  return std::move(reading.kernels.front());
}

// A function with a loop up to its parameter, of more than 1,200 instructions, that a kernel calls 17 times.
std::string many_calls_of_a_loop(const std::string& before_the_test) {
  std::string f = ".func f(.param .b32 a)\n{\n.reg .pred %p;\n.reg .b32 %r<4>;\nld.param.b32 %r1, [a];\n";
  for (int i = 0; i < 1200; ++i) f += "add.u32 %r2, %r2, %r1;\n";
  f += "mov.u32 %r3, 0;\nF:\nadd.u32 %r3, %r3, 1;\n" + before_the_test +
       "setp.lt.u32 %p, %r3, %r1;\n@%p bra F;\nret;\n}\n";
  std::string calls;
  for (int i = 0; i < 17; ++i)
    calls += "{ .param .b32 x; st.param.b32 [x], " + std::to_string(i) + "; call f, (x); }\n";
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + f + ".visible .entry k()\n{\n" + calls + "ret;\n}\n";
}

frontend::Reading read(const std::string& text, const ir::Launch& launch) {
  return frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", text), {}, launch);
}

}  // namespace

TEST_CASE("functions that call the one before twice") {
  CHECK(instructions_of(kernel_of("calls12.ptx")) == 12'290);
  const frontend::AnalyzedKernel deep = kernel_of("calls14.ptx");
  CHECK(instructions_of(deep) == 49'154);
  CHECK(deep.kernel.instructions.size() < 2'000);
}

TEST_CASE("a loop without bound in a shared body says that it is bounded once") {
  const std::string text = many_calls_of_a_loop("");
  const frontend::Reading unknown = read(text, one_warp());
  REQUIRE(unknown.errors.size() == 1);
  CHECK(unknown.errors[0].location.line == 1211);
  CHECK(unknown.errors[0].message ==
        "no bound for the loop 'F' of kernel 'k': its exit test depends on a register that may not have been set; "
        "function 'f' is called so often that it is bounded once for all its calls, whatever they pass");
  ir::Launch given = one_warp();
  given.loop_bounds.push_back({"F", 20});
  const frontend::Reading bounded = read(text, given);
  REQUIRE(bounded.errors.empty());
  // What the kernel passes and calls, and 1 + 1,200 + 1 + 20 * 3 + 1 instructions in each call.
  CHECK(instructions_of(bounded.kernels.at(0)) == 17 * (2 + 1'263) + 1);
}

TEST_CASE("a loop with a bound of its own in a shared body") {
  const frontend::Reading reading = read(many_calls_of_a_loop("min.u32 %r1, %r1, 30;\n"), one_warp());
  REQUIRE(reading.errors.empty());
  CHECK(instructions_of(reading.kernels.at(0)) == 17 * (2 + 1'203 + 30 * 4) + 1);
}
