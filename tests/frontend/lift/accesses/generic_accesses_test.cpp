// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses by generic addresses: which memory they are of.
#include "tests/frontend/lift/accesses/described_accesses.hpp"

using namespace warpspan;
using namespace warpspan::test::described;

namespace {

// Whether the only access by a generic address is known to be one of shared memory; tile has 8,192 bytes.
bool is_in_shared(const std::string& body, const ir::Launch& launch = large) {
  const ir::Flow flow =
      test::facts_of(start + "mov.u64 %d4, tile;\ncvta.shared.u64 %d5, %d4;\n" + body + "ret;", launch);
  REQUIRE(flow.accesses.size() == 1);
  if (flow.accesses[0].in_shared) CHECK(text_of(flow.accesses[0], flow) == "?: - - -");
  return flow.accesses[0].in_shared;
}

}  // namespace

TEST_CASE("a generic address that stays in a variable in shared memory is one of shared memory") {
  const std::string by_thread = "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d5, %d2;\n";
  CHECK(is_in_shared(by_thread + "ld.u32 %r10, [%d3];\n"));
  CHECK(is_in_shared(by_thread + "st.u32 [%d3+7168], %r1;\n"));
  CHECK(is_in_shared(by_thread + "atom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_shared(by_thread + "st.u32 [%d3+7172], %r1;\n"));  // 4 bytes behind it
  CHECK_FALSE(is_in_shared(by_thread + "ld.u32 %r10, [%d3+-4];\n"));   // before it
  CHECK_FALSE(is_in_shared(by_thread + "ld.v2.u32 {%r10, %r11}, [%d3+7168];\n"));
  CHECK_FALSE(is_in_shared("mul.wide.s32 %d2, %r4, 4;\nadd.s64 %d3, %d5, %d2;\nld.u32 %r10, [%d3];\n"));
  // The address in the space is of 32 bits.
  CHECK(
      is_in_shared("mov.u32 %r8, tile;\ncvt.u64.u32 %d6, %r8;\ncvta.shared.u64 %d3, %d6;\nld.u32 %r10, [%d3+8188];\n"));
  // A pointer that goes through it, once for each of 2,048 words, and one that goes too far.
  const auto loop = [](const std::string& iterations) {
    return "mov.u32 %r9, 0;\nmov.u64 %d3, %d5;\nL:\nld.u32 %r10, [%d3];\nadd.s64 %d3, %d3, 4;\nadd.s32 %r9, %r9, 1;\n"
           "setp.lt.s32 %p1, %r9, " +
           iterations + ";\n@%p1 bra L;\n";
  };
  CHECK(is_in_shared(loop("2048")));
  CHECK_FALSE(is_in_shared(loop("2049")));
}

TEST_CASE("an address that is only maybe one of shared memory is none") {
  // Chosen between both, the difference of two windows, the address without its window, loaded from memory, another
  // window.
  CHECK_FALSE(is_in_shared("setp.eq.s32 %p1, %r4, 0;\nselp.b64 %d3, %d1, %d5, %p1;\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("sub.s64 %d6, %d1, %d5;\nadd.s64 %d3, %d5, %d6;\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("ld.u32 %r10, [%d4];\n"));
  CHECK_FALSE(is_in_shared("add.s64 %d3, %d5, %d4;\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("st.shared.u64 [tile], %d5;\nld.shared.u64 %d3, [tile];\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("mov.u64 %d6, frame;\ncvta.local.u64 %d3, %d6;\nld.u32 %r10, [%d3];\n"));
  CHECK_FALSE(is_in_shared("mov.u64 %d6, 0;\ncvta.shared.u64 %d3, %d6;\nld.u32 %r10, [%d3];\n"));  // of no variable
}

TEST_CASE("a generic address is one of global memory if it is counted from a parameter or a variable there") {
  const auto is_in_global = [](const std::string& body) {
    const ir::Flow flow =
        test::facts_of(start + "mov.u64 %d4, tile;\ncvta.shared.u64 %d5, %d4;\n" + body + "ret;", large);
    REQUIRE_FALSE(flow.accesses.empty());
    const ir::Access& last = flow.accesses.back();
    CHECK_FALSE((last.in_shared && last.in_global));
    return last.in_global;
  };
  const std::string by_thread = "mul.wide.u32 %d2, %r1, 4;\n";
  CHECK(is_in_global("atom.add.u32 %r10, [%d1], 1;\n"));
  CHECK(is_in_global(by_thread + "add.s64 %d3, %d1, %d2;\natom.add.u32 %r10, [%d3+16], 1;\n"));
  // At an index that was loaded.
  CHECK(
      is_in_global("ld.global.u32 %r9, [%d1];\nmul.wide.s32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\n"
                   "atom.add.u32 %r10, [%d3], 1;\n"));
  // The window says it already, so that there is nothing to be reported.
  CHECK_FALSE(is_in_global("atom.global.add.u32 %r10, [%d1], 1;\n"));
  // In shared memory, chosen between both, from one to the other, loaded.
  CHECK_FALSE(is_in_global(by_thread + "add.s64 %d3, %d5, %d2;\natom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_global("setp.eq.s32 %p1, %r4, 0;\nselp.b64 %d3, %d1, %d5, %p1;\natom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_global("sub.s64 %d6, %d5, %d1;\nadd.s64 %d3, %d1, %d6;\natom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(
      is_in_global("sub.s64 %d6, %d5, %d1;\nshl.b64 %d6, %d6, 1;\nadd.s64 %d3, %d1, %d6;\n"
                   "atom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_global("ld.global.u64 %d3, [%d1];\natom.add.u32 %r10, [%d3], 1;\n"));
  CHECK_FALSE(is_in_global("ld.global.u64 %d3, [%d1];\nadd.s64 %d3, %d3, %d1;\natom.add.u32 %r10, [%d3], 1;\n"));
}

TEST_CASE("a fragment is in shared memory if all rows of its matrix are") {
  const auto is_shared = [](const std::string& operation, const std::string& offset, const std::string& distance) {
    const std::string registers = "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}";
    const std::string where = "[%d5+" + offset + "]";
    const bool is_load = operation.starts_with("wmma.load");
    return is_in_shared(operation + " " + (is_load ? registers + ", " + where : where + ", " + registers) +
                        (distance.empty() ? "" : ", " + distance) + ";\n");
  };
  const std::string a = "wmma.load.a.sync.aligned.row.m16n16k16.f16";
  // 15 rows of 256 elements of 2 bytes, and one of 16.
  CHECK(is_shared(a, "0", "256"));
  CHECK(is_shared(a, "480", "256"));
  CHECK_FALSE(is_shared(a, "482", "256"));
  CHECK_FALSE(is_shared(a, "0", "%r4"));
  CHECK_FALSE(is_shared(a, "0", "-16"));
  CHECK_FALSE(is_shared(a, "0", ""));
  // Matrix b of 16 by 8: 15 distances and a row of 8, or 7 distances and a column of 16.
  const std::string b = "wmma.load.b.sync.aligned.row.m32n8k16.f16",
                    by_columns = "wmma.load.b.sync.aligned.col.m32n8k16.f16";
  CHECK(is_shared(b, "0", "272"));
  CHECK_FALSE(is_shared(b, "0", "273"));
  CHECK(is_shared(by_columns, "0", "582"));
  CHECK_FALSE(is_shared(by_columns, "0", "583"));
  CHECK(is_shared("wmma.store.d.sync.aligned.row.m16n16k16.f32", "0", "132"));
  CHECK_FALSE(is_shared("wmma.store.d.sync.aligned.row.m16n16k16.f32", "0", "136"));
}
