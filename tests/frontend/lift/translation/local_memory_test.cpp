// SPDX-License-Identifier: GPL-3.0-or-later
// Loop counters that unoptimised code keeps in local memory, and addresses that are known elsewhere.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::trips_of;

namespace {

using Strings = std::vector<std::string>;

// As nvcc -G and clang -O0 do: the stack pointer, the counter at byte 8.
std::string counted(const std::string& before, const std::string& inside = "") {
  return "mov.u64 %d1, frame;\ncvta.local.u64 %d2, %d1;\n" + before +
         "mov.u32 %r1, 0;\nst.u32 [%d2+8], %r1;\nbra.uni $L;\n$L:\nld.u32 %r2, [%d2+8];\nsetp.lt.s32 %p1, %r2, 10;\n"
         "not.pred %p2, %p1;\n@%p2 bra $end;\n" +
         inside + "ld.u32 %r3, [%d2+8];\nadd.s32 %r4, %r3, 1;\nst.u32 [%d2+8], %r4;\nbra.uni $L;\n$end:\nret;";
}

const std::string from_memory = "$L: ? its exit test depends on a value loaded from memory in line ";

}  // namespace

TEST_CASE("a counter in local memory") {
  CHECK(trips_of(counted("")) == Strings{"$L: 11"});
  // By its own address register, in local space, and at a neighbouring place.
  CHECK(trips_of(counted("add.u64 %d3, %d2, 4;\n", "st.u32 [%d3], 77;\n")) == Strings{"$L: 11"});
  CHECK(trips_of(counted("", "st.local.u32 [%d1+12], 77;\n")) == Strings{"$L: 11"});
  CHECK(trips_of(counted("add.u64 %d3, %d2, 4;\n",
                         "ld.u32 %r9, [%d3+4];\nadd.s32 %r9, %r9, 5;\nst.u32 [%d3+4], %r9;\n")) == Strings{"$L: 3"});
  CHECK(trips_of(counted("sub.s64 %d3, %d2, -8;\nmov.b64 %d4, %d3;\ncvta.to.local.u64 %d5, %d4;\n",
                         "ld.local.u32 %r9, [%d5];\nadd.s32 %r9, %r9, 1;\nst.local.u32 [%d5], %r9;\n")) ==
        Strings{"$L: 6"});
}

TEST_CASE("a guarded store may leave the old value") {
  CHECK(trips_of(counted("setp.eq.s32 %p3, 1, 2;\n", "@%p3 st.u32 [%d2+8], 0;\n")) == Strings{"$L: 11"});
  CHECK(trips_of(counted("mov.u32 %r5, %tid.x;\nsetp.eq.s32 %p3, %r5, 2;\n", "@%p3 st.u32 [%d2+8], 0;\n"))[0].substr(
            0, 5) == "$L: ?");
}

TEST_CASE("a variable whose address is known elsewhere is in memory") {
  // Stored, passed on, indexed, selected, compared, loaded from by an atomic, defined twice.
  for (const char* before :
       {"ld.param.u64 %d3, [p];\nst.global.u64 [%d3], %d2;\n",
        "mov.u32 %r5, %tid.x;\ncvt.u64.u32 %d3, %r5;\nadd.s64 %d4, %d2, %d3;\n",
        "setp.eq.u64 %p3, %d2, 0;\nselp.b64 %d3, 0, 1, %p3;\n", "add.u64 %d3, %d2, 8;\natom.add.u32 %r5, [%d3], 1;\n",
        "mul.lo.u64 %d3, %d2, 3;\nmov.u32 %r5, 0;\n"}) {
    INFO(before);
    const auto trips = trips_of(counted(before));
    REQUIRE(trips.size() == 1);
    CHECK(trips[0].substr(0, from_memory.size()) == from_memory);
  }
  CHECK(trips_of(counted("mov.u32 %r5, frame;\ncvt.u64.u32 %d3, %r5;\nst.local.u32 [%d3], 9;\n"))[0].substr(0, 5) ==
        "$L: ?");
}

TEST_CASE("an access that overlaps the counter in part") {
  CHECK(trips_of(counted("", "st.u16 [%d2+8], %h1;\n"))[0].substr(0, from_memory.size()) == from_memory);
  CHECK(trips_of(counted("", "st.u64 [%d2+8], %d20;\n"))[0].substr(0, from_memory.size()) == from_memory);
  // Whole elements of a vector are no partial overlap.
  CHECK(trips_of(counted("", "st.v2.u32 [%d2+4], {%r2, %r2};\n")) == Strings{"$L: 11"});
  // Beyond the variable anything may be meant.
  CHECK(trips_of(counted("", "st.u32 [%d2+64], %r2;\n"))[0].substr(0, from_memory.size()) == from_memory);
}

TEST_CASE("memory that is read before it is written holds any value") {
  CHECK(trips_of("$L:\nld.local.u32 %r1, [frame];\nadd.s32 %r1, %r1, 1;\nst.local.u32 [frame], %r1;\n"
                 "setp.lt.s32 %p1, %r1, 10;\n@%p1 bra $L;\nret;") ==
        Strings{"$L: ? its exit test depends on a register that may not have been set"});
}

TEST_CASE("parameters of calls carry values") {
  const std::string text =
      ".func (.param .b32 result) f(.param .b32 count)\n{\n.reg .pred %p;\n.reg .b32 %i<3>;\nld.param.u32 %i1, "
      "[count];\n"
      "mov.u32 %i0, 0;\n$F:\nadd.s32 %i0, %i0, 1;\nsetp.lt.s32 %p, %i0, %i1;\n@%p bra $F;\nst.param.b32 [result], "
      "%i0;\n"
      "ret;\n}\n" +
      test::kernel_k(
          "{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], 7;\ncall (b), f, (a);\nld.param.b32 %r1, [b];\n}\n"
          "mov.u32 %r2, 0;\n$L:\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra $L;\nret;");
  const auto analyzed = test::analyze(text, test::block_of(32));
  REQUIRE(analyzed.facts.ok());
  REQUIRE(analyzed.facts->loops.size() == 2);
  CHECK(analyzed.facts->loops[0].trip_count == 7);
  CHECK(analyzed.facts->loops[1].trip_count == 7);
}
