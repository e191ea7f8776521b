// SPDX-License-Identifier: GPL-3.0-or-later
// What PTX had once: registers of the module, parameters in bodies of kernels, banks of constants.
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;
using test::errors_of;
using test::parse;

namespace {

std::string version(const std::string& number) { return ".version " + number + "\n.target sm_13\n"; }

ptx::Module module_before(const std::string& number, const std::string& text) {
  auto module = parse(version(number) + text);
  INFO(text);
  if (!module.ok()) FAIL(render(module.errors().front(), false));
  return std::move(*module);
}

}  // namespace

TEST_CASE("before PTX 1.4 the parameters of a kernel stand in its body") {
  const std::string kernel =
      ".entry k\n{\n.reg .u64 d;\n.param .u64 a;\n.param .align 8 .b8 s[24];\nld.param.u64 d, [s+8];\nexit;\n}\n";
  for (const char* number : {"1.0", "1.1", "1.3"}) {
    const ptx::Module module = module_before(number, kernel);
    const ptx::Function& k = module.functions.front();
    REQUIRE(k.parameters.size() == 2);
    CHECK(module.variables[k.parameters[0].variable].name == "a");
    CHECK(module.variables[k.parameters[0].variable].parameter == 0);
    CHECK(module.variables[k.parameters[1].variable].bytes == 24);
    CHECK(module.variables[k.parameters[1].variable].parameter == 1);
  }
  for (const char* number : {"1.4", "1.5"}) {
    CHECK(errors_of(version(number) + kernel) ==
          "t.ptx:6:13: error: the parameters of a kernel stand in parentheses behind its name\n"
          "  .param .u64 a;\n"
          "              ^\n"
          "  help: only a file with a '.version' below 1.4 has them in the body\n");
  }
  // From 2.0 on such variables are the arguments of calls.
  for (const char* number : {"2.0", "10.1"}) CHECK(module_before(number, kernel).functions[0].parameters.empty());
}

TEST_CASE("before PTX 3.0 a module has registers, which each kernel has for itself") {
  const ptx::Module module = module_before("1.4",
                                           ".reg .u32 %ra<3>, sum;\n"
                                           ".func (.reg .u32 sum) f (.reg .u32 %ra1) { mov.u32 sum, %ra1; ret; }\n"
                                           ".entry k { mov.u32 sum, 1; { .reg .f32 sum; } mov.u32 %ra2, sum; exit; }\n"
                                           ".entry l { exit; }\n");
  for (const char* name : {"k", "l"}) {
    const ptx::Function& f = module.functions[name[0] == 'k' ? 1 : 2];
    CHECK(f.name == name);
    CHECK(f.registers == (name[0] == 'k' ? 5 : 4));
  }
  const ptx::Function& k = module.functions[1];
  CHECK(k.operands[0].index == 3);  // sum, behind %ra0 to %ra2
  CHECK(k.operands[2].index == 2);
  CHECK(k.operands[3].index == 3);
}

TEST_CASE("what a call leaves in a register of the module is not followed") {
  CHECK(errors_of(version("2.3") + ".reg .u32 sum, total;\n.func f { add.u32 sum, sum, total; ret; }\n") ==
        "t.ptx:4:19: error: 'sum' is a register of the module, which only a kernel can use\n"
        "  .func f { add.u32 sum, sum, total; ret; }\n"
        "                    ^\n"
        "  help: declare it in the function, or make it a parameter\n");
}

TEST_CASE("from PTX 3.0 on a module has no registers") {
  const std::string help = "  help: only a file with a '.version' below 3.0 has registers of the module\n";
  for (const char* number : {"3.0", "8.0", "10.0"}) {
    CHECK(errors_of(version(number) + ".reg .u32 %ra<17>;\n.entry k { exit; }\n") ==
          "t.ptx:3:11: error: registers cannot be declared outside a function\n"
          "  .reg .u32 %ra<17>;\n"
          "            ^\n" +
              help);
  }
}

TEST_CASE("banks of constants are all the same memory") {
  const ptx::Module module = module_before(
      "1.5",
      ".extern .const[10] .align 4 .b8 far[];\n.const [0] .u32 near[4];\n"
      ".entry k { .reg .u32 r<4>; ld.const[10].u32 r1, [far+4]; ld.const [0] .v2 .u32 {r2, r3}, [near]; exit; }\n");
  for (const ptx::Variable& variable : module.variables) CHECK(variable.space == ir::MemorySpace::constant);
  const ptx::Function& k = module.functions.front();
  REQUIRE(k.instructions.size() == 3);
  CHECK(k.instructions[0].form->text == "ld.const.u32");
  CHECK(k.instructions[1].form->text == "ld.const.v2.u32");
  CHECK(errors_of(version("1.5") + ".const[one] .u32 x;\n") ==
        "t.ptx:3:8: error: expected a number for the bank of constants, found 'one'\n"
        "  .const[one] .u32 x;\n"
        "         ^\n");
  CHECK(errors_of(version("1.5") + ".entry k { .reg .u32 r; ld.const[q].u32 r, [0]; exit; }\n") ==
        "t.ptx:3:34: error: expected a number for the bank of constants, found 'q'\n"
        "  .entry k { .reg .u32 r; ld.const[q].u32 r, [0]; exit; }\n"
        "                                   ^\n");
}

TEST_CASE("before PTX 1.4 approximations need no modifier") {
  for (const char* instruction :
       {"sin.f32 f, f;", "cos.f32 f, f;", "lg2.f32 f, f;", "ex2.f32 f, f;", "rsqrt.f32 f, f;", "rcp.f32 f, f;",
        "sqrt.f32 f, f;", "div.f32 f, f, f;", "mad.f32 f, f, f, f;", "mad.f64 d, d, d, d;", "div.f64 d, d, d;"}) {
    module_before("1.3", ".entry k { .reg .f32 f; .reg .f64 d; " + std::string(instruction) + " exit; }\n");
  }
}
