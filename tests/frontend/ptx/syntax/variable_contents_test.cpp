// SPDX-License-Identifier: GPL-3.0-or-later
// Which variables the code of a file stores to, and what they start with.
#include "frontend/ptx/syntax/variable_contents.hpp"

#include "support/digits.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;

namespace {

// The line of the text (the header's three lines are not counted) where variable v is stored to; 0 if nowhere.
int64_t stored_in(const std::string& text) {
  const ptx::Module module = test::module_of(text);
  const auto index = ptx::find_variable(module, "v");
  REQUIRE(index);
  const uint32_t at = module.variables[*index].stored_at;
  return at == ptx::none ? 0 : module.source->locate(at).line - 3;
}

// The same of a kernel whose body, from line 1 on, follows the declaration of v.
int64_t stored_by(const std::string& body, const std::string& declaration = ".global .align 8 .b8 v[64];") {
  const int64_t line = stored_in(declaration + ".global .u32 other;.visible .entry k(.param .u64 p){" +
                                 ".reg .pred %p<4>;.reg .b32 %r<9>;.reg .b64 %d<9>;\n" + body + "\nret;\n}\n");
  return line == 0 ? 0 : line - 1;
}

// The initial bytes of v, in hexadecimal; "?" if they are not known.
std::string bytes_of(const std::string& declaration) {
  const ptx::Module module = test::module_of(declaration + "\n.visible .entry k()\n{\nret;\n}\n");
  const auto index = ptx::find_variable(module, "v");
  REQUIRE(index);
  const auto bytes = ptx::initial_bytes(module, module.variables[*index]);
  if (!bytes) return "?";
  std::string text;
  for (const uint8_t byte : *bytes) text += support::hexadecimal(byte, 2);
  return text;
}

}  // namespace

TEST_CASE("loads leave a variable as it is") {
  CHECK(stored_by("ld.global.u32 %r1, [v];") == 0);
  CHECK(stored_by("mov.u64 %d1, v;\nadd.s64 %d2, %d1, 8;\nld.global.u32 %r1, [%d2+4];") == 0);
  CHECK(stored_by("mov.u64 %d1, v;\ncvta.global.u64 %d2, %d1;\nld.u32 %r1, [%d2];\nld.volatile.u32 %r2, [%d2];") == 0);
  CHECK(stored_by("mov.u64 %d1, v;\nsetp.eq.u64 %p1, %d1, 0;\n@%p1 st.global.u32 [other], 1;") == 0);
  // What is loaded is no address of v.
  CHECK(stored_by("ld.global.u64 %d1, [v];\nst.global.u32 [%d1], 1;") == 0);
  CHECK(stored_by("st.global.u32 [other], 1;\nld.global.u32 %r1, [v];") == 0);
}

TEST_CASE("stores are found, whichever way the address goes") {
  CHECK(stored_by("ld.global.u32 %r1, [v];\nst.global.u32 [v], %r1;") == 2);
  CHECK(stored_by("st.global.u32 [v+8], 1;") == 1);
  CHECK(stored_by("mov.u64 %d1, v;\nst.global.u32 [%d1], 1;") == 2);
  CHECK(stored_by("mov.u64 %d1, v;\ncvta.global.u64 %d2, %d1;\nst.u32 [%d2], 1;") == 3);
  CHECK(stored_by("mov.u64 %d1, v;\nld.param.u64 %d2, [p];\nadd.s64 %d3, %d2, %d1;\nst.global.u32 [%d3], 1;") == 4);
  CHECK(stored_by("mov.u64 %d1, v;\nld.param.u64 %d2, [p];\nselp.b64 %d3, %d2, %d1, %p1;\nst.global.u32 [%d3], 1;") ==
        4);
  CHECK(stored_by("mov.u64 %d1, v;\nmov.b64 {%r1, %r2}, %d1;\nmov.b64 %d2, {%r1, %r2};\nst.global.u32 [%d2], 1;") == 4);
  CHECK(stored_by("mov.u64 %d1, v;\natom.global.add.u32 %r1, [%d1], 1;") == 2);
  CHECK(stored_by("red.global.add.u32 [v], 1;") == 1);
  CHECK(stored_by("ld.param.u64 %d2, [p];\ncp.async.ca.shared.global [%r1], [v], 4;") == 2);  // not told apart
  // In a loop the definition may stand behind the use.
  CHECK(stored_by("bra M;\nL:\nst.global.u32 [%d1], 1;\nM:\nmov.u64 %d1, v;\nbra L;") == 3);
  // The first one in the file is told.
  CHECK(stored_by("mov.u64 %d1, v;\nst.global.u32 [v], 1;\nst.global.u32 [%d1], 1;") == 2);
}

