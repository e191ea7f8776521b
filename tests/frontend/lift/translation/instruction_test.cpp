// SPDX-License-Identifier: GPL-3.0-or-later
// What single instructions compute: each row leaves a small number in %r9, which a loop then counts to.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

struct Row {
  const char* instructions;
  int64_t expected;
};

std::string counted(const std::string& instructions) {
  return instructions + "\nmov.u32 %r1, 0;\n$L:\nadd.s32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %r9;\n@%p1 bra $L;\nret;";
}

// PTX ISA 9.7.1, 9.7.6, 9.7.8, 9.7.9; the shift amounts beyond the width are clamped.
const Row rows[] = {
    {"add.s32 %r9, 4294967290, 20;", 14},
    {"sub.s32 %r9, 5, 4294967290;", 11},
    {"mul.lo.s32 %r9, 65537, 65538;", 196610},
    {"mul.hi.u32 %r9, 4294967295, 20;", 19},
    {"mul.hi.s32 %r2, -1, 20;\nneg.s32 %r9, %r2;", 1},
    {"mul.wide.s32 %d1, -3, -4;\ncvt.u32.u64 %r9, %d1;", 12},
    {"mul.wide.u32 %d1, 4294967295, 4294967295;\nshr.u64 %d1, %d1, 60;\ncvt.u32.u64 %r9, %d1;", 15},
    {"mul.wide.u16 %r9, 300, 3;", 900},
    {"mad.lo.s32 %r9, 3, 4, 5;", 17},
    {"mad.hi.u32 %r9, 2147483648, 8, 5;", 9},
    {"mov.u64 %d2, 7;\nmad.wide.u32 %d1, 3, 4, %d2;\ncvt.u32.u64 %r9, %d1;", 19},
    {"mul24.lo.u32 %r9, 16777219, 5;", 15},
    {"mul24.lo.s32 %r2, 16777215, 5;\nneg.s32 %r9, %r2;", 5},
    {"mul24.hi.u32 %r9, 65536, 65536;", 65536},
    {"mad24.lo.u32 %r9, 3, 4, 6;", 18},
    {"sad.s32 %r9, -3, 4, 5;", 12},
    {"sad.u32 %r9, 4, 9, 5;", 10},
    {"div.u32 %r9, 100, 7;", 14},
    {"div.s32 %r2, -100, 7;\nneg.s32 %r9, %r2;", 14},
    {"rem.u32 %r9, 100, 7;", 2},
    {"rem.s32 %r2, -100, 7;\nneg.s32 %r9, %r2;", 2},
    {"abs.s32 %r9, -31;", 31},
    {"min.s32 %r2, -3, 4;\nneg.s32 %r9, %r2;", 3},
    {"min.u32 %r9, -3, 4;", 4},
    {"max.s32 %r9, -3, 4;", 4},
    {"and.b32 %r9, 60, 52;", 52},
    {"or.b32 %r9, 33, 12;", 45},
    {"xor.b32 %r9, 33, 12;", 45},
    {"not.b32 %r9, -12;", 11},
    {"cnot.b32 %r2, 0;\nadd.s32 %r9, %r2, 1;", 2},
    {"cnot.b32 %r2, 9;\nadd.s32 %r9, %r2, 2;", 2},
    {"shl.b32 %r9, 5, 2;", 20},
    {"mov.u32 %r2, 32;\nshl.b32 %r3, 5, %r2;\nadd.s32 %r9, %r3, 3;", 3},
    {"shr.u32 %r9, -1, 28;", 15},
    {"shr.s32 %r2, -80, 3;\nneg.s32 %r9, %r2;", 10},
    {"shr.s32 %r2, -80, 99;\nadd.s32 %r9, %r2, 8;", 7},
    {"shr.u32 %r2, -80, 99;\nadd.s32 %r9, %r2, 8;", 8},
    {"shf.l.wrap.b32 %r9, 2147483648, 1, 33;", 3},
    {"shf.r.wrap.b32 %r9, 16, 0, 34;", 4},
    {"shf.r.clamp.b32 %r9, 16, 6, 40;", 6},
    {"lop3.b32 %r9, 12, 10, 9, 0x80;", 8},    // a & b & c
    {"lop3.b32 %r9, 12, 10, 1, 0x96;", 7},    // a ^ b ^ c
    {"lop3.b32 %r9, 12, 10, 33, 0xEA;", 41},  // (a & b) | c
    {"lop3.b32 %r9, 15, 12, 3, 0xCA;", 12},   // a ? b : c
    {"lop3.b32 %r9, 8, 12, 3, 0xCA;", 11},
    {"bfe.u32 %r9, 1000, 3, 5;", 29},
    {"bfe.s32 %r2, 1000, 3, 5;\nneg.s32 %r9, %r2;", 3},
    {"bfi.b32 %r9, 7, 64, 3, 2;", 88},
    {"popc.b32 %r9, 255;", 8},
    {"clz.b32 %r9, 255;", 24},
    {"bfind.u32 %r9, 255;", 7},
    {"bfind.u32 %r9, 0;", 0xffffffff},
    {"bfind.shiftamt.u32 %r9, 255;", 24},
    {"bfind.shiftamt.u32 %r9, 0;", 0xffffffff},
    {"bfind.s32 %r9, -129;", 7},
    {"bfind.s32 %r9, -1;", 0xffffffff},
    {"bfind.shiftamt.s32 %r9, 255;", 24},
    {"brev.b32 %r9, 0x50000000;", 10},
    {"setp.lt.s32 %p1, -1, 0;\nselp.b32 %r9, 5, 6, %p1;", 5},
    {"setp.lt.u32 %p1, -1, 0;\nselp.b32 %r9, 5, 6, %p1;", 6},
    {"setp.lo.u32 %p1, 1, 2;\nselp.b32 %r9, 5, 6, %p1;", 5},
    {"setp.hs.u32 %p1, 1, 2;\nselp.b32 %r9, 5, 6, %p1;", 6},
    {"setp.eq.s32 %p1|%p2, 1, 2;\nselp.b32 %r9, 5, 6, %p2;", 5},
    {"setp.eq.s32 %p3, 1, 1;\nsetp.eq.and.s32 %p1|%p2, 1, 2, %p3;\nselp.b32 %r9, 5, 6, %p2;", 5},
    {"setp.eq.s32 %p3, 1, 1;\nsetp.eq.or.s32 %p1, 1, 2, %p3;\nselp.b32 %r9, 5, 6, %p1;", 5},
    {"setp.eq.s32 %p3, 1, 1;\nsetp.eq.and.s32 %p1, 1, 1, !%p3;\nselp.b32 %r9, 5, 6, %p1;", 6},
    {"setp.eq.s32 %p3, 1, 1;\nsetp.eq.s32 %p2, 1, 1;\nxor.pred %p1, %p2, %p3;\nselp.b32 %r9, 5, 6, %p1;", 6},
    {"set.lt.u32.s32 %r2, 1, 2;\nadd.s32 %r9, %r2, 9;", 8},
    {"set.lt.f32.s32 %f1, 1, 2;\nmov.b32 %r2, %f1;\nshr.u32 %r9, %r2, 23;", 127},
    {"slct.b32.s32 %r9, 5, 6, -1;", 6},
    {"slct.b32.s32 %r9, 5, 6, 0;", 5},
    {"mov.u32 %r2, -3;\ncvt.s16.s32 %h1, %r2;\ncvt.u32.u16 %r3, %h1;\nshr.u32 %r9, %r3, 8;", 255},
    {"mov.u32 %r2, 0x1f85;\ncvt.s32.s8 %r3, %r2;\nneg.s32 %r9, %r3;", 123},
    {"mov.u32 %r2, 0x1f85;\ncvt.u32.u8 %r9, %r2;", 133},
    {"mov.u32 %r2, -5;\ncvt.s64.s32 %d1, %r2;\nneg.s64 %d1, %d1;\ncvt.u32.u64 %r9, %d1;", 5},
    {"mov.u16 %h1, 3;\nmov.u16 %h2, 1;\nmov.b32 %r2, {%h1, %h2};\nadd.s32 %r9, %r2, -65530;", 9},
    {"mov.b32 {%h1, %h2}, 0x00070003;\ncvt.u32.u16 %r9, %h2;", 7},
    {"mov.u32 %r2, 0x41200000;\nmov.b32 %f1, %r2;\nmov.b32 %r3, %f1;\nshr.u32 %r9, %r3, 20;", 1042},
    {"mov.f32 %f1, 0f41200000;\nmov.b32 %r3, %f1;\nshr.u32 %r9, %r3, 20;", 1042},
    {"add.f32 %f1, 0f40A00000, 0f40E00000;\ncvt.rzi.s32.f32 %r9, %f1;", 12},
    {"sub.ftz.f32 %f1, 0f40A00000, 0f3F800000;\ncvt.rzi.s32.f32 %r9, %f1;", 4},
    {"mul.f32 %f1, 0f40A00000, 0f3F000000;\ncvt.rni.s32.f32 %r9, %f1;", 2},
    {"mul.f32 %f1, 0f40A00000, 0f3F000000;\ncvt.rpi.s32.f32 %r9, %f1;", 3},
    {"mul.rn.f32 %f1, 0f3DCCCCCD, 0f41A00000;\ncvt.rzi.s32.f32 %r9, %f1;", 2},
    {"fma.rn.f32 %f1, 0f40400000, 0f40800000, 0f40A00000;\ncvt.rzi.s32.f32 %r9, %f1;", 17},
    {"div.rn.f32 %f1, 0f42C80000, 0f41200000;\ncvt.rzi.u32.f32 %r9, %f1;", 10},
    {"neg.f32 %f1, 0fC0A00000;\ncvt.rzi.s32.f32 %r9, %f1;", 5},
    {"abs.f32 %f1, 0fC0A00000;\ncvt.rzi.s32.f32 %r9, %f1;", 5},
    {"min.f32 %f1, 0f40A00000, 0f40E00000;\ncvt.rzi.s32.f32 %r9, %f1;", 5},
    {"max.f32 %f1, 0f40A00000, 0f40E00000;\ncvt.rzi.s32.f32 %r9, %f1;", 7},
    {"mov.u32 %r2, -9;\ncvt.rn.f32.s32 %f1, %r2;\nneg.f32 %f1, %f1;\ncvt.rzi.u16.f32 %r9, %f1;", 9},
    {"cvt.rmi.f32.f32 %f1, 0f40ACCCCD;\ncvt.rzi.s32.f32 %r9, %f1;", 5},
    {"cvt.f64.f32 %d1, 0f40ACCCCD;\nadd.f64 %d1, %d1, 0d3FF0000000000000;\ncvt.rzi.s32.f64 %r9, %d1;", 6},
    {"cvt.rn.f32.f64 %f1, 0d4018000000000000;\ncvt.rzi.s32.f32 %r9, %f1;", 6},
    {"setp.lt.f32 %p1, 0f3F800000, 0f40000000;\nselp.b32 %r9, 5, 6, %p1;", 5},
    {"setp.eq.f32 %p1|%p2, 0f3F800000, 0f40000000;\nselp.b32 %r9, 5, 6, %p2;", 5},
    {"mov.u32 %r2, 0x7fc00000;\nmov.b32 %f1, %r2;\nsetp.ltu.f32 %p1, %f1, 0f00000000;\nselp.b32 %r9, 5, 6, %p1;", 5},
    {"mov.u32 %r2, 0x7fc00000;\nmov.b32 %f1, %r2;\nsetp.lt.f32 %p1, %f1, 0f00000000;\nselp.b32 %r9, 5, 6, %p1;", 6},
    {"mov.u32 %r2, 0x7fc00000;\nmov.b32 %f1, %r2;\nmin.f32 %f2, %f1, 0f40A00000;\ncvt.rzi.s32.f32 %r9, %f2;", 5},
    {"set.lt.u32.f32 %r2, 0f3F800000, 0f40000000;\nadd.s32 %r9, %r2, 9;", 8},
    {"mov.u32 %r9, %ntid.y;", 2},
    {"mov.u32 %r9, %nctaid.x;", 6},
    {"mov.u32 %r9, WARP_SZ;", 32},
    {"ld.param.u32 %r9, [n];", 1000},
    {"ld.param.u8 %r9, [n+1];", 3},
    {"ld.param.s8 %r2, [n];\nneg.s32 %r9, %r2;", 24},
    {"ld.param.u16 %h1, [n];\ncvt.u32.u16 %r9, %h1;", 1000},
    {"mov.b64 %d1, n;\nadd.s64 %d2, %d1, 1;\nld.param.u8 %r9, [%d2];", 3},
    {"setp.eq.s32 %p1, 1, 1;\nmov.u32 %r9, 4;\n@%p1 mov.u32 %r9, 6;", 6},
    {"setp.eq.s32 %p1, 1, 1;\nmov.u32 %r9, 4;\n@!%p1 mov.u32 %r9, 6;", 4},
};

}  // namespace

