// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/lowering/constant_operands.hpp"

#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;

namespace {

// Of the instructions of a kernel's body.
std::vector<ptx::ConstantOperands> found(const std::string& body) {
  const ptx::Module module = test::module_of(test::kernel(".reg .f64 %fd<9>;\n.reg .b16 %h<9>;\n" + body + "\nret;"));
  auto all = ptx::constant_operands(module, module.functions.at(0));
  all.pop_back();
  return all;
}

struct Row {
  const char* text;
  int words, moves, free;
};

// Which of them may read an integer from constant memory.
std::vector<bool> in_memory(const std::string& body) {
  std::vector<bool> list;
  for (const ptx::ConstantOperands& one : found(body)) list.push_back(one.in_memory);
  return list;
}

using Marks = std::vector<bool>;

}  // namespace

TEST_CASE("an instruction has one constant operand, and the others are moved to registers") {
  for (const Row& row : std::initializer_list<Row>{
           {"add.s32 %r1, %r2, %r3;", 0, 0, 2},
           {"add.s32 %r1, %r2, 5;", 1, 0, 0},
           {"add.s32 %r1, %r2, 0;", 0, 0, 2},
           {"add.s64 %rd1, %rd2, 5;", 1, 0, 0},
           {"add.s64 %rd1, %rd2, -5;", 2, 0, 0},
           {"add.s64 %rd1, %rd2, 4294967296;", 1, 0, 0},
           {"mad.lo.s32 %r1, %r2, 7, 9;", 2, 1, 0},
           {"mad.lo.s64 %rd1, %rd2, 77777777777, 99999999999;", 4, 2, 0},
           {"fma.rn.f32 %f1, %f2, 0f3F9E0652, 0f40490FDB;", 2, 1, 0},
           {"fma.rn.f64 %fd1, %fd2, 0d3FF3C0CA428C59FB, 0d400921FB54442D18;", 4, 2, 0},
           {"fma.rn.f64 %fd1, %fd2, 0d4000000000000000, %fd3;", 1, 0, 0},
           {"selp.b32 %r1, 5, 7, %p1;", 2, 1, 0},
           {"selp.b64 %rd1, %rd2, %rd3, %p1;", 0, 0, 1},
           {"lop3.b32 %r1, %r2, %r3, %r4, 150;", 0, 0, 2},
           {"lop3.b32 %r1, %r2, 1, 2, 150;", 2, 1, 0},
           {"prmt.b32 %r1, %r2, %r3, 4660;", 1, 0, 0},
           {"prmt.b32 %r1, %r2, 77, 4660;", 2, 1, 0},
           {"shl.b32 %r1, %r2, 3;", 1, 0, 0},
           {"shl.b32 %r1, %r2, %r3;", 0, 0, 0},  // a parameter has no place
           {"dp4a.u32.u32 %r1, %r2, 5, %r3;", 1, 0, 0},
           {"dp4a.u32.u32 %r1, %r2, %r3, %r4;", 0, 0, 0},
           {"set.lt.u32.s32 %r1, %r2, 5;", 1, 1, 0},
           {"mov.u32 %r1, 5;", 1, 0, 0},
           {"mov.u64 %rd1, 77777777777;", 2, 0, 0},
           {"mov.b64 %rd1, {%r1, %r2};", 0, 0, 0},
           {"mov.b64 %rd1, {5, %r2};", 1, 1, 0},
           {"cvt.rn.f32.s32 %f1, %r1;", 0, 0, 2},
           {"cvt.rn.f16x2.f32 %r1, %f1, %f2;", 0, 0, -1},
           {"st.global.u32 [%rd1], 5;", 1, 0, 0},
           {"st.global.u32 [%rd1+64], 0;", 0, 0, 0},
           {"st.shared.v4.u32 [%r1], {5, 6, 7, 8};", 4, 3, 0},
           {"st.shared.v4.u32 [%r1], {5, 0, %r2, 8};", 2, 1, 0},
           {"st.shared.v2.u64 [%r1], {77777777777, 99999999999};", 4, 3, 0},
           {"st.shared.v2.u16 [%r1], {5, 6};", 2, 2, 0},
           {"st.global.u16 [%rd1], 5;", 1, 1, 0},
           {"mul24.lo.u32 %r1, %r2, %r3;", 0, 0, 0},
           {"atom.global.cas.b32 %r1, [%rd1], 5, 6;", 2, 2, 0},
           {"shfl.sync.idx.b32 %r1, %r2, 5, 31, -1;", 0, 0, 0},  // they choose lanes
           {"bar.sync 1, 64;", 0, 0, 0},
           {"ld.global.u32 %r1, [%rd1+4096];", 0, 0, 0},
       }) {
    INFO(row.text);
    const ptx::ConstantOperands one = found(row.text).at(0);
    CHECK(one.words == row.words);
    CHECK(one.moves == row.moves);
    CHECK(one.free == row.free);
  }
}

