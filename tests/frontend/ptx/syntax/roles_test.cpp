// SPDX-License-Identifier: GPL-3.0-or-later
// What the parser lets stand where in an instruction.
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;
using ptx::Operand;
using ptx::Role;
using test::errors_of;
using test::header;
using test::kernel;
using test::module_of;

namespace {

void accepts(const std::string& body) { CHECK(module_of(kernel(body)).functions.size() == 1); }

// The body begins in line 10 of the text.
void refuses(const std::string& body, const std::string& error) {
  const std::string errors = errors_of(header + kernel(body) + ".func f() { ret; }\n");
  INFO(errors);
  CHECK(errors.find("t.ptx:10:" + error) == 0);
}

}  // namespace

TEST_CASE("a branch goes to a label") {
  const std::string computed = "\n  help: for a target that is computed, use brx.idx\n";
  refuses("bra 7;", "5: error: the target of 'bra' is a label\n  bra 7;\n      ^" + computed);
  refuses("bra.uni %rd1;", "9: error: the target of 'bra.uni' is a label");
  refuses("bra n;", "5: error: the target of 'bra' is a label");
  refuses("bra _;", "5: error: the target of 'bra' is a label");
  refuses("bra {A}; A: ret;", "5: error: the target of 'bra' is a label");
  refuses("bra %tid.x;", "5: error: the target of 'bra' is a label");
  refuses("bra A|B; A: B: ret;", "5: error: the target of 'bra' is a label");
  refuses("bra A+1; A: ret;", "6: error: only an integer register of 16, 32 or 64 bits can have an offset");
  refuses("T: .branchtargets A; bra T; A: ret;", "26: error: the target of 'bra' is a label");
  refuses("bra f;", "5: error: undeclared label 'f'");
}

TEST_CASE("an indexed branch has a list of labels") {
  const std::string no_list = ": error: the targets of 'brx.idx' are a list of labels that stands before it";
  accepts("T: .branchtargets A, B; brx.idx %r1, T; A: B: ret;");
  refuses("brx.idx %r1, A; A: ret;", "14" + no_list);
  refuses("brx.idx %r1, T; T: .branchtargets A; A: ret;", "14" + no_list);
  refuses("brx.idx %r1, 3;", "14" + no_list);
  refuses("P: .callprototype _ (); brx.idx %r1, P;", "38" + no_list);
  refuses("brx.idx %r1;", "1: error: 'brx.idx' cannot have 1 operand");
}

TEST_CASE("lists of targets that are cut short") {
  refuses("T: .branchtargets ;", "19: error: expected a label, found ';'");
  refuses("T: .branchtargets A, ; A: ret;", "22: error: expected a label, found ';'");
  refuses("T: .calltargets f, ; A: ret;", "20: error: expected a function name, found ';'");
  refuses("T: .calltargets f, 3; U: .calltargets g; A: ret;", "20: error: expected a function name, found '3'");
  refuses("T: .branchtargets f; A: ret;", "19: error: undeclared label 'f'");
}

TEST_CASE("a call has a function, lists, and a list of functions") {
  const std::string no_target = ": error: the target of a call is a function, or a register with its address";
  accepts("P: .callprototype _ (); call %rd1, P; call (%r1), %rd1, (%r2, 1), P;");
  refuses("call 7;", "6: error: expected a name, found '7'");
  refuses("call n;", "6" + no_target);
  refuses("call _;", "6" + no_target);
  refuses("A: call A;", "9: error: 'A' is a label, which only a branch can name");
  refuses("call f, %r1;", "9: error: after its arguments a call can only have");
  refuses("call f, (), f;", "13: error: after its arguments a call can only have");
  refuses("call (), (), f;", "10: error: expected a name, found '('");
  refuses("call (5), f;", "6: error: the results of a call must be registers, .param variables or '_'");
  refuses("call f, (), f, (f);", "14: error: expected ';' after the instruction, found ','");
}

TEST_CASE("what is written is a register") {
  refuses("add.u32 3, %r1, 3;", "9: error: 'add.u32' writes this operand, so it must be a register\n");
  refuses("add.u32 p, %r1, 3;", "9: error: 'add.u32' writes this operand");
  refuses("add.u32 %tid.x, %r1, 3;", "9: error: 'add.u32' writes this operand");
  refuses("mov.u32 [%rd1], %r1;", "9: error: 'mov.u32' writes this operand");
  refuses("mov.b64 {%r1, 3}, %rd1;", "9: error: 'mov.b64' writes this operand");
  refuses("setp.eq.u32 !%p1, %r1, 3;", "13: error: 'setp.eq.u32' writes this operand");
  refuses("add.u32 %r1+1, %r1, 3;", "9: error: a register that is written cannot have an offset");
}

