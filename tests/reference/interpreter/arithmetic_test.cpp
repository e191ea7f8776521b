// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter's arithmetic against results worked out by hand from the PTX ISA.
#include "tests/reference/interpreter/arithmetic.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace warpspan;
using reference::Outcome;

namespace {

Outcome outcome(const std::string& word, std::vector<uint64_t> sources) {
  static ptx::FormTable forms;
  const ptx::Form* form = forms.find(word);
  INFO(word);
  REQUIRE(form != nullptr);
  const auto evaluate = reference::evaluator_of(*form);
  REQUIRE(evaluate.has_value());
  sources.resize(8);
  return (*evaluate)(sources.data());
}

uint64_t word(const std::string& opcode, const std::vector<uint64_t>& sources) {
  return outcome(opcode, sources).value & 0xffffffff;
}
uint64_t half(const std::string& opcode, const std::vector<uint64_t>& sources) {
  return outcome(opcode, sources).value & 0xffff;
}
uint64_t wide(const std::string& opcode, const std::vector<uint64_t>& sources) {
  return outcome(opcode, sources).value;
}

constexpr uint64_t minus(uint64_t value) { return ~value + 1; }
constexpr uint64_t w(uint64_t value) { return value & 0xffffffff; }

}  // namespace

TEST_CASE("reference arithmetic: sums wrap, saturate and carry") {
  CHECK(word("add.u32", {0xffffffff, 1}) == 0);
  CHECK(half("add.s16", {0x7fff, 1}) == 0x8000);
  CHECK(word("add.sat.s32", {0x7fffffff, 1}) == 0x7fffffff);
  CHECK(word("sub.sat.s32", {0x80000000, 1}) == 0x80000000);
  CHECK(wide("sub.s64", {0, 1}) == UINT64_MAX);
  CHECK(outcome("add.cc.u32", {0xffffffff, 1}).carry);
  CHECK_FALSE(outcome("add.cc.u32", {0xfffffffe, 1}).carry);
  CHECK(word("addc.u32", {5, 6, 1}) == 12);
  CHECK(outcome("sub.cc.u32", {0, 1}).carry);
  CHECK(word("subc.u32", {5, 3, 1}) == 1);
  CHECK(outcome("subc.cc.u32", {0, 0xffffffff, 1}).carry);
}

TEST_CASE("reference arithmetic: products") {
  CHECK(word("mul.lo.s32", {0x10001, 0x10001}) == 0x20001);
  CHECK(word("mul.hi.u32", {0xffffffff, 0xffffffff}) == 0xfffffffe);
  CHECK(word("mul.hi.s32", {0xffffffff, 0xffffffff}) == 0);
  CHECK(wide("mul.wide.s32", {0xffffffff, 2}) == minus(2));
  CHECK(wide("mul.wide.u32", {0xffffffff, 2}) == 0x1fffffffe);
  CHECK(word("mul.wide.u16", {0xffff, 0xffff}) == 0xfffe0001);
  CHECK(wide("mul.hi.u64", {UINT64_MAX, UINT64_MAX}) == UINT64_MAX - 1);
  CHECK(wide("mul.hi.s64", {UINT64_MAX, UINT64_MAX}) == 0);
  CHECK(word("mad.lo.u32", {3, 4, 5}) == 17);
  CHECK(word("mad.hi.sat.s32", {0x7fffffff, 0x7fffffff, 0x7fffffff}) == 0x7fffffff);
  CHECK(wide("mad.wide.u32", {0xffffffff, 0xffffffff, 1}) == 0xfffffffe00000002);
  // The low 24 bits of each factor; .hi takes bits 16 to 47 of the product.
  CHECK(word("mul24.lo.u32", {0xff000003, 5}) == 15);
  CHECK(word("mul24.hi.u32", {0xffffff, 0xffffff}) == 0xfffffe00);
  CHECK(word("mul24.lo.s32", {0x00ffffff, 5}) == w(minus(5)));
}

TEST_CASE("reference arithmetic: divisions, order, distance") {
  CHECK(word("div.s32", {w(minus(7)), 2}) == w(minus(3)));
  CHECK(word("rem.s32", {w(minus(7)), 2}) == w(minus(1)));
  CHECK(word("div.u32", {w(minus(7)), 2}) == 0x7ffffffc);
  CHECK(word("div.s32", {0x80000000, 0xffffffff}) == 0x80000000);
  CHECK(word("abs.s32", {0x80000000}) == 0x80000000);
  CHECK(half("neg.s16", {1}) == 0xffff);
  CHECK(word("min.s32", {0xffffffff, 1}) == 0xffffffff);
  CHECK(word("min.u32", {0xffffffff, 1}) == 1);
  CHECK(word("max.s32", {0xffffffff, 1}) == 1);
  CHECK(word("sad.u32", {2, 5, 10}) == 13);
  CHECK(word("sad.s32", {w(minus(2)), 5, 10}) == 17);
}

