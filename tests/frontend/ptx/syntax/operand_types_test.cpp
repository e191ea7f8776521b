// SPDX-License-Identifier: GPL-3.0-or-later
// What an operand may be, by the type of its instruction: each of these ptxas 13.0 accepts or refuses as stated here.
#include <catch2/catch.hpp>

#include "tests/frontend/ptx/parse_text.hpp"

namespace {

using warpspan::test::errors_of;
using warpspan::test::header;
using warpspan::test::module_of;

std::string kernel(const std::string& body) {
  return (
      ".global .u32 G; .shared .u32 S; .const .u32 C;\n"
      ".func (.param .b32 r) f(.param .b32 a);\n"
      ".visible .entry k(.param .u64 P)\n{\n"
      ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .b128 %q<3>;\n"
      ".reg .u32 %u<9>; .reg .s64 %s<9>; .reg .f32 %f<9>; .reg .f64 %g<9>; .reg .f16x2 %x<9>;\n"
      "L:\n" +
      body + "\n}\n");
}

void accepts(const std::string& body) {
  INFO(body);
  CHECK(module_of(kernel(body)).functions.size() == 2);
}

void refuses(const std::string& body, const std::string& message) {
  const std::string errors = errors_of(header + kernel(body));
  INFO(body << "\n" << errors);
  CHECK(errors.find(message) != std::string::npos);
}

}  // namespace

TEST_CASE("registers are of the width and kind of the type") {
  accepts("add.u32 %r1, %u2, 3; add.s32 %u1, %r2, %x1; and.b32 %f1, %r1, %u1; mul.wide.u32 %d1, %r1, 4;");
  accepts("popc.b64 %r1, %d1; shl.b64 %d1, %s1, %r1; bfe.u64 %d1, %d2, %r1, 3; cvt.u64.u32 %d1, %r1;");
  refuses("add.u32 %d1, %r1, %r2;", "'add.u32' wants type .u32 here, 32 bits; '%d1' is of type .b64");
  refuses("add.u32 %r1, %f1, %r2;", "'%f1' is of type .f32");
  refuses("add.f32 %f1, %u1, %f2;", "'%u1' is of type .u32");
  refuses("add.u32 %r1, %p1, %r2;", "'%p1' is of type .pred");
  refuses("mul.wide.u32 %r1, %r1, 4;", "wants type .u64 here, 64 bits; '%r1' is of type .b32");
  refuses("popc.b64 %d1, %d1;", "wants type .u32 here, 32 bits");
  refuses("shl.b64 %d1, %d1, %d2;", "wants type .u32 here, 32 bits");
  refuses("selp.u32 %r1, %r2, %r3, %r4;", "wants type .pred here, 1 bit");
  refuses("setp.eq.u32 %r1, %r2, 3;", "wants type .pred here, 1 bit");
  refuses("cvt.u32.u64 %r1, %r2;", "wants type .u64 here, 64 bits");
}

TEST_CASE("loads, stores and conversions take wider registers") {
  accepts("ld.u8 %r1, [%d1]; ld.u16 %d1, [%d1]; st.u32 [%d1], %d2; cvt.u32.u64 %d1, %d2; ld.b16 %f1, [%d1];");
  refuses("ld.u64 %r1, [%d1];", "wants type .u64 here, 64 bits");
  refuses("ld.u32 %f1, [%d1];", "'%f1' is of type .f32");
  refuses("atom.global.add.u32 %d1, [%d2], 1;", "wants type .u32 here, 32 bits");
}

TEST_CASE("constants are of the type") {
  accepts("add.f32 %f1, %f2, 1.5; add.f64 %g1, %g2, 0d3FF0000000000000; mov.b32 %r1, 0f3F800000; add.u16 %h1, %h2, 7;");
  accepts("mov.b64 %d1, 1.5; and.b32 %r1, %r2, !3; selp.u32 %r1, 1, 2, 1;");
  refuses("add.f32 %f1, %f2, 1;", "'add.f32' wants a value of type .f32 here, not '1'");
  refuses("add.u32 %r1, %r2, 1.5;", "wants a value of type .u32 here, not '1.5'");
  refuses("mov.b32 %r1, 1.5;", "wants a value of type .b32 here, not '1.5'");
  refuses("add.u32 5, %r1, %r2;", "'add.u32' writes this operand, so it must be a register");
}

TEST_CASE("special registers and addresses are moved into registers first") {
  accepts("mov.u32 %r1, %tid.x; mov.u64 %d1, %clock64; mov.u64 %d1, G; mov.u64 %d1, f; cvt.u64.u32 %d1, %laneid;");
  refuses("add.u32 %r1, %tid.x, 1;", "move it into a register first, with mov");
  refuses("add.s64 %d1, %d2, G;", "move it into a register first, with mov");
  refuses("mov.u32 %r1, %clock64;", "wants a value of type .u32 here, not '%clock64'");
  refuses("mov.u64 %d1, %tid.x;", "wants a value of type .u64 here, not '%tid.x'");
}

