// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/lowering/gathers.hpp"

#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;

namespace {

// Of the instructions of a kernel's body.
std::vector<uint32_t> gathered(const std::string& body) {
  const ptx::Module module = test::module_of(test::kernel(body + "\nret;"));
  auto found = ptx::gathered_registers(module.functions.at(0));
  found.pop_back();
  return found;
}

const std::string multiply = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ";

}  // namespace

TEST_CASE("registers that stand in vectors of one kind lie where all of them want them") {
  // Loaded as four, multiplied as four and two, summed up in their places.
  CHECK(gathered("ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%rd1];\n"
                 "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd2];\n" +
                 multiply + "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f4, %f5, %f6, %f7};\n" +
                 multiply +
                 "{%f4, %f5, %f6, %f7}, {%r0, %r1, %r2, %r3}, {%r6, %r7}, {%f0, %f1, %f2, %f3};\n"
                 "st.global.v2.f32 [%rd1], {%f4, %f5};\n"
                 "st.global.v2.f32 [%rd2], {%f6, %f7};") == std::vector<uint32_t>(6, 0));
}

TEST_CASE("registers of vectors that do not fit each other are moved by who reads them") {
  // In another order.
  CHECK(gathered(multiply + "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};\n" +
                 multiply + "{%f0, %f1, %f2, %f3}, {%r1, %r0, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};") ==
        std::vector<uint32_t>{4, 4});
  // A pair that begins within a pair of four, and one that is made of two.
  CHECK(gathered("st.global.v4.b32 [%rd1], {%r0, %r1, %r2, %r3};\nst.global.v2.b32 [%rd1], {%r1, %r2};") ==
        std::vector<uint32_t>{2, 2});
  CHECK(gathered("st.global.v2.b32 [%rd1], {%r0, %r1};\nst.global.v4.b32 [%rd1], {%r2, %r3, %r0, %r1};") ==
        std::vector<uint32_t>{0, 0});
  CHECK(gathered("st.global.v2.b32 [%rd1], {%r0, %r1};\nst.global.v4.b32 [%rd1], {%r2, %r0, %r1, %r3};") ==
        std::vector<uint32_t>{2, 2});
  // One register twice; those of 64 bits are two each.
  CHECK(gathered("st.global.v4.b32 [%rd1], {%r0, %r0, %r1, %r2};") == std::vector<uint32_t>{2});
  CHECK(gathered("st.global.v2.b64 [%rd1], {%rd2, %rd2};") == std::vector<uint32_t>{4});
}

TEST_CASE("what is written needs no move before, and moves are moves themselves") {
  CHECK(gathered("ld.global.v2.b32 {%r0, %r1}, [%rd1];\nld.global.v2.b32 {%r1, %r0}, [%rd1];") ==
        std::vector<uint32_t>{0, 0});
  CHECK(gathered("mov.b64 %rd1, {%r0, %r0};\nmov.b64 %rd2, {%r1, %r0};") == std::vector<uint32_t>{0, 0});
}
