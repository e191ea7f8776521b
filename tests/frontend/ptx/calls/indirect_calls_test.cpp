// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of functions by their addresses become direct ones.
#include "frontend/ptx/calls/indirect_calls.hpp"

#include <algorithm>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/lowering/lower.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;
using test::kernel;
using test::module_of;
using Words = std::vector<std::string>;

namespace {

// Functions of one kind, and one each with another parameter, with two, without a result, and without its address
// taken.
const std::string functions =
    ".func (.param .b32 r) one(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; st.param.b32 [r], %r; ret; }\n"
    ".func (.param .b32 r) two(.param .b32 a) { st.param.b32 [r], 2; ret; }\n"
    ".func (.param .b32 r) wide(.param .b64 a) { st.param.b32 [r], 3; ret; }\n"
    ".func (.param .b32 r) more(.param .b32 a, .param .b32 b) { st.param.b32 [r], 4; ret; }\n"
    ".func none(.param .b32 a) { ret; }\n"
    ".func (.param .b32 r) unknown(.param .b32 a) { st.param.b32 [r], 5; ret; }\n"
    ".global .align 8 .u64 table[5] = {one, wide, generic(two), more, none};\n";

std::string call(const std::string& kind, const std::string& target = "pr", const std::string& guard = "") {
  return "ld.global.u64 %rd1, [table];\n{ .param .b32 x; .param .b32 y; st.param.b32 [x], 7;\n" + kind + "\n" + guard +
         "call (y), %rd1, (x), " + target + ";\nld.param.b32 %r1, [y]; }\nst.global.u32 [table], %r1;\nret;\n";
}

const std::string prototype = "pr : .callprototype (.param .b32 _) _ (.param .b32 _);";

ptx::Module direct(const std::string& text) {
  ptx::Module module = module_of(text);
  ptx::make_calls_direct(module);
  return module;
}

const ptx::Function& kernel_of(const ptx::Module& module) {
  return *std::find_if(module.functions.begin(), module.functions.end(), [](const auto& f) { return f.name == "k"; });
}

// The words of what the kernel executes, without loads and stores of registers that functions save.
Words operations(const std::string& text) {
  const ptx::Module module = direct(text);
  const auto expanded = ptx::expand_calls(module, kernel_of(module));
  INFO((expanded.ok() ? std::string() : render(expanded.errors().front(), false)));
  REQUIRE(expanded.ok());
  const ir::Kernel k = ptx::lower(module, *expanded);
  Words words;
  for (const ir::Instruction& instruction : k.instructions) {
    const ir::Operation& operation = k.operation(instruction);
    if (operation.space != ir::MemorySpace::local) words.push_back(operation.text);
  }
  return words;
}

Words targets(const std::string& text) {
  const ptx::Module module = direct(text);
  const ptx::Function& function = kernel_of(module);
  Words names;
  for (const ptx::Instruction& instruction : function.instructions) {
    if (!ptx::is_call(instruction)) continue;
    const uint32_t callee = ptx::called_function(function, instruction);
    names.push_back(callee == ptx::none ? "?" : std::string(module.functions[callee].name));
  }
  return names;
}

}  // namespace

TEST_CASE("a call with a prototype may be of each function of the kind whose address is taken") {
  CHECK(targets(functions + kernel(call(prototype))) == Words{"one", "two"});
  CHECK(targets(functions + kernel("mov.u64 %rd1, unknown;\n" + call(prototype))) == Words{"one", "two", "unknown"});
}

TEST_CASE("a call with a list may be of the functions in it") {
  CHECK(targets(functions + kernel(call("l : .calltargets unknown, one;", "l"))) == Words{"one", "unknown"});
  CHECK(targets(functions + kernel(call("l : .calltargets unknown;", "l"))) == Words{"unknown"});
}

TEST_CASE("an address is compared with those of all targets but the last") {
  CHECK(operations(functions + kernel(call(prototype))) ==
        Words{"ld.global.u64", "st.param.b32", "mov.u64", "setp.ne.u64", "bra", "call", "ld.param.b32", "st.param.b32",
              "bra", "bra", "call", "st.param.b32", "bra", "ld.param.b32", "st.global.u32", "ret"});
  CHECK(operations(functions + kernel(call("l : .calltargets two;", "l", "@%p1 "))) ==
        Words{"ld.global.u64", "st.param.b32", "bra", "call", "st.param.b32", "bra", "ld.param.b32", "st.global.u32",
              "ret"});
}

TEST_CASE("labels, tables and loops around a computed call stay where they were") {
  const std::string loop =
      "mov.u32 %r2, 0;\nL:\n" + prototype +
      "\n{ .param .b32 x; .param .b32 y; call (y), %rd1, (x), pr; }\nadd.s32 %r2, %r2, 1;\n"
      "setp.lt.s32 %p1, %r2, 8;\n@%p1 bra L;\nt: .branchtargets L, E;\nbrx.idx %r2, t;\nE:\nret;\n";
  const ptx::Module module = direct(functions + kernel(loop));
  const ptx::Function& k = kernel_of(module);
  const auto word = [&k](uint32_t i) { return std::string(k.instructions[i].form->text); };
  uint32_t last = 0;
  for (const ptx::Label& label : k.labels) {
    CHECK(label.instruction >= last);
    last = label.instruction;
    if (label.name == "L") CHECK(word(label.instruction) == "mov.u64");  // the first comparison
    if (label.name == "E") CHECK(word(label.instruction) == "ret");
  }
  REQUIRE(k.tables.size() == 2);
  const ptx::Table& table = k.tables[1].labels.empty() ? k.tables[0] : k.tables[1];
  CHECK(k.labels[table.labels[0]].name == "L");
  CHECK(k.labels[table.labels[1]].name == "E");
}

TEST_CASE("a function that is called by its address saves the registers that it may have") {
  const ptx::Module module = direct(functions + kernel(call(prototype)));
  for (const ptx::Function& function : module.functions) {
    const auto count = [&function](const std::string& word) {
      return std::count_if(function.instructions.begin(), function.instructions.end(),
                           [&word](const ptx::Instruction& i) { return i.form->text == word; });
    };
    const bool is_called = function.name == "one" || function.name == "two";
    const int64_t least = function.name == "one" ? 7 : 6;  // registers it names, and six
    CHECK(count("st.local.b32") == (is_called ? least : 0));
    CHECK(count("ld.local.b32") == (is_called ? least : 0));  // before ret
  }
}

TEST_CASE("a computed call without a target stays, and is refused") {
  const std::string text = kernel("pr : .callprototype _ ();\ncall %rd1, pr;\nret;\n");
  CHECK(targets(text) == Words{"?"});
  const ptx::Module module = direct(text);
  const auto expanded = ptx::expand_calls(module, kernel_of(module));
  REQUIRE(!expanded.ok());
  CHECK(expanded.errors().front().message == "an indirect call cannot be bounded: its target is not known");
}