TEST_CASE("an address that goes where stores are not followed counts as stored to") {
  CHECK(stored_by("ld.param.u64 %d1, [p];\nmov.u64 %d2, v;\nst.global.u64 [%d1], %d2;") == 3);
  CHECK(stored_in(".global .u32 v;\n.global .u64 pointer = v;\n.visible .entry k(){ret;}\n") == 2);
  CHECK(stored_in(".global .u32 v;\n.global .u64 pointers[3] = {0, generic(v), 5};\n.visible .entry k(){ret;}\n") == 2);
  CHECK(stored_in(".global .u64 pointer = w;\n.global .u32 w;\n.global .u32 v;\n.visible .entry k(){ret;}\n") == 0);
  CHECK(stored_in(".global .u32 v;\n.func f(.param .u64 x){ret;}\n.visible .entry k(){\n.reg .b64 %d<3>;\n"
                  "mov.u64 %d1, v;\n{ .param .u64 a;\nst.param.u64 [a], %d1;\ncall f, (a);\n}\nret;}\n") == 7);
}

TEST_CASE("other functions and kernels of the file store, too") {
  CHECK(stored_in(".global .u32 v;\n.visible .entry k(){ret;}\n.visible .entry j(){\nst.global.u32 [v], 1;\nret;}\n") ==
        4);
  CHECK(stored_in(".global .u32 v;\n.func f(){\nst.global.u32 [v], 1;\nret;}\n.visible .entry k(){ret;}\n") == 3);
}

TEST_CASE("constant memory cannot be stored to") {
  CHECK(stored_by("mov.u64 %d1, v;\ncvta.const.u64 %d2, %d1;\nst.local.u64 [%d1], %d2;", ".const .u32 v;") == 0);
}

TEST_CASE("variables are found by their names, if there is one") {
  const ptx::Module module = test::module_of(
      ".global .u32 v;\n.const .u32 c;\n.global .u32 twice;\n.shared .u32 s;\n.visible .entry k(.param .u32 p)\n{\n"
      ".global .u32 twice;\nret;\n}\n");
  CHECK(ptx::find_variable(module, "v"));
  CHECK(ptx::find_variable(module, "c"));
  for (const char* name : {"s", "p", "w", "", "twice"}) CHECK(!ptx::find_variable(module, name));
}

TEST_CASE("initial bytes, the lowest first, and zeros for what is left out") {
  CHECK(bytes_of(".global .u32 v = 64;") == "40000000");
  CHECK(bytes_of(".const .s32 v = -2;") == "feffffff");
  CHECK(bytes_of(".const .u16 v[3] = {1, 0x0203};") == "010003020000");
  CHECK(bytes_of(".const .align 4 .b8 v[6] = {1, 255, -1};") == "01ffff000000");
  CHECK(bytes_of(".global .u64 v = 0x1122334455667788;") == "8877665544332211");
  CHECK(bytes_of(".global .u32 w = 5, v = 6, x = 7;") == "06000000");
  CHECK(bytes_of(".const .f32 v = 0f3F800000;") == "0000803f");
  CHECK(bytes_of(".const .f64 v[2] = {0d3FF0000000000000, 0d0000000000000001};") == "000000000000f03f0100000000000000");
  CHECK(bytes_of(".global .v2 .u16 v = {1, 2};") == "01000200");
  CHECK(bytes_of(".extern .global .u32 v;\n.global .u32 v = 9;") == "09000000");
}

TEST_CASE("what initialisers say is not guessed") {
  for (const char* declaration :
       {".global .u32 v;", ".global .u32 v, x = 5;", ".extern .const .u32 v;", ".global .u64 v = w;",
        ".global .u64 v[2] = {1, w};", ".global .u64 v = generic(w);", ".const .u32 v[2] = {1, 2, 3};",
        ".const .u32 v[4] = {{1}, {2}};", ".const .u32 v = {};", ".const .u32 v[2] = {1,};", ".const .u32 v = 1 + 2;",
        ".const .u32 v = - -1;", ".const .f32 v = 1.5;", ".const .f32 v = 1;", ".const .f32 v = 0f7FA00000;",
        ".const .b8 v[4] = {0xFF(w), 0, 0, 0};", ".const .u32 v = 1.5;", ".global .b8 v[2000000] = {1};"}) {
    INFO(declaration);
    CHECK(bytes_of(std::string(".global .u32 w;\n") + declaration) == "?");
  }
}
