// SPDX-License-Identifier: GPL-3.0-or-later
// Recursive functions of a known depth become copies for levels.
#include "frontend/ptx/calls/recursion.hpp"

#include <algorithm>
#include <set>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/lowering/lower.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;
using test::kernel;
using test::module_of;
using Words = std::vector<std::string>;
using Named = std::map<std::string, int64_t>;

namespace {

const std::string down =
    ".func (.param .b32 r) down(.param .b32 a) {\n.reg .pred %p; .reg .b32 %r<4>; .local .b32 own; .shared .b32 all;\n"
    "ld.param.b32 %r1, [a]; setp.eq.s32 %p, %r1, 0; @%p bra E; st.local.b32 [own], %r1; st.shared.b32 [all], %r1;\n"
    "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), down, (x); ld.param.b32 %r2, [y]; }\nE:\n"
    "st.param.b32 [r], %r2; ret; }\n";
// even and odd call each other, odd also itself; outer calls even, and calls itself.
const std::string ring =
    ".func odd();\n.func even() { .reg .pred %p; @%p bra E; call odd; E: ret; }\n"
    ".func odd() { .reg .pred %p<2>; @%p0 bra E; call even; @%p1 bra E; call odd; E: ret; }\n"
    ".func outer() { .reg .pred %p; call even; @%p bra E; call outer; E: ret; }\n";
const std::string call_down =
    "{ .param .b32 x; .param .b32 y; st.param.b32 [x], 3; call (y), down, (x); ld.param.b32 %r1, [y]; }\nret;\n";

uint32_t number_of(const ptx::Module& module, const std::string& name) {
  uint32_t i = 0;
  while (module.functions[i].name != name || !module.functions[i].has_body) ++i;
  return i;
}

ptx::Depths depths_in(const ptx::Module& module, const Named& named) {
  ptx::Depths depths;
  for (const auto& [name, depth] : named) depths[number_of(module, name)] = depth;
  return depths;
}

// The module for the kernel k.
ptx::Module bounded(const std::string& text, const Named& named) {
  const ptx::Module module = module_of(text);
  auto result = ptx::without_recursion(module, module.functions[number_of(module, "k")], depths_in(module, named));
  REQUIRE(result.ok());
  REQUIRE(result->has_value());
  return std::move(**result);
}

ir::Kernel lowered(const std::string& text, const Named& named) {
  const ptx::Module module = bounded(text, named);
  const auto expanded = ptx::expand_calls(module, module.functions[number_of(module, "k")]);
  INFO((expanded.ok() ? std::string() : render(expanded.errors().front(), false)));
  REQUIRE(expanded.ok());
  return ptx::lower(module, *expanded);
}

int64_t count_of(const ir::Kernel& kernel, const std::string& word) {
  return std::count_if(kernel.instructions.begin(), kernel.instructions.end(),
                       [&](const ir::Instruction& i) { return kernel.operation(i).text == word; });
}

// "even odd! ...": the recursive functions, and which lack a depth.
std::string recursive_in(const std::string& text, const Named& named) {
  const ptx::Module module = module_of(text);
  std::string list;
  for (const auto& [function, lacks] :
       ptx::recursive_functions(module, module.functions[number_of(module, "k")], depths_in(module, named))) {
    list += (list.empty() ? "" : " ") + std::string(module.functions[function].name) + (lacks ? "!" : "");
  }
  return list;
}

// Of the calls that stay recursive.
Words errors_of(const std::string& text, const Named& named) {
  const ptx::Module module = module_of(text);
  const ptx::Function& k = module.functions[number_of(module, "k")];
  const auto copied = ptx::without_recursion(module, k, depths_in(module, named));
  REQUIRE(copied.ok());
  const ptx::Module& own = *copied ? **copied : module;
  const auto expanded = ptx::expand_calls(own, own.functions[number_of(own, "k")]);
  Words errors;
  if (expanded.ok()) return errors;
  for (const support::Diagnostic& error : expanded.errors()) errors.push_back(error.message + " | " + error.help);
  return errors;
}

}  // namespace

TEST_CASE("a function is there once for each activation that its depth allows") {
  for (const int64_t depth : {1, 2, 5}) {
    const ir::Kernel k = lowered(down + kernel(call_down), {{"down", depth}});
    CHECK(count_of(k, "setp.eq.s32") == depth);
    CHECK(count_of(k, "st.shared.b32") == depth);
    CHECK(count_of(k, "call") == depth + 1);  // the last is of what only returns
  }
}

TEST_CASE("each activation has local variables of its own, and shares the others") {
  const ptx::Module module = bounded(down + kernel(call_down), {{"down", 3}});
  std::set<uint32_t> own, all, formal;
  for (const ptx::Function& function : module.functions) {
    if (function.level == 0) continue;
    CHECK(function.name == "down");
    formal.insert(function.parameters.front().variable);
    formal.insert(function.results.front().variable);
    for (const ptx::Operand& operand : function.operands) {
      if (operand.kind != ptx::Operand::Kind::variable) continue;
      const ptx::Variable& variable = module.variables[operand.index];
      if (variable.name == "own") own.insert(operand.index);
      if (variable.name == "all") all.insert(operand.index);
      const bool is_shared = variable.space == ir::MemorySpace::shared;
      CHECK((is_shared || &module.functions[variable.function] == &function));
    }
  }
  CHECK(own.size() == 3);
  CHECK(all.size() == 1);
  CHECK(formal.size() == 6);
}

