// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/syntax/parser.hpp"

#include <set>

#include "frontend/ptx/forms/opcode_table.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;
using ptx::Operand;
using ptx::Role;
using test::errors_of;
using test::header;
using test::kernel;
using test::module_of;

namespace {

const ptx::Function& only_function(const ptx::Module& module) {
  REQUIRE(module.functions.size() == 1);
  return module.functions.front();
}

void accepts(const std::string& body) { CHECK(module_of(kernel(body)).functions.size() == 1); }

}  // namespace

TEST_CASE("a kernel with its header") {
  const ptx::Module module = module_of(
      ".visible .entry saxpy(.param .u64 .ptr .global .align 4 x, .param .f32 a, .param .align 8 .b8 s[24])\n"
      ".maxntid 256, 1, 1\n.minnctapersm 2\n{ ret; }\n");
  const ptx::Function& f = only_function(module);
  CHECK(module.version == "8.0");
  CHECK(module.targets == std::vector<std::string_view>{"sm_80"});
  CHECK(module.address_size == 64);
  CHECK(f.name == "saxpy");
  CHECK(f.is_entry);
  CHECK(f.launch_bounds.maximum.x == 256);
  CHECK(f.launch_bounds.required.x == 0);
  CHECK(f.launch_bounds.min_blocks == 2);
  CHECK(f.launch_bounds.max_registers == 0);
  CHECK_FALSE(f.launch_bounds.clusters);
  REQUIRE(f.parameters.size() == 3);
  const ptx::Variable& s = module.variables[f.parameters[2].variable];
  CHECK(s.name == "s");
  CHECK(s.bytes == 24);
  CHECK(s.alignment == 8);
  CHECK(s.parameter == 2);
  CHECK(s.space == ir::MemorySpace::parameter);
}

TEST_CASE("the register limit and the clusters of a kernel") {
  const auto bounds = [](const std::string& tuning) {
    return only_function(module_of(".entry k()\n" + tuning + "\n{ ret; }\n")).launch_bounds;
  };
  CHECK(bounds(".maxnreg 64").max_registers == 64);
  CHECK(bounds(".explicitcluster .reqnctapercluster 2").clusters);
  CHECK(bounds(".reqnctapercluster 1, 2").clusters);
  CHECK_FALSE(bounds(".reqnctapercluster 1, 1, 1").clusters);
  CHECK(errors_of(header + std::string(".entry k()\n.maxnreg 0\n{ ret; }\n")).find(".maxnreg is at least 1") !=
        std::string::npos);
}

TEST_CASE("module directives of every kind") {
  module_of(
      ".global .align 4 .b8 table[4][2] = {1, 2, {3, -4}, 0xff(f)};\n.const .f32 pi = 0f40490FDB;\n"
      ".extern .shared .align 16 .b8 dynamic[];\n.shared .v4 .f32 s;\n.visible .global .u64 ptr = generic(table)+8;\n"
      ".global .texref t = {addr_mode_0 = wrap};\n.texref u;\n.weak .global .u32 w;\n.common .global .u32 c;\n"
      ".global .attribute(.managed) .u32 m;\n.file 1 \"x.cu\", 123, 456\n.pragma \"nounroll\";\n"
      ".func (.reg .u32 r) f(.reg .u32 x);\n.section .debug_info\n{\n.b32 $L1\n.b8 1,2,-3\n$L1:\n.b64 $L1-4\n}\n"
      ".extern .func (.param .b32 r) printf(.param .b64 a, .param .b8 va[]);\n.func (.reg .u32 r) g(.reg .u32 x) { "
      "mov.u32 "
      "r, x; ret; }\n.alias f, g;\n.entry e() {}\n.entry e2 .reqntid 8 { exit; }\n");
}