// Each as ptxas 12.4 to 13.5 do it for sm_75 to sm_89.
TEST_CASE("integers that fit no operand may lie in constant memory") {
  const std::string wide = "mul.wide.u32 %rd1, %r1, %r2;\n";
  CHECK(in_memory("mad.hi.u32 %r1, %r2, %r3, 5;") == Marks{true});
  CHECK(in_memory("mad.lo.s64 %rd1, %rd2, %rd3, 5;") == Marks{true});
  CHECK(in_memory("mad.wide.u32 %rd1, %r2, %r3, 5;") == Marks{true});
  CHECK(in_memory("dp4a.u32.u32 %r1, %r2, 5, %r3;\ndp2a.lo.u32.u32 %r1, 5, %r2, %r3;") == Marks{true, true});
  CHECK(in_memory("mad.lo.cc.u32 %r1, %r2, %r3, 5;\nmadc.hi.u32 %r4, %r2, %r3, 7;") == Marks{true, true});
  CHECK(in_memory("st.global.u16 [%rd1], 5;\nst.global.u16 [%rd1], 0;") == Marks{true, false});
  CHECK(in_memory("st.global.v2.u16 [%rd1], {%h1, 5};\nmov.b32 %r1, {%h1, 5};\nmov.b32 %r1, {%h1, %h2};") ==
        Marks{true, true, false});
  // A constant that is added to a product, also one that was moved or has been added to.
  CHECK(in_memory(wide + "add.s64 %rd2, %rd1, 8;") == Marks{false, true});
  CHECK(in_memory(wide + "sub.s64 %rd2, %rd1, 8;") == Marks{false, true});
  CHECK(in_memory(wide + "mov.b64 %rd2, %rd1;\nadd.s64 %rd3, %rd2, 8;") == Marks{false, false, true});
  CHECK(in_memory("mul.lo.s64 %rd1, %rd2, 3;\nadd.s64 %rd3, %rd1, 5;") == Marks{false, true});
  CHECK(in_memory("mul.hi.u32 %r1, %r2, %r3;\nadd.u32 %r4, %r1, 5;") == Marks{false, true});
  CHECK(in_memory(
            "mul.lo.u32 %r1, %r2, %r3;\nmul.hi.u32 %r4, %r2, %r3;\nadd.cc.u32 %r5, %r1, 5;\naddc.u32 %r6, %r4, 7;") ==
        Marks{false, false, true, true});
  // The address of a variable that the assembler lays out, and the offset of an access.
  const std::string tile = ".shared .b8 tile[64];\n", other = ".shared .b8 other[64];\n";
  const std::string indexed = "mov.u64 %rd3, tile;\n" + wide + "add.s64 %rd2, %rd1, %rd3;\n";
  CHECK(in_memory(tile + indexed) == Marks{false, false, false});  // it lies at 0
  CHECK(in_memory(tile + other + indexed) == Marks{false, false, true});
  CHECK(in_memory(tile + indexed + "st.shared.u32 [%rd2+-4], %r1;") == Marks{false, false, false, true});
  CHECK(in_memory(tile + indexed + "st.shared.u32 [%rd2], %r1;\nst.shared.u32 [%rd2+-4], %r1;") ==
        Marks{false, false, false, false, false});
  CHECK(in_memory(tile + "mov.u64 %rd3, tile;\nadd.s64 %rd3, %rd3, 8;") == Marks{false, false});
  // In a register that only a move of an integer sets.
  CHECK(in_memory("mov.u64 %rd3, 5;\nmov.u64 %rd4, %rd3;\nmad.lo.s64 %rd1, %rd2, %rd2, %rd4;") ==
        Marks{false, false, true});
  CHECK(in_memory("mov.u32 %r3, 5;\ndp4a.u32.u32 %r1, %r2, %r3, %r2;") == Marks{false, true});
  CHECK(in_memory("mov.u64 %rd3, 0;\n" + wide + "add.s64 %rd2, %rd1, %rd3;") == Marks{false, false, false});
  CHECK(in_memory("mov.u32 %r3, 5;\n@%p1 mov.u32 %r3, 6;\ndp4a.u32.u32 %r1, %r2, %r3, %r2;") ==
        Marks{false, false, false});
}

TEST_CASE("other integers are immediates, of 64 bits in two halves") {
  for (const char* text :
       {"mul.lo.s64 %rd1, %rd2, 6364136223846793005;", "mul.wide.s32 %rd1, %r1, 4;", "mul.hi.u32 %r1, %r2, 77777;",
        "mad.lo.u32 %r1, %r2, 5, 77777;", "add.s64 %rd1, %rd2, 1442695040888963407;", "add.s32 %r1, %r2, 5;",
        "xor.b64 %rd1, %rd2, 1442695040888963407;", "setp.lt.u64 %p1, %rd1, 1442695040888963407;",
        "selp.b64 %rd1, 1442695040888963407, %rd2, %p1;", "bfe.u32 %r1, %r2, 3, 5;",
        "st.global.u64 [%rd1], 77777777777;", "mul.lo.u32 %r1, %r2, %r3;\nadd.u32 %r4, %r1, 5;"}) {
    INFO(text);
    for (const bool mark : in_memory(text)) CHECK_FALSE(mark);
  }
}