TEST_CASE("instructions are computed exactly") {
  const ir::Launch launch = test::with_argument(test::with_grid(test::block_of(64, 2), 6), "n", "1000");
  for (const Row& row : rows) {
    INFO(row.instructions);
    CHECK(test::trips_of(counted(row.instructions), launch) ==
          std::vector<std::string>{"$L: " + std::to_string(row.expected)});
  }
}

TEST_CASE("results that PTX does not specify are not known") {
  for (const char* instructions :
       {"mov.u32 %r2, 0;\ndiv.u32 %r9, 100, %r2;", "mov.u32 %r2, 0;\nrem.u32 %r9, 100, %r2;",
        "mov.u32 %r2, -1;\ndiv.s32 %r9, 0x80000000, %r2;", "add.s32 %r9, %r8, 1;", "add.sat.s32 %r9, 1, 2;",
        "add.sat.f32 %f1, 0f3F800000, 0f3F800000;\ncvt.rzi.s32.f32 %r9, %f1;",
        "div.approx.f32 %f1, 0f41200000, 0f3F800000;\ncvt.rzi.s32.f32 %r9, %f1;", "cvt.rzi.s32.f32 %r9, 0f7F800000;",
        "cvt.rzi.u32.f32 %r9, 0fC1200000;", "mov.u32 %r2, 0x7fc00000;\nmov.b32 %f1, %r2;\ncvt.rzi.s32.f32 %r9, %f1;",
        // Of what is not a number the bits.
        "sub.f32 %f1, 0f7F800000, 0f7F800000;\nmov.b32 %r9, %f1;",
        // Zero or not, as the target has it.
        "add.f32 %f1, 0f00000001, 0f00000003;\nmov.b32 %r9, %f1;",
        "add.ftz.f32 %f1, 0f00000001, 0f3F800000;\ncvt.rzi.s32.f32 %r9, %f1;",
        // The product may be fused with the sum, before it is rounded.
        "mul.f32 %f1, 0f3DCCCCCD, 0f41A00000;\nadd.f32 %f1, %f1, 0f40A00000;\n"
        "cvt.rzi.s32.f32 %r9, %f1;",
        "prmt.b32 %r9, 1, 2, 0x3210;", "addc.s32 %r9, 1, 2;", "mov.u32 %r9, %clock;"}) {
    const auto trips = test::trips_of(counted(instructions));
    INFO(instructions);
    REQUIRE(trips.size() == 1);
    CHECK(trips[0].substr(0, 6) == "$L: ? ");
  }
}