TEST_CASE("operands of every form") {
  accepts("ld.global.v4.f32 {%f1, %f2, _, %f4}, [%rd1+16]; st.global.v2.f32 [%rd1], {%f1, 0f00000000};");
  accepts("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3; shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;");
  accepts("mov.u32 %r1, %tid.x; mov.u32 %r1, %laneid; mov.u32 %r2, WARP_SZ; mov.u64 %rd1, %clock64;");
  accepts("ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n+0]; mov.b64 %rd2, p;");
  accepts(".shared .f32 s[32]; mov.u32 %r1, s; st.shared.f32 [s+4*2], %f1; ld.shared.f32 %f1, s[8]; mov.u32 %r1, s+4;");
  accepts("mov.b64 {%r1, %r2}, %rd1; mov.b64 %rd1, {%r1, %r2};");
  accepts("add.s32 %r1, %r2, (1 + 2) * 3 << 1; and.b32 %r1, %r2, ~0x0f; mov.u32 %r1, 7 % 4 ? 1 : 2;");
  accepts("atom.global.add.u32 _, [%rd1], 1; red.global.add.f32 [%rd1], 0f3F800000;");
  accepts(".reg .v2 .f32 %v<3>; mov.f32 %f1, %v1.y; mov.f32 %v2.x, %f2;");
  accepts(".reg .u32 a, b; vadd.s32.s32.s32 a, %r1.b0, %r2.h1; mov.b32 b, a;");
  accepts("ld.b32.global %r1, [%rd1]; cvt.f32.s32.rn %f1, %r1; mov .u32 %r1, %r2;");
  accepts("st.local.u32 [16], %r1; prefetch.global.L1 [%rd1+-4];");
}

// What ptxas 13.0 makes of them for sm_80: the address of a[1] is a + 4 for .u32, a + 1 for .b8, a + 8 for .u64.
TEST_CASE("an index of an array counts elements, an offset bytes") {
  const ptx::Module module = module_of(
      kernel(".shared .u32 w[8]; .shared .b8 b[8]; .shared .u64 d[4][2]; .shared .v4 .f32 v[4];\n"
             "ld.shared.u32 %r1, w[1]; ld.shared.u32 %r1, b[4]; ld.shared.u32 %r1, d[1+2]; ld.shared.f32 %f1, v[1];\n"
             "ld.shared.u32 %r1, w[-1]; ld.shared.u32 %r1, [w+4];"));
  const ptx::Function& f = only_function(module);
  std::vector<int64_t> offsets;
  for (size_t i = 0; i < 6; ++i) {
    const Operand& address = f.begin(f.instructions[i])[1];
    REQUIRE(address.kind == Operand::Kind::address);
    CHECK(f.elements(address)[0].value == 0);
    offsets.push_back(address.value);
  }
  CHECK(offsets == std::vector<int64_t>{4, 4, 24, 4, -4, 4});
}

TEST_CASE("parts of registers that are not there") {
  const auto refused = [](const std::string& body) { return errors_of(header + kernel(body)); };
  CHECK(refused("mov.u32 %r1,\n%r2.x;").find("11:4: error: the register has no component '.x'") != std::string::npos);
  CHECK(refused("mov.u32 %r1,\n%laneid.x;").find("11:8: error: the register has no component '.x'") !=
        std::string::npos);
  CHECK(refused(".reg .v2 .f32 %v; mov.f32 %f1,\n%v.z;").find("the register has no component '.z'") !=
        std::string::npos);
  CHECK(refused(".shared .u32 s; mov.u32 %r1,\ns.x;").find("11:2: error: what is no register has no component '.x'") !=
        std::string::npos);
  CHECK(refused("add.u32 %r1,\n%r2.b0, 1;")
            .find("11:4: error: only video instructions take parts of registers, and 'add.u32' is none") !=
        std::string::npos);
  CHECK(refused("mov.u32 %r1, %tid.b0;").find("unknown component '.b0'") != std::string::npos);
  CHECK(refused("mov.u32 %r1, %r2.q;").find("unknown component '.q'") != std::string::npos);
  accepts("vadd.s32.s32.s32 %r1.h0, %r2.b0, %r3, %r4; add.u32 %r1, %r2, %r3; vmin.s32.s32.s32 %r1, %r2, %r3;");
}

TEST_CASE("operands know whether they are read or written") {
  const ptx::Module module = module_of(kernel("@!%p1 mad.lo.s32 %r1, %r2, %r3, 5; atom.add.u32 %r4, [%rd1], %r5;"));
  const ptx::Function& f = only_function(module);
  const ptx::Instruction& mad = f.instructions[0];
  CHECK(mad.guard_negated);
  CHECK(f.register_type(mad.guard) == ptx::Type::pred);
  const Operand* operands = f.begin(mad);
  CHECK(operands[0].role == Role::write);
  CHECK(operands[1].role == Role::read);
  CHECK(operands[3].kind == Operand::Kind::integer);
  CHECK(operands[3].value == 5);
  const Operand* atom = f.begin(f.instructions[1]);
  CHECK(atom[0].role == Role::write);
  CHECK(atom[1].kind == Operand::Kind::address);
  CHECK(f.elements(atom[1])[0].role == Role::read);
}