TEST_CASE("reference arithmetic: logic and shifts") {
  CHECK(word("not.b32", {0x0f0f0f0f}) == 0xf0f0f0f0);
  CHECK(outcome("not.pred", {1}).value == 0);
  CHECK(word("cnot.b32", {0}) == 1);
  CHECK(word("cnot.b32", {7}) == 0);
  CHECK(word("shl.b32", {1, 31}) == 0x80000000);
  CHECK(word("shl.b32", {1, 32}) == 0);
  CHECK(word("shr.u32", {0x80000000, 31}) == 1);
  CHECK(word("shr.u32", {0x80000000, 32}) == 0);
  CHECK(word("shr.s32", {0x80000000, 40}) == 0xffffffff);
  CHECK(half("shr.s16", {0x8000, 15}) == 0xffff);
  CHECK(wide("shr.s64", {uint64_t{1} << 63, 64}) == UINT64_MAX);
  CHECK(wide("shr.u64", {uint64_t{1} << 63, 64}) == 0);
  CHECK(wide("shl.b64", {1, 64}) == 0);
  CHECK(word("shf.l.wrap.b32", {0x80000000, 1, 1}) == 3);
  CHECK(word("shf.l.wrap.b32", {5, 9, 32}) == 9);
  CHECK(word("shf.l.clamp.b32", {5, 9, 40}) == 5);
  CHECK(word("shf.r.wrap.b32", {0x80000000, 1, 1}) == 0xc0000000);
  CHECK(word("shf.r.clamp.b32", {5, 9, 32}) == 9);
  CHECK(word("lop3.b32", {0xf0, 0xcc, 0xaa, 0x80}) == 0x80);
  CHECK(word("lop3.b32", {0xf0, 0xcc, 0xaa, 0x96}) == (0xf0 ^ 0xcc ^ 0xaa));
}

TEST_CASE("reference arithmetic: bits") {
  CHECK(word("popc.b32", {0xff00ff}) == 16);
  CHECK(word("clz.b32", {0}) == 32);
  CHECK(word("clz.b32", {1}) == 31);
  CHECK(word("clz.b64", {1}) == 63);
  CHECK(word("brev.b32", {1}) == 0x80000000);
  CHECK(word("bfind.u32", {0}) == 0xffffffff);
  CHECK(word("bfind.u32", {0x10}) == 4);
  CHECK(word("bfind.s32", {w(minus(1))}) == 0xffffffff);
  CHECK(word("bfind.s32", {w(minus(17))}) == 4);
  CHECK(word("bfind.shiftamt.u32", {0x10}) == 27);
  CHECK(word("bfe.u32", {0xabcd, 4, 8}) == 0xbc);
  CHECK(word("bfe.s32", {0xabcd, 4, 8}) == 0xffffffbc);
  CHECK(word("bfe.u32", {0xabcd, 4, 0}) == 0);
  CHECK(word("bfe.s32", {0x80000000, 28, 20}) == 0xfffffff8);
  CHECK(word("bfe.s32", {0x80000000, 40, 4}) == 0xffffffff);
  CHECK(word("bfi.b32", {0xf, 0, 8, 2}) == 0x300);
  CHECK(word("bfi.b32", {0xff, 0, 28, 8}) == 0xf0000000);
  CHECK(word("bfi.b32", {0xff, 7, 0, 0}) == 7);
  CHECK(word("prmt.b32", {0x44332211, 0x88776655, 0x7531}) == 0x88664422);
  CHECK(word("prmt.b32", {0x00000080, 0, 0x8880}) == 0xffffff80);
}

TEST_CASE("reference arithmetic: comparisons and selections") {
  CHECK(outcome("setp.lt.s32", {0xffffffff, 0}).value == 1);
  CHECK(outcome("setp.lt.u32", {0xffffffff, 0}).value == 0);
  CHECK(outcome("setp.lo.u32", {0, 0xffffffff}).value == 1);
  CHECK(outcome("setp.ne.b32", {1, uint64_t{1} << 32 | 1}).value == 0);
  CHECK(outcome("setp.eq.u32", {1, 2}).second);
  CHECK(outcome("setp.lt.and.s32", {1, 2, 0}).value == 0);
  CHECK_FALSE(outcome("setp.lt.and.s32", {1, 2, 1}).second);
  CHECK(outcome("setp.lt.xor.s32", {1, 2, 1}).value == 0);
  CHECK(word("set.lt.u32.s32", {1, 2}) == 0xffffffff);
  CHECK(word("set.lt.f32.s32", {1, 2}) == 0x3f800000);
  CHECK(word("selp.b32", {7, 8, 1}) == 7);
  CHECK(word("slct.u32.s32", {7, 8, 0}) == 7);
  CHECK(word("slct.u32.s32", {7, 8, 0x80000000}) == 8);
  constexpr uint64_t one = 0x3f800000;
  constexpr uint64_t not_a_number = 0x7fc00000;
  CHECK(outcome("setp.lt.f32", {one, not_a_number}).value == 0);
  CHECK(outcome("setp.ltu.f32", {one, not_a_number}).value == 1);
  CHECK(outcome("setp.nan.f32", {one, not_a_number}).value == 1);
  CHECK(outcome("setp.num.f32", {one, one}).value == 1);
}