TEST_CASE("vectors have the elements that the word says") {
  accepts("ld.global.v2.u32 {%r1, _}, [%d1]; ld.u32 {%r1}, [%d1]; mov.b64 %d1, {%r1, %f2}; mov.b64 {%r1, _}, %d1;");
  refuses("ld.global.v2.u32 %r1, [%d1];", "'ld.global.v2.u32' wants a vector of 2 elements here, not '%r1'");
  refuses("ld.global.v2.u32 {%r1,%r2,%r3}, [%d1];",
          "wants a vector of 2 elements of type .u32 here, not '{%r1,%r2,%r3}'");
  refuses("ld.global.v2.u32 {_,_}, [%d1];", "wants a vector of 2 elements of type .u32");
  refuses("ld.global.v2.u32 {%r1,%d2}, [%d1];", "wants a vector of 2 elements of type .u32");
  refuses("add.u32 %r1, {%r1,%r2}, %r3;", "'add.u32' wants a value of type .u32 here, not '{%r1,%r2}'");
  refuses("mov.u64 %d1, {%r1,%r2};", "wants a value of type .u64 here");
  refuses("mov.b64 %d1, {%r1,%h2};", "wants a value of type .b64 here");
}

TEST_CASE("pairs and sinks stand where a word has them") {
  accepts("setp.eq.u32 %p1|%p2, %r1, 3; setp.eq.u32 _|%p2, %r1, 3; atom.global.add.u32 _, [%d1], 1;");
  refuses("add.u32 %r1|%p1, %r2, 3;", "'add.u32' cannot have the pair '%r1|%p1' here");
  refuses("setp.eq.u32 %p1|%r2, %r1, 3;", "the second of a pair is a predicate register");
  refuses("add.u32 _, %r1, 3;", "wants a value of type .u32 here, not '_'");
}

TEST_CASE("addresses are integers or variables of the space") {
  accepts(
      "ld.global.u32 %r1, [G+4]; ld.u32 %r1, [G]; ld.param.u64 %d1, [P]; ld.const.u32 %r1, [C]; ld.shared.u32 %r1, "
      "[%h1];");
  refuses("ld.global.u32 %r1, [%d1,3584];", "an address of 'ld.global.u32' is one value\n");
  refuses("ld.global.u32 %r1, [%p1];", "an address is an integer, and '[%p1]' begins with a register of type .pred");
  refuses("ld.global.u32 %r1, [%f1];", "begins with a register of type .f32");
  refuses("ld.global.u32 %r1, [%q1];", "begins with a register of type .b128");
  refuses("ld.global.u32 %r1, [S];", "'ld.global.u32' accesses another space than that of 'S'");
  refuses("ld.u64 %d1, [P];", "'ld.u64' without a space cannot access '[P]'\n");
  refuses("ld.global.u32 %r1, [16];", "only .local memory can have a number as its address");
  refuses("@!%p1 bra !L;", "the target of 'bra' is a label");
}

TEST_CASE("operands that belong to a modifier") {
  accepts("setp.eq.and.u32 %p1, %r1, 3, !%p2; ld.global.L2::cache_hint.u32 %r1, [%d1], %d2;");
  refuses("setp.eq.and.u32 %p1, %r1, 3;", "'setp.eq.and.u32' cannot have 3 operands");
  refuses("setp.eq.u32 %p1, %r1, 3, %p2;", "'setp.eq.u32' cannot have 4 operands");
  refuses("ld.global.u32 %r1, [%d1], %d2;", "'ld.global.u32' cannot have 3 operands");
  refuses("atom.global.cas.b32 %r1, [%d1], %r2;", "'atom.global.cas.b32' cannot have 3 operands");
  refuses("shfl.sync.up.b32 %r1, %r2, 1, 0;", "'shfl.sync.up.b32' cannot have 4 operands");
}

TEST_CASE("results and arguments of a call are those of the function") {
  accepts(".param .b32 A; .param .b32 R; call (R), f, (A); call (%r1), f, (%r2); call (%f1), f, (5);");
  refuses("call f, (%r1);", "'f' has 1 result, not 0");
  refuses("call (%r1), f;", "'f' has 1 argument, not 0");
  refuses("call (%r1), f, (%r1, %r2);", "'f' has 1 argument, not 2");
  refuses("call (%d1), f, (%r1);", "result 1 is not of the type that 'f' has for it");
  refuses("call (%r1), f, (%d1);", "argument 1 is not of the type that 'f' has for it");
  refuses(".param .b64 A; call (%r1), f, (A);", "argument 1 is not of the type that 'f' has for it");
  refuses(".param .b8 A[4]; call (%r1), f, (A);", "argument 1 is not of the type that 'f' has for it");
  refuses("call (%r1), f, (P);", "argument 1 is not of the type that 'f' has for it");
  refuses("call %d1;", "a call of a computed function says of which kind it is");
  refuses("add.s64 %d1, %d2, f;", "wants a value of type .s64 here, not 'f'");
}

TEST_CASE("what must be a constant") {
  accepts("cp.async.wait_group 2; pmevent 7;");
  refuses("cp.async.wait_group %r1;", "'cp.async.wait_group' wants a constant here, 0 or more");
  refuses("cp.async.wait_group -1;", "wants a constant here, 0 or more");
}