TEST_CASE("memory is accessed by an address in brackets") {
  refuses("ld.global.u32 %r1, %rd1;",
          "20: error: this operand of 'ld.global.u32' is an address in memory\n  ld.global.u32 %r1, %rd1;\n" +
              std::string(21, ' ') + "^\n  help: write it in brackets, as in [%rd1+4]\n");
  refuses("st.param.u32 p, %r1;", "14: error: this operand of 'st.param.u32' is an address");
  refuses("st.global.u32 [_], %r1;", "15: error: there is nothing to read in '_'");
}

TEST_CASE("what is read has a value") {
  accepts("and.pred %p1, !%p2, 1; st.global.v2.u32 [%rd1], {%r1, _};");
  refuses("add.u32 %r1, _, 3;", "14: error: there is nothing to read in '_'");
  refuses("T: .branchtargets A; mov.u64 %rd1, T; A: ret;", "36: error: a list of targets has no value");
  refuses("add.u32 %r1, A, 3; A: ret;", "14: error: 'A' is a label, which only a branch can name");
  refuses("ld.global.u32 %r1, [A]; A: ret;", "21: error: 'A' is a label, which only a branch can name");
  refuses("add.u32 %r1, !%r1, 3;", "14: error: only a predicate register can be negated");
}

// ptxas makes the same machine code for both.
TEST_CASE("an offset on a register is an addition before the instruction") {
  const ptx::Module module = module_of(kernel("L: @%p1 mul.lo.u32 %r1, %r2+5, %r3+-1; ret;"));
  const ptx::Function& f = module.functions.front();
  REQUIRE(f.instructions.size() == 4);
  CHECK(f.labels.front().instruction == 0);
  CHECK(f.instructions[0].form->text == "add.s32");
  CHECK(f.instructions[0].guard == ptx::none);
  const Operand* first = f.begin(f.instructions[0]);
  const Operand* second = f.begin(f.instructions[1]);
  const Operand* product = f.begin(f.instructions[2]);
  CHECK(f.instructions[2].guard != ptx::none);
  CHECK(first[0].role == Role::write);
  CHECK(first[2].value == 5);
  CHECK(second[2].value == -1);
  CHECK(product[1].index == first[0].index);
  CHECK(product[2].index == second[0].index);
  CHECK(first[0].index != second[0].index);
  CHECK(f.register_type(first[0].index) == ptx::Type::b32);
  refuses("add.f32 %f1, %f2+1, %f3;", "17: error: only an integer register of 16, 32 or 64 bits can have an offset");
  refuses("mov.u32 %r1, %tid.x+1;", "20: error: only an integer register");
  refuses("mov.u32 %r1, %r2+%r3;", "18: error: expected an operand, found '%r3'");
}

// ir::Instruction counts its registers with 16 bits.
TEST_CASE("an instruction has a limited number of values") {
  const auto store = [](size_t values) {
    std::string vector = "%r1";
    for (size_t i = 1; i < values; ++i) vector += ",%r1";
    return "tcgen05.st.sync.aligned.32x32b.x128.b32 [%r1], {" + vector + "};";
  };
  accepts(store(1023));
  refuses(store(1024),
          "1: error: 'tcgen05.st.sync.aligned.32x32b.x128.b32' has more than 1024 operands in its lists\n");
  refuses(store(70'000),
          "1: error: 'tcgen05.st.sync.aligned.32x32b.x128.b32' has more than 1024 operands in its lists\n");
}

TEST_CASE("extents whose product overflows are refused") {
  const auto errors = [](const std::string& extents) {
    return errors_of(header + (".entry k() .maxntid " + extents + " { ret; }\n"));
  };
  CHECK(errors("2147483648").find("4:21: error: more than 2147483647 in all") != std::string::npos);
  CHECK(errors("65536, 65536").find("4:28: error: more than 2147483647 in all") != std::string::npos);
  CHECK(errors("9223372036854775807, 2, 2").find("4:21: error: more than 2147483647 in all") != std::string::npos);
  module_of(".entry k() .maxntid 2147483647, 1, 1 .reqnctapercluster 2 { ret; }\n");
}

TEST_CASE("a function that is announced needs no semicolon") {
  module_of(
      ".func (.param .b32 r) f(.param .b32 a)\n.visible .entry k() { ret; }\n.func g .noreturn\n.global .u32 x;\n");
  CHECK(errors_of(header + std::string(".entry f()\n.visible .entry k() { ret; }\n"))
            .find("5:1: error: expected '{' or ';' after the function's declaration, found '.visible'") !=
        std::string::npos);
}

// The references of the first body have no place in the second.
TEST_CASE("a function that is defined twice with calls inside") {
  CHECK(errors_of(header + std::string(".func f() { call g; call g; ret; }\n.func f() { ret; }\n.func g() { ret; }\n"))
            .find("function 'f' is defined twice") != std::string::npos);
}
