// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls are inlined, and what the bodies are that the others share.
#include <algorithm>
#include <numeric>
#include <random>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/lowering/lower.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;
using test::kernel;
using test::module_of;

namespace {

constexpr ptx::SharingLimits share_all = {0, 0};
constexpr ptx::SharingLimits copy_all = {UINT64_MAX, UINT64_MAX};

support::Result<ptx::Function> expanded(const ptx::Module& module, const ptx::SharingLimits& limits = {}) {
  for (const ptx::Function& function : module.functions) {
    if (function.name == "k") return ptx::expand_calls(module, function, limits);
  }
  FAIL("no kernel k");
  throw 0;
}

ir::Kernel lowered(const std::string& text, const ptx::SharingLimits& limits = share_all) {
  const ptx::Module module = module_of(text);
  const auto function = expanded(module, limits);
  INFO((function.ok() ? std::string() : render(function.errors().front(), false)));
  REQUIRE(function.ok());
  return ptx::lower(module, *function);
}

std::vector<std::string> errors_of(const std::string& text, const ptx::SharingLimits& limits = share_all) {
  const ptx::Module module = module_of(text);
  const auto function = expanded(module, limits);
  REQUIRE(!function.ok());
  std::vector<std::string> messages;
  for (const support::Diagnostic& error : function.errors()) messages.push_back(error.message);
  return messages;
}

size_t instructions_of(const ptx::Function& function) {
  size_t sum = function.instructions.size();
  for (const ptx::Function& body : function.shared) sum += body.instructions.size();
  return sum;
}

// Functions f0, f1, ..., each calling those before it that the list says, and a kernel that calls the last.
std::string call_graph(const std::vector<std::vector<size_t>>& calls) {
  std::string text;
  for (size_t i = 0; i < calls.size(); ++i) {
    text += ".func f" + std::to_string(i) + "() { .reg .b32 %r; add.s32 %r, %r, 1; ";
    for (const size_t callee : calls[i]) text += "call f" + std::to_string(callee) + "; ";
    text += "ret; }\n";
  }
  return text + kernel("call f" + std::to_string(calls.size() - 1) + "; ret;");
}

std::vector<std::vector<size_t>> calls_twice_the_one_before(size_t functions) {
  std::vector<std::vector<size_t>> calls(functions);
  for (size_t i = 1; i < functions; ++i) calls[i] = {i - 1, i - 1};
  return calls;
}

// The instructions that run from a block to the end of its body; bodies here have no branches.
uint64_t executed(const ir::Kernel& k, ir::BlockId block, const std::vector<uint64_t>& bodies) {
  uint64_t sum = 0;
  for (;; block = k.blocks[block].successors.front()) {
    sum += k.blocks[block].count;
    if (k.blocks[block].callee != ir::no_function) sum += bodies[k.blocks[block].callee];
    if (k.blocks[block].successors.empty()) return sum;
  }
}

uint64_t executed(const ir::Kernel& k) {
  std::vector<uint64_t> bodies;
  for (const ir::Function& function : k.functions) bodies.push_back(executed(k, function.entry, bodies));
  return executed(k, 0, bodies);
}

using Operations = std::vector<std::string>;

Operations operations(const ir::Kernel& k) {
  Operations result;
  for (const ir::Instruction& instruction : k.instructions) result.push_back(k.operation(instruction).text);
  return result;
}

}  // namespace

TEST_CASE("a shared body stands behind the kernel's own and is called") {
  const ir::Kernel k =
      lowered(".func f() { .reg .b32 %r<2>; add.s32 %r0, %r1, 1; ret; }\n" + kernel("call f; call f; ret;"));
  CHECK(operations(k) == Operations{"call", "call", "ret", "add.s32", "ret"});
  REQUIRE(k.functions.size() == 1);
  CHECK(k.functions[0].name == "f");
  CHECK(k.functions[0].entry == 3);
  REQUIRE(k.blocks.size() == 4);
  for (const ir::BlockId b : {0U, 1U}) {
    CHECK(k.blocks[b].callee == 0);
    CHECK(k.blocks[b].successors == std::vector<ir::BlockId>{b + 1});
    CHECK(!k.blocks[b].may_end);
  }
  CHECK(k.blocks[2].callee == ir::no_function);
  CHECK(k.blocks[3].first == 3);
  CHECK(k.blocks[3].successors.empty());
  // The body's registers are its own.
  CHECK(k.reads(k.instructions[3])[0] != k.writes(k.instructions[3])[0]);
  CHECK(k.registers == 2);
}

TEST_CASE("a call at the end of a body goes on to the return") {
  const ir::Kernel k = lowered(".func f() { .reg .b32 %r; add.s32 %r, %r, 1; }\n" + kernel("call f;"));
  REQUIRE(k.blocks.size() == 3);
  CHECK(k.blocks[0].successors == std::vector<ir::BlockId>{1});
  CHECK(k.blocks[1].count == 1);
  CHECK(k.blocks[1].may_end);
  CHECK(k.blocks[2].may_end);
}