TEST_CASE("scopes shadow, and labels reach inwards and forwards") {
  accepts("{ .reg .b32 %r<2>; mov.b32 %r1, 1; bra out; } { .reg .b32 %r<2>; mov.b32 %r1, 2; } out: ret;");
  accepts("top: { inner: bra inner; bra top; } { inner: bra inner; } add.s32 %r1, %r1, 1;");
  accepts("a: b: add: .pragma \"nounroll\"; bra add; c:");
}

TEST_CASE("opcode names may be used for anything") { accepts(".reg .b32 add, ret; add: add.s32 add, ret, 1;"); }

TEST_CASE("calls and tables") {
  const ptx::Module module = module_of(
      ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<2>; ld.param.b32 %r1, [a]; st.param.b32 [r], %r1; ret; "
      "}\n" +
      kernel(
          "{ .param .b32 x; st.param.b32 [x+0], %r1; .param .b32 y; call.uni (y),\nf,\n(\nx\n)\n; ld.param.b32 %r2, "
          "[y+0]; }\n"
          "ts: .branchtargets A, B; brx.idx %r1, ts; A: B: proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
          "call (%r1), %rd1, (%r2, 5), proto; call f2; call f2, ();") +
      ".func f2() { ret; }\n");
  const ptx::Function& k = module.functions[1];
  const Operand* call = k.begin(k.instructions[1]);
  REQUIRE(k.instructions[1].operand_count == 3);
  CHECK(call[0].kind == Operand::Kind::list);
  CHECK(k.elements(call[0])[0].role == Role::write);
  CHECK(call[1].kind == Operand::Kind::function);
  CHECK(call[1].index == 0);
  CHECK(k.elements(call[2])[0].role == Role::read);
  REQUIRE(k.tables.size() == 2);
  CHECK(k.labels[k.tables[0].labels[1]].name == "B");
}

TEST_CASE("source positions follow .loc") {
  const ptx::Module module = module_of(kernel(".loc 1 10 3\nadd.s32 %r1, %r1, 1;\n.loc 1 12 3, function_name $L__info, "
                                              "inlined_at 1 20 5\nsub.s32 %r1, %r1, "
                                              "1;") +
                                       ".file 1 \"x.cu\"\n");
  const ptx::Function& f = only_function(module);
  CHECK(f.positions[f.instructions[0].position].line == 10);
  CHECK(f.positions[f.instructions[1].position].line == 12);
}

TEST_CASE("every error of a file is reported, with its place") {
  CHECK(errors_of(std::string(header) +
                  kernel("addd.s32 %r1, %r2;\nadd.s32 %r99, %q, %r1\n;\nbra nowhere;\nx: x: ret;")) ==
        "t.ptx:10:1: error: unknown opcode 'addd'\n  addd.s32 %r1, %r2;\n  ^\n  help: did you mean 'add'?\n"
        "t.ptx:11:9: error: undeclared register '%r99'\n  add.s32 %r99, %q, %r1\n          ^\n"
        "  help: its declaration ends at number 9\n"
        "t.ptx:11:15: error: undeclared register '%q'\n  add.s32 %r99, %q, %r1\n                ^\n"
        "  help: declare it, as in '.reg .b32 %q;'\n"
        "t.ptx:13:5: error: undeclared label 'nowhere'\n  bra nowhere;\n      ^\n"
        "  help: a label stands before an instruction, as in 'nowhere:'\n"
        "t.ptx:14:4: error: label 'x' is declared twice\n  x: x: ret;\n     ^\n"
        "  help: give each label of a block its own name\n");
}

TEST_CASE("names that nothing declares") {
  CHECK(errors_of(std::string(header) + kernel("bra nowhere;")) ==
        "t.ptx:10:5: error: undeclared label 'nowhere'\n  bra nowhere;\n      ^\n"
        "  help: a label stands before an instruction, as in 'nowhere:'\n");
  CHECK(errors_of(std::string(header) + kernel("mov.u64 %rd1, nothing;")) ==
        "t.ptx:10:15: error: undeclared name 'nothing'\n  mov.u64 %rd1, nothing;\n                ^\n"
        "  help: declare a label, function or variable of this name\n");
  CHECK(errors_of(std::string(header) + kernel("@%r1 ret;"))
            .find("10:2: error: the guard '%r1' is not a predicate register") != std::string::npos);
  CHECK(errors_of(std::string(header) + kernel(".reg .b32 %r5;")).find("'%r5' is declared twice") != std::string::npos);
  CHECK(errors_of(std::string(header) + kernel("add.s32 %r1, %r2;")).find("'add.s32' cannot have 2 operands") !=
        std::string::npos);
}