TEST_CASE("which functions are recursive, and which of them lack a depth") {
  CHECK(recursive_in(ring + kernel("call outer;\nret;\n"), {}) == "outer! even! odd!");
  CHECK(recursive_in(ring + kernel("call even;\nret;\n"), {}) == "even! odd!");
  CHECK(recursive_in(ring + kernel("call even;\nret;\n"), {{"odd", 4}}) == "even odd");
  CHECK(recursive_in(ring + kernel("call odd;\nret;\n"), {{"even", 4}}) == "odd! even");
  CHECK(recursive_in(ring + kernel("ret;\n"), {}).empty());
}

TEST_CASE("in a cycle, a function without a depth has a copy for each level and one before them") {
  const ptx::Module module = bounded(ring + kernel("call even;\nret;\n"), {{"odd", 3}});
  std::multiset<std::string> copies;
  for (const ptx::Function& f : module.functions) {
    if (f.instructions.size() > 1 && f.saves_registers) copies.insert(std::string(f.name));
  }
  CHECK(copies.count("odd") == 1 + 3);       // and the original
  CHECK(copies.count("even") == 1 + 1 + 3);  // called by the kernel, and by each odd
}

TEST_CASE("a cycle inside what a recursive function calls has levels of its own") {
  const ir::Kernel k = lowered(ring + kernel("call outer;\nret;\n"), {{"outer", 2}, {"odd", 1}});
  CHECK(errors_of(ring + kernel("call outer;\nret;\n"), {{"outer", 2}, {"odd", 1}}).empty());
  // The kernel, twice outer, and in each: even, odd, and in that even; and what only returns, of outer once and of odd
  // twice in each.
  CHECK(count_of(k, "call") == 1 + 2 * (1 + 1 + 1 + 2) + 2);
}

TEST_CASE("a cycle without a depth stays, and the error names its functions") {
  const std::string help =
      " | say how many activations of even or odd a thread has on its stack at the same time at most: {recursion} "
      "even=DEPTH, such as 16, or a line under [kernel.recursion] of a facts file: even = 16; or rewrite the recursion "
      "as a loop";
  const Words errors = errors_of(ring + kernel("call even;\nret;\n"), {});
  REQUIRE(errors.size() == 2);
  CHECK(errors[0] == "recursive call of 'even' cannot be bounded" + help);
  CHECK(errors[1].find("recursive call of 'odd' cannot be bounded | say how many activations of it a") == 0);
  const Words left = errors_of(ring + kernel("call even;\nret;\n"), {{"even", 4}});  // once, not for each level
  REQUIRE(left.size() == 1);
  CHECK(left[0].find("recursive call of 'odd' cannot be bounded") == 0);
  CHECK(errors_of(ring + kernel("call even;\nret;\n"), {{"odd", 4}}).empty());
}

TEST_CASE("recursive functions, and those that they call, save registers; their calls stay calls") {
  const std::string leaf = ".func leaf() { .reg .b32 %r<9>; add.s32 %r1, %r2, %r3; ret; }\n.func plain() { ret; }\n";
  const std::string own =
      ".func f() { .reg .pred %p; .reg .b32 %r; mov.u32 %r, 1; @%p bra E; call leaf; call f; E: ret; }\n";
  const ptx::Module module = bounded(leaf + own + kernel("call f;\ncall plain;\nret;\n"), {{"f", 2}});
  int levels = 0;
  for (const ptx::Function& function : module.functions) {
    const auto count = [&function](const std::string& word) {
      return std::count_if(function.instructions.begin(), function.instructions.end(),
                           [&word](const ptx::Instruction& i) { return i.form->text == word; });
    };
    if (function.name == "plain" || function.name == "k") CHECK(count("st.local.b32") == 0);
    if (function.name == "leaf") CHECK(count("st.local.b32") == 3 + 6);
    if (function.level == 0) continue;
    ++levels;
    CHECK(count("st.local.b32") == 5 + 6);  // its own two, and those of leaf
    for (const ptx::Instruction& instruction : function.instructions) {
      if (!ptx::is_call(instruction)) continue;
      const uint32_t callee = ptx::called_function(function, instruction);
      CHECK(instruction.stays_call == (module.functions[callee].name == "f"));
    }
  }
  CHECK(levels == 2);
}

TEST_CASE("twice as many executions a level are counted, not copied") {
  const std::string twice = ".func f() { .reg .pred %p<2>; @%p0 bra A; call f; A: @%p1 bra B; call f; B: ret; }\n" +
                            kernel("call f;\nret;\n");
  const ir::Kernel forty = lowered(twice, {{"f", 40}}), eighty = lowered(twice, {{"f", 80}});
  CHECK(forty.functions.size() > 15);
  CHECK(eighty.functions.size() == forty.functions.size() + 40);
  CHECK(eighty.instructions.size() < 3 * forty.instructions.size());
}

TEST_CASE("far levels of a chain are shared") {
  const ir::Kernel k = lowered(down + kernel(call_down), {{"down", 2'000}});
  CHECK(k.functions.size() > 1'000);
  CHECK(k.instructions.size() < 200'000);
}

TEST_CASE("too many activations are refused at once") {
  const ptx::Module module = module_of(down + kernel(call_down));
  for (const int64_t depth : {int64_t{1'000'000}, INT64_MAX}) {
    const auto result =
        ptx::without_recursion(module, module.functions[number_of(module, "k")], depths_in(module, {{"down", depth}}));
    REQUIRE(!result.ok());
    CHECK(result.errors().front().message == "the activations of 'down' have more than 4000000 instructions together");
  }
}

TEST_CASE("a module without a recursive function of a depth stays as it is") {
  const ptx::Module module = module_of(ring + kernel("call even;\nret;\n"));
  const ptx::Function& k = module.functions[number_of(module, "k")];
  CHECK(!ptx::without_recursion(module, k, {})->has_value());
  CHECK(!ptx::without_recursion(module, k, depths_in(module, {{"outer", 3}}))->has_value());
}