TEST_CASE("results of asynchronous matrix operations and of loads from tensor memory") {
  accepts("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d0, %d1, %p0, 1, 1, 0, 0;");
  refuses("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %d0, %d1, %p0, 1, 1, 0, 0;",
          "wants a value of type .b32 here");
  accepts(
      "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r0, %r1}, [%r2]; tcgen05.st.sync.aligned.16x32bx2.x1.b32 [%r2], 2, "
      "{%r1};");
  refuses("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%h0, %h1}, [%r2];", "wants a value of type .b32 here");
  refuses("tcgen05.st.sync.aligned.16x32bx2.x1.b32 [%r2], %r3, {%r1};", "wants a constant here, 0 or more");
}

// As ptxas 13.5 does: each variable was tried as each address.
TEST_CASE("each address of a copy is of the space that the word names for it") {
  const std::string other = "accesses another space than that of";
  const std::string into = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ";
  accepts("cp.async.ca.shared.global [S], [G], 4; cp.async.bulk.global.shared::cta.bulk_group [G], [S], 64;");
  accepts(into + "[S], [G], 64, [S];");
  refuses("cp.async.ca.shared.global [G], [G], 4;", other + " 'G'");
  refuses("cp.async.ca.shared.global [S], [S], 4;", other + " 'S'");
  refuses("cp.async.bulk.global.shared::cta.bulk_group [S], [S], 64;", other + " 'S'");
  refuses("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [S], [G], 64, [S];", other + " 'G'");
  refuses(into + "[S], [G], 64, [G];", other + " 'G'");
  accepts("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [G, {%r1,%r2}], [S];");
  refuses("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [S, {%r1,%r2}], [S];", other + " 'S'");
  refuses("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [G, {%r1,%r2}], [G];", other + " 'G'");
  accepts("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [S], %r1, [S];");
  refuses("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [S], %r1, [G];", other + " 'G'");
}

TEST_CASE("barrier objects are in shared memory, and generic addresses are of neither constants nor parameters") {
  accepts("mbarrier.init.b64 [S], 1; prefetch.L2 [G]; prefetch.L2 [S]; prefetch.const.tensormap [C];");
  accepts("prefetch.param.tensormap [P]; fence.proxy.tensormap::generic.acquire.gpu [C], 128;");
  accepts("createpolicy.range.global.L2::evict_last.b64 %d1, [G], 64, 128;");
  refuses("mbarrier.init.b64 [G], 1;", "'mbarrier.init.b64' accesses another space than that of 'G'");
  refuses("prefetch.L2 [C];", "'prefetch.L2' without a space cannot access '[C]'");
  refuses("createpolicy.range.L2::evict_last.b64 %d1, [P], 64, 128;", "without a space cannot access '[P]'");
  refuses("createpolicy.range.global.L2::evict_last.b64 %d1, [S], 64, 128;", "accesses another space than that of 'S'");
}

// The assembler has no machine instruction with such an address in it.
TEST_CASE("the address of a variable is moved into a register, but for loads, stores and atomics") {
  const auto words = [](const std::string& body) {
    std::string all;
    const auto module = module_of(kernel(body));
    for (const auto& instruction : module.functions.back().instructions) all += instruction.form->text + " ";
    return all;
  };
  CHECK(words("ld.shared.u32 %r1, [S]; st.u32 [G], %r1; atom.add.u32 %r1, [G], 1;") ==
        "ld.shared.u32 st.u32 atom.add.u32 ret ");
  CHECK(words("cp.async.ca.shared.global [S+4], [G], 4;") == "mov.u32 mov.u64 cp.async.ca.shared.global ret ");
  CHECK(words("@%p1 mbarrier.inval.shared.b64 [S];") == "mov.u32 mbarrier.inval.shared.b64 ret ");
  CHECK(words("prefetch.L2 [S];") == "mov.u64 prefetch.L2 ret ");
}

TEST_CASE("bytes at both ends of a bulk copy are ignored where its word says so") {
  const std::string word = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes";
  accepts(word + ".ignore_oob [%r1], [%d1], 64, 0, 15, [%r2];");
  accepts(word + ".ignore_oob [S], [G], 64, %r3, %r4, [S];");
  accepts(word + ".ignore_oob.L2::cache_hint [%r1], [%d1], 64, 0, 15, [%r2], %d2;");
  refuses(word + " [%r1], [%d1], 64, 0, 15, [%r2];", "is an address in memory");
  refuses(word + ".ignore_oob [%r1], [%d1], 64, [%r2];", "cannot have 4 operands");
  refuses(word + ".ignore_oob [%r1], [%d1], 64, %d3, 15, [%r2];", "wants type .u32 here");
  refuses("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.ignore_oob [%r1], [%d1], 64, 0, 1, [%r2];",
          "error");
  refuses("cp.async.bulk.global.shared::cta.bulk_group.ignore_oob [%d1], [%r1], 64;", "error");
}