TEST_CASE("texts that are no module") {
  CHECK(errors_of("") == "t.ptx:1:1: error: the file holds no PTX\n  help: a PTX file begins with '.version'\n");
  CHECK(errors_of("// only a comment\n").find("the file holds no PTX") != std::string::npos);
  CHECK(errors_of("hello world")
            .find("t.ptx:1:1: error: expected '.version' at the start of the module, found 'hello'") == 0);
  CHECK(errors_of(std::string("\x7f"
                              "ELF\0\0",
                              6)) ==
        "t.ptx:1:1: error: byte 0x7f cannot stand in PTX text\n  \\x7fELF\\x00\\x00\n  ^\n"
        "  help: is this a binary file? PTX is ASCII text\n");
}

TEST_CASE("files cut short") {
  CHECK(errors_of(std::string(header) + ".entry k() {\n.reg .b32 %r<2>;\nadd.s32 %r1, %r")
            .find("undeclared register '%r'") != std::string::npos);
  CHECK(errors_of(std::string(header) + ".entry k() {\nret;\n") ==
        "t.ptx:6:1: error: the body of 'k' is never closed\n  help: add '}'; the file may be cut short\n");
  CHECK(errors_of(std::string(header) + ".entry k(.param .u32 a")
            .find("expected ')' after the parameters, found the end") != std::string::npos);
  CHECK(errors_of(std::string(header) + ".section .debug {\n.b8 1\n").find("'{' is never closed") != std::string::npos);
  // A module cut anywhere is refused or parsed, never worse.
  const std::string whole =
      header + kernel(
                   "{ .param .b32 x; st.param.b32 [x], %r1; }\nL: setp.eq.s32 %p1|_, %r1, 0x10;\n@%p1 "
                   "bra L;\nld.global.v2.f32 {%f1,%f2}, [%rd1+-8];");
  for (size_t length = 0; length < whole.size(); ++length) test::parse(whole.substr(0, length)).ok();
}

TEST_CASE("depth and size have limits, and what is within them is no matter") {
  const std::string deep = std::string(100000, '{') + std::string(100000, '}');
  CHECK(errors_of(std::string(header) + kernel(deep)).find("blocks nested deeper than 1000") != std::string::npos);
  accepts(std::string(900, '{') + std::string(900, '}'));
  CHECK(errors_of(std::string(header) + kernel("mov.u32 %r1, " + std::string(100000, '(') + "1;"))
            .find("the expression is nested too deeply") != std::string::npos);
  CHECK(errors_of(std::string(header) + std::string(1000000, 'x')).size() < 1000);
  accepts("mov.u32 %r1," + std::string(1000000, ' ') + "1;");
  module_of(".global .u8 a[4] = " + std::string(100000, '{') + std::string(100000, '}') + ";\n");
  CHECK(errors_of(std::string(header) + kernel(".reg .b32 %x<99999999>;")).find("more than") != std::string::npos);
  CHECK(errors_of(std::string(header) + ".global .b8 a[99999999999][99999999999];").find("larger than 1 TiB") !=
        std::string::npos);
}

TEST_CASE("errors end after a hundred") {
  std::string body;
  for (int i = 0; i < 200; ++i) body += "foo" + std::to_string(i) + ";\n";
  const auto module = test::parse(header + kernel(body));
  REQUIRE(!module.ok());
  CHECK(module.errors().size() == 101);
  CHECK(module.errors().back().message == "too many errors, stopping here");
}

TEST_CASE("a function may be announced, but defined once") {
  module_of(".func f();\n.func f();\n.func f() { ret; }\n.func f();\n");
  CHECK(errors_of(std::string(header) + ".func f() { ret; }\n.func f() { ret; }\n")
            .find("function 'f' is defined twice") != std::string::npos);
}

TEST_CASE("numbers behind a prefix are elements only as declared") {
  CHECK(errors_of(std::string(header) + kernel("mov.b32 %r01, 1;")).find("undeclared register '%r01'") !=
        std::string::npos);
  CHECK(errors_of(std::string(header) + kernel("mov.b32 %r4294967297, 1;")).find("undeclared register") !=
        std::string::npos);
  CHECK(errors_of(std::string(header) + kernel("mov.b32 %r99999999999999999999, 1;")).find("undeclared") !=
        std::string::npos);
  accepts(".reg .b32 %x1<5>; mov.b32 %x12, 1;");
}