TEST_CASE("reference arithmetic: conversions") {
  CHECK(wide("cvt.s64.s32", {0x80000000}) == 0xffffffff80000000);
  CHECK(wide("cvt.u64.u32", {0x80000000}) == 0x80000000);
  CHECK(wide("cvt.u64.s32", {0xffffffff}) == UINT64_MAX);
  CHECK(word("cvt.s32.s8", {0x1ff}) == 0xffffffff);
  CHECK(word("cvt.u8.u32", {0x1ff}) == 0xff);
  CHECK(word("cvt.s8.s32", {0x80}) == 0xffffff80);
  CHECK(word("cvt.u32.u64", {0x123456789}) == 0x23456789);
  CHECK(half("cvt.sat.s16.s32", {100000}) == 0x7fff);
  CHECK(half("cvt.sat.u16.s32", {w(minus(1))}) == 0);
  CHECK(word("cvt.sat.s32.u32", {0xffffffff}) == 0x7fffffff);
  CHECK(word("cvt.rzi.s32.f32", {0xc0200000}) == w(minus(2)));  // -2.5
  CHECK(word("cvt.rmi.s32.f32", {0xc0200000}) == w(minus(3)));
  CHECK(word("cvt.rzi.u32.f32", {0xc0200000}) == 0);
  CHECK(word("cvt.rn.f32.s32", {w(minus(1))}) == 0xbf800000);
  CHECK(wide("cvt.f64.f32", {0x3f800000}) == 0x3ff0000000000000);
}

TEST_CASE("reference arithmetic: floating point") {
  CHECK(word("add.f32", {0x3f800000, 0x40000000}) == 0x40400000);                 // 1 + 2
  CHECK(word("fma.rn.f32", {0x40000000, 0x40400000, 0x3f800000}) == 0x40e00000);  // 2 * 3 + 1
  CHECK(word("neg.f32", {0x3f800000}) == 0xbf800000);
  CHECK(word("max.f32", {0x7fc00000, 0x3f800000}) == 0x3f800000);
  CHECK(wide("div.rn.f64", {0x3ff0000000000000, 0x4000000000000000}) == 0x3fe0000000000000);
  CHECK(word("min.f32", {0, 0x80000000}) == 0x80000000);  // -0 is below 0
  CHECK(word("max.f32", {0x80000000, 0}) == 0);
  CHECK(word("add.sat.f32", {0x3f800000, 0x3f800000}) == 0x3f800000);
  CHECK(word("add.sat.f32", {0xbf800000, 0}) == 0);
}

TEST_CASE("reference arithmetic: rounding, and numbers near zero") {
  constexpr uint64_t one = 0x3f800000, three = 0x40400000;
  CHECK(word("div.rn.f32", {one, three}) == 0x3eaaaaab);
  CHECK(word("div.rz.f32", {one, three}) == 0x3eaaaaaa);
  CHECK(word("div.rm.f32", {0xbf800000, three}) == 0xbeaaaaab);
  CHECK(word("div.rp.f32", {0xbf800000, three}) == 0xbeaaaaaa);
  CHECK(wide("add.rp.f64", {0x3ff0000000000000, 1}) == 0x3ff0000000000001);
  CHECK(word("cvt.rz.f32.f64", {0x3fb999999999999a}) == 0x3dcccccc);  // 0.1
  CHECK(word("cvt.rn.f32.f64", {0x3fb999999999999a}) == 0x3dcccccd);
  CHECK(word("cvt.rz.f32.u64", {UINT64_MAX}) == 0x5f7fffff);
  CHECK(word("cvt.rp.f32.s64", {1 | uint64_t{1} << 62}) == 0x5e800001);
  // Rounded to 64 bits and then to 32 it would be one more.
  CHECK(word("fma.rn.f32", {0x33800001, 0x3f7ffffe, 0x3f800001}) == 0x3f800001);
  constexpr uint64_t tiny = 0x00400000, least = 0x00800000;
  CHECK(word("add.f32", {tiny, tiny}) == least);
  CHECK(word("add.ftz.f32", {tiny, tiny}) == 0);
  CHECK(word("mul.ftz.f32", {least, 0xbf000000}) == 0x80000000);
  CHECK(outcome("setp.eq.f32", {tiny, 0}).value == 0);
  CHECK(outcome("setp.eq.ftz.f32", {tiny, 0}).value == 1);
  CHECK(word("cvt.rpi.s32.f32", {tiny}) == 1);
  CHECK(word("cvt.rpi.ftz.s32.f32", {tiny}) == 0);
}