TEST_CASE("a guarded call of a shared function is branched around") {
  const ir::Kernel k = lowered(".func f() { ret; }\n" + kernel("@%p1 call f;\nadd.s32 %r1, %r1, 1;"));
  CHECK(operations(k) == Operations{"bra", "call", "add.s32", "ret", "ret"});
  CHECK(k.blocks[0].successors == std::vector<ir::BlockId>{1, 2});
  CHECK(k.blocks[1].callee == 0);
  CHECK(k.blocks[1].successors == std::vector<ir::BlockId>{2});
}

TEST_CASE("a return in a shared body is its end") {
  const std::string f = ".func f() { .reg .pred %p; .reg .b32 %r; @%p ret; add.s32 %r, %r, 1; ret; }\n";
  const ir::Kernel k = lowered(f + kernel("call f; add.s32 %r1, %r1, 1; ret;"));
  const ir::BlockId entry = k.functions.at(0).entry;
  CHECK(k.blocks[entry].may_end);
  CHECK(k.blocks[entry].successors == std::vector<ir::BlockId>{entry + 1});
  CHECK(k.blocks[entry + 1].may_end);
  CHECK(k.blocks[entry + 1].successors.empty());
}

// Lanes that do not come back from a call decide where the others reconverge.
TEST_CASE("functions in which threads may end are not shared") {
  for (const std::string end : {"exit;", "trap;"}) {
    const std::string f = ".func f() { .reg .pred %p; @%p " + end + " ret; }\n.func g() { call f; ret; }\n";
    CHECK(lowered(f + kernel("call g; call g; ret;")).functions.empty());
  }
}

TEST_CASE("what a shared function takes and gives back is copied as around a copy") {
  const std::string registers = ".func (.reg .b32 r) f(.reg .b32 a) { add.s32 r, a, 1; ret; }\n";
  CHECK(operations(lowered(registers + kernel("call (%r2), f, (%r1); ret;"))) ==
        Operations{"mov.b32", "call", "mov.b32", "ret", "add.s32", "ret"});
  const std::string variables =
      ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; st.param.b32 [r], %r; ret; }\n";
  CHECK(operations(lowered(variables + kernel("{ .param .b32 x; .param .b32 y; call (y), f, (x); } ret;"))) ==
        Operations{"call", "ret", "ld.param.b32", "st.param.b32", "ret"});
  CHECK(operations(lowered(variables + kernel("call (%r2), f, (%r1); ret;"))) ==
        Operations{"st.param.b32", "call", "ld.param.b32", "ret", "ld.param.b32", "st.param.b32", "ret"});
}

TEST_CASE("shared memory that several bodies use is counted once") {
  const std::string f = ".shared .b8 a[100];\n.func f() { .reg .b32 %r; mov.u32 %r, a; ret; }\n";
  CHECK(lowered(f + kernel("mov.u32 %r1, a; call f; ret;")).shared_bytes == 100);
}

TEST_CASE("calls that cannot be bounded are refused in every function, all of them") {
  const std::string f = ".extern .func g();\n.func f() { call g; ret; }\n";
  CHECK(errors_of(f + kernel("call f;\npr: .callprototype _ ();\ncall %rd1, pr;")) ==
        std::vector<std::string>{"an indirect call cannot be bounded: its target is not known",
                                 "'g' has no body in this file, so its time cannot be bounded"});
  const std::string two = ".func a();\n.func b() { call a; ret; }\n.func a() { call b; ret; }\n";
  CHECK(errors_of(two + kernel("call a;")) == std::vector<std::string>{"recursive call of 'a' cannot be bounded"});
  CHECK(errors_of(kernel("call f;") + ".func f(.param .b32 a) { ret; }\n") ==
        std::vector<std::string>{"the call has fewer arguments than the function"});
  CHECK(errors_of(kernel("call f;") + ".func (.param .b32 a) f() { ret; }\n") ==
        std::vector<std::string>{"the call has fewer results than the function"});
}

TEST_CASE("copies of copies end at a limit, not in memory") {
  CHECK(errors_of(call_graph(calls_twice_the_one_before(30)), copy_all) ==
        std::vector<std::string>{"the kernel has more than 4000000 instructions once its calls are inlined"});
}