// As ptxas 13.0 does: each type was tried in each space.
TEST_CASE("variables and registers have fundamental types; the others are for instructions to name") {
  const std::set<std::string_view> fundamental = {"b8",    "b16", "b32", "b64",  "b128",   "u8",         "u16",
                                                  "u32",   "u64", "s8",  "s16",  "s32",    "s64",        "f16",
                                                  "f16x2", "f32", "f64", "pred", "texref", "samplerref", "surfref"};
  size_t refused = 0;
  for (const std::string_view name : ptx::type_names()) {
    if (name.empty() || fundamental.count(name) != 0) continue;
    for (const std::string space : {".global", ".shared", ".const"}) {
      CHECK(errors_of(header + space + " ." + std::string(name) + " x;\n")
                .find("error: nothing can be declared with the type '." + std::string(name) + "'") !=
            std::string::npos);
    }
    CHECK(errors_of(header + kernel(".reg ." + std::string(name) + " %x;")).find("nothing can be declared") !=
          std::string::npos);
    ++refused;
  }
  CHECK(refused > 25);
  for (const std::string_view name : fundamental) {
    if (name == "pred" || name.find("ref") != std::string_view::npos) continue;
    CHECK(module_of(".global ." + std::string(name) + " x;\n" + kernel("ret;")).functions.size() == 1);
  }
  const std::string once =
      errors_of(header + std::string(".global .align 1 .u2 x = 1;\n") + kernel("mov.u64 %rd1, x;"));
  CHECK(once.find("error: ") == once.rfind("error: "));
}

// As ptxas 13.5 does, but for functions that are .weak.
TEST_CASE("a function is called by its alias") {
  const std::string body = " (.reg .u32 r) f (.reg .u32 a) { mov.u32 r, a; ret; }\n";
  const std::string declared = ".visible .func (.reg .u32 r) g (.reg .u32 a);\n";
  const std::string call = kernel("call (%r1), g, (%r2);\nmov.u64 %rd1, g;\nT: .calltargets g;");
  for (const std::string& text : {declared + ".func" + body + call + ".alias g, f;\n",
                                  declared + ".visible .func" + body + ".alias g, f;\n" + call}) {
    const auto module = module_of(text);
    const auto named = [&module](uint32_t f) { return std::string(module.functions.at(f).name); };
    const ptx::Function& k = module.functions.back().name == "k" ? module.functions.back() : module.functions.front();
    CHECK(named(k.begin(k.instructions[0])[1].index) == "f");
    CHECK(named(k.begin(k.instructions[1])[1].index) == "f");
    CHECK(named(k.tables.at(0).functions.at(0)) == "f");
  }
  const auto refuses = [](const std::string& text, const std::string& message) {
    const std::string errors = errors_of(header + text);
    INFO(errors);
    CHECK(errors.find(message) != std::string::npos);
  };
  const std::string f = ".func" + body;
  refuses(declared + ".alias g, f;\n" + f, "expected the name of a function before this line, found 'f'");
  refuses(f + ".alias g, f;\n", "expected the name of a function that is declared before the alias, found 'g'");
  refuses(declared + f + ".alias g, f\n", "expected ';' after the alias");
  refuses(declared + ".alias g, g;\n", "'g' has no body in this file, so nothing can be its alias");
  refuses(declared + ".func (.reg .u32 r) h (.reg .u32 a);\n" + f + ".alias h, f;\n.alias g, h;\n",
          "'h' has no body in this file");
  refuses(declared + f + ".alias g, f;\n.alias g, f;\n", "'g' is already an alias of 'f'");
  refuses(".func (.reg .u32 r) g (.reg .u32 a) { mov.u32 r, a; ret; }\n" + f + ".alias g, f;\n", "'g' has a body");
  refuses(".func (.reg .u64 r) g (.reg .u32 a);\n" + f + ".alias g, f;\n",
          "'g' has other results or parameters than 'f'");
  refuses(".func g (.reg .u32 a);\n" + f + ".alias g, f;\n", "'g' has other results or parameters than 'f'");
  refuses(".visible .entry e(.param .u32 a);\n" + kernel("ret;") + ".alias e, k;\n",
          "a kernel can neither have nor be an alias");
}