TEST_CASE("functions that call the one before twice are small however many they are") {
  for (const size_t functions : {1, 2, 8, 12, 13, 14, 30, 62}) {
    const ir::Kernel k = lowered(call_graph(calls_twice_the_one_before(functions)), {});
    // f0 has 2 instructions, and each other one 2, 2 calls and those of the one before twice; the kernel a call and
    // ret.
    uint64_t expected = 2;
    for (size_t i = 1; i < functions; ++i) expected = 4 + 2 * expected;
    CHECK(executed(k) == expected + 2);
    CHECK(k.instructions.size() <= 20'000 + 16 * 5 * (functions + 1));
    CHECK(k.functions.empty() == (functions <= 12));
  }
}

TEST_CASE("a function is copied while its copies are few or small") {
  const auto shared_of = [](size_t calls, size_t instructions) {
    std::string f = ".func f() { .reg .b32 %r; ";
    for (size_t i = 1; i < instructions; ++i) f += "add.s32 %r, %r, 1; ";
    std::string body;
    for (size_t i = 0; i < calls; ++i) body += "call f; ";
    return lowered(f + "ret; }\n" + kernel(body + "ret;"), {}).functions.size();
  };
  CHECK(shared_of(16, 5000) == 0);
  CHECK(shared_of(17, 5000) == 1);
  CHECK(shared_of(17, 1000) == 0);
  CHECK(shared_of(1000, 10) == 0);
  CHECK(shared_of(3000, 10) == 1);
}

// Chains of functions that each calls few others, and callees in the order of their bodies.
TEST_CASE("all bodies together are linear in what is written") {
  std::mt19937 random(20260101);
  size_t with_shared = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::vector<size_t>> calls(2 + random() % 60);
    const size_t most = 1 + random() % 20;
    for (size_t i = 1; i < calls.size(); ++i) {
      calls[i].resize(random() % (most + 1));
      for (size_t& callee : calls[i]) callee = i - 1 - std::min<size_t>(i - 1, random() % 3);
    }
    size_t written = 2;
    for (const auto& list : calls) written += 2 + list.size();
    const ptx::Module module = module_of(call_graph(calls));
    const auto function = expanded(module);
    REQUIRE(function.ok());
    // A function counts one more than its instructions.
    CHECK(instructions_of(*function) <= 16 * (written + calls.size() + 1) + 20'000);
    with_shared += function->shared.empty() ? 0 : 1;

    const ir::Kernel k = ptx::lower(module, *function);
    for (ir::FunctionId f = 0; f < k.functions.size(); ++f) {
      const ir::BlockId end =
          f + 1 < k.functions.size() ? k.functions[f + 1].entry : static_cast<ir::BlockId>(k.blocks.size());
      for (ir::BlockId b = k.functions[f].entry; b < end; ++b) {
        CHECK((k.blocks[b].callee == ir::no_function || k.blocks[b].callee < f));
        for (const ir::BlockId next : k.blocks[b].successors) CHECK((next >= k.functions[f].entry && next < end));
      }
    }
    // What runs does not depend on which bodies are shared.
    std::vector<uint64_t> counts;
    for (const auto& list : calls) {
      counts.push_back(2 + list.size());
      for (const size_t callee : list) counts.back() += counts[callee];
    }
    if (counts.back() < UINT32_MAX) CHECK(executed(k) == counts.back() + 2);
  }
  CHECK(with_shared > 100);
}

TEST_CASE("a chain of calls is as deep as one likes") {
  std::vector<std::vector<size_t>> calls(50'000);
  for (size_t i = 1; i < calls.size(); ++i) calls[i] = {i - 1};
  CHECK(executed(lowered(call_graph(calls), {})) == 3 * calls.size() - 1 + 2);
}

TEST_CASE("copies have the registers that are named, not all that are declared") {
  const std::string f =
      ".func (.reg .b32 r) f(.reg .b32 a)\n{\n.reg .v4 .f32 %v<1000000>;\n.reg .pred %p<1000000>;\n"
      "@%p999999 mov.v4.f32 %v70000, %v999999;\nadd.f32 %v5.y, %v70000.w, %v70000.x;\nadd.s32 r, a, 1;\nret;\n}\n";
  std::string calls;
  for (int i = 0; i < 1000; ++i) calls += "call (%r2), f, (%r1);\n";
  const ir::Kernel k = lowered(f + kernel(calls + "ret;"), {});
  CHECK(k.functions.empty());
  CHECK(k.registers < 20'000);
  // Of the first copy: r = a + 1, where a was copied to and r is copied from.
  CHECK(k.reads(k.instructions[4])[0] == k.writes(k.instructions[1])[0]);
  CHECK(k.writes(k.instructions[4])[0] == k.reads(k.instructions[6])[0]);
  // Vectors are still in one piece.
  const ir::Instruction& move = k.instructions[2];
  REQUIRE(move.writes == 4);
  for (uint32_t i = 1; i < 4; ++i) CHECK(k.writes(move)[i] == k.writes(move)[0] + i);
}

TEST_CASE("what is copied besides instructions counts too") {
  std::string f = ".func f() {\n";
  for (int i = 0; i < 2000; ++i) f += "L" + std::to_string(i) + ":\n";
  std::string calls;
  for (int i = 0; i < 100; ++i) calls += "call f;\n";
  CHECK(lowered(f + "ret; }\n" + kernel(calls + "ret;"), {}).functions.size() == 1);
}
